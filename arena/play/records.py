"""A game as a record: `arena match show` and `arena match replay` read it as they read a match's."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from arena.core.terms import GOES_ON
from arena.play import games, turns
from arena.play.rules import ClockTime, MoveTime
from arena.play.seats import Sitting, bot_ref
from arena.store.models import PlayGame
from engines.stream import derive
from workers.core.contract import (
    FaultCode,
    Forfeit,
    GameSpec,
    MatchRecord,
    MatchResult,
    MatchSpec,
    MoveRecord,
    Policy,
    Seat,
    SeatUse,
    TimeControl,
)
from workers.play.policy import policy_of

AN_HOUR_MS = 3600 * 1000
AN_HOUR_NS = AN_HOUR_MS * 10**6


def record_of(row: PlayGame, written: Collection[Seat]) -> MatchRecord:
    """The game so far; what bots wrote is in it of the seats `written`.

    Where there was no clock for a move, a person's took an hour at most.

    Raises:
        ConflictError: its rules are not here any more.
    """
    game, at = games.rules_of(row), games.position(row)
    sitting = [Sitting(**each) for each in row.seats]  # type: ignore[typeddict-item]
    moves = [_move(each, written=each.seat in written) for each in games.moves_of(row)]
    spec = MatchSpec(
        match=f"play-{row.id}",
        game=GameSpec(name=row.game, params=row.params, version=row.game_version),
        bots=(bot_ref(sitting[0]), bot_ref(sitting[1])),
        seeds=(derive(row.seed, 0), derive(row.seed, 1)),
        time=_time(games.clock_of(row)),
        limits=turns.LIMITS,
        policy=policy_of(game, Policy()),
    )
    winner, reason, score = None, GOES_ON, game.draw_score()
    forfeits: tuple[Forfeit, ...] = ()
    if row.ended is not None:
        winner, reason = row.ended["winner"], row.ended["reason"]
        score = (row.ended["score"][0], row.ended["score"][1])
        if reason in set(FaultCode):
            loser: Seat = 1 if winner == 0 else 0
            forfeits = (_forfeit(loser, row, written=loser in written),)
    elif at.outcome is not None:
        winner, reason, score = at.outcome
    result = MatchResult(
        match=spec.match,
        winner=winner,
        reason=reason,
        score=score,
        forfeits=forfeits,
        moves=tuple(moves),
        seats=(_use(moves, 0), _use(moves, 1)),
    )
    return MatchRecord(spec=spec, result=result)


def _time(clock: ClockTime | MoveTime | None) -> TimeControl:
    if not isinstance(clock, MoveTime):
        return TimeControl(move_ms=AN_HOUR_MS, extensions=0, extension_ms=0)
    move, extensions, extension = clock
    return TimeControl(
        move_ms=round(1000 * move), extensions=extensions, extension_ms=round(1000 * extension)
    )


def _move(move: MoveRecord, *, written: bool) -> MoveRecord:
    wall_ns = min(move.wall_ns, AN_HOUR_NS)
    return replace(move, wall_ns=wall_ns, debug=move.debug if written else None)


def _use(moves: list[MoveRecord], seat: Seat) -> SeatUse:
    asked = [move for move in moves if move.seat == seat and move.asked]
    charged = [move.charged_ns for move in asked]
    return SeatUse(
        wall_ns=sum(charged),
        slowest_ns=max(charged, default=0),
        answers=len(asked),
        extensions_used=sum(move.extension for move in asked),
    )


def _forfeit(seat: Seat, row: PlayGame, *, written: bool) -> Forfeit:
    ended = row.ended or {}
    detail = ended.get("detail", "") if written else ""
    return Forfeit(seat=seat, code=ended["reason"], ply=len(row.moves), detail=detail, expected="")
