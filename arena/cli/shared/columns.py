"""How wide a text is on a terminal, where a Chinese character takes two columns, and filling it in."""

from __future__ import annotations

import re
from unicodedata import combining, east_asian_width

WIDE = r"\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60"
CLOSING = r"，。、；：？！）」』》…"
OPENING = r"（「『《"
CHUNK = re.compile(
    rf"\s+|[{OPENING}]*(?:[{WIDE}]|[^\s{WIDE}]+)[{CLOSING}]*",
)
"""What is not broken: a word, or one Chinese character, with what opens before it and closes after it."""
BETWEEN = re.compile(rf"(?<=[{WIDE}{CLOSING}])(?=[{WIDE}])(?<![{OPENING}])(?![{CLOSING}])")
"""Where a line may be broken though there is no space."""


def columns_of(text: str) -> int:
    """How many columns of a terminal that takes."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def padded(text: str, width: int) -> str:
    """The text with as many spaces after it as it lacks to that width."""
    return text + " " * (width - columns_of(text))


def filled(text: str, width: int) -> list[str]:
    """The text in lines of at most that width; a word that is wider stands alone."""
    lines, line = [], ""
    for chunk in CHUNK.findall(" ".join(text.split())):
        if line and columns_of(line + chunk.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += chunk if line else chunk.lstrip()
    return [*lines, line.rstrip()] if line.strip() else lines
