"""Words that are wider than a machine's integers: sixteen of 64 bits side by side, and one of 128 bits.

`Lanes` is a Numba type of sixteen `uint64`. An operation works on all of them at once and becomes whatever
vector instructions the processor has, two with 512 bits or eight with 128. `Wide` is one word of 128 bits.
Both know ``& | ^ << >>``, and lanes also ``+ - *``; the right side is of the same type or a `uint64`, which
is meant for every lane. So a function that uses nothing but these can be compiled for either.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, TypeAlias

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import AbstractTemplate, Signature, infer_global
from numba.extending import intrinsic, lower_builtin, models, register_model

from engines.kernels.arithmetic import U64, Made, Values, nth_set, popcount
from engines.kernels.jit import compiled

WIDTH = 16
"""How many lanes there are."""

_BIT, _INDEX, _WORD = ir.IntType(1), ir.IntType(32), ir.IntType(64)
_LANES = ir.VectorType(_WORD, WIDTH)
_WIDE = ir.IntType(128)
_HALF = ir.Constant(_WIDE, 64)


class WordType(types.Type):
    """A Numba type that is one LLVM value."""


class LanesType(WordType):
    """Sixteen words of 64 bits."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


class WideType(WordType):
    """One word of 128 bits."""

    def __init__(self) -> None:
        super().__init__(name="Wide")


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: object, kind: object) -> None:
        super().__init__(manager, kind, _LANES)  # type: ignore[no-untyped-call]  # Numba's own


@register_model(WideType)
class _WideModel(models.PrimitiveModel):
    def __init__(self, manager: object, kind: object) -> None:
        super().__init__(manager, kind, _WIDE)  # type: ignore[no-untyped-call]  # Numba's own


LANES, WIDE = LanesType(), WideType()

Lanes: TypeAlias = Any
Wide: TypeAlias = Any
"""What annotations call them: only compiled code has such values, and Python knows no type of theirs."""


def _in_every_lane(builder: ir.IRBuilder, word: ir.Value) -> ir.Value:
    nothing = ir.Constant(_LANES, ir.Undefined)
    first = builder.insert_element(nothing, word, ir.Constant(_INDEX, 0))
    return builder.shuffle_vector(first, nothing, ir.Constant(ir.VectorType(_INDEX, WIDTH), [0] * WIDTH))


def _widened(builder: ir.IRBuilder, word: ir.Value) -> ir.Value:
    return builder.zext(word, _WIDE)


_FROM_WORD: dict[WordType, Callable[..., ir.Value]] = {LANES: _in_every_lane, WIDE: _widened}


def _define(operation: Callable[..., object], instruction: str, *kinds: WordType) -> None:
    """Let Numba translate `operation` on these types into one LLVM instruction."""

    class Template(AbstractTemplate):
        def generic(self, arguments: tuple[types.Type, ...], _keywords: object) -> Signature | None:
            if len(arguments) != 2 or arguments[0] not in kinds:
                return None
            kind, other = arguments
            if other == kind:
                return kind(kind, kind)
            return kind(kind, types.uint64) if isinstance(other, types.Integer) else None

    def of_two(_: object, builder: ir.IRBuilder, _signature: object, arguments: Values) -> ir.Value:
        return getattr(builder, instruction)(*arguments)

    def with_word(_: object, builder: ir.IRBuilder, typed: Signature, arguments: Values) -> ir.Value:
        return getattr(builder, instruction)(arguments[0], _FROM_WORD[typed.args[0]](builder, arguments[1]))

    infer_global(operation)(Template)  # type: ignore[no-untyped-call]  # Numba's own
    for kind in kinds:
        lower_builtin(operation, kind, kind)(of_two)  # type: ignore[no-untyped-call]  # Numba's own
        lower_builtin(operation, kind, types.uint64)(with_word)  # type: ignore[no-untyped-call]  # Numba's own


_define(operator.and_, "and_", LANES, WIDE)
_define(operator.or_, "or_", LANES, WIDE)
_define(operator.xor, "xor", LANES, WIDE)
_define(operator.lshift, "shl", LANES, WIDE)
_define(operator.rshift, "lshr", LANES, WIDE)
_define(operator.add, "add", LANES)
_define(operator.sub, "sub", LANES)
_define(operator.mul, "mul", LANES)


def _operation(maker: Callable[..., Made]) -> Callable[..., Any]:
    """What `maker` makes, as a function that compiled code can call."""
    return intrinsic(maker)


