"""Games and refusals where the reader's language is Chinese: nothing of the command line's own is English."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.games import all_games, find_game
from tests.integration.arena.cli.conftest import SIZE4
from tests.unit.arena.cli.chinese import english_words
from tests.unit.arena.cli.conftest import Run

pytestmark = pytest.mark.usefixtures("chinese")

EVIDENCE = "    "
"""What the referee has recorded of a fault is indented, and in English (decision 85)."""
NAMES = {"pass", "size", "reversed", "reversi", "true", "random", "first", "wrong", "py", "jsonl", "record"}
UNITS = {"ms", "Elo", "inf"}


def own(shown: str) -> str:
    """What is said besides the evidence."""
    return "\n".join(line for line in shown.split("\n") if not line.startswith(EVIDENCE))


def test_matches_are_told_in_chinese(run: Run, bots: Path) -> None:
    """A game that ends by the rules and one by a fault: played, listed, shown and asked again."""
    for bot in ("first", "wrong"):
        words = ("match", "run", str(bots / f"{bot}.py"), "@random", "--record", "record.jsonl", *SIZE4)
        ran = run(*words)
        assert ran.code == 0, ran.err
        assert english_words(own(ran.out.replace(str(bots), "")), NAMES | UNITS) == []
    listed = run("match", "show", "record.jsonl").out
    assert "棋子數相同" in listed
    assert "不合規則的走法" in listed
    shown = "".join(run("match", "show", f"record.jsonl#{number}").out for number in (1, 2))
    assert "：棋子數相同，" in shown
    assert "wrong 在第 3 手判負：不合規則的走法\n" in shown
    again = ("match", "replay", "record.jsonl#2", "--to", str(bots / "wrong.py"), "--until", "3")
    asked = run(*again).out
    assert "（紀錄：不合規則的走法 {" in asked
    asked = asked.partition("{")[0]
    assert english_words(own(listed + shown + asked), NAMES | UNITS) == []


def test_other_programs_read_codes(run: Run, bots: Path) -> None:
    """With --json a result's reason is its code in every language."""
    words = ("match", "run", str(bots / "wrong.py"), "@random", "--record", "record.jsonl", *SIZE4)
    assert run(*words).code == 0
    (match,) = run("match", "show", "record.jsonl", "--json").json()["result"]["forfeits"]
    assert match["code"] == "illegal_move"


def test_a_game_against_a_person_ends_in_chinese(
    run: Run, bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who gives up at the terminal reads so."""
    monkeypatch.setattr("builtins.input", lambda *_: "quit")
    ran = run("play", "heap_nim", str(bots / "first.py"))
    assert ran.out.endswith("獲勝（對方認輸），0 比 1。\n")


def test_a_simulation_tells_in_chinese_how_games_ended(run: Run) -> None:
    """The ends of simulated games are counted under the game's own Chinese words."""
    words = ("simulate", "heap_nim", "--first", "random", "--second", "random", "--games", "10")
    assert "結束方式：取走最後一個 10" in run(*words).out


def test_games_are_listed_in_chinese(run: Run) -> None:
    """What each game is in short, but for the names of games and their parameters."""
    names = {name for row in all_games() for name in (*row.split("_"), *find_game(row).params)}
    shown = run("game", "list").out
    assert english_words(shown.replace("_", " "), names | {"rows", "true", "false"}) == []


POSITIONS = [
    ("heap_nim", {}, "to_move 須為 0 或 1，不是 None"),
    ("heap_nim", {"to_move": 0}, "heaps 須為 3 個整數"),
    ("circle_nim", {"to_move": 2}, "to_move 須為 0 或 1，不是 2"),
    ("circle_nim", {"to_move": 0, "left": [99]}, "left 須為圈圈號碼的清單，1 至 15"),
    ("l_game", {}, "to_move 須為 'X' 或 'O'"),
    ("l_game", {"to_move": "X"}, "board 須為 4 個字串，各 4 格"),
    ("l_game", {"to_move": "X", "board": ["...."] * 4}, "board 上須有 X 的 L 形棋子"),
    ("rhombic_chess", {"to_move": "X"}, "board 須為 5 個字串"),
    ("rhombic_chess", {"to_move": "X", "board": ["X", "XXX", "XX...", "...", "."]}, "每方最多五子"),
    ("rhombic_chess", {"to_move": "O", "board": [".", "...", ".....", "...", "."]}, "輪到它放下一子"),
    ("reversed_reversi", {"to_move": "Z"}, "to_move 須為 'X' 或 'O'，不是 'Z'"),
    ("reversed_reversi", {"to_move": "X"}, "board 須為 8 個字串，各 8 格"),
]
FIELDS = {"to", "move", "None", "heaps", "left", "board"}


@pytest.mark.parametrize(("game", "position", "said"), POSITIONS)
def test_a_position_that_is_none_is_refused_in_chinese(
    run: Run, game: str, position: dict[str, object], said: str
) -> None:
    """What is wrong with it, by the names of its fields."""
    ran = run("game", "hint", game, "--position", json.dumps(position))
    assert ran.code == 2
    assert said in ran.err
    assert english_words(ran.err.removeprefix("arena: ").replace("_", " "), FIELDS) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("solve", "reversed_reversi", "--table", "all.csv"), "邊長須為 4，不能是 8；`arena solve` 可求解"),
        (("solve", "reversed_reversi", "--size", "6", "--param", "rows=8"), "不能是 6x8"),
        (("solve", "reversed_reversi", "--size", "10"), "邊長須為 4，不能是 10"),
        (("solve", "heap_nim", "--size", "500,500,500"), "依 XOR 規則，先手必勝"),
        (("solve", "heap_nim", "--table", "all.txt"), ".csv 或 .jsonl 或 .parquet"),
        (("solve", "l_game", "--param", "rows=3"), "沒有參數 'rows'；它沒有任何參數"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_chinese(run: Run, words: tuple[str, ...], said: str) -> None:
    """Too large a board, too many positions, a table of no form, and a parameter of a game without any."""
    ran = run(*words)
    assert ran.code == 2
    assert said in ran.err


def test_files_that_are_none_are_refused_in_chinese(run: Run, tmp_path: Path) -> None:
    """A proof and a checkpoint: which line, and what is wrong there."""
    proof, checkpoint = tmp_path / "proof", tmp_path / "known"
    small = ("solve", "reversed_reversi", "--size", "4", "--jobs", "1", "--memory", "1")
    assert run(*small, "--proof", str(proof), "--checkpoint", str(checkpoint)).code == 0
    head, *rest = proof.read_text().split("\n")
    proof.write_text("\n".join([head, *rest[1:]]))
    assert "proof 不被接受：第 2 行：這裡不是「" in run("solve", "verify", str(proof)).err
    told = json.loads(head)
    proof.write_text(json.dumps(told | {"params": {"size": 5}}) + "\n")
    assert "第 1 行：它的參數不成立：size（棋盤大小）須為" in run("solve", "verify", str(proof)).err
    ran = run(*small, "--moves", "c1", "--checkpoint", str(checkpoint))
    assert "known 繼續：它屬於開局，不是盤面 {" in ran.err
    lines = checkpoint.read_text().split("\n")
    checkpoint.write_text("\n".join([*lines[:3], lines[4], lines[3], *lines[5:]]))
    assert "第 4 行已損壞，或前面缺了一行" in run(*small, "--checkpoint", str(checkpoint)).err
