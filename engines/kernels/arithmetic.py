"""The integer operations that kernels share: bits of 64-bit words, and the random stream of `engines.stream`.

Everything is `uint64`: Numba turns a mixture of signed and unsigned 64-bit integers into floats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numba
import numpy as np
from llvmlite import ir
from numba.core.registry import cpu_target
from numba.core.typing.templates import Signature
from numba.extending import intrinsic

from engines.kernels.jit import compiled

U64 = np.uint64
GAMMA = U64(0x9E3779B97F4A7C15)
FIRST_FACTOR = U64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = U64(0x94D049BB133111EB)
LOW_HALF = U64(0xFFFFFFFF)
ONE = U64(1)

Values = Sequence[ir.Value]
Made = tuple[Signature, Callable[..., ir.Value]]

PDEP = "+bmi2" in cpu_target.target_context.codegen().magic_tuple()[2].split(",")
"""Whether the processor that Numba compiles for (this one, unless it was told otherwise) has `pdep`."""


def _bit_operation(name: str, *flags: int) -> Callable[[U64], U64]:
    """A Numba function from `uint64` to `uint64` that is one LLVM intrinsic, and so one instruction."""

    @intrinsic
    def operation(_context: object, word: object) -> Made:  # noqa: ARG001 - Numba reads its name
        def generate(_: object, builder: ir.IRBuilder, _signature: object, arguments: Values) -> ir.Value:
            wide, flag = ir.IntType(64), ir.IntType(1)
            kind = ir.FunctionType(wide, [wide, *(flag for _ in flags)])
            called = builder.module.declare_intrinsic(name, [wide], kind)
            return builder.call(called, [arguments[0], *(ir.Constant(flag, each) for each in flags)])

        return numba.uint64(numba.uint64), generate

    return operation  # type: ignore[return-value]  # Numba passes the context


popcount = _bit_operation("llvm.ctpop")
"""How many bits are set."""

lowest = _bit_operation("llvm.cttz", 0)
"""The number of the lowest bit that is set; 64 when none is."""

leading = _bit_operation("llvm.ctlz", 0)
"""How many zeros are above the highest bit that is set; 64 when none is."""


@intrinsic
def deposit(_context: object, bits: object, mask: object) -> Made:  # noqa: ARG001 - Numba reads their names
    """The low bits of `bits`, put where `mask` has bits set; to be compiled only where there is `PDEP`."""

    def generate(_: object, builder: ir.IRBuilder, _signature: object, arguments: Values) -> ir.Value:
        wide = ir.IntType(64)
        kind = ir.FunctionType(wide, [wide, wide])
        return builder.call(builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind), arguments)

    return numba.uint64(numba.uint64, numba.uint64), generate


@compiled
def mix(word: U64) -> U64:
    """`engines.stream.mix`: the output that follows the state `word`; of `Lanes`, sixteen at once."""
    z = word + GAMMA
    z = (z ^ (z >> U64(30))) * FIRST_FACTOR
    z = (z ^ (z >> U64(27))) * SECOND_FACTOR
    return z ^ (z >> U64(31))


@compiled
def game_state(run: U64, index: U64) -> U64:
    """The state of the stream of game `index`, as `engines.stream.game_stream` starts it."""
    return mix(run ^ U64(index))


@compiled
def below(state: U64, bound: U64) -> tuple[U64, U64]:
    """`Stream.below`: the number drawn (`uint64`) and the next state; `bound` is a `uint64` of at least 1."""
    product = (mix(state) >> U64(32)) * bound
    state = state + GAMMA
    if product & LOW_HALF < bound:
        unfair = U64(1 << 32) % bound
        while product & LOW_HALF < unfair:
            product = (mix(state) >> U64(32)) * bound
            state = state + GAMMA
    return product >> U64(32), state


def _nth_by_deposit(word: U64, number: U64) -> U64:
    """`nth_set` in one instruction."""
    return deposit(ONE << number, word)  # type: ignore[call-arg]  # Numba passes the context


def _nth_by_steps(word: U64, number: U64) -> U64:
    """`nth_set` by taking the lowest bit away again and again."""
    while number:
        word &= word - ONE
        number -= ONE
    return word & (~word + ONE)


nth_set = compiled(_nth_by_deposit if PDEP else _nth_by_steps)
"""The bit of `word` with that `number` (`uint64`) from the lowest, from 0, alone in a `uint64`."""
