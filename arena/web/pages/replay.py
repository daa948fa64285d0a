"""A match as a page shows it: the position after some ply, and the moves with what they cost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from arena.schemas.matches import MoveOut
from arena.schemas.positions import PositionOut, SceneOut
from arena.store.models import Move
from arena.web.answers.positions import game_of, position_after, scene_of
from engines.game import GameError
from workers.core.contract import GameSpec, MoveRecord

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


def drawn(
    spec: GameSpec, moves: Sequence[str], ply: int | None
) -> tuple[SceneOut, PositionOut] | tuple[None, None]:
    """How the game is drawn, and the position after `ply` of `moves`, or all where there are no more.

    Nothing where this installation has not these rules.
    """
    game = game_of(spec)
    if game is None:
        return None, None
    at = len(moves) if ply is None else min(ply, len(moves))
    try:
        return scene_of(game), position_after(game, moves[:at])
    except GameError:
        return None, None


def positions_address(spec: GameSpec, moves: Sequence[str]) -> str:
    """Where the positions of a game of these moves are, also where the public does not know of the game."""
    asked = urlencode({"params": json.dumps(spec.params), "moves": ",".join(moves)})
    return f"/api/v1/games/{spec.name}/positions?{asked}"
