"""Reversi solved: the smallest board against plain recursion and published results, endings by position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers import Solution, SolverError, find_oracle
from engines.solvers.reversed_reversi import analyse
from tests.integration.engines.solvers.brute import brute_values

both_rules = pytest.mark.parametrize("reverse", [True, False])


@cache
def found_from_the_start(reverse: bool) -> Solution:
    """The analysis of the smallest board."""
    return analyse(ReversedReversi(4, reverse))


def played(game: ReversedReversi, moves: Sequence[str]) -> list[State]:
    """The states of a game with these moves, the first included."""
    states = [game.initial()]
    for move in moves:
        states.append(game.play(states[-1], game.move_from_text(move)))
    return states


@both_rules
def test_values_are_those_of_plain_recursion(reverse: bool) -> None:
    """In every position that play can reach, read back from the packed table."""
    game = ReversedReversi(4, reverse)
    oracle = find_oracle(game)
    values = brute_values(game)
    assert {state: oracle.value(state) for state in values} == values


@pytest.mark.long
def test_ordinary_play_ends_as_published() -> None:
    """On 4 by 4 squares the second player wins 11 to 3, among 60,060 different games."""
    found = found_from_the_start(reverse=False)
    assert (found["winner"], found["score"], found["games"]) == ("O", [3, 11], 60060)


@both_rules
def test_the_line_is_perfect_play(reverse: bool) -> None:
    """The line ends with the score, and no move on it changes who wins."""
    game = ReversedReversi(4, reverse)
    oracle, found = find_oracle(game), found_from_the_start(reverse)
    states = played(game, found["line"])
    outcome = game.outcome(states[-1])
    assert outcome is not None
    assert list(outcome.score) == found["score"]
    results = {oracle.value(state).result * (1 if state.seat == 0 else -1) for state in states}
    assert results == {1 if found["winner"] == "X" else -1}
    assert found["distance"] == oracle.value(states[0]).distance


def test_positions_are_counted_as_play_reaches_them() -> None:
    """All, finished and up to symmetry, and the shortest and the longest game, ply by ply."""
    game = ReversedReversi(4)
    layer, seen, ended = {game.initial()}, {game.initial()}, []
    plies = 0
    while layer:
        ended += [plies for state in layer if game.outcome(state) is not None]
        layer = {game.play(state, move) for state in layer for move in game.legal_moves(state)}
        seen |= layer
        plies += 1
    finished = sum(game.outcome(state) is not None for state in seen)
    found = found_from_the_start(reverse=True)
    assert found["positions"] == {
        "all": len(seen),
        "up_to_symmetry": len({game.canonical(state) for state in seen}),
        "finished": finished,
    }
    assert found["plies"] == {"shortest": min(ended), "longest": max(ended)}


@pytest.mark.parametrize("reverse", [pytest.param(True, marks=pytest.mark.long), False])
def test_an_ending_agrees_with_the_table(reverse: bool) -> None:
    """A position of the smallest board, solved as an ending, has the winner that the table has."""
    game = ReversedReversi(4, reverse)
    oracle = find_oracle(game)
    for state in played(game, found_from_the_start(reverse)["line"]):
        found = analyse(game, position=state)
        result = oracle.value(state).result * (1 if state.seat == 0 else -1)
        assert found["winner"] == {1: "X", 0: None, -1: "O"}[result]
        assert found["position"] == game.state_to_json(state)


def test_a_drawn_ending_has_no_winner() -> None:
    """Where perfect play gives both as many discs, nobody wins, whoever is to move."""
    game = ReversedReversi(4)
    drawn = next(
        state for state, value in brute_values(game).items() if value.result == 0 and state.seat == 1
    )
    found = analyse(game, position=drawn)
    assert found["winner"] is None
    assert found["score"][0] == found["score"][1]


@pytest.mark.parametrize("size", [6, 8, 10])
def test_larger_boards_are_refused(size: int) -> None:
    """Neither oracle nor analysis; the message says what can be solved."""
    game = ReversedReversi(size)
    with pytest.raises(SolverError, match="with size 4"):
        find_oracle(game)
    with pytest.raises(SolverError, match=f"not with {size}"):
        analyse(game)
    with pytest.raises(SolverError, match="at most"):
        analyse(game, position=game.initial())


def test_a_position_that_play_cannot_reach_is_refused() -> None:
    """It is not in the table, and the oracle does not guess."""
    with pytest.raises(SolverError, match="cannot reach"):
        find_oracle(ReversedReversi(4)).value(State(1, 2, 0))
