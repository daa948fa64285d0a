"""What a bot works out of its own seed: that of its tournament, which nobody is to know before the end."""

from __future__ import annotations

from collections.abc import Iterator

from engines.stream import derive

WORD = 2**64 - 1
STEP = 0x9E3779B97F4A7C15
FACTORS = (pow(0x94D049BB133111EB, -1, 2**64), pow(0xBF58476D1CE4E5B9, -1, 2**64))
LOST_BITS = 11
"""What of a word no seed has."""


def seeds_behind(told: int, *keys: int | str) -> set[int]:
    """The seeds below 2**53 from which `derive` with these keys after them makes `told`."""
    found = set()
    for lost in range(2**LOST_BITS):
        state = _unmixed(told << LOST_BITS | lost)
        for word in reversed([word for key in keys for word in _spelt(key)]):
            state = _unmixed(state) ^ word
        content = _unmixed(state)
        found |= {
            seed
            for size in range(1, 8)
            if (seed := content ^ _mixed(size << 8 | ord("i"))) < 2**53 and derive(seed, *keys) == told
        }
    return found


def _spelt(key: int | str) -> Iterator[int]:
    data = key.encode() if isinstance(key, str) else key.to_bytes(key.bit_length() // 8 + 1, "little")
    yield len(data) << 8 | ord("s" if isinstance(key, str) else "i")
    yield from (int.from_bytes(data[at : at + 8], "little") for at in range(0, len(data), 8))


def _mixed(word: int) -> int:
    word = (word + STEP) & WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


def _unmixed(word: int) -> int:
    word = _unshifted(word, 31) * FACTORS[0] & WORD
    word = _unshifted(word, 27) * FACTORS[1] & WORD
    return (_unshifted(word, 30) - STEP) & WORD


def _unshifted(word: int, by: int) -> int:
    return word ^ word >> by ^ word >> 2 * by
