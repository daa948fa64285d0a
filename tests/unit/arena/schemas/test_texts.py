"""Texts of several lines that people write for others."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from arena.schemas.texts import MAX_TEXT_CHARS, LongText

LONG = TypeAdapter(LongText)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("  one  ", "one"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("one\n\n\n\n\ntwo", "one\n\ntwo"),
        ("<b>第三輪</b>\t\u202eevil", "<b>第三輪</b>\t\u202eevil"),
        ("\n" * 5000 + "x", "x"),
    ],
)
def test_lines_are_kept_and_room_is_not(sent: str, kept: str) -> None:
    """Ends of lines are of one kind, several empty lines are one, and what surrounds the text goes."""
    assert LONG.validate_python(sent) == kept


@pytest.mark.parametrize(
    "sent", ["", " \n\t ", "bell\x07", "\x1b[31mred", "\x00", "line\u2028end", "\ud800", "x" * 2001, 5]
)
def test_what_nobody_can_read_is_refused(sent: object) -> None:
    """Controls, lone halves of characters, nothing at all and too much are no text."""
    with pytest.raises(ValidationError):
        LONG.validate_python(sent)


def test_the_limit_counts_what_is_kept() -> None:
    """A text as long as may be is taken, however its lines end on the way."""
    text = "\n".join(["x"] * (MAX_TEXT_CHARS // 2)) + "x"
    assert len(text) == MAX_TEXT_CHARS
    assert LONG.validate_python(text.replace("\n", "\r\n")) == text
