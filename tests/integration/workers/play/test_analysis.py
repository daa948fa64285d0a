"""Analyses that are broken off: soon, also in the midst of a search, and with nothing told."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from engines.game import Game
from engines.games import find_game
from engines.solvers.endgame import EndingJudge, empty_squares
from engines.solvers.judging import Worth, states_of
from engines.solvers.oracle import SolverError
from engines.solvers.reversi_estimate import Estimate
from engines.stream import Stream
from tests.waiting import eventually
from workers.core.contract import BotRef, GameSpec, MatchSpec
from workers.core.errors import StoppedError
from workers.core.halt import Halt
from workers.play import analysis

EMPTY = 14


def spec_of(game: Game[Any], moves: list[str]) -> MatchSpec:
    """A game as a worker is told to analyse it."""
    rules = GameSpec(name=game.name, params=game.params, version=game.version)
    return MatchSpec(
        match="1", game=rules, bots=(BotRef(name="one"), BotRef(name="other")), opening=tuple(moves)
    )


def late_moves(game: Game[Any], empty: int = EMPTY) -> list[str]:
    """A game by lot, up to the position with so many empty squares."""
    stream, state, moves = Stream("late", 1), game.initial(), list[str]()
    while empty_squares(game, state) > empty:  # type: ignore[arg-type]
        move = stream.choice(game.legal_moves(state))
        moves.append(game.move_to_text(move))
        state = game.play(state, move)
    return moves


def test_a_search_is_given_up_when_it_is_told_to_stop() -> None:
    """Of a position that would be known nothing is, once the byte is set."""
    game = find_game("reversed_reversi", {"size": 8})
    state = states_of(game, late_moves(game))[-1]
    stopped, free = (EndingJudge(game) for _ in range(2))  # type: ignore[arg-type]
    stopped.stop_by(bytearray(b"\1"))
    assert stopped.worth(state) is None
    assert free.worth(state) is not None


def test_a_halt_ends_an_analysis_within_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search is told to stop, and that nothing is known of its position is no answer."""
    asked = []

    with contextlib.closing(Halt()) as halt:

        class Slow:
            """Searches until it is told to stop, which somebody wants meanwhile."""

            def stop_by(self, stop: bytearray) -> None:
                self.stop = stop

            def worth(self, state: Any) -> Worth | None:
                asked.append(state)
                halt.call(StoppedError("the worker is to stop"))
                eventually(lambda: self.stop[0])
                return None

        monkeypatch.setattr(analysis, "find_judge", lambda *_: Slow())
        spec = spec_of(find_game("heap_nim", {"heaps": [1, 1, 2]}), ["1:1", "2:1"])
        with pytest.raises(StoppedError):
            analysis.analyse(spec, halt)
    assert len(asked) == 1


def test_a_halt_ends_an_analysis_within_its_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    """No position is estimated any more once somebody wants it to stop."""
    game = find_game("reversed_reversi", {"size": 8})
    asked = []

    with contextlib.closing(Halt()) as halt:

        class Estimator:
            """Estimates two positions; then somebody wants it to stop."""

            def estimate(self, state: Any, depth: int, played: Any) -> Estimate:
                del depth
                asked.append(state)
                if len(asked) == 2:
                    halt.call(StoppedError("the worker is to stop"))
                best = game.legal_moves(state)[0]
                return Estimate(0.0, best, 0.0) if played else Estimate(0.0, best, -1.0)

        monkeypatch.setattr("workers.play.estimating.find_estimator", lambda _: Estimator())
        with pytest.raises(StoppedError):
            analysis.analyse(spec_of(game, late_moves(game)[:6]), halt)
    assert len(asked) == 2


def test_without_what_estimates_the_exact_values_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where what is compiled for estimates was not built, a game is analysed as far as it is solved."""
    game = find_game("reversed_reversi", {"size": 8})
    spec = spec_of(game, late_moves(game, 10))
    monkeypatch.setattr("engines.solvers.endgame.MAX_EMPTY", 12)
    monkeypatch.setattr(analysis, "ESTIMATE_DEPTH", 2)

    def missing(_: object) -> None:
        raise SolverError("not compiled here")

    with contextlib.closing(Halt()) as halt:
        whole = analysis.analyse(spec, halt)
        monkeypatch.setattr("workers.play.estimating.find_estimator", missing)
        bare = analysis.analyse(spec, halt)
    assert whole.estimates is not None
    assert len(whole.estimates.values) == whole.first > 0
    assert bare == whole.model_copy(update={"estimates": None})
    assert bare.values
