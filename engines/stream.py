"""One reproducible stream of random integers, keyed by what it is for.

The generator is SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*,
OOPSLA 2014) with the constants of Vigna's reference `splitmix64.c`. Whoever needs chance makes a stream
of its own from keys that name the purpose, such as ``Stream("openings", seed, 3)``, so no draw depends
on what another part of the program drew. Only integers are used: every machine gives the same numbers.

Keys become the starting state one 64-bit word at a time, ``state = mix(state ^ word)``. A key is one
header word (its length in bytes times 256, plus the ASCII code of `i` or `s`) and then its bytes as
little-endian words, the last padded with zeros: UTF-8 for a string, the shortest two's complement for an
integer. No two different lists of keys spell the same words.

Simulated games come by the million, so their streams are made with one step of the generator: `run_key`
spells the seed of the run and the match once, and game ``i`` starts at ``mix(run ^ i)``. The compiled kernels
(`engines.kernels.arithmetic`) repeat these few operations; `docs/simulation.md` has test vectors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, MutableSequence, Sequence
from typing import TypeVar

T = TypeVar("T")

Key = int | str

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15
_HALF = 1 << 32


def mix(word: int) -> int:
    """SplitMix64's output function: the 64-bit word that follows the state `word`."""
    z = (word + _GAMMA) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def _spell(key: Key) -> Iterator[int]:
    if isinstance(key, str):
        tag, data = "s", key.encode()
    elif type(key) is int:
        tag, data = "i", key.to_bytes(key.bit_length() // 8 + 1, "little", signed=True)
    else:
        raise TypeError(f"a stream's key is an int or a str, not {key!r}")
    yield (len(data) << 8 | ord(tag)) & _MASK
    for at in range(0, len(data), 8):
        yield int.from_bytes(data[at : at + 8], "little")


class Stream:
    """The random numbers that belong to `keys`; equal keys give equal numbers.

    Raises:
        TypeError: a key is neither an int nor a str.
    """

    def __init__(self, *keys: Key) -> None:
        state = 0
        for key in keys:
            for word in _spell(key):
                state = mix(state ^ word)
        self._state = state

    @classmethod
    def from_state(cls, state: int) -> Stream:
        """The bare SplitMix64 sequence of a 64-bit seed, as the published test vectors have it."""
        stream = cls()
        stream._state = state & _MASK
        return stream

    @property
    def state(self) -> int:
        """The 64-bit seed from which `from_state` goes on as this one would."""
        return self._state

    def word(self) -> int:
        """The next 64 bits."""
        drawn = mix(self._state)
        self._state = (self._state + _GAMMA) & _MASK
        return drawn

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound - 1``, each equally likely.

        The upper half of a word times `bound`, divided by 2**32 (Lemire, *Fast random integer generation in
        an interval*, TOMACS 2019); the few words that would favour some numbers are redrawn.

        Raises:
            ValueError: `bound` is not between 1 and 2**32.
        """
        if not 1 <= bound <= _HALF:
            raise ValueError(f"a bound lies between 1 and 2**32, not {bound}")
        product = (self.word() >> 32) * bound
        if product % _HALF < bound:
            unfair = _HALF % bound
            while product % _HALF < unfair:
                product = (self.word() >> 32) * bound
        return product >> 32

    def choice(self, items: Sequence[T]) -> T:
        """One of `items`, each equally likely.

        Raises:
            ValueError: `items` is empty.
        """
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put `items` in a random order in place, each order equally likely (Fisher and Yates)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def run_key(seed: int, match: int) -> int:
    """The 64-bit key that the games of one match of one simulation run share."""
    return Stream("run", seed, match).state


def game_stream(run: int, index: int) -> Stream:
    """The stream of game `index` (from 0) of the match that has the key `run`: its players draw from it."""
    return Stream.from_state(mix(run ^ index))


def derive(*keys: Key) -> int:
    """A seed below 2**53 that belongs to `keys`: every JSON reader takes it without rounding.

    Raises:
        TypeError: a key is neither an int nor a str.
    """
    return Stream(*keys).word() >> 11


def conceal(*keys: Key) -> int:
    """As `derive`, for who is to learn nothing of the keys: what a stream does can be taken back by steps.

    Raises:
        TypeError: a key is neither an int nor a str.
    """
    spelt = b"".join(word.to_bytes(8, "little") for key in keys for word in _spell(key))
    return int.from_bytes(hashlib.blake2b(spelt, digest_size=8).digest(), "little") >> 11
