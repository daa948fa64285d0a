"""What the solutions' words are made of: tables of text, shares, and progress that does not flood."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from arena.cli.shared import progress
from engines.presentation.tables import share, table_lines


def test_a_table_is_aligned() -> None:
    """Numbers, signs and shares go to the right, words to the left, and no line ends with blanks."""
    rows = [("one", 1, "12.5 %", "x"), ("three", -200, "-", None)]
    assert list(table_lines(("word", "number", "share", "note"), rows)) == [
        "word   number   share  note",
        "one         1  12.5 %  x",
        "three    -200       -",
    ]


def test_a_table_without_rows_has_its_titles() -> None:
    """An empty list is shown as one, not refused."""
    assert list(table_lines(("a", "b"), [])) == ["a  b"]


def test_a_share_of_nothing_is_told_as_none() -> None:
    """A part in percent with one decimal; of nothing there is no share."""
    assert (share(1, 3), share(0, 5), share(0, 0)) == ("33.3 %", "0.0 %", "-")


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
