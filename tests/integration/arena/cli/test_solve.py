"""`arena solve` and `arena game hint`: what is computed is told, and wrong words are refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from engines.game import play_all
from engines.games import find_game
from engines.solvers import find_oracle, find_solver
from engines.strategies.perfect import best_moves
from tests.unit.arena.cli.conftest import Run

OWN = ("l_game", "rhombic_chess")


@pytest.mark.parametrize("name", OWN)
def test_the_analysis_is_printed_as_json(run: Run, name: str) -> None:
    """One document with everything that the solver found."""
    told = run("solve", name, "--json").json()
    assert told == json.loads(json.dumps(find_solver(name).analyse(find_game(name))))


def test_the_l_game_is_told_as_its_paper_tells_it(run: Run) -> None:
    """Every number of the analysis that the paper has is on a line, and all 29 boards are drawn."""
    shown = run("solve", "l_game").out
    for line in (
        "positions 18368 36736 2296",
        "won in one move (WinNode) 6144 12288 768",
        "without a move (LoseNode) 120 240 15",
        "221 864 864 864",
        "3 80 40 5 88 7096",
        "no move 15 12 80.0 % 15",
        "The first position is drawn: neither side can force a win. 29 of its 65 moves lose.",
    ):
        assert line in [" ".join(each.split()) for each in shown.split("\n")]
    assert shown.count("a b c d") == 29


def test_rhombic_chess_is_told_beside_its_document(run: Run) -> None:
    """The row of nine stones has both tables and the difference; theorem and matching rule are said."""
    shown = [" ".join(each.split()) for each in run("solve", "rhombic_chess").out.split("\n")]
    row = "9 90090 86620 2458 1012 19 | 90090 86620 3138 332 | +680 lost, -680 drawn"
    assert row in shown
    assert "The second player wins, in 16 plies if both play perfectly." in shown
    assert sum(line.endswith("gives the document's rows for 9, 8, 7 and 6 stones") for line in shown) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("chess",), "there is no game 'chess'"),
        (("l_game", "--size", "5"), "l_game has no size"),
        (("circle_nim", "--size", "13"), "from 2 to 7"),
        (("circle_nim", "--size", "five"), "from 2 to 7"),
        (("heap_nim", "--size", "3,-4,5"), "from 1 to 500"),
        (("heap_nim", "--size", "3,4,5", "--param", "heaps=[1,2,3]"), "given twice"),
        (("l_game", "--param", "rows=3"), "no parameter 'rows'"),
        (("l_game", "--probabilities"), "for circle_nim"),
        (("l_game", "--moves", "c1r"), "arena game hint"),
        (("reversed_reversi", "--moves", "d3", "--position", "{}"), "give one of them"),
        (("reversed_reversi", "--moves", "a1"), "a1"),
        (("reversed_reversi", "--position", "[1]"), "JSON object"),
    ],
)
def test_what_cannot_be_solved_is_refused(run: Run, words: tuple[str, ...], message: str) -> None:
    """Each wrong word ends with exit code 2, a reason, and nothing on standard output."""
    ran = run("solve", *words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


@pytest.mark.parametrize(
    ("name", "moves"), [("l_game", ""), ("l_game", "c1r"), ("rhombic_chess", "7 1 2"), ("rhombic_chess", "")]
)
def test_a_hint_is_what_the_perfect_player_chooses_from(run: Run, name: str, moves: str) -> None:
    """Value, distance and moves of the position after some moves, and the same for it as a state."""
    game = find_game(name)
    state = play_all(game, moves.split())
    oracle = find_oracle(game)
    told = run("game", "hint", name, "--moves", moves, "--json").json()
    value = oracle.value(state)
    assert (told["result"], told["plies"]) == (("drawn", "won", "lost")[value.result], value.distance)
    best = [game.move_to_text(move) for move in best_moves(game, oracle, state)]
    assert [move["move"] for move in told["moves"]] == best
    position = json.dumps(game.state_to_json(state))
    assert run("game", "hint", name, "--position", position, "--json").json() == told
    assert all(move in run("game", "hint", name, "--moves", moves).out for move in best)


def test_heap_nims_hint_is_told_as_its_document_tells_it(run: Run) -> None:
    """The number of the heap and how many are left over: with 3, 4 and 5, heap 1 down to 1; and why."""
    told: dict[str, Any] = run("game", "hint", "heap_nim", "--json").json()
    assert told["result"] == "won"
    assert told["moves"] == [{"move": "1:2", "heap": 1, "left": 1}]
    assert "3 ⊕ 4 ⊕ 5 = 2" in told["reason"]
    shown = run("game", "hint", "heap_nim").out
    assert "heap 1, take until 1 is left" in shown
    assert told["reason"] in shown
    assert run("game", "hint", "circle_nim", "--json").json()["reason"] is None


def test_a_hint_of_reversi_is_searched(run: Run) -> None:
    """What is not solved says so, and what is expected; an ending says by how many discs."""
    words = ("game", "hint", "reversed_reversi", "--param", "size=6")
    assert "not solved\nThe champion's search of 10 plies would play" in run(*words).out
    ending = json.dumps({"board": ["XXXXXX"] * 5 + ["OXXXX."], "to_move": "O"})
    told = run(*words, "--position", ending).out
    assert (
        "won\nAfter f6 and perfect play of both sides: 24 discs fewer than the other side at the end." in told
    )


def test_a_finished_game_has_no_hint(run: Run) -> None:
    """It says that the game is over, and names no move."""
    words = ("game", "hint", "heap_nim", "--param", "heaps=[1,1,1]", "--moves", "1:1 2:1 3:1")
    assert run(*words, "--json").json()["moves"] == []
    assert run(*words).out.endswith("the game is over\n")


def test_a_table_lists_every_position_in_either_form(run: Run, tmp_path: Path) -> None:
    """CSV and JSON lines hold the same positions with value, distance and best moves."""
    csv_file, lines_file = tmp_path / "heaps.csv", tmp_path / "heaps.jsonl"
    for file in (csv_file, lines_file):
        ran = run("solve", "heap_nim", "--table", str(file))
        assert ran.code == 0, ran.err
    rows = list(csv.DictReader(csv_file.read_text().splitlines()))
    told = [json.loads(line) for line in lines_file.read_text().splitlines()]
    assert len(rows) == len(told) == 120
    assert [json.loads(row["position"]) for row in rows] == [each["position"] for each in told]
    assert [row["best"].split() for row in rows] == [each["best"] for each in told]
    first = next(each for each in told if each["position"]["heaps"] == [3, 4, 5])
    assert (first["value"], first["best"]) == ("won", ["1:2"])
    assert rows[0]["distance"] == "0"


def test_a_table_replaces_no_file_unless_it_is_told_to(run: Run, tmp_path: Path) -> None:
    """A file that is there stays as it is, with exit code 2, until --force is given."""
    file = tmp_path / "mine.csv"
    file.write_text("mine")
    ran = run("solve", "heap_nim", "--table", str(file))
    assert (ran.code, file.read_text()) == (2, "mine")
    assert "--force" in ran.err
    assert run("solve", "heap_nim", "--table", str(file), "--force").code == 0
    assert file.read_text().startswith("position,value,distance,best")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--table", "positions.txt"), "ends with .csv or .jsonl"),
        (("--table", "none/here.csv"), "cannot be written"),
        (("--table", "a.csv", "--json"), "goes with no other analysis"),
    ],
)
def test_a_table_that_cannot_be_made_is_refused_at_once(
    run: Run, arguments: tuple[str, ...], message: str
) -> None:
    """A name without a format, a folder that is not there, and a second analysis have exit code 2."""
    ran = run("solve", "heap_nim", *arguments)
    assert ran.code == 2
    assert message in ran.err
