"""Balanced random openings."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from engines.game import GameError, play_all
from engines.games import find_game
from engines.games.heap_nim import HeapNim, State
from engines.openings import BANDS, OpeningsError, balanced_openings
from engines.stream import Stream

GAMES = [
    find_game("reversed_reversi"),
    find_game("reversed_reversi", {"size": 4}),
    find_game("reversed_reversi", {"size": 6, "reversed": False}),
    find_game("heap_nim", {"heaps": [5, 6, 7, 8]}),
    find_game("circle_nim", {"rows": 6}),
    find_game("l_game"),
    find_game("rhombic_chess"),
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("count", "plies"), [(1, 1), (6, 4), (4, 7)])
def test_openings_are_different_legal_and_unfinished(game: Any, count: int, plies: int) -> None:
    """As many openings as asked, of the length asked, each leading to a state of its own with moves left."""
    count = min(count, 4)
    openings = balanced_openings(game, count, plies, seed=7)
    states = [play_all(game, opening) for opening in openings]
    assert [len(opening) for opening in openings] == [plies] * count
    assert len(set(states)) == count
    assert all(game.legal_moves(state) for state in states)


def test_the_seed_decides() -> None:
    """The same seed gives the same openings, another seed or another rule gives others."""
    game = GAMES[0]
    openings = balanced_openings(game, 4, 6, seed=7)
    assert openings == balanced_openings(game, 4, 6, seed=7)
    assert openings != balanced_openings(game, 4, 6, seed=8)
    assert openings != balanced_openings(find_game("reversed_reversi", {"reversed": False}), 4, 6, seed=7)


def test_openings_are_balanced() -> None:
    """Fresh random games from the openings give seat 0 a share near one half (band + 4 standard errors)."""
    game = GAMES[0]
    for number, opening in enumerate(balanced_openings(game, 3, 8, seed=3)):
        stream, points, games = Stream("check", number), 0.0, 300
        for _ in range(games):
            state = play_all(game, opening)
            while legal := game.legal_moves(state):
                state = game.play(state, stream.choice(legal))
            outcome = game.outcome(state)
            assert outcome is not None
            points += 0.5 if outcome.winner is None else float(outcome.winner == 0)
        assert abs(points / games - 0.5) <= BANDS[0] / 100 + 4 * (0.25 / 64 + 0.25 / games) ** 0.5


def exact_share(game: HeapNim, state: State) -> Fraction:
    """Seat 0's share of the points in random play from `state`, with no estimate."""
    outcome = game.outcome(state)
    if outcome:
        return Fraction(outcome.winner == 0)
    moves = game.legal_moves(state)
    return sum((exact_share(game, game.play(state, move)) for move in moves), Fraction()) / len(moves)


@pytest.mark.parametrize("seed", range(5))
def test_decided_openings_are_passed_over(seed: int) -> None:
    """Among openings that are decided and openings that are even, the even ones are taken."""
    game = HeapNim((1, 2, 3))
    after_three = {play_all(game, opening) for opening in balanced_openings(game, 10, 3, seed)}
    assert {exact_share(game, state) for state in after_three} & {Fraction(0), Fraction(1)}
    chosen = [play_all(game, opening) for opening in balanced_openings(game, 2, 3, seed)]
    assert all(abs(exact_share(game, state) - Fraction(1, 2)) <= Fraction(1, 4) for state in chosen)


def test_lopsided_games_take_the_wider_bands() -> None:
    """Where every opening favours one side, the openings are found all the same."""
    game = find_game("heap_nim", {"heaps": [1, 1, 1]})
    assert len(balanced_openings(game, 3, 1, seed=1)) == 3


def test_no_plies_make_one_empty_opening() -> None:
    """The initial state is the only opening without moves."""
    assert balanced_openings(GAMES[0], 1, 0, seed=1) == ((),)
    assert balanced_openings(GAMES[0], 0, 6, seed=1) == ()


@pytest.mark.parametrize(
    ("game", "count", "plies"),
    [
        (find_game("reversed_reversi"), 2, 0),
        (find_game("reversed_reversi"), 5, 1),
        (find_game("reversed_reversi", {"size": 4}), 1, 40),
        (find_game("heap_nim", {"heaps": [1, 1, 1]}), 1, 3),
        (find_game("heap_nim", {"heaps": [1, 1, 1]}), 4, 2),
    ],
)
def test_too_few_openings_are_an_error(game: Any, count: int, plies: int) -> None:
    """A game without that many openings says how many it has and what to ask for."""
    with pytest.raises(OpeningsError, match=rf"of {plies} plies where {count} were asked for; ask for fewer"):
        balanced_openings(game, count, plies, seed=1)
    assert issubclass(OpeningsError, GameError)


@pytest.mark.parametrize(("count", "plies"), [(-1, 2), (2, -1)])
def test_negative_numbers_are_refused(count: int, plies: int) -> None:
    """Nobody can ask for fewer than no openings, or for openings shorter than none."""
    with pytest.raises(OpeningsError, match="cannot be negative"):
        balanced_openings(GAMES[0], count, plies, seed=1)
