"""What the solutions' words are made of: tables of text, shares, and progress that does not flood."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from arena.cli.shared import progress
from arena.cli.shared.solutions import solution_lines
from engines.presentation import Presentation, Words
from engines.presentation.tables import share, table_lines
from tests.unit.arena.cli.chinese import lines_up


def test_a_table_is_aligned() -> None:
    """Numbers, signs and shares go to the right, words to the left, and no line ends with blanks."""
    rows = [("one", 1, "12.5 %", "x"), ("three", -200, "-", None)]
    assert [line.english for line in table_lines(("word", "number", "share", "note"), rows)] == [
        "word   number   share  note",
        "one         1  12.5 %  x",
        "three    -200       -",
    ]


def test_a_table_without_rows_has_its_titles() -> None:
    """An empty list is shown as one, not refused."""
    assert list(table_lines(("a", "b"), [])) == [Words("a  b", "a  b")]


def test_a_table_lines_up_in_every_language() -> None:
    """A Chinese character takes two columns, in titles and in cells, before numbers and before words."""
    columns = (Words("result", "結果"), Words("plies", "手數"), Words("share won", "必勝比例"), "note")
    rows = [(Words("won", "必勝（WinNode）"), 7, "5.0 %", "x"), (Words("lost", "必敗"), 12345, "12.5 %", "y")]
    english, chinese = zip(*table_lines(columns, rows), strict=True)
    assert list(english) == [
        "result  plies  share won  note",
        "won         7      5.0 %  x",
        "lost    12345     12.5 %  y",
    ]
    assert list(chinese) == [
        "結果              手數  必勝比例  note",
        "必勝（WinNode）      7     5.0 %  x",
        "必敗             12345    12.5 %  y",
    ]
    assert lines_up(list(chinese))


def test_a_table_out_of_line_is_told_apart() -> None:
    """What looks for columns that line up does not take every table, nor one that counts characters."""
    assert not lines_up(["結果  手數  n", "won     7  x"])
    assert lines_up(["結果  手數  n", "won      7  x"])


def test_a_share_of_nothing_is_told_as_none() -> None:
    """A part in percent with one decimal; of nothing there is no share."""
    assert (share(1, 3), share(0, 5), share(0, 0)) == ("33.3 %", "0.0 %", "-")


@pytest.mark.usefixtures("chinese")
def test_a_line_that_is_a_plain_text_is_the_same_in_every_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose analysis has no words in Chinese is told as ever, beside lines that have them."""

    class Told(Presentation):
        def solution(self, result: Mapping[str, Any]) -> Iterator[str | Words]:
            yield from super().solution(result)
            yield Words("won", "必勝")

    monkeypatch.setattr("engines.games.find_presentation", Told)
    told = ["{", '  "winner": "first"', "}", "必勝"]
    assert list(solution_lines("somebodys_game", {"winner": "first"})) == told


def test_progress_is_told_once_a_second_at_most(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of many reports there is a line for each new tenth, none sooner than a second after the last."""
    now = [0.0]
    monkeypatch.setattr("arena.cli.shared.progress.time", SimpleNamespace(monotonic=lambda: now[0]))
    with progress.following("solving") as follow:
        for now[0], done in ((0.5, 10), (1.5, 20), (1.6, 30), (2.7, 31), (9.0, 31), (9.5, 100)):
            follow(done, 100)
    assert capsys.readouterr().err == "solving: 20 %\nsolving: 30 %\nsolving: 100 %\n"
