"""Templates of line protocols, filled in and read."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from bots.adapters import lines
from bots.adapters.lines import Lines
from bots.adapters.wire import Answer, Garbage

USUAL = {"start": [], "turn": ["{ply}"], "answer": "{move}", "cells": {}, "between": "", "none": "-"}


class FakeInner:
    """A bot that remembers what it is told, and says one thing."""

    told: ClassVar[list[list[str]]] = []
    says: ClassVar[str] = ""

    def __init__(self, *_: object) -> None:
        pass

    def tell(self, *lines: str) -> None:
        self.told.append(list(lines))

    def hear(self) -> str:
        return self.says

    def unasked(self) -> bytes | None:
        return None


@pytest.fixture(autouse=True)
def _inner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "Inner", FakeInner)


def asked(says: str = "d3", moves: str = "arena", **template: Any) -> tuple[list[str], Answer | Garbage]:
    """What a bot of that template is told at its first turn, and what its answer is taken for.

    What it is told at its next turn is the last of `FakeInner.told`.
    """
    FakeInner.says = says
    bot = Lines({"lines": {**USUAL, **template}, "moves": moves}, ())
    game = {"name": "reversed_reversi", "params": {"size": 4, "reversed": True}}
    bot.begin({"game": game, "seat": 1, "limits": {"line_bytes": 65_536}})
    time = {"move_ms": 500, "bank_ms": None, "extensions_left": 2}
    state = {"board": ["....", ".XX.", ".XO.", "...."], "to_move": "O"}
    choice = bot.choose(
        {"state": state, "legal": ["a1", "c1", "a3"], "history": ["c1"], "ply": 1, "time": time}
    )
    bot.choose({"state": state, "legal": ["a1"], "history": ["c1", "a1", "pass"], "ply": 3, "time": time})
    return FakeInner.told[-2], choice


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{seat} {opponent} {turn}", ["1 0 1"]),
        ("{params.size} {params.reversed}", ["4 1"]),
        ("{board}", ["....", ".XX.", ".XO.", "...."]),
        ("rows: {board}", ["rows: .... .XX. .XO. ...."]),
        ("{legal.count}", ["3"]),
        ("{legal}", ["a1", "c1", "a3"]),
        ("{last} {state.to_move}", ["c1 O"]),
        ("{move_ms} {bank_ms} {extensions_left}", ["500 0 2"]),
        ("no field", ["no field"]),
    ],
)
def test_a_line_of_a_template_is_filled_in(line: str, told: list[str]) -> None:
    """A list by itself is a line for each item, within a line it is joined, and yes is 1."""
    assert asked(turn=[line])[0] == told


def test_cells_and_moves_are_written_as_the_template_says() -> None:
    """Other signs, a text between them, and moves as column and row."""
    told, choice = asked(
        "2 0 MSG good", "xy", turn=["{board}", "{legal}"], cells={".": "0", "X": "1"}, between=" "
    )
    assert told[1:3] == ["0 1 1 0", "0 1 O 0"]
    assert told[4:] == ["0 0", "2 0", "0 2"]
    assert isinstance(choice, Answer)
    assert (choice.move, choice.debug) == ("c1", "MSG good")


def test_the_beginning_is_told_once() -> None:
    """Its lines come before those of the first turn; and a pass is no last move."""
    assert asked(start=["hello {seat}"], turn=["{ply} {last}"])[0] == ["hello 1", "1 c1"]
    assert FakeInner.told[-1] == ["3 -"]


@pytest.mark.parametrize(("says", "move"), [("PLAY a3", "a3"), ("  PLAY a3\t ", "a3"), ("PLAY a3 now", "a3")])
def test_an_answer_is_read_after_its_template(says: str, move: str) -> None:
    """What stands around the move is known, and what follows is kept."""
    choice = asked(says, answer="PLAY {move}")[1]
    assert isinstance(choice, Answer)
    assert choice.move == move


@pytest.mark.parametrize("says", ["a3", "", "PLAY", "play a3"])
def test_an_answer_of_another_form_is_shown_as_it_came(says: str) -> None:
    """The referee gets it."""
    choice = asked(says, answer="PLAY {move}")[1]
    assert isinstance(choice, Garbage)
    assert choice.received == says.encode()


@pytest.mark.parametrize("name", ["heaps", "params.rows", "legal.first", "board.size"])
def test_a_field_that_there_is_not_ends_the_bot_with_a_word(name: str) -> None:
    """It says which, for the template's author."""
    with pytest.raises(SystemExit, match=rf"names \{{{name}\}}"):
        asked(turn=[f"{{{name}}}"])
