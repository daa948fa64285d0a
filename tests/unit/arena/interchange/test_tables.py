"""Cells of CSV come back as they were, and no spreadsheet takes one for a formula."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from arena.interchange.tables import csv_line, guarded, unguarded
from tests.unit.arena.interchange.texts import NAMES


@given(st.lists(NAMES, min_size=1, max_size=4))
def test_texts_come_back(texts: list[str]) -> None:
    """Whatever a line's texts hold, reading and unguarding gives them again."""
    (cells,) = csv.reader(io.StringIO(csv_line(texts), newline=""))
    assert [unguarded(cell) for cell in cells] == texts


@given(NAMES)
def test_no_cell_begins_a_formula(text: str) -> None:
    """After the guard no text begins with what makes a spreadsheet calculate."""
    assert not guarded(text).startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


def test_numbers_stay_numbers() -> None:
    """A negative number is no text and is not guarded; a text that looks like one is."""
    assert csv_line([-1, "-1", "=1+1", "plain"]) == "-1,'-1,'=1+1,plain\r\n"


def test_an_apostrophe_that_guards_nothing_stays() -> None:
    """In a cell of others that no spreadsheet would calculate it is a part of the text."""
    assert [unguarded(cell) for cell in ("'tis", "'=1", "''tis")] == ["'tis", "=1", "'tis"]
