"""The coordinator: give up what is lost, publish what is next, finish what is complete; for ever.

It holds nothing that matters in memory and can be killed at any moment.
"""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from arena import rounds, tournaments
from arena.coordinator import checks, chunks, leases, pairing, publishing
from arena.coordinator.broker import Broker
from arena.errors import UnavailableError
from arena.moments import utc_now
from arena.pairing.format import FormatError
from arena.settings import Settings
from arena.store import leases as lease_store
from arena.store import tournaments as store
from arena.store.database import Database
from arena.store.models import Check, ExperimentChunk, Match, Tournament, TournamentState
from workers.app import CHECKS, MATCHES, SIMULATIONS

MAX_BACKOFF_S = 10.0
ABSENCE_S = 5.0
"""So much later than its turn a tick may come, or so far may the clock be set, before it was an absence."""

log = structlog.get_logger()


class Line(NamedTuple):
    """A kind of work that is given out, and what is done to it: rows of `work`, by messages of `kind`."""

    kind: str
    work: lease_store.Work
    reap: Callable[..., int]
    publishable: Callable[[Session, Settings], bool]
    issue: Callable[[Session, Settings], list[Any]]
    take_back: Callable[[Session, list[Any]], None]


LINES = (
    Line(CHECKS, Check, checks.reap, checks.publishable, checks.issue, checks.take_back),
    Line(MATCHES, Match, leases.reap, publishing.publishable, publishing.issue, publishing.take_back),
    Line(SIMULATIONS, ExperimentChunk, chunks.reap, chunks.publishable, chunks.issue, chunks.take_back),
)


class Coordinator:
    """Decides what is played next. Several at once do no harm, but one is enough."""

    def __init__(
        self,
        database: Database,
        broker: Broker,
        settings: Settings,
        now: Callable[[], dt.datetime] = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._broker = broker
        self._settings = settings
        self._now = now
        self._monotonic = monotonic
        self._longest = dt.timedelta(seconds=max(settings.lease_seconds, settings.pickup_seconds) + ABSENCE_S)
        self._ticked = now(), monotonic()
        self._away = True
        self._desk = pairing.Desk()
        self._unanswered: set[tuple[int, int]] = set()

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
        self._desk.close()

    def tick(self) -> None:
        """Look once at everything.

        Raises:
            DBAPIError, UnavailableError: the database or the broker is away; nothing is lost.
        """
        self._broker.ping()
        now = self._now()
        self._away = self._was_absent(now) or self._away
        if self._away:
            self._forgive(now)
        for line in LINES:
            self._look_after(line, now)
        self._advance()

    def _look_after(self, line: Line, now: dt.datetime) -> None:
        """Look without taking the database's write lock, which is what most ticks come to; then act."""
        longest = now + self._longest
        with self._database.reading() as session:
            first, last = lease_store.ends(session, line.work) or (longest, now)
            overfull = self._overfull(session, line)
            publishable = line.publishable(session, self._settings)
        if last > longest:
            self._shorten(line, longest)
        if first < now:
            self._reap(line, now)
        if overfull:
            self._withdraw(line)
        if publishable or first < now:
            self._publish(line)

    def _was_absent(self, now: dt.datetime) -> bool:
        """Whether this tick comes late, or the clock was set since the last one (or the machine slept)."""
        then, before = self._ticked
        self._ticked = now, self._monotonic()
        passed = self._ticked[1] - before
        set_by = abs((now - then).total_seconds() - passed)
        return max(passed, set_by) > self._settings.tick_seconds + ABSENCE_S

    def _forgive(self, now: dt.datetime) -> None:
        """After an absence, ours or the broker's, nobody could be heard: let no lease run out at once."""
        until = now + dt.timedelta(seconds=self._settings.lease_seconds)
        with self._database.transaction() as session:
            for line in LINES:
                lease_store.extend_short(session, line.work, until)
        self._away = False

    def _shorten(self, line: Line, longest: dt.datetime) -> None:
        """A clock that was set back leaves leases longer than any that is given: nobody waits for those."""
        with self._database.transaction() as session:
            lease_store.shorten_long(session, line.work, longest)

    def _reap(self, line: Line, now: dt.datetime) -> None:
        """Give up what is silent; only when no report waits, for it may be the missed sign of life."""
        if self._broker.reports(line.kind):
            return
        with self._database.transaction() as session:
            count = line.reap(session, now, self._settings, lambda: self._broker.waiting_ids(line.kind))
        log.info("leases ran out", kind=line.kind, count=count)

    def _overfull(self, session: Session, line: Line) -> bool:
        """Whether more messages wait than are published: some were cancelled or issued anew."""
        waiting = self._broker.waiting(line.kind)
        return waiting > 0 and lease_store.count_published(session, line.work) < waiting

    def _withdraw(self, line: Line) -> None:
        """Take back the messages whose reports would be refused; what is in play already is let end.

        The queue is read first: whatever waits was committed before it was sent.
        """
        waiting = set(self._broker.waiting_ids(line.kind))
        with self._database.reading() as session:
            stale = waiting - lease_store.issued_tokens(session, line.work)
        if stale:
            self._broker.withdraw(stale, line.kind)
            log.info("withdrawn", kind=line.kind, messages=len(stale))

    def _publish(self, line: Line) -> None:
        with self._database.transaction() as session:
            messages = line.issue(session, self._settings)
        for sent, message in enumerate(messages):
            try:
                self._broker.publish(message)
            except UnavailableError:
                with self._database.transaction() as session:
                    line.take_back(session, messages[sent:])
                raise
        if messages:
            log.info("published", kind=line.kind, count=len(messages))

    def _advance(self) -> None:
        """Go on with the tournaments for which it is time: the next round, or the end.

        Nobody waits for a round that takes long to pair: it is made at the first look after that. A
        tournament whose format fails is left as it is until something changes: the others go on.
        """
        with self._database.reading() as session:
            running = store.in_state(session, TournamentState.RUNNING)
            questions = [question for each in running if (question := self._question(session, each))]
        for question in questions:
            if question.is_long:
                self._desk.take(question)
            else:
                self._go_on(pairing.answer(question))
        for found in self._desk.answers():
            self._go_on(found)

    def _go_on(self, found: rounds.Proposal | pairing.Failure) -> None:
        if isinstance(found, pairing.Failure):
            self._give_up(*found)
            return
        with self._database.transaction() as session:
            if tournaments.advance(session, found):
                log.info("tournament finished", tournament=found.tournament_id)

    def _question(self, session: Session, tournament: Tournament) -> rounds.Question | None:
        """What the tournament goes on by, if it is time and nothing stands in the way."""
        state = tournament.id, tournament.revision
        if state in self._unanswered or self._desk.is_at(*state):
            return None
        try:
            return rounds.ask(session, tournament) if rounds.due(session, tournament) else None
        except FormatError as error:
            self._give_up(*state, str(error))
            return None

    def _give_up(self, tournament: int, revision: int, trouble: str) -> None:
        """Leave a tournament alone until something changes in it."""
        self._unanswered.add((tournament, revision))
        log.error("no next round", tournament=tournament, revision=revision, trouble=trouble)
