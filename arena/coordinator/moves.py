"""Turns of bots against people, as work that is given out: soon, but never before a match of a tournament.

Their queues come between those of the matches and of the scrimmages, and at most half of the workers' places
are given to them. Players take turns. A turn that is not over in time, or was lost too often, is parked: its
player is told, and may ask again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy.orm import Session

from arena.coordinator.leases import Verdict, WorkType
from arena.coordinator.messages import MoveMessage
from arena.coordinator.result_validation import fit_result, require, unreadable
from arena.coordinator.sharing import Turns, half_room
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import MatchState
from arena.play import games
from arena.play.turns import spec_of
from arena.store import leases
from arena.store import play as store
from arena.store.models import PlayGame, PlayTurn
from engines.game import Seat
from workers.core.contract import RESIGNED, MatchResult
from workers.programs.serving import MOVES

MAX_SECONDS = 180
"""So long a turn may take, from its first sign of life on: it may need a table that is made first."""
TOO_LONG = f"the turn was not over after {MAX_SECONDS} s"
MAX_LOST = 2
"""After so many losses a turn is parked: somebody waits for it."""
MAX_HINT_BYTES = 64 * 1024


class Played(BaseModel):
    """What is reported: a turn, or a hint."""

    model_config = ConfigDict(extra="forbid")

    turn: MatchResult | None = None
    hint: dict[str, Any] | None = Field(default=None, max_length=20)


class MoveWork(WorkType[PlayTurn, MoveMessage, Played]):
    """Given out in the players' turns."""

    kind = MOVES
    model = PlayTurn
    unfit = "the reported turn does not fit"

    def __init__(self) -> None:
        self._turns = Turns[str]()

    def publishable(self, session: Session, settings: Settings) -> bool:
        """Whether there is a turn to give out that a host can play, and room for it."""
        if not store.any_pending(session):
            return False
        there = store.pending_of(session, self.served(session, settings))
        return bool(there) and half_room(session, settings, PlayTurn.player) > 0

    def due(self, session: Session, settings: Settings) -> Sequence[PlayTurn]:
        """The next turns in the games of those whose turn it is."""
        if (room := half_room(session, settings, PlayTurn.player)) <= 0:
            return []
        can = self.served(session, settings)
        there = store.pending_of(session, can)
        issued = leases.issued_of(session, PlayTurn.player)
        parts = self._turns.parts_of(room, {each: issued.get(each, 0) for each in sorted(there)}, there)
        return [
            turn
            for each in sorted(parts)
            if parts[each]
            for turn in store.lock_pending(session, each, can, parts[each])
        ]

    def issued(self, session: Session, row: PlayTurn, token: str) -> MoveMessage:
        """The message has the whole game so far, the same for every attempt."""
        del session
        return MoveMessage(spec_of(row), _seat(row), row.attempt, token, row.needs)

    def gather(self, session: Session, keys: Sequence[tuple[int, ...]], *, counting: bool) -> object:
        """The turns, and before them their games."""
        del counting
        return store.lock_with_games(session, [number for (number,) in keys])

    def lock(self, session: Session, key: tuple[int, ...]) -> tuple[PlayTurn | None, PlayTurn | None]:
        """The turn of that id, which keeps its own ledger."""
        turn = session.get(PlayTurn, key)
        return turn, turn

    def needs(self, row: PlayTurn) -> str:
        """Those of the bot."""
        return row.needs

    def alive(self, session: Session, row: PlayTurn, host: str) -> None:
        """The lease is not renewed beyond the moment at which the turn must be over."""
        super().alive(session, row, host)
        if row.ends_at is None:
            row.ends_at = utc_now() + dt.timedelta(seconds=MAX_SECONDS)
        row.lease_until = min(row.lease_until or row.ends_at, row.ends_at)

    def overdue(self, row: PlayTurn, now: dt.datetime) -> str | None:
        """A turn that is not over although it must be is given up."""
        return None if row.ends_at is None or row.ends_at >= now else TOO_LONG

    def lost(self, session: Session, row: PlayTurn, trouble: str) -> None:
        """The turn is to be played again, or is given up: nobody waits for it for long."""
        del session
        row.trouble = trouble
        if row.lost > MAX_LOST:
            row.release(MatchState.PARKED)

    def fit(self, row: PlayTurn, report: Mapping[str, Any]) -> Played:
        """The turn, all its moves played again; or the hint."""
        try:
            told = Played.model_validate(report)
        except ValidationError as error:
            raise unreadable("turn", error) from None
        if row.seat is None:
            require(told.hint is not None and told.turn is None, "it is no hint")
            require(len(str(told.hint)) <= MAX_HINT_BYTES, "the hint is too long")
            return told
        require(told.turn is not None and told.hint is None, "it is no turn")
        result = fit_result(report["turn"], spec_of(row), row.host)
        others = [each for each in result.forfeits if each.seat != row.seat]
        require(not others, "a person cannot forfeit on a worker")
        moved = len(result.moves) > row.ply
        require(moved or result.forfeits != () or _gave_up(row, result), "nobody has moved")
        return told.model_copy(update={"turn": result})

    def write(self, session: Session, row: PlayTurn, fit: Played, gathered: Any) -> Verdict:
        """Go on with the game; a fault that the pressure on its host explains is void, once."""
        del gathered
        game = session.get(PlayGame, row.game_id)
        if game is None:  # turns go with their games
            return Verdict.UNKNOWN
        if fit.turn is not None and fit.turn.void and not row.was_void:
            row.was_void = True
            row.release(MatchState.PENDING)
            return Verdict.VOID
        row.finish()
        row.trouble = None
        if fit.turn is None:
            row.answer = fit.hint
            game.revision += 1
            return Verdict.TAKEN
        games.take_turn(session, game, fit.turn.moves[row.ply :])
        seat = _seat(row)
        if seat is not None and fit.turn.forfeits:
            games.fail(game, seat, fit.turn.reason, fit.turn.forfeits[0].detail)
        elif seat is not None and _gave_up(row, fit.turn):
            games.fail(game, seat, RESIGNED)
        return Verdict.TAKEN


def _gave_up(row: PlayTurn, result: MatchResult) -> bool:
    """Whether the bot has resigned, and not only the other side has been waited for."""
    return result.reason == RESIGNED and not result.forfeits and result.winner == 1 - (row.seat or 0)


def _seat(row: PlayTurn) -> Seat | None:
    return None if row.seat is None else 1 if row.seat else 0


WORK = MoveWork()