def _nonzero(builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
    zero = [0] * WIDTH if value.type == _LANES else 0
    return builder.icmp_unsigned("!=", value, ir.Constant(value.type, zero))


@_operation
def filled(_context: object, word: types.Type) -> Made:
    """All bits set where `word` has any, no bit set elsewhere: by lane, or in the whole word."""

    def generate(_: object, builder: ir.IRBuilder, _signature: object, arguments: Values) -> ir.Value:
        return builder.sext(_nonzero(builder, arguments[0]), arguments[0].type)

    return word(word), generate


@_operation
def less(_context: object, left: object, right: object) -> Made:  # noqa: ARG001 - Numba reads their names
    """All bits set in the lanes where `left` is less than `right`."""

    def generate(_: object, builder: ir.IRBuilder, _signature: object, arguments: Values) -> ir.Value:
        return builder.sext(builder.icmp_unsigned("<", *arguments), _LANES)

    return LANES(LANES, LANES), generate


@_operation
def spread(_context: object, word: object) -> Made:  # noqa: ARG001 - Numba reads its name
    """Lanes that all hold `word`."""

    def generate(_: object, builder: ir.IRBuilder, _signature: object, arguments: Values) -> ir.Value:
        return _in_every_lane(builder, arguments[0])

    return LANES(types.uint64), generate


@_operation
def lane(_context: object, lanes: object, number: object) -> Made:  # noqa: ARG001 - Numba reads their names
    """The word in lane `number` (`uint64`)."""

    def generate(_: object, builder: ir.IRBuilder, _signature: object, arguments: Values) -> ir.Value:
        return builder.extract_element(arguments[0], builder.trunc(arguments[1], _INDEX))

    return types.uint64(LANES, types.uint64), generate


@_operation
def with_lane(_context: object, lanes: object, number: object, word: object) -> Made:  # noqa: ARG001 - as above
    """`lanes` with `word` in lane `number` (`uint64`)."""

    def generate(_: object, builder: ir.IRBuilder, _signature: object, arguments: Values) -> ir.Value:
        return builder.insert_element(arguments[0], arguments[2], builder.trunc(arguments[1], _INDEX))

    return LANES(LANES, types.uint64, types.uint64), generate


@_operation
def flagged(_context: object, lanes: object) -> Made:  # noqa: ARG001 - Numba reads its name
    """A `uint64` in which bit ``i`` says whether lane ``i`` holds anything but 0."""

    def generate(_: object, builder: ir.IRBuilder, _signature: object, arguments: Values) -> ir.Value:
        return builder.zext(builder.bitcast(_nonzero(builder, arguments[0]), ir.IntType(WIDTH)), _WORD)

    return types.uint64(LANES), generate


@_operation
def popcounts(_context: object, lanes: object) -> Made:  # noqa: ARG001 - Numba reads its name
    """How many bits are set in each lane."""

    def generate(_: object, builder: ir.IRBuilder, _signature: object, arguments: Values) -> ir.Value:
        kind = ir.FunctionType(_LANES, [_LANES])
        return builder.call(builder.module.declare_intrinsic(f"llvm.ctpop.v{WIDTH}i64", (), kind), arguments)

    return LANES(LANES), generate


@_operation
def wide(_context: object, high: object, low: object) -> Made:  # noqa: ARG001 - Numba reads their names
    """A word of 128 bits from its halves (`uint64`)."""

    def generate(_: object, builder: ir.IRBuilder, _signature: object, arguments: Values) -> ir.Value:
        upper, lower = (builder.zext(half, _WIDE) for half in arguments)
        return builder.or_(builder.shl(upper, _HALF), lower)

    return WIDE(types.uint64, types.uint64), generate


@_operation
def low_half(_context: object, word: object) -> Made:  # noqa: ARG001 - Numba reads its name
    """The lower 64 bits of a `Wide`."""

    def generate(_: object, builder: ir.IRBuilder, _signature: object, arguments: Values) -> ir.Value:
        return builder.trunc(arguments[0], _WORD)

    return types.uint64(WIDE), generate


@compiled
def popcount_wide(word: Wide) -> U64:
    """How many bits of a `Wide` are set, as a `uint64`."""
    return popcount(low_half(word)) + popcount(low_half(word >> U64(64)))


@compiled
def nth_set_wide(word: Wide, number: U64) -> Wide:
    """The lowest bit of a `Wide` but `number` (`uint64`, from 0), alone in a `Wide`."""
    below = popcount(low_half(word))
    if number < below:
        return wide(U64(0), nth_set(low_half(word), number))
    return wide(nth_set(low_half(word >> U64(64)), number - below), U64(0))
