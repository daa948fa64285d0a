"""A reported result as the tables have it."""

from __future__ import annotations

from typing import Any

from arena.core.clock import utc_now
from arena.theory.pairing.contract import Kind
from workers.core.contract import MatchResult


def ending_of(result: MatchResult) -> dict[str, Any]:
    """The columns of how a game ended that was played."""
    first_half_points, second_half_points = result.half_points
    return {
        "winner": result.winner,
        "reason": result.reason,
        "first_score": result.score[0],
        "second_score": result.score[1],
        "first_half_points": first_half_points,
        "second_half_points": second_half_points,
        "forfeits": [forfeit.model_dump(mode="json") for forfeit in result.forfeits],
        "seats": [seat.model_dump(mode="json") for seat in result.seats],
        "host": result.host,
        "host_speed": result.host_speed,
        "recorded_at": utc_now(),
        "kind": Kind.PLAYED,
    }


def flat_moves(result: MatchResult) -> list[dict[str, Any]]:
    """Its moves, as the columns of the table of moves."""
    told = result.model_dump(mode="json", include={"moves"})["moves"]
    return [{**move.pop("strain"), **move} for move in told]
