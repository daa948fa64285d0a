"""`arena solve` where the reader's language is Chinese: every line of every game's analysis, in columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engines.games import all_games, find_game
from engines.presentation import Words
from engines.presentation.circle_nim import CircleNimPresentation
from engines.presentation.l_game import LGamePresentation
from engines.presentation.rhombic_chess import RhombicChessPresentation
from engines.solvers import find_solver
from tests.unit.arena.cli.chinese import english_words, lines_up, tables
from tests.unit.arena.cli.conftest import Run

pytestmark = pytest.mark.usefixtures("chinese")

FIXED = {
    "circle_nim": set[str](),
    "heap_nim": {"XOR", "Grundy"},
    "l_game": {"WinNode", "LoseNode", "Child", "Node"},
    "reversed_reversi": set[str](),
    "rhombic_chess": set[str](),
}
"""The terms of each game's document that are not Chinese there either."""
TABLES = {"circle_nim": 4, "heap_nim": 1, "l_game": 6, "reversed_reversi": 0, "rhombic_chess": 2}
"""How many tables each analysis has."""
SIZES = {"circle_nim": ("--size", "4"), "reversed_reversi": ("--size", "4")}
CUT = ("solve", "reversed_reversi", "--size", "4", "--jobs", "1", "--memory", "1")


@pytest.mark.parametrize("name", sorted(FIXED))
def test_an_analysis_is_chinese_and_lines_up(run: Run, name: str) -> None:
    """No word in Latin letters but the fixed terms, and as many columns apart as each table has headings."""
    shown = run("solve", name, *SIZES.get(name, ())).out
    assert english_words(shown, FIXED[name]) == []
    found = list(tables(shown))
    assert len(found) == TABLES[name]
    assert [table for table in found if not lines_up(table)] == []


def test_every_game_of_the_arena_that_is_solved_is_looked_at() -> None:
    """A new game with a solver has a line here."""
    assert sorted(FIXED) == sorted(name for name, row in all_games().items() if row.solver)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("heap_nim", "--size", "2,4,6", "--param", "misere=true"), "沒有必勝的走法"),
        (("heap_nim", "--param", "misere=true"), "取最後一個者負：雙方都以完美下法進行時，先手必勝"),
        (("reversed_reversi", "--size", "4", "--moves", "c1"), "輪到 O，空格：11"),
        (("reversed_reversi", "--size", "4", "--param", "reversed=false"), "子多者勝"),
    ],
)
def test_other_analyses_are_chinese(run: Run, words: tuple[str, ...], said: str) -> None:
    """Another variant of the rules, a start that is lost, and a position."""
    shown = run("solve", *words).out
    assert said in shown
    assert english_words(shown, FIXED[words[0]]) == []


def test_a_cut_solve_and_its_proof_are_chinese(run: Run, tmp_path: Path) -> None:
    """What was solved by work that is cut up, from the start and from a position, and what a proof shows."""
    proof = str(tmp_path / "proof")
    shown = run(*CUT, "--moves", "c1", "--proof", proof).out
    shown += run(*CUT, "--param", "reversed=false").out
    assert "O 必勝，多 8 子" in shown
    assert english_words(shown) == []
    shown = run("solve", "verify", proof, "--sample", "1").out
    assert "輪到 O，空格：11" in shown
    assert english_words(shown.replace("--all", "")) == []


def test_chances_that_were_left_out_are_offered(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With more rows than the chances are computed for unasked, it is said in Chinese how to ask."""
    monkeypatch.setattr("engines.solvers.circle_nim.CHANCES_ROWS", 2)
    shown = run("solve", "circle_nim", "--size", "3").out
    assert "加上 --probabilities 就會計算" in shown
    assert english_words(shown, {"probabilities"}) == []


def test_what_never_comes_out_would_be_chinese() -> None:
    """A first side that wins at rhombic chess, and a first position of the L-Game that can be won."""
    rhombic = find_solver("rhombic_chess").analyse(find_game("rhombic_chess"))
    rhombic["theorem"]["second_player_wins"] = False
    told = _chinese(RhombicChessPresentation("rhombic_chess").solution(rhombic))
    assert "先手必勝；雙方都以完美下法進行時共 16 手。" in told
    l_game = find_solver("l_game").analyse(find_game("l_game"))
    l_game["start"] |= {"forced_win": True, "result": "won"}
    told += _chinese(LGamePresentation("l_game").solution(l_game))
    assert "開始盤面必贏：有必勝的策略。65 種走法中有 29 種會輸。" in told
    circles = find_solver("circle_nim").analyse(find_game("circle_nim", {"rows": 3}))
    told += _chinese(CircleNimPresentation("circle_nim").solution(circles | {"winner": "first"}))
    assert english_words("\n".join(told), FIXED["l_game"]) == []


def test_what_other_programs_read_stays_english(run: Run) -> None:
    """With --json the same document comes out as in English."""
    told = run("solve", "l_game", "--json").json()
    assert {each["result"] for each in told["distances"]} == {"won", "lost"}
    assert told["hints"][0]["definition"].startswith("the right angle of one's own L")


def _chinese(lines: Any) -> list[str]:
    return [line.said("zh-TW") if isinstance(line, Words) else line for line in lines]
