"""Games of scrimmages, as work that is given out: when nothing else is to be played.

Their queues come after those of the matches, at most half of the workers' places are given to them, and what
is in play is put back where a tournament's match waits for its place. Teams take turns. A game that is not
over in time is given up for good.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from arena.coordinator.endings import ending_of, flat_moves
from arena.coordinator.leases import Verdict, WorkType
from arena.coordinator.messages import ScrimmageMessage
from arena.coordinator.result_validation import fit_result
from arena.coordinator.sharing import Turns, half_room, in_the_way, until_of
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import MatchState, Unplayed
from arena.scrimmages.specs import scrimmage_spec
from arena.store import leases
from arena.store import scrimmages as store
from arena.store.models import Match, ScrimmageGame, ScrimmageResult
from workers.core.contract import MatchResult
from workers.programs.serving import SCRIMMAGES

MAX_SECONDS = 30 * 60
"""So long a game may take, from its first sign of life on."""
PATIENCE_SECONDS = 10.0
"""So long a match of a tournament waits before a game gives way to it."""
TOO_LONG = f"the game was not over after {MAX_SECONDS // 60} minutes"


class Scrimmages(WorkType[ScrimmageGame, ScrimmageMessage, MatchResult]):
    """Given out in the teams' turns, into places that no match wants."""

    kind = SCRIMMAGES
    model = ScrimmageGame
    unfit = "the reported result does not fit"

    def __init__(self) -> None:
        self._turns = Turns[int]()

    def publishable(self, session: Session, settings: Settings) -> bool:
        """Whether there is a game to give out that a host can play, and room for it."""
        if not store.any_pending(session):
            return False
        there = store.pending_of(session, self.served(session, settings))
        return bool(there) and half_room(session, settings, ScrimmageGame.owner_id) > 0

    def due(self, session: Session, settings: Settings) -> Sequence[ScrimmageGame]:
        """The next games of the teams whose turn it is."""
        if (room := half_room(session, settings, ScrimmageGame.owner_id)) <= 0:
            return []
        can = self.served(session, settings)
        there = store.pending_of(session, can)
        issued = leases.issued_of(session, ScrimmageGame.owner_id)
        parts = self._turns.parts_of(room, {each: issued.get(each, 0) for each in sorted(there)}, there)
        return [
            game
            for each in sorted(parts)
            if parts[each]
            for game in store.lock_pending(session, each, can, parts[each])
        ]

    def ousted(self, session: Session, settings: Settings, now: dt.datetime) -> set[str]:
        """The tokens of games in play where a match could be that has waited for a while."""
        running = store.running(session)
        if not running:
            return set()
        until = until_of(settings, now, PATIENCE_SECONDS)
        return in_the_way(session, settings, running, (Match,), until)

    def issued(self, session: Session, row: ScrimmageGame, token: str) -> ScrimmageMessage:
        """The message has the whole spec, the same for every attempt."""
        del session
        return ScrimmageMessage(scrimmage_spec(row), row.attempt, token, row.needs)

    def gather(self, session: Session, keys: Sequence[tuple[int, ...]], *, counting: bool) -> object:
        """The games."""
        del counting
        return store.lock_games(session, [number for (number,) in keys])

    def lock(
        self, session: Session, key: tuple[int, ...]
    ) -> tuple[ScrimmageGame | None, ScrimmageGame | None]:
        """The game of that id, which keeps its own ledger."""
        game = session.get(ScrimmageGame, key)
        return game, game

    def needs(self, row: ScrimmageGame) -> str:
        """Those of both bots."""
        return row.needs

    def alive(self, session: Session, row: ScrimmageGame, host: str) -> None:
        """The lease is not renewed beyond the moment at which the game must be over."""
        super().alive(session, row, host)
        row.started_at = row.started_at or utc_now()
        if row.ends_at is None:
            row.ends_at = utc_now() + dt.timedelta(seconds=MAX_SECONDS)
        row.lease_until = min(row.lease_until or row.ends_at, row.ends_at)

    def overdue(self, row: ScrimmageGame, now: dt.datetime) -> str | None:
        """A game that is not over although it must be is given up for good."""
        return None if row.ends_at is None or row.ends_at >= now else TOO_LONG

    def lost(self, session: Session, row: ScrimmageGame, trouble: str) -> None:
        """The game is to be played again, or is given up."""
        del session
        row.trouble = trouble
        if row.state == MatchState.PARKED:
            row.unplayed = Unplayed.OVERDUE if trouble == TOO_LONG else Unplayed.LOST

    def fit(self, row: ScrimmageGame, report: Mapping[str, Any]) -> MatchResult:
        """The result of the game, its moves played again."""
        return fit_result(report, scrimmage_spec(row), row.host)

    def write(self, session: Session, row: ScrimmageGame, fit: MatchResult, gathered: Any) -> Verdict:
        """Write down a result with its moves; one that the pressure on its host explains is void, once."""
        del gathered
        if fit.void and not row.was_void:
            row.was_void = True
            row.release(MatchState.PENDING)
            return Verdict.VOID
        session.add(ScrimmageResult(game_id=row.id, moves=flat_moves(fit), **ending_of(fit)))
        row.finish()
        row.host = fit.host
        row.trouble = None
        return Verdict.TAKEN


WORK = Scrimmages()
