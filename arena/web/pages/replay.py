"""A match as a page shows it: the position after some ply, and the moves with what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.schemas.matches import MoveOut
from arena.store.models import Move
from engines.game import Game, GameError, play_all
from engines.games import find_game
from workers.core.contract import GameSpec

NS = 1_000_000_000


@dataclass(frozen=True)
class Step:
    """One ply: `shown` is the number of plies after it, `total` its side's seconds so far, as charged.

    `lost` are the seconds that were not charged because the host was busy, and `left` is how many extensions
    its side has after it.
    """

    shown: int
    seat: int
    move: str
    kind: str
    seconds: float | None
    total: float | None
    extension: bool
    lost: float
    left: int


@dataclass(frozen=True)
class Position:
    """What is on the board after `ply` plies; `legal` are the moves allowed there, `last` the one before."""

    ply: int
    state: dict[str, Any]
    text: str
    legal: tuple[str, ...]
    last: str | None
    to_move: int


def steps(moves: Sequence[Move | MoveOut], extensions: int, opening: int) -> list[Step]:
    """The moves in order with running totals of thinking time; `kind` is opening, pass or move.

    Each side has so many `extensions`, and the `opening` so many plies.
    """
    totals = [0, 0]
    left = [extensions] * 2
    replayed = []
    for move in moves:
        totals[move.seat] += max(0, move.wall_ns + move.off_turn_ns - move.lost_ns)
        left[move.seat] -= move.extension
        kind = "move" if move.asked else "opening" if move.ply < opening else "pass"
        replayed.append(
            Step(
                shown=move.ply + 1,
                seat=move.seat,
                move=move.move,
                kind=kind,
                seconds=move.wall_ns / NS if move.asked else None,
                total=totals[move.seat] / NS if move.asked else None,
                extension=move.extension,
                lost=move.lost_ns / NS,
                left=left[move.seat],
            )
        )
    return replayed


def position(spec: GameSpec, moves: Sequence[str], ply: int) -> Position | None:
    """The position after `ply` of `moves`; None where this installation has not these rules."""
    try:
        game: Game[Any] = find_game(spec.name, spec.params)
        state = play_all(game, list(moves[:ply]))
    except GameError:
        return None
    if game.version != spec.version:
        return None
    return Position(
        ply=ply,
        state=game.state_to_json(state),
        text=game.draw(state),
        legal=tuple(game.move_to_text(move) for move in game.legal_moves(state)),
        last=moves[ply - 1] if ply else None,
        to_move=game.to_move(state),
    )
