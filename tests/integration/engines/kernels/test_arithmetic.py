"""The kernels' integer operations: in machine code they do what plain Python does."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kernels import arithmetic
from engines.kernels.arithmetic import U64, below, game_state, lowest, mix, nth_set, popcount
from engines.kernels.jit import compiled
from engines.stream import Stream, game_stream, run_key
from engines.stream import mix as plain_mix

WORDS = st.integers(0, 2**64 - 1)


@compiled
def bits(word: Any) -> Any:
    """The number of bits, and the lowest one's number: operations that exist only in compiled functions."""
    return popcount(word), lowest(word)


nth_by_steps = compiled(arithmetic._nth_by_steps)


@given(word=WORDS)
def test_bits_are_counted_and_found(word: int) -> None:
    """How many bits are set, and which is the lowest (64 where there is none)."""
    count, low = bits(U64(word))
    assert count == word.bit_count()
    assert low == ((word & -word).bit_length() - 1 if word else 64)


@given(word=WORDS.filter(bool), data=st.data())
def test_the_nth_bit_is_picked(word: int, data: st.DataObject) -> None:
    """Of the bits that are set, each can be picked by its rank from the lowest, on every processor."""
    ones = [at for at in range(64) if word >> at & 1]
    number = data.draw(st.integers(0, len(ones) - 1))
    for nth in (nth_set, nth_by_steps):
        assert nth(U64(word), U64(number)) == 1 << ones[number]


@given(word=WORDS)
def test_words_are_mixed_as_by_the_stream(word: int) -> None:
    """The generator's output function is the same in both."""
    assert mix(U64(word)) == plain_mix(word)


@pytest.mark.parametrize("bound", [1, 2, 3, 12, 13, 64, 5000, 2**31 + 1, 2**32 - 1, 2**32])
@pytest.mark.parametrize("index", [0, 1, 2**40])
def test_a_games_choices_are_those_of_its_stream(bound: int, index: int) -> None:
    """A game's stream starts where it shall, and draws the same choices; large bounds redraw every other."""
    run = run_key(2**53 - 1, 9)
    stream, state = game_stream(run, index), game_state(U64(run), U64(index))
    for _ in range(200):
        drawn, state = below(U64(state), U64(bound))
        assert drawn == stream.below(bound)
    assert stream.word() == mix(U64(state))


def test_unfair_words_are_redrawn_as_by_the_stream() -> None:
    """A word is redrawn exactly where the stream redraws it: just below and at the border of fairness."""
    for seed in range(2000):
        stream, bound = Stream.from_state(seed), 2**32 - 2**20
        drawn, state = below(U64(seed), U64(bound))
        assert drawn == stream.below(bound)
        assert mix(U64(state)) == stream.word()


def test_a_processor_without_pdep_is_compiled_for() -> None:
    """Told to compile for no particular processor, the n-th bit is found without the instruction."""
    program = (
        "from engines.kernels.arithmetic import PDEP, U64, nth_set\n"
        "assert not PDEP\n"
        "assert nth_set(U64(0b101100), U64(2)) == 0b100000\n"
    )
    environment = os.environ | {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    done = subprocess.run([sys.executable, "-c", program], env=environment, check=False)
    assert done.returncode == 0
