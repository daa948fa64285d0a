"""Texts that are filled into lines of a terminal, where a Chinese character takes two columns."""

from __future__ import annotations

import re

from engines.columns import columns_of

WIDE = r"\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60"
CLOSING = r"，。、；：？！）」』》…"
OPENING = r"（「『《"
CHUNK = re.compile(
    rf"\s+|[{OPENING}]*(?:[{WIDE}]|[^\s{WIDE}]+)[{CLOSING}]*",
)
"""What is not broken: a word, or one Chinese character, with what opens before it and closes after it."""
BETWEEN = re.compile(rf"(?<=[{WIDE}{CLOSING}])(?=[{WIDE}])(?<![{OPENING}])(?![{CLOSING}])")
"""Where a line may be broken though there is no space."""


def filled(text: str, width: int) -> list[str]:
    """The text in lines of at most that width; a word that is wider stands alone."""
    lines, line = [], ""
    for chunk in CHUNK.findall(" ".join(text.split())):
        if line and columns_of(line + chunk.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += chunk if line else chunk.lstrip()
    return [*lines, line.rstrip()] if line.strip() else lines
