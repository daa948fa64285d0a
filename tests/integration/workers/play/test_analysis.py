"""Analyses that are broken off: soon, also in the midst of a search, and with nothing told."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from engines.game import Game
from engines.games import find_game
from engines.solvers.endgame import EndingJudge, empty_squares
from engines.solvers.judging import Worth, states_of
from engines.stream import Stream
from tests.waiting import eventually
from workers.core.contract import BotRef, GameSpec, MatchSpec
from workers.core.errors import StoppedError
from workers.core.halt import Halt
from workers.play import analysis

EMPTY = 14


def late_moves(game: Game[Any]) -> list[str]:
    """A game by lot, up to the position with so many empty squares."""
    stream, state, moves = Stream("late", 1), game.initial(), list[str]()
    while empty_squares(game, state) > EMPTY:  # type: ignore[arg-type]
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
        rules = GameSpec(name="heap_nim", params={"heaps": [1, 1, 2]}, version=find_game("heap_nim").version)
        bots = BotRef(name="one"), BotRef(name="other")
        spec = MatchSpec(match="1", game=rules, bots=bots, opening=("1:1", "2:1"))
        with pytest.raises(StoppedError):
            analysis.analyse(spec, halt)
    assert len(asked) == 1
