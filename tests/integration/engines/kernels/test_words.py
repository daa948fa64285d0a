"""Sixteen words side by side, and words of 128 bits, against Python's integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.kernels.arithmetic import U64
from engines.kernels.jit import compiled
from engines.kernels.reversi_lanes import _draw
from engines.kernels.words import WIDTH, lane, low_half, nth_set_wide, popcount_wide, spread, wide, with_lane
from engines.stream import Stream

MASK = 2**64 - 1
FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


@compiled
def _loaded(words: Any) -> Any:
    lanes = spread(U64(0))
    for number in range(WIDTH):
        lanes = with_lane(lanes, U64(number), words[number])
    return lanes


@compiled
def _stored(lanes: Any, words: Any) -> None:
    for number in range(WIDTH):
        words[number] = lane(lanes, U64(number))


@compiled
def draw(states: Any, words: Any, found: Any, after: Any) -> None:
    """`_draw` on arrays."""
    discs, state = _draw(_loaded(states), _loaded(words))
    _stored(discs, found)
    _stored(state, after)


@compiled
def nth_of_wide(words: Any, number: Any, found: Any) -> None:
    """`nth_set_wide` and `popcount_wide` of a word given by its upper and lower half."""
    word = wide(words[0], words[1])
    bit = nth_set_wide(word, number)
    found[0], found[1], found[2] = low_half(bit >> U64(64)), low_half(bit), popcount_wide(word)


def nth(word: int, number: int) -> int:
    """The lowest set bit of `word` but `number`, the plain way."""
    for _ in range(number):
        word &= word - 1
    return word & -word


def unmixed(word: int) -> int:
    """The state whose output is `word`: every step of SplitMix64's output function can be taken back."""
    for shift, factor in ((31, FACTORS[1]), (27, FACTORS[0]), (30, 1)):
        found = word
        for _ in range(64 // shift):
            found = word ^ (found >> shift)
        word = found * pow(factor, -1, 2**64) & MASK
    return (word - 0x9E3779B97F4A7C15) & MASK


def test_a_lane_that_must_draw_again_does() -> None:
    """A word whose upper half is 0 is unfair to all bounds but powers of two; only those lanes draw twice."""
    words = [(1 << bits) - 1 for bits in range(WIDTH)]
    states = [unmixed(0x12345678) for _ in words]
    found, after = np.zeros(WIDTH, np.uint64), np.zeros(WIDTH, np.uint64)
    draw(np.array(states, np.uint64), np.array(words, np.uint64), found, after)
    twice = 0
    for word, state, bit, left in zip(words, states, found.tolist(), after.tolist(), strict=True):
        stream = Stream.from_state(state)
        if word == 0:
            assert (bit, left) == (0, state)
            continue
        assert stream.word() >> 32 == 0
        once = stream._state
        stream = Stream.from_state(state)
        assert bit == 1 << stream.below(word.bit_count())
        assert left == stream._state
        twice += left != once
    assert twice == sum(bits & (bits - 1) > 0 for bits in range(1, WIDTH))


def test_bits_of_wide_words_are_found_across_the_halves() -> None:
    """The n-th set bit of 128 and the count of them, for random words and every number."""
    stream = Stream("wide words")
    for _ in range(20):
        word = (stream.word() & stream.word()) << 64 | stream.word() & stream.word()
        halves = np.array(divmod(word, 1 << 64), np.uint64)
        for number in range(word.bit_count()):
            found = np.zeros(3, np.uint64)
            nth_of_wide(halves, U64(number), found)
            high, low, count = found.tolist()
            assert (high << 64 | low, count) == (nth(word, number), word.bit_count())
