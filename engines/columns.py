"""How wide a text is where every character has a cell of its own, as on a terminal, or two."""

from __future__ import annotations

from unicodedata import combining, east_asian_width


def columns_of(text: str) -> int:
    """How many columns that takes; a Chinese character takes two."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def padded(text: str, width: int, *, right: bool = False) -> str:
    """The text with as many spaces after it as it lacks to that width, or before it."""
    blanks = " " * (width - columns_of(text))
    return blanks + text if right else text + blanks
