"""Circle Nim solved: against plain recursion, against counts by hand, and chances against two other ways."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from engines.game import Move
from engines.games.circle_nim import CircleNim, State
from engines.solvers import find_oracle
from engines.solvers.circle_nim import analyse
from engines.solvers.circle_nim_chances import chance_among_random
from engines.strategies.perfect import best_moves
from tests.integration.engines.solvers.brute import brute_values


@pytest.mark.parametrize("rows", [2, 3, 4, 5])
def test_values_are_those_of_plain_recursion(rows: int) -> None:
    """For either seat to move, in every position."""
    game = CircleNim(rows)
    oracle = find_oracle(game)
    values = brute_values(game)
    assert {state: oracle.value(state) for state in values} == values


@pytest.mark.parametrize("rows", [2, 3, 4])
def test_positions_are_counted_one_by_one(rows: int) -> None:
    """Won and lost, all and up to symmetry, as when every set is looked at in plain Python."""
    game = CircleNim(rows)
    oracle = find_oracle(game)
    found = analyse(game)
    states = [State(left, 0) for left in range(1 << game.circles)]
    shapes = {game.canonical(state) for state in states}
    for name, counted in (("positions", states), ("up_to_symmetry", shapes)):
        won = sum(oracle.value(state).result > 0 for state in counted)
        assert found[name] == {"all": len(counted), "won": won, "lost": len(counted) - won}
        by_distance = {(each["distance"], each["won"]): each[name] for each in found["distances"]}
        values = [oracle.value(state) for state in counted]
        expected = {(value.distance, value.result > 0): values.count(value) for value in set(values)}
        assert by_distance == expected


def test_first_moves_are_told_with_those_alike() -> None:
    """Every legal first move once, with those that symmetry makes alike, and its value; the best marked."""
    game = CircleNim(5)
    oracle = find_oracle(game)
    found = analyse(game)
    start = game.initial()
    told = [move for each in found["first_moves"] for move in each["moves"]]
    assert sorted(told) == sorted(map(game.move_to_text, game.legal_moves(start)))
    for each in found["first_moves"]:
        after = [game.play(start, game.move_from_text(move)) for move in each["moves"]]
        assert len({game.canonical(state) for state in after}) == 1
        values = {oracle.value(state) for state in after}
        assert values == {(-1 if each["wins"] else 1, each["distance"] - 1)}
    best = {move for each in found["first_moves"] if each["best"] for move in each["moves"]}
    assert best == set(map(game.move_to_text, best_moves(game, oracle, start)))


@pytest.mark.parametrize(("rows", "winner"), [(2, "first"), (3, "second"), (4, "second"), (5, "first")])
def test_who_wins(rows: int, winner: str) -> None:
    """The winner of small triangles, and its distance is that of the first position."""
    game = CircleNim(rows)
    found = analyse(game)
    value = brute_values(game)[game.initial()]
    assert found["winner"] == winner == ("first" if value.result > 0 else "second")
    assert found["distance"] == value.distance


def test_two_rows_by_hand() -> None:
    """Who takes two of three circles at first wins; after one, the answer decides: two lose, and one wins.

    So two random players give the first 1/2 + 1/4, and the random first player wins half its games against
    a perfect one, which answers one by one.
    """
    chances = analyse(CircleNim(2))["chances"]
    assert chances["random_random"] == {"first_wins": 0.75, "fraction": "3/4", "plies": 2.25}
    assert chances["perfect_random"] == {"first_wins": 1.0, "plies": 2.0}
    assert chances["random_perfect"] == {"first_wins": 0.5, "plies": 2.5}


Player = str


def slow_chances(game: CircleNim, first: Player, second: Player) -> tuple[Fraction, Fraction]:
    """The first player's chance to win and the mean number of plies, from the rules, move by move."""
    oracle = find_oracle(game)
    players = (first, second)

    def choices(state: State) -> list[tuple[Fraction, Move]]:
        if players[state.seat] == "perfect":
            best = best_moves(game, oracle, state)
            return [(Fraction(1, len(best)), move) for move in best]
        legal = game.legal_moves(state)
        taken = {move: game.move_to_text(move).count("-") for move in legal}
        kinds = set(taken.values())
        return [(Fraction(1, len(kinds) * list(taken.values()).count(taken[move])), move) for move in legal]

    @cache
    def result(state: State) -> tuple[Fraction, Fraction]:
        outcome = game.outcome(state)
        if outcome is not None:
            return Fraction(outcome.winner == 0), Fraction(0)
        won = plies = Fraction(0)
        for chance, move in choices(state):
            after = result(game.play(state, move))
            won += chance * after[0]
            plies += chance * (1 + after[1])
        return won, plies

    return result(game.initial())


@pytest.mark.parametrize("rows", [2, 3, 4])
def test_chances_are_exact(rows: int) -> None:
    """The floats of every pair of players agree with fractions that are computed without any symmetry."""
    game = CircleNim(rows)
    chances: dict[str, Any] = analyse(game)["chances"]
    for name, told in chances.items():
        won, plies = slow_chances(game, *name.split("_"))
        assert told["first_wins"] == pytest.approx(float(won), rel=1e-14, abs=0)
        assert told["plies"] == pytest.approx(float(plies), rel=1e-14)
    assert chances["random_random"]["fraction"] == str(slow_chances(game, "random", "random")[0])


def test_the_fraction_of_five_rows_is_the_float() -> None:
    """Two programs, one in fractions from the rules and one in floats by shapes, give the same chance."""
    game = CircleNim(5)
    assert analyse(game)["chances"]["random_random"]["first_wins"] == pytest.approx(
        float(chance_among_random(game)), rel=1e-14
    )


def test_small_chances_keep_their_digits() -> None:
    """With six rows a random first player hardly ever beats a perfect one, and that is not rounded away."""
    chances = analyse(CircleNim(6))["chances"]
    assert 0 < chances["random_perfect"]["first_wins"] < 1e-9
    assert chances["perfect_random"]["first_wins"] > 1 - 1e-9
