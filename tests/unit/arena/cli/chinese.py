"""What is looked for in Chinese output: words that were left in English, and columns that line up."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from unicodedata import east_asian_width

WORD = re.compile(r"[A-Za-z]{2,}")
BOARD = re.compile(r"[XO]+")
GAP = re.compile(r"\S  +\S")
CELLS = re.compile(r" {2,}")


def english_words(text: str, fixed: Iterable[str] = ()) -> list[str]:
    """The words in Latin letters that are none of the fixed terms, nor a part of a board.

    Single letters are sides and squares.
    """
    return sorted(word for word in set(WORD.findall(text)) - set(fixed) if not BOARD.fullmatch(word))


def tables(text: str) -> Iterator[list[str]]:
    """The tables in a text: lines one after another that have gaps, headings first; boards are none."""
    for is_table, lines in itertools.groupby(text.split("\n"), lambda line: bool(GAP.search(line))):
        table = list(lines)
        if is_table and "a b c d" not in table[0]:
            yield table


def lines_up(table: list[str]) -> bool:
    """Whether as many columns are apart on a terminal as there are headings."""
    shown = ["".join(char * (1 + (east_asian_width(char) in "WF")) for char in line) for line in table]
    width = max(map(len, shown))
    taken = "".join("x" if any(line[at : at + 1].strip() for line in shown) else " " for at in range(width))
    return len(CELLS.split(taken.strip())) == len(CELLS.split(table[0].strip())) + table[0].startswith(" ")
