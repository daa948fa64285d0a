"""`arena solve` for circle Nim, heap Nim and Reversi: what the solver found is what is told."""

from __future__ import annotations

import json

import pytest

from engines.games.circle_nim import CircleNim
from engines.games.reversed_reversi import ReversedReversi
from engines.solvers.circle_nim import analyse as analyse_circles
from tests.unit.arena.cli.conftest import Run


def shown(run: Run, *words: str) -> list[str]:
    """The lines that a command prints, blanks made one."""
    return [" ".join(line.split()) for line in run(*words).out.split("\n")]


def test_circle_nim_is_told(run: Run) -> None:
    """Winner, first moves, counts and chances of three rows, with the exact fraction."""
    lines = shown(run, "solve", "circle_nim", "--size", "3")
    for line in (
        "3 rows, 6 circles: with perfect play the second player wins after 5 plies",
        "* loses 5 1, 4, 6",
        "positions 64 50 14 78.1 %",
        "up to symmetry 20 14 6 70.0 %",
        "0 won 1 1",
        "random random 0.401446208113 3.721041",
        "random against random exactly: 11381/28350",
    ):
        assert line in lines


def test_circle_nim_as_json_has_everything(run: Run) -> None:
    """The JSON that is printed is the analysis itself."""
    told = run("solve", "circle_nim", "--size", "4", "--json").json()
    assert told == json.loads(json.dumps(analyse_circles(CircleNim(4))))


def test_chances_that_were_left_out_are_offered(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With more rows than the chances are computed for unasked, it says how to ask, and answers if asked."""
    monkeypatch.setattr("engines.solvers.circle_nim.CHANCES_ROWS", 2)
    assert any(
        "--probabilities computes them" in line for line in shown(run, "solve", "circle_nim", "--size", "3")
    )
    asked = shown(run, "solve", "circle_nim", "--size", "3", "--probabilities")
    assert any(line.startswith("random random 0.4014") for line in asked)


def test_heap_nim_is_told_in_the_documents_words(run: Run) -> None:
    """The winning move as heap and number left over, positions safe and unsafe, where the rule differs."""
    lines = shown(run, "solve", "heap_nim")
    start = "Heaps of 3, 4, 5, normal play: with perfect play the first player wins after 11 plies (XOR 2)"
    assert lines[0] == start
    for line in (
        "1:2 1 1 11",
        "120 positions: 18 safe to leave to the opponent (lost for the side to move), 102 unsafe (won)",
        "The XOR rule says otherwise on 0 of 120",
        "Grundy numbers differ from the XOR of the heaps on 0 of 120",
    ):
        assert line in lines


def test_a_lost_start_has_no_winning_move(run: Run) -> None:
    """In misère play from 2, 4 and 6 no move wins, and that is said."""
    lines = shown(run, "solve", "heap_nim", "--size", "2,4,6", "--param", "misere=true")
    assert "misère play: with perfect play the second player wins" in lines[0]
    assert "No move wins" in lines


def test_the_smallest_board_of_reversi_is_told(run: Run) -> None:
    """Winner, score, a line of play, and how many positions and games there are."""
    lines = shown(run, "solve", "reversed_reversi", "--size", "4", "--param", "reversed=false")
    assert lines[0] == "Reversi on 4 by 4 squares, more discs win"
    assert "With perfect play O wins; for the best score it ends X 3, O 11" in lines
    assert "62789 positions that play can reach, 14401 up to symmetry, 6168 of all finished" in lines
    assert "60060 different games of 7 to 17 plies" in lines


def test_an_ending_is_told(run: Run) -> None:
    """A typed position is drawn and solved, as words and as JSON."""
    game = ReversedReversi(8)
    board = ["XXXXXXXX"] * 6 + ["XXXXXXXO", "XXXXXXX."]
    position = json.dumps({"board": board, "to_move": "O"})
    told = run("solve", "reversed_reversi", "--position", position, "--json").json()
    assert told["params"] == game.params
    assert (told["empty"], told["position"]["board"]) == (1, board)
    lines = shown(run, "solve", "reversed_reversi", "--position", position)
    assert "O to move, empty squares: 1" in lines
    assert f"Line: {' '.join(told['line'])}" in lines


def test_a_rectangle_is_told(run: Run) -> None:
    """Its start is solved in pieces, unasked, and has a value and best moves."""
    words = ("solve", "reversed_reversi", "--size", "4", "--param", "rows=5", "--jobs", "1", "--memory", "1")
    told = run(*words, "--json").json()
    assert told["params"] == {"size": 4, "reversed": True, "rows": 5}
    lines = shown(run, *words)
    assert lines[0] == "Reversi on 4 by 5 squares, fewer discs win"
    assert f"Best first moves: {' '.join(told['moves'])}" in lines


def test_a_board_that_is_too_large_is_refused(run: Run) -> None:
    """Exit code 2, and what can be solved instead."""
    ran = run("solve", "reversed_reversi")
    assert (ran.code, ran.out) == (2, "")
    assert "with size 4, not with 8; `arena solve` solves positions with at most 38 empty squares" in ran.err
