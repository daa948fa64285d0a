"""Blocks put together again."""

from __future__ import annotations

import random

import pytest

from tests.unit.workers.simulation.specs import spec_of, total
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import CHECK_EVERY, Block, Tally
from workers.simulation.prefix import Prefix


def _blocks(games: int, size: int) -> list[Block]:
    spec = spec_of(games=games)
    return [
        block
        for start in range(0, games, size)
        for block in play_chunk(spec, start, min(size, games - start))
    ]


@pytest.mark.parametrize("seed", range(5))
def test_any_order_comes_to_the_same(seed: int) -> None:
    """Shuffled blocks are handed on in the order of the games, and nothing waits in the end."""
    blocks = _blocks(3210, 400)
    shuffled = random.Random(seed).sample(blocks, len(blocks))
    prefix = Prefix()
    joined = [each for block in shuffled for each in prefix.add(block)]
    assert joined == blocks
    assert prefix.tally == total(blocks)
    assert (prefix.games, prefix.waiting) == (3210, {})


def test_a_block_waits_for_those_before() -> None:
    """Games with a gap before them are not counted, and another prefix can go on with them."""
    first, second, third = _blocks(900, 300)
    prefix = Prefix()
    assert prefix.add(third) == []
    assert prefix.add(first) == [first]
    assert (prefix.games, list(prefix.waiting)) == (300, [600])
    resumed = Prefix(prefix.tally, prefix.waiting.values())
    assert resumed.add(second) == [second, third]
    assert resumed.tally == total([first, second, third])


def test_a_block_that_is_there_is_refused() -> None:
    """Neither games that are counted nor those that wait are taken twice."""
    first, second, third = _blocks(900, 300)
    prefix = Prefix()
    prefix.add(first)
    prefix.add(third)
    for again in (first, third):
        with pytest.raises(ValueError, match="there already"):
            prefix.add(again)
    prefix.add(second)
    assert prefix.games == 900


@pytest.mark.parametrize("size", [250, 1000, 1700, 6000])
def test_the_rule_looks_at_every_thousandth_game_only(size: int) -> None:
    """It is asked about the same tallies however the blocks arrive, and ends at the first that is enough."""
    blocks = _blocks(6000, size)
    asked: list[Tally] = []

    def enough(tally: Tally) -> bool:
        asked.append(tally)
        return tally.games >= 3000

    prefix = Prefix(stop=enough)
    for block in reversed(blocks):
        prefix.add(block)
    assert [tally.games for tally in asked] == [CHECK_EVERY, 2 * CHECK_EVERY, 3 * CHECK_EVERY]
    assert prefix.stopped
    assert prefix.tally == total(block for block in blocks if block.end <= 3000)
    assert prefix.add(blocks[-1]) == []
    assert prefix.games == 3000
    assert Prefix(prefix.tally, stop=enough).stopped
