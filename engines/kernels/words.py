"""Words that are wider than a machine's integers: sixteen of 64 bits side by side, and one of 128 bits.

`Lanes` is a Numba type of sixteen `uint64`. An operation works on all of them at once and becomes whatever
vector instructions the processor has, two with 512 bits or eight with 128. `Wide` is one word of 128 bits.
Both know ``& | ^ << >>``, and lanes also ``+ - *``; the right side is of the same type or a `uint64`, which
is meant for every lane. So a function that uses nothing but these can be compiled for either.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, lower_builtin, models, register_model

from engines.kernels.arithmetic import U64, nth_set, popcount
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
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _LANES)  # type: ignore[no-untyped-call]  # Numba's own


@register_model(WideType)
class _WideModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _WIDE)  # type: ignore[no-untyped-call]  # Numba's own


LANES, WIDE = LanesType(), WideType()


def _in_every_lane(builder: Any, word: Any) -> Any:
    nothing = ir.Constant(_LANES, ir.Undefined)
    first = builder.insert_element(nothing, word, ir.Constant(_INDEX, 0))
    return builder.shuffle_vector(first, nothing, ir.Constant(ir.VectorType(_INDEX, WIDTH), [0] * WIDTH))


def _widened(builder: Any, word: Any) -> Any:
    return builder.zext(word, _WIDE)


_FROM_WORD: dict[WordType, Callable[[Any, Any], Any]] = {LANES: _in_every_lane, WIDE: _widened}


def _define(operation: Callable[..., Any], instruction: str, *kinds: WordType) -> None:
    """Let Numba translate `operation` on these types into one LLVM instruction."""

    class Template(AbstractTemplate):
        def generic(self, arguments: Any, _keywords: Any) -> Any:
            if len(arguments) != 2 or arguments[0] not in kinds:
                return None
            kind, other = arguments
            if other == kind:
                return kind(kind, kind)
            return kind(kind, types.uint64) if isinstance(other, types.Integer) else None

    def of_two(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return getattr(builder, instruction)(*arguments)

    def with_word(_context: Any, builder: Any, typed: Any, arguments: Any) -> Any:
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


def _operation(maker: Callable[..., Any]) -> Any:
    """What `maker` makes, as a function that compiled code can call."""
    return intrinsic(maker)


def _nonzero(builder: Any, value: Any) -> Any:
    zero = [0] * WIDTH if value.type == _LANES else 0
    return builder.icmp_unsigned("!=", value, ir.Constant(value.type, zero))


@_operation
def filled(_context: Any, word: Any) -> Any:
    """All bits set where `word` has any, no bit set elsewhere: by lane, or in the whole word."""

    def generate(_: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.sext(_nonzero(builder, arguments[0]), arguments[0].type)

    return word(word), generate


@_operation
def less(_context: Any, left: Any, right: Any) -> Any:  # noqa: ARG001 - Numba reads their names
    """All bits set in the lanes where `left` is less than `right`."""

    def generate(_: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.sext(builder.icmp_unsigned("<", *arguments), _LANES)

    return LANES(LANES, LANES), generate


@_operation
def spread(_context: Any, word: Any) -> Any:  # noqa: ARG001 - Numba reads its name
    """Lanes that all hold `word`."""

    def generate(_: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _in_every_lane(builder, arguments[0])

    return LANES(types.uint64), generate


@_operation
def lane(_context: Any, lanes: Any, number: Any) -> Any:  # noqa: ARG001 - Numba reads their names
    """The word in lane `number` (`uint64`)."""

    def generate(_: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.extract_element(arguments[0], builder.trunc(arguments[1], _INDEX))

    return types.uint64(LANES, types.uint64), generate


@_operation
def with_lane(_context: Any, lanes: Any, number: Any, word: Any) -> Any:  # noqa: ARG001 - as above
    """`lanes` with `word` in lane `number` (`uint64`)."""

    def generate(_: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.insert_element(arguments[0], arguments[2], builder.trunc(arguments[1], _INDEX))

    return LANES(LANES, types.uint64, types.uint64), generate


@_operation
def flagged(_context: Any, lanes: Any) -> Any:  # noqa: ARG001 - Numba reads its name
    """A `uint64` in which bit ``i`` says whether lane ``i`` holds anything but 0."""

    def generate(_: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.zext(builder.bitcast(_nonzero(builder, arguments[0]), ir.IntType(WIDTH)), _WORD)

    return types.uint64(LANES), generate


@_operation
def popcounts(_context: Any, lanes: Any) -> Any:  # noqa: ARG001 - Numba reads its name
    """How many bits are set in each lane."""

    def generate(_: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(_LANES, [_LANES])
        return builder.call(builder.module.declare_intrinsic(f"llvm.ctpop.v{WIDTH}i64", (), kind), arguments)

    return LANES(LANES), generate


@_operation
def wide(_context: Any, high: Any, low: Any) -> Any:  # noqa: ARG001 - Numba reads their names
    """A word of 128 bits from its halves (`uint64`)."""

    def generate(_: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        upper, lower = (builder.zext(half, _WIDE) for half in arguments)
        return builder.or_(builder.shl(upper, _HALF), lower)

    return WIDE(types.uint64, types.uint64), generate


@_operation
def low_half(_context: Any, word: Any) -> Any:  # noqa: ARG001 - Numba reads its name
    """The lower 64 bits of a `Wide`."""

    def generate(_: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.trunc(arguments[0], _WORD)

    return types.uint64(WIDE), generate


@compiled
def popcount_wide(word: Any) -> Any:
    """How many bits of a `Wide` are set, as a `uint64`."""
    return popcount(low_half(word)) + popcount(low_half(word >> U64(64)))


@compiled
def nth_set_wide(word: Any, number: Any) -> Any:
    """The lowest bit of a `Wide` but `number` (`uint64`, from 0), alone in a `Wide`."""
    below = popcount(low_half(word))
    if number < below:
        return wide(U64(0), nth_set(low_half(word), number))
    return wide(nth_set(low_half(word >> U64(64)), number - below), U64(0))
