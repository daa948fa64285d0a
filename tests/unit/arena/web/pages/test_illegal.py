"""Why a move is illegal, found anew from what is kept of a forfeit."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena.web.pages.i18n import CHINESE
from arena.web.pages.illegal import answered, why, why_in_check
from arena.web.pages.refusals import told
from engines.games import all_games, find_game
from workers.checks.contract import CheckReport, Step, StepReport
from workers.core.contract import FaultCode, Forfeit, GameSpec

NIM = GameSpec(name="heap_nim", params={"heaps": [1, 2, 2]}, version=find_game("heap_nim").version)
STATE = {"heaps": [1, 2, 2], "to_move": 0}


def _fault(answer: object, state: object, code: FaultCode = FaultCode.ILLEGAL_MOVE) -> Forfeit:
    request = state if isinstance(state, str) else json.dumps({"type": "move", "id": 1, "state": state})
    received = answer if isinstance(answer, str) else json.dumps(answer)
    return Forfeit(
        seat=0, code=code, ply=0, detail="no move", expected="a move", received=received, request=request
    )


def test_the_game_says_why() -> None:
    """Of a text that is no move, and of one that is not allowed in the position that was asked about."""
    taken = why(NIM, _fault({"move": "2:3"}, STATE))
    unread = why(NIM, _fault({"move": "x"}, STATE))
    assert str(taken) == "2:3 takes 3 from a heap that holds 2"
    assert str(unread).startswith("'x' is not a move such as 2:1")


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("{", STATE),
        ({"move": 7}, STATE),
        ({"move": "2:1"}, STATE),
        ({"move": "2:3"}, "{"),
        ({"move": "2:3"}, "[" * 100_000),
        ({"move": "2:3"}, "[1]"),
        ({"move": "2:3"}, None),
        ({"move": "2:3"}, {"heaps": "many"}),
    ],
)
def test_what_is_not_known_is_not_said(answer: object, state: object) -> None:
    """A part of an answer, of a request, or a move that is allowed: nothing fails and nothing is said."""
    assert why(NIM, _fault(answer, state)) is None


def test_other_faults_and_other_rules_are_left_alone() -> None:
    """Who was late has answered no move, and rules of another version may have thought otherwise."""
    late = _fault({"move": "2:3"}, STATE, FaultCode.TIMEOUT)
    assert answered(late) is None
    assert why(NIM, late) is None
    for other in ({"version": 99}, {"name": "chess"}):
        assert why(NIM.model_copy(update=other), _fault({"move": "2:3"}, STATE)) is None


@pytest.mark.parametrize("name", sorted(all_games()))
def test_every_game_says_it_in_chinese(name: str) -> None:
    """A failed check in any game tells a Chinese reader why the move is none."""
    game = find_game(name)
    fault = _fault({"move": "?"}, game.state_to_json(game.initial()))
    told_of: dict[str, Any] = {"check": "1", "passed": False, "language": "python", "reproduce": ""}
    report = CheckReport(
        **told_of,
        steps=(StepReport(step=Step.RANDOM, game=name, passed=False, took_ms=1),),
        forfeit=fault,
    )
    error = why_in_check(report)
    assert error is not None
    said = told(error, CHINESE.translations().gettext, english=False)
    assert not said.is_english
    assert "「?」" in said.text
    assert why_in_check(CheckReport(**told_of, steps=(), forfeit=fault)) is None
