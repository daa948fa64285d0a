"""What the arena recorded of a game, as other formats tell it."""

from __future__ import annotations

import datetime as dt
from typing import Any, Protocol

from arena.interchange.ggf import GgfGame, GgfMove
from arena.interchange.pgn import PgnGame
from arena.theory.pairing.contract import Kind
from engines.game import Game
from workers.core.contract import RESIGNED, FaultCode, MatchRecord

DISCS = str.maketrans("XO.", "*O-")
NS = 1_000_000_000
MANUAL = "manual"
GGF = "ggf"


class Ended(Protocol):
    """What is known of a recorded match without its moves."""

    round: int
    winner: int | None
    reason: str
    first_half_points: int
    forfeits: list[dict[str, Any]]
    kind: str
    recorded_at: dt.datetime


def pgn_of(result: Ended, event: str, white: str, black: str) -> PgnGame | None:
    """The tags of a game; None for what was decided without one, which says nothing about strength."""
    if result.kind != Kind.PLAYED:
        return None
    return PgnGame(
        event=event,
        date=f"{result.recorded_at.astimezone(dt.UTC):%Y.%m.%d}",
        round=str(result.round),
        white=white,
        black=black,
        result=_pgn_result(result),
        termination=_termination(result),
    )


def _pgn_result(result: Ended) -> str:
    if result.winner is not None:
        return "1-0" if result.winner == 0 else "0-1"
    return "*" if result.first_half_points == 0 else "1/2-1/2"


def _termination(result: Ended) -> str:
    """The standard's words for an end other than the game's own; nothing for that."""
    if result.reason == MANUAL:
        return "adjudication"
    codes = {row["code"] for row in result.forfeits}
    if not codes:
        return ""
    return "time forfeit" if codes == {FaultCode.TIMEOUT} else "rules infraction"


def ggf_of(record: MatchRecord, game: Game[Any], *, place: str, recorded_at: dt.datetime) -> GgfGame:
    """A game that the format can tell of; seat 0 is Black."""
    size, anti = game.params["size"], game.params["reversed"]
    start = game.state_to_json(game.initial())
    result = record.result
    margin = result.score[0] - result.score[1]
    both = result.winner is None and bool(result.forfeits)
    flags = {RESIGNED: "r", FaultCode.TIMEOUT: "t"}
    return GgfGame(
        black=record.spec.bots[0].name,
        white=record.spec.bots[1].name,
        size=size,
        anti=anti,
        board="".join(start["board"]).translate(DISCS),
        to_move="*",
        moves=tuple(
            GgfMove("BW"[move.seat], move.move, move.wall_ns / NS if move.asked else None)
            for move in result.moves
        ),
        result=None if both else float(-margin if anti else margin),
        flag="" if both else flags.get(result.reason, ""),
        place=place,
        date=f"{recorded_at.astimezone(dt.UTC):%Y.%m.%d_%H:%M:%S}.UTC",
    )
