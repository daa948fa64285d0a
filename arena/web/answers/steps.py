"""The moves of a match with what they cost, as pages and files list them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workers.core.contract import MoveRecord

if TYPE_CHECKING:
    from arena.schemas.matches import MoveOut
    from arena.store.models import Move

NS = 1_000_000_000


@dataclass(frozen=True)
class Step:
    """One ply: `shown` is the number of plies after it, `total` its side's seconds so far, as charged.

    `part` is its thinking time as a part of the longest of the game. `lost` are the seconds that were not
    charged because the host was busy, and `left` is how many extensions its side has after it.
    """

    shown: int
    seat: int
    move: str
    kind: str
    seconds: float | None
    part: float
    total: float | None
    extension: bool
    lost: float
    left: int


def steps(moves: Sequence[Move | MoveOut | MoveRecord], extensions: int, opening: int) -> list[Step]:
    """The moves in order with running totals of thinking time; `kind` is opening, pass or move.

    Each side has so many `extensions`, and the `opening` so many plies.
    """
    totals = [0, 0]
    left = [extensions] * 2
    longest = max((move.wall_ns for move in moves if move.asked), default=0) or 1
    replayed = []
    for move in moves:
        lost_ns = move.strain.lost_ns if isinstance(move, MoveRecord) else move.lost_ns
        totals[move.seat] += max(0, move.wall_ns + move.off_turn_ns - lost_ns)
        left[move.seat] -= move.extension
        kind = "move" if move.asked else "opening" if move.ply < opening else "pass"
        replayed.append(
            Step(
                shown=move.ply + 1,
                seat=move.seat,
                move=move.move,
                kind=kind,
                part=move.wall_ns / longest if move.asked else 0.0,
                seconds=move.wall_ns / NS if move.asked else None,
                total=totals[move.seat] / NS if move.asked else None,
                extension=move.extension,
                lost=lost_ns / NS,
                left=left[move.seat],
            )
        )
    return replayed
