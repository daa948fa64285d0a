"""Moves as other protocols write them, there and back."""

from __future__ import annotations

import pytest

from bots.adapters.notation import Notation, usual
from bots.adapters.reversi import Mirror

LEGAL = ["c4", "d3", "h8"]


@pytest.mark.parametrize(
    ("name", "move", "written"),
    [
        ("arena", "d3", "d3"),
        ("index", "d3", "1"),
        ("zero", "4", "3"),
        ("square", "d3", "19"),
        ("xy", "d3", "3 2"),
        ("yx", "d3", "2 3"),
    ],
)
def test_a_move_is_written_and_read_again(name: str, move: str, written: str) -> None:
    """What a notation writes it reads as the same move."""
    notation = Notation(name, 8)
    assert notation.written(move, LEGAL) == written
    assert notation.read(written, LEGAL) == move


@pytest.mark.parametrize("name", ["arena", "index", "zero", "square", "xy", "yx"])
@pytest.mark.parametrize("text", ["", "pass", "-1", "2:1", "9999999999999999", "1 2 3", "4-5"])
def test_what_is_no_move_stays_as_it_is(name: str, text: str) -> None:
    """It is the referee who refuses it, and shows it."""
    assert Notation(name, 8).read(text, LEGAL) == text


def test_a_number_that_counts_too_far_stays_as_it_is() -> None:
    """There is no such legal move, and none is put in its place."""
    assert Notation("index").read("3", LEGAL) == "3"
    assert Notation("index").read("2", LEGAL) == "h8"


def test_a_game_of_kaggles_has_its_numbers() -> None:
    """Columns in Connect Four, squares in Reversi, and elsewhere a number counts through the legal moves."""
    assert [usual(game) for game in ("connect_four", "reversed_reversi", "l_game")] == [
        "zero",
        "square",
        "index",
    ]


@pytest.mark.parametrize("size", [4, 8, 10])
def test_the_usual_board_is_seen_in_a_mirror(size: int) -> None:
    """Its columns run the other way, a second look leads back, and what is no square stays as it is."""
    mirror = Mirror({"size": size, "reversed": False})
    last = "abcdefghij"[size - 1]
    assert (mirror("a1"), mirror(f"{last}2")) == (f"{last}1", "a2")
    assert mirror(mirror("c3")) == "c3"
    assert [mirror(text) for text in ("pass", "z9", "")] == ["pass", "z9", ""]
    assert mirror.rows(["XO..", "...."]) == ["..OX", "...."]
