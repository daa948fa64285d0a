"""The weights of `strong`, a file for each board and rule, as `python -m benchmarks.fit_strong` writes them.

A file is a line of JSON, which tells how the weights were fitted, and the weights packed by zlib: at each
stage those of the patterns, in eighths of a disc, a byte each (of a pattern of 3 by 3 squares only one of two
indices that are mirrored along its diagonal, the lesser), then the tables, in 64ths, two bytes each.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

CORNER, EDGE = 3**9, 3**10
PATTERNS = (CORNER, EDGE, CORNER)
"""Indices of the three patterns: at a corner, along an edge from it, and one step towards the centre."""

COUNTS = 4
MAX_COUNT = 48
TABLES = COUNTS * (MAX_COUNT + 1) + 2
STAGES = (12, 22, 32, 42, 52)
"""How much of the board is filled at each stage, in 64ths."""

PATTERN_UNITS = 8
"""Units of the tables in a unit of the patterns."""

FOLDER = Path(__file__).parent


class Stage(NamedTuple):
    """The weights at one stage: of each pattern by index, and those of `bots.reference.judge.Counts`."""

    patterns: tuple[array[int], array[int], array[int]]
    tables: array[int]


def file_name(size: int, *, fewest: bool) -> str:
    """The name of a table's file."""
    return f"{size}-{'fewest' if fewest else 'most'}.bin"


@cache
def mirrored() -> list[int]:
    """For each index of a pattern of 3 by 3 squares, that of the pattern mirrored along its diagonal."""
    column = [row % 3 + 27 * (row // 3 % 3) + 729 * (row // 9) for row in range(27)]
    return [
        column[low] + 3 * column[mid] + 9 * column[high]
        for high in range(27)
        for mid in range(27)
        for low in range(27)
    ]


@cache
def load(size: int, *, fewest: bool) -> tuple[Stage, ...]:
    """The stages of one board and rule.

    Raises:
        OSError: there is no such file.
    """
    body = unpack((FOLDER / file_name(size, fewest=fewest)).read_bytes())[1]
    same = [min(pair) for pair in enumerate(mirrored())]
    kept = [index for index, least in enumerate(same) if index == least]
    place = {index: at for at, index in enumerate(kept)}
    places = [place[index] for index in same]
    stages, at = [], 0
    for _ in STAGES:
        patterns = []
        for length in (len(kept), EDGE, len(kept)):
            part = array("b", body[at : at + length])
            patterns.append(part if length == EDGE else array("b", [part[index] for index in places]))
            at += length
        tables = array("h", body[at : at + 2 * TABLES])
        at += 2 * TABLES
        if sys.byteorder == "big":
            tables.byteswap()
        stages.append(Stage((patterns[0], patterns[1], patterns[2]), tables))
    return tuple(stages)


def unpack(data: bytes) -> tuple[dict[str, Any], bytes]:
    """How a file's weights were fitted, and its weights."""
    told, _, packed = data.partition(b"\n")
    return json.loads(told), zlib.decompress(packed)
