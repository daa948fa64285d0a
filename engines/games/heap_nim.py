"""Heap Nim: take one or more from one heap; whoever takes the last one wins (or loses, with ``misere``).

Heaps keep their places: an empty one stays in the state as 0. In text the move `2:1` takes 1 from heap 2,
heaps counted from 1. Inside, a move is ``(heap - 1) * STRIDE + taken``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from engines.game import (
    Game,
    IllegalMoveError,
    Move,
    Outcome,
    ParameterError,
    Score,
    Seat,
    UnreadableMoveError,
    UnreadableStateError,
    require_switch,
)

MIN_HEAPS = 3
MAX_HEAPS = 10
LARGEST_HEAP = 500
"""Ten heaps of this size have 5,000 legal moves, whose list still fits one line of the bot protocol."""

STRIDE = LARGEST_HEAP + 1
NOTATION = re.compile(r"([1-9][0-9]{0,2}):([1-9][0-9]{0,2})")


class State(NamedTuple):
    """What each heap still holds, and whose turn it is."""

    heaps: tuple[int, ...]
    seat: Seat


@dataclass(frozen=True)
class HeapNim(Game[State]):
    """Nim on `heaps`; with `misere`, whoever takes the last one loses."""

    name: ClassVar[str] = "heap_nim"
    version: ClassVar[int] = 1
    rules: ClassVar[str] = (
        "There are several heaps. The players take turns; a move takes one or more from one heap. Whoever"
        " takes the last one of all wins, or loses where misere is true."
    )
    bounds: ClassVar[Mapping[str, tuple[int, int]]] = {"heaps": (MIN_HEAPS, MAX_HEAPS)}
    notation: ClassVar[str] = "2:1 takes 1 from heap 2. Heaps are counted from 1 and keep their numbers."

    heaps: tuple[int, ...] = (3, 4, 5)
    misere: bool = False

    def __post_init__(self) -> None:
        """Take the heaps from a JSON list too; refuse heaps and switches out of range."""
        if not isinstance(self.heaps, tuple | list) or not MIN_HEAPS <= len(self.heaps) <= MAX_HEAPS:
            raise ParameterError(
                "heaps must be a list of %(least)s to %(most)s sizes, not %(heaps)r",
                parameter="heaps",
                least=MIN_HEAPS,
                most=MAX_HEAPS,
                heaps=self.heaps,
            )
        for size in self.heaps:
            if type(size) is not int or not 1 <= size <= LARGEST_HEAP:
                raise ParameterError(
                    "a heap's size must be a whole number from 1 to %(most)s, not %(size)r",
                    parameter="heaps",
                    most=LARGEST_HEAP,
                    size=size,
                )
        require_switch("misere", self.misere)
        object.__setattr__(self, "heaps", tuple(self.heaps))

    @property
    def params(self) -> dict[str, Any]:
        """The heaps as a list, and the switch."""
        return {"heaps": list(self.heaps), "misere": self.misere}

    def initial(self) -> State:
        """Every heap full, the first seat to move."""
        return State(self.heaps, 0)

    def to_move(self, state: State) -> Seat:
        """The seat whose turn it is."""
        return state.seat

    def legal_moves(self, state: State) -> tuple[Move, ...]:
        """Any number from any heap, heap by heap, smallest number first."""
        return tuple(
            heap * STRIDE + taken for heap, size in enumerate(state.heaps) for taken in range(1, size + 1)
        )

    def play(self, state: State, move: Move) -> State:
        """Take from the heap."""
        heaps, seat = state
        heap, taken = divmod(move, STRIDE)
        if not 0 <= heap < len(heaps):
            raise IllegalMoveError("move number %(move)s names no heap", move=move)
        if not 1 <= taken <= heaps[heap]:
            raise IllegalMoveError(
                "%(move)s takes %(taken)s from a heap that holds %(held)s",
                move=self.move_to_text(move),
                taken=taken,
                held=heaps[heap],
            )
        left = (*heaps[:heap], heaps[heap] - taken, *heaps[heap + 1 :])
        return State(left, 1 if seat == 0 else 0)

    def most_turns(self, state: State) -> int:
        """Every move takes one or more."""
        return sum(state.heaps)

    def outcome(self, state: State) -> Outcome | None:
        """With nothing left, whoever took the last one wins, or loses in the misère game."""
        heaps, seat = state
        if any(heaps):
            return None
        taker: Seat = 1 if seat == 0 else 0
        winner = seat if self.misere else taker
        return Outcome(winner, "left_the_last" if self.misere else "took_the_last", _score(winner))

    def forfeit_score(self, loser: Seat) -> Score:
        """1 for the other side, 0 for the loser."""
        return _score(1 if loser == 0 else 0)

    def canonical(self, state: State) -> State:
        """Heaps that started equal in ascending order of what they hold."""
        kept = {
            start: iter(
                sorted(held for held, other in zip(state.heaps, self.heaps, strict=True) if other == start)
            )
            for start in self.heaps
        }
        return State(tuple(next(kept[start]) for start in self.heaps), state.seat)

    def every_move(self) -> tuple[Move, ...]:
        """What can be taken from the full heaps."""
        return self.legal_moves(self.initial())

    def move_to_text(self, move: Move) -> str:
        """Heap number and number taken, with a colon between."""
        heap, taken = divmod(move, STRIDE)
        return f"{heap + 1}:{taken}"

    def move_from_text(self, text: str) -> Move:
        """The heap and the number taken; no leading zeros, no spaces."""
        matched = NOTATION.fullmatch(text)
        heap, taken = (int(part) for part in matched.groups()) if matched else (0, 0)
        if not 1 <= heap <= len(self.heaps) or not 1 <= taken <= LARGEST_HEAP:
            raise UnreadableMoveError(
                "%(text)r is not a move such as 2:1 (from heap 2 take 1; heaps 1 to %(heaps)s)",
                text=text[:20],
                heaps=len(self.heaps),
            )
        return (heap - 1) * STRIDE + taken

    def state_to_json(self, state: State) -> dict[str, Any]:
        """``{"heaps": [3, 4, 5], "to_move": 0}``: what each heap holds, and the seat to move."""
        return {"heaps": list(state.heaps), "to_move": state.seat}

    def state_from_json(self, value: Mapping[str, Any]) -> State:
        """The state that `state_to_json` wrote; no heap may hold more than it started with."""
        heaps, seat = value.get("heaps"), value.get("to_move")
        if type(seat) is not int or seat not in (0, 1):
            raise UnreadableStateError("to_move must be 0 or 1, not %(seat)r", seat=seat)
        if (
            not isinstance(heaps, list)
            or len(heaps) != len(self.heaps)
            or not all(
                type(held) is int and 0 <= held <= start
                for held, start in zip(heaps, self.heaps, strict=True)
            )
        ):
            starts = ", ".join(map(str, self.heaps))
            raise UnreadableStateError(
                "heaps must be %(count)s whole numbers from 0 up to at most %(starts)s",
                count=len(self.heaps),
                starts=starts,
            )
        return State(tuple(heaps), 0 if seat == 0 else 1)

    def state_schema(self) -> dict[str, Any]:
        """What the heaps hold, and the seat to move."""
        return {
            "type": "object",
            "properties": {
                "heaps": {
                    "type": "array",
                    "prefixItems": [
                        {"type": "integer", "minimum": 0, "maximum": size} for size in self.heaps
                    ],
                    "minItems": len(self.heaps),
                    "maxItems": len(self.heaps),
                    "description": "What each heap still holds.",
                },
                "to_move": {"enum": [0, 1], "description": "The seat whose turn it is."},
            },
            "required": ["heaps", "to_move"],
        }

    def draw(self, state: State) -> str:
        """A line a heap: its number, what it holds, and a mark for each."""
        return "\n".join(
            f"{number:2} {held:3} {'|' * held}".rstrip() for number, held in enumerate(state.heaps, start=1)
        )


def _score(winner: Seat) -> Score:
    return (1, 0) if winner == 0 else (0, 1)
