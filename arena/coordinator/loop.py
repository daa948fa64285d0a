"""The coordinator: give up what is lost, publish what is next, finish what is complete; for ever.

It holds nothing that matters in memory and can be killed at any moment.
"""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from arena import tournaments
from arena.coordinator import leases, publishing
from arena.coordinator.broker import Broker
from arena.errors import UnavailableError
from arena.moments import utc_now
from arena.settings import Settings
from arena.store import matches as match_store
from arena.store import tournaments as store
from arena.store.database import Database
from arena.store.models import MatchState, Tournament, TournamentState

MAX_BACKOFF_S = 10.0

log = structlog.get_logger()


class Coordinator:
    """Decides what is played next. Several at once do no harm, but one is enough."""

    def __init__(
        self,
        database: Database,
        broker: Broker,
        settings: Settings,
        now: Callable[[], dt.datetime] = utc_now,
    ) -> None:
        self._database = database
        self._broker = broker
        self._settings = settings
        self._now = now
        self._away = True

    def run(self, stop: threading.Event) -> None:
        """Tick until `stop` is set; a database or broker that is away is waited for, ever more patiently."""
        backoff = self._settings.tick_seconds
        while not stop.is_set():
            try:
                self.tick()
                backoff = self._settings.tick_seconds
            except (DBAPIError, UnavailableError) as error:
                self._away = True
                backoff = min(2 * backoff, MAX_BACKOFF_S)
                log.warning("waiting for the database or the broker", error=str(error), seconds=backoff)
            stop.wait(backoff)

    def tick(self) -> None:
        """Look once at everything.

        Raises:
            DBAPIError, UnavailableError: the database or the broker is away; nothing is lost.
        """
        self._broker.ping()
        if self._away:
            self._forgive()
        if self._look(lambda session: match_store.any_expired(session, self._now())):
            self._reap()
        if self._look(self._publishable):
            self._publish()
        if self._look(lambda session: bool(_complete(session))):
            self._finish()

    def _look(self, question: Callable[[Session], bool]) -> bool:
        """Ask without taking the database's write lock, which is what most ticks come to."""
        with self._database.reading() as session:
            return question(session)

    def _forgive(self) -> None:
        """After an absence, ours or the broker's, nobody could be heard: let no lease run out at once."""
        until = self._now() + dt.timedelta(seconds=self._settings.lease_seconds)
        with self._database.transaction() as session:
            match_store.extend_short_leases(session, until)
        self._away = False

    def _reap(self) -> None:
        with self._database.transaction() as session:
            count = leases.reap(session, self._now(), self._settings, self._broker.waiting_ids)
        log.info("leases ran out", matches=count)

    def _publishable(self, session: Session) -> bool:
        if match_store.count_published(session) >= self._settings.window:
            return False
        running = store.in_state(session, TournamentState.RUNNING)
        return any(match_store.any_in_state(session, each, [MatchState.PENDING]) for each in running)

    def _publish(self) -> None:
        with self._database.transaction() as session:
            messages = publishing.issue(session, self._settings)
        for sent, message in enumerate(messages):
            try:
                self._broker.publish(message)
            except UnavailableError:
                with self._database.transaction() as session:
                    publishing.take_back(session, messages[sent:])
                raise
        log.info("published", matches=len(messages))

    def _finish(self) -> None:
        with self._database.transaction() as session:
            for tournament in _complete(session):
                if tournaments.finish(session, tournament):
                    log.info("tournament finished", tournament=tournament.name)


def _complete(session: Session) -> list[Tournament]:
    return [
        tournament
        for tournament in store.in_state(session, TournamentState.RUNNING)
        if not match_store.any_in_state(session, tournament, match_store.UNFINISHED)
    ]
