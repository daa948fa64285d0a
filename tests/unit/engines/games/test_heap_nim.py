"""Heap Nim beyond the laws that every game keeps."""

from __future__ import annotations

from functools import cache
from itertools import product
from operator import xor
from typing import Any

import pytest

from engines.game import (
    IllegalMoveError,
    Outcome,
    ParameterError,
    UnreadableMoveError,
    UnreadableStateError,
    play_all,
)
from engines.games.heap_nim import LARGEST_HEAP, HeapNim, State


def test_the_default_game_is_the_class_documents() -> None:
    """Three heaps of 3, 4 and 5, seat 0 to move, with every legal move in order."""
    game = HeapNim()
    start = game.initial()
    assert game.params == {"heaps": [3, 4, 5], "misere": False}
    assert game.state_to_json(start) == {"heaps": [3, 4, 5], "to_move": 0}
    texts = [game.move_to_text(move) for move in game.legal_moves(start)]
    assert " ".join(texts) == "1:1 1:2 1:3 2:1 2:2 2:3 2:4 3:1 3:2 3:3 3:4 3:5"


def test_a_move_takes_from_one_heap() -> None:
    """`2:1` takes one from the second heap and leaves the others."""
    assert play_all(HeapNim(), ["2:1", "3:5"]) == State((3, 3, 0), 0)


@pytest.mark.parametrize(
    ("misere", "outcome"),
    [(False, Outcome(0, "took_the_last", (1, 0))), (True, Outcome(1, "left_the_last", (0, 1)))],
)
def test_the_last_one_decides(misere: bool, outcome: Outcome) -> None:
    """Seat 0 takes the last one: it wins the normal game and loses the misère one."""
    game = HeapNim((1, 1, 1), misere)
    assert game.outcome(play_all(game, ["1:1", "2:1", "3:1"])) == outcome


@pytest.mark.parametrize("misere", [False, True])
def test_exhaustive_search_agrees_with_boutons_theorem(misere: bool) -> None:
    """The mover wins iff the XOR is not 0; in misère with heaps of 1 at most, iff their number is even."""

    @cache
    def mover_wins(game: HeapNim, state: State) -> bool:
        outcome = game.outcome(state)
        if outcome:
            return outcome.winner == state.seat
        return any(not mover_wins(game, game.play(state, move)) for move in game.legal_moves(state))

    game = HeapNim((4, 4, 4), misere)
    for a, b, c in product(range(5), repeat=3):
        nim_sum = xor(xor(a, b), c)
        expected = nim_sum == 0 if misere and max(a, b, c) <= 1 else nim_sum != 0
        assert mover_wins(game, State((a, b, c), 0)) == expected


@pytest.mark.parametrize(
    ("heaps", "message"),
    [
        ([3, 4], "3 to 10 sizes"),
        ([1] * 11, "3 to 10 sizes"),
        ("345", "3 to 10 sizes"),
        (None, "3 to 10 sizes"),
        ([3, 4, 0], "from 1 to 500, not 0"),
        ([3, 4, -5], "not -5"),
        ([3, 4, 501], "not 501"),
        ([3, 4, True], "not True"),
        ([3, 4, 5.0], "not 5.0"),
        ([3, 4, "5"], "not '5'"),
        ([3, 4, [5]], r"not \[5\]"),
    ],
)
def test_wrong_heaps_are_refused(heaps: Any, message: str) -> None:
    """Too few, too many, empty, huge or unnumbered heaps are refused with what is allowed."""
    with pytest.raises(ParameterError, match=message):
        HeapNim(heaps)


@pytest.mark.parametrize("misere", [1, 0, "true", None])
def test_a_switch_is_a_boolean(misere: Any) -> None:
    """Neither numbers nor texts switch the misère rule."""
    with pytest.raises(ParameterError, match="misere must be true or false"):
        HeapNim((3, 4, 5), misere)


@pytest.mark.parametrize("text", ["2:5", "1:4", "3:500"])
def test_taking_more_than_is_there_is_illegal(text: str) -> None:
    """A move that can be read may still ask for more than its heap holds; the message says so."""
    game = HeapNim()
    with pytest.raises(IllegalMoveError, match=f"{text} takes .* from a heap that holds"):
        game.play(game.initial(), game.move_from_text(text))


@pytest.mark.parametrize(
    "text",
    ["", ":", "2", "2:", ":1", "0:1", "4:1", "2:0", "2:-1", "02:1", "2:01", "2:1 ", " 2:1", "2:1\n", "2.1",
     "2:501", "2:999", "2:1000", "2:1:1", "+2:1", "\uff12:1", "2:\u0661",
     "1" * 5000 + ":1", "2:" + "1" * 5000],
)  # fmt: skip
def test_texts_that_are_no_moves(text: str) -> None:
    """Zeros, signs, spaces, other scripts' digits and heaps that do not exist cannot be read."""
    with pytest.raises(UnreadableMoveError, match=r"is not a move such as 2:1 .*heaps 1 to 3"):
        HeapNim().move_from_text(text)


def test_the_tenth_heap_can_be_named() -> None:
    """Heap numbers may have two digits and sizes three."""
    game = HeapNim((LARGEST_HEAP,) * 10)
    last = game.legal_moves(game.initial())[-1]
    assert game.move_to_text(last) == "10:500"
    assert game.move_from_text("10:500") == last


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"heaps": [3, 4, 5], "to_move": True},
        {"heaps": [3, 4, 5], "to_move": 2},
        {"heaps": [3, 4, 5], "to_move": "0"},
        {"heaps": [3, 4, 5], "to_move": []},
        {"heaps": [3, 4], "to_move": 0},
        {"heaps": [3, 4, 6], "to_move": 0},
        {"heaps": [3, 4, -1], "to_move": 0},
        {"heaps": [3, 4, True], "to_move": 0},
        {"heaps": [3, 4, 5.0], "to_move": 0},
        {"heaps": (3, 4, 5), "to_move": 0},
    ],
)
def test_states_that_are_none(state: dict[str, Any]) -> None:
    """Heaps that never were, and seats that are not 0 or 1, make no state."""
    with pytest.raises(UnreadableStateError, match="must be"):
        HeapNim().state_from_json(state)


def test_heaps_that_started_equal_can_change_places() -> None:
    """Only they do, so that the canonical state is one of the same game."""
    game = HeapNim((3, 5, 3, 4, 5))
    assert game.canonical(State((2, 4, 1, 4, 0), 1)) == State((1, 0, 2, 4, 4), 1)


def test_the_drawing_has_a_mark_for_each() -> None:
    """A line a heap with its number, its size and that many marks."""
    assert HeapNim().draw(State((3, 0, 2), 1)) == " 1   3 |||\n 2   0\n 3   2 ||"
