"""Estimates of Reversi positions, held against the exact search and against the champion as a process."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.reference.estimates import estimated_by, find_estimator
from engines.games import find_game
from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers import SolverError
from engines.solvers.reversi_estimate import Estimator
from engines.solvers.reversi_search import Search
from tests.integration.bots.reference.test_champion import BOARDS, COMPILER, armed, program, run

__all__ = ["armed", "program"]
ANYTHING = 65


def positions(game: ReversedReversi, empty: range, *, seed: int = 1, games: int = 12) -> Iterator[State]:
    """Positions of random games with so many empty squares, in which the side to move can place a disc."""
    chance = random.Random(seed)
    for _ in range(games):
        state = game.initial()
        while game.outcome(state) is None:
            if left(game, state) in empty and game.forced_pass(state) is None:
                yield state
            state = game.play(state, chance.choice(game.legal_moves(state)))


def left(game: ReversedReversi, state: State) -> int:
    """How many squares are empty."""
    return game.geometry.squares - (state.own | state.opp).bit_count()


@pytest.mark.parametrize(("size", "fewest"), BOARDS)
def test_to_the_end_it_is_exact(size: int, fewest: bool) -> None:
    """As deep as squares are empty, positions and moves are worth what the solver says; so is the best."""
    game = ReversedReversi(size, reversed=fewest)
    estimator, search = find_estimator(game), Search(size, size, reversed=fewest, memory=1 << 22)

    def exact(state: State) -> int:
        return search.solve(state.own, state.opp, -ANYTHING, ANYTHING).low

    compared = 0
    for state in positions(game, range(1, 11)):
        for depth in (left(game, state), left(game, state) + 7):
            for move in game.legal_moves(state):
                told = estimator.estimate(state, depth, move)
                assert (told.value, told.played) == (exact(state), -exact(game.play(state, move)))
                assert -exact(game.play(state, told.best)) == told.value
                compared += 1
    assert compared > 200


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
@pytest.mark.parametrize(("level", "depth"), [(6, 6), (7, 10)])
@pytest.mark.parametrize(("size", "fewest"), [board for board in BOARDS if board[0] > 4])
def test_it_sees_what_the_champion_sees(armed: Path, size: int, fewest: bool, level: int, depth: int) -> None:
    """A champion of that depth that has just begun has the same best move and value in every position."""
    game = ReversedReversi(size, reversed=fewest)
    estimator, playing = find_estimator(game), run(armed, str(level))
    try:
        compared = 0
        for state in positions(game, range(17, size * size, 6), games=3):
            if len(game.legal_moves(state)) > 1:
                playing.begin(game)
                answer, told = playing.ask(game, state, 600_000), estimator.estimate(state, depth)
                seen = game.move_to_text(told.best), f"depth {depth}, value {told.value:+.2f}"
                assert (answer.move, answer.debug) == seen
                compared += 1
        assert compared > 5
    finally:
        playing.process.kill()
        playing.process.communicate()


def test_it_depends_on_the_position_alone() -> None:
    """Whatever was asked before, in whichever order, of whichever estimator, the answers are the same."""
    game = ReversedReversi(8)
    asked = [
        (state, move)
        for state in positions(game, range(20, 60, 10), games=2)
        for move in game.legal_moves(state)
    ]
    estimator = find_estimator(game)
    told = [estimator.estimate(state, 7, move) for state, move in asked]
    again = [estimator.estimate(state, 7, move) for state, move in reversed(asked)]
    assert told == again[::-1]
    assert told == [find_estimator(game).estimate(state, 7, move) for state, move in asked]
    assert all(each.played <= each.value for each in told)
    assert sum(each.played < each.value for each in told) > len(told) / 2


def test_the_best_move_costs_nothing() -> None:
    """Asked about the move that it finds best, it says the value of the position."""
    game = ReversedReversi(8, reversed=False)
    estimator = find_estimator(game)
    for state in positions(game, range(25, 60), games=1):
        told = estimator.estimate(state, 6)
        assert estimator.estimate(state, 6, told.best) == told
        assert told.played == told.value


def test_a_pass_is_worth_what_follows() -> None:
    """Where the side to move has to pass, it is the other side's value negated; nothing else is asked."""
    game = ReversedReversi(6)
    estimator, chance, found = find_estimator(game), random.Random(5), 0
    for _ in range(60):
        state = game.initial()
        while game.outcome(state) is None:
            forced = game.forced_pass(state)
            if forced is not None:
                after = game.play(state, forced)
                told = estimator.estimate(state, 4)
                assert told == (-estimator.estimate(after, 4).value, forced, told.value)
                assert estimator.estimate(state, 4, forced) == told
                with pytest.raises(ValueError, match="has to pass"):
                    estimator.estimate(state, 4, 0)
                found += 1
            state = game.play(state, chance.choice(game.legal_moves(state)))
    assert found > 5


def test_what_cannot_be_asked_is_refused() -> None:
    """A depth of none, a square where no disc can go, the end of a game, and weights that do not fit."""
    game = ReversedReversi(6)
    estimator, state = find_estimator(game), game.initial()
    with pytest.raises(ValueError, match="at least 1 ply deep, not 0"):
        estimator.estimate(state, 0)
    for square in (0, 35, 36, -1, 64):
        with pytest.raises(ValueError, match=f"cannot be placed on square {square}$"):
            estimator.estimate(state, 3, square)
    with pytest.raises(ValueError, match="a square has a disc of either side"):
        estimator.estimate(State(3, 1, 0), 3)
    weights = (Path(__file__).parents[4] / "bots/reference/champion/6-fewest.weights").read_bytes()
    assert Estimator(game, weights).estimate(state, 3) == estimator.estimate(state, 3)
    for wrong in (ReversedReversi(6, reversed=False), ReversedReversi(8)):
        with pytest.raises(ValueError, match="no weights for this board and rule"):
            Estimator(wrong, weights)
    with pytest.raises(ValueError, match="damaged"):
        Estimator(game, weights[:-9] + bytes([weights[-9] ^ 1]) + weights[-8:])
    while game.outcome(state) is None:
        state = game.play(state, game.legal_moves(state)[0])
    with pytest.raises(ValueError, match="has no move"):
        estimator.estimate(state, 3)


def test_what_has_no_estimates_is_told() -> None:
    """Other games and boards have none, by name; those that have are told apart by their weights."""
    for name, params in (
        ("circle_nim", {}),
        ("reversed_reversi", {"size": 10}),
        ("reversed_reversi", {"rows": 6}),
    ):
        game = find_game(name, params)
        assert estimated_by(game) is None
        with pytest.raises(SolverError, match="are not estimated with these parameters"):
            find_estimator(game)
    with pytest.raises(SolverError, match="square boards of the sizes 4, 6, 8"):
        Estimator(ReversedReversi(10), b"")
    assert len({estimated_by(ReversedReversi(size, reversed=fewest)) for size, fewest in BOARDS}) == len(
        BOARDS
    )


def test_without_a_compiler_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is to be installed is told, not what could not be imported."""
    monkeypatch.setitem(sys.modules, "engines._estimate", None)
    monkeypatch.delattr("engines._estimate", raising=False)
    with pytest.raises(SolverError, match="install a C compiler"):
        find_estimator(ReversedReversi(4))
