"""What docs/simulation.md says of the stream, worked out again from its words alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.engines.test_stream import VECTORS

TEXT = (Path(__file__).parents[4] / "docs" / "simulation.md").read_text()
ROW = re.compile(r"\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| ([\d, ]+) \| ([\d, ]+) \|")
LIMIT = 2**64
STEP = 0x9E3779B97F4A7C15


def _mix(state: int) -> int:
    z = (state + STEP) % LIMIT
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % LIMIT
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % LIMIT
    return z ^ (z >> 31)


def _words_of(number: int) -> Iterator[int]:
    size = 1
    while number >= 2 ** (8 * size - 1):
        size += 1
    yield size * 256 + 105
    yield number


def _rows() -> list[tuple[str, ...]]:
    return [found.groups() for found in ROW.finditer(TEXT)]


def test_the_vectors_are_those_of_the_tests() -> None:
    """The document publishes exactly the vectors that the stream and the kernels are tested with."""
    told = [
        (tuple(map(int, row[:3])), *(list(map(int, row[at].split(", "))) for at in (5, 6))) for row in _rows()
    ]
    assert told == VECTORS


@pytest.mark.parametrize("row", _rows(), ids=lambda row: "-".join(row[:3]))
def test_the_recipe_gives_the_vectors(row: tuple[str, ...]) -> None:
    """Whoever follows the document's recipe, and nothing else, gets its numbers."""
    assert "883" in TEXT
    assert "7239026" in TEXT
    seed, match, index, key, start = map(int, row[:5])
    run = 0
    for word in (883, 7239026, *_words_of(seed), *_words_of(match)):
        run = _mix(run ^ word)
    assert run == key
    assert _mix(run ^ index) == start
    words = [_mix((start + step * STEP) % LIMIT) for step in range(100)]
    assert words[:3] == list(map(int, row[5].split(", ")))
    drawn = iter(words)
    for bound, choice in zip((3, 15, 64, 1), map(int, row[6].split(", ")), strict=True):
        product = (next(drawn) >> 32) * bound
        while product % 2**32 < 2**32 % bound:
            product = (next(drawn) >> 32) * bound
        assert product >> 32 == choice
