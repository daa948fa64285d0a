"""A recorded match analysed here by exact solvers, in the words of a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workers.core.halt import Halt
from workers.play.analysis import Analysis, Told, analyse, read
from workers.play.referee import game_of

if TYPE_CHECKING:
    from engines.solvers import Progress
    from engines.solvers.judging import Judgement
    from workers.core.contract import MatchRecord

WORDS = {1: "won", 0: "drawn", -1: "lost"}


def analysed(record: MatchRecord, progress: Progress) -> dict[str, Any]:
    """What each position of a match was worth, as far back as that is known, and what its moves have done.

    Raises:
        GameError, SpecError: the game, or a move of it, is impossible here.
    """
    played = tuple(move.move for move in record.result.moves)
    halt = Halt()
    try:
        found = analyse(record.spec.model_copy(update={"opening": played}), halt, progress)
    finally:
        halt.close()
    return _told(record, played, found)


def _told(record: MatchRecord, played: tuple[str, ...], found: Analysis) -> dict[str, Any]:
    reading = read(game_of(record.spec), played, len(record.spec.opening), found)
    return {
        "bots": [bot.name for bot in record.spec.bots],
        "plies": len(played),
        "unsolved": found.unsolved,
        "positions": [
            _position(ply, played, each)
            for ply, each in enumerate(reading.positions)
            if each.value is not None
        ],
        "lost": None if reading.lost is None else {"seat": reading.lost[0], "ply": reading.lost[1]},
    }


def _position(ply: int, played: tuple[str, ...], told: Told) -> dict[str, Any]:
    value = told.value
    assert value is not None  # noqa: S101  (only what is known is told)
    return {
        "ply": ply,
        "move": played[ply - 1] if ply else None,
        "seat": told.seat,
        "value": WORDS[value.result],
        "distance": value.distance,
        "margin": value.margin,
        "best": list(value.best),
        "more": value.more,
        "judgement": _judgement(told.judgement),
    }


def _judgement(judgement: Judgement | None) -> dict[str, Any] | None:
    if judgement is None:
        return None
    return {
        "before": WORDS[judgement.before],
        "after": WORDS[judgement.after],
        "points": judgement.points,
    }
