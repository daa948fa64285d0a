"""The coordinator: give up what is lost, publish what is next, finish what is complete; for ever.

It holds nothing that matters in memory and can be killed at any moment.
"""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from arena.coordinator import leases, pairing
from arena.coordinator.broker import Broker
from arena.coordinator.kinds import KINDS
from arena.core.clock import utc_now
from arena.core.errors import UnavailableError
from arena.core.settings import Settings
from arena.core.terms import MatchState, TournamentState
from arena.store import leases as lease_store
from arena.store import tournaments as store
from arena.store.database import Database
from arena.store.models import Tournament
from arena.theory.pairing.format import FormatError
from arena.tournaments import lifecycle, rounds

MAX_BACKOFF_SECONDS = 10.0
GONE_SECONDS = 2.0
"""So long nobody may have a message before it is gone: while a worker takes it, it is nowhere."""
WRITING_SECONDS = 5.0
"""So often something is written to the database, which an arena that has nothing to do would only read."""
ABSENCE_SECONDS = 5.0
"""So much later than its turn a tick may come, or so far may the clock be set, before it was an absence."""

log = structlog.get_logger()


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
        self._longest = dt.timedelta(
            seconds=max(settings.lease_seconds, settings.pickup_seconds) + ABSENCE_SECONDS
        )
        self._ticked = now(), monotonic()
        self._write_at = monotonic() + WRITING_SECONDS
        self._away = True
        self._missing: dict[str, dict[str, float]] = {}
        self._pairings = pairing.PairingPool()
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
                backoff = min(2 * backoff, MAX_BACKOFF_SECONDS)
                log.warning("waiting for the database or the broker", error=str(error), seconds=backoff)
            stop.wait(backoff)
        self._pairings.close()

    def tick(self) -> None:
        """Look once at everything.

        Raises:
            DBAPIError, UnavailableError: the database or the broker is away; nothing is lost.
        """
        self._broker.ping()
        self._try_database()
        now = self._now()
        self._away = self._was_absent(now) or self._away
        if self._away:
            self._forgive(now)
        for work in KINDS:
            self._look_after(work, now)
        self._advance()

    def _look_after(self, work: leases.AnyWork, now: dt.datetime) -> None:
        """Look without taking the database's write lock, which is what most ticks come to; then act."""
        longest = now + self._longest
        with self._database.reading() as session:
            first, last = lease_store.ends(session, work.model) or (longest, now)
            published = lease_store.count_published(session, work.model)
            publishable = work.publishable(session, self._settings)
        waiting = self._broker.waiting(work.kind)
        if last > longest:
            self._shorten(work, longest)
        if first < now:
            self._reap(work, now)
        if waiting > published:  # some were cancelled, or issued anew
            self._withdraw(work)
        gone = self._gone(work) if published > waiting else set()
        if gone:
            self._recall(work, gone)
        if publishable or gone or first < now:
            self._publish(work)

    def _try_database(self) -> None:
        """Find out in time, and log, that nothing can be written."""
        if self._monotonic() >= self._write_at:
            self._database.try_writing()
            self._write_at = self._monotonic() + WRITING_SECONDS

    def _was_absent(self, now: dt.datetime) -> bool:
        """Whether this tick comes late, or the clock was set since the last one (or the machine slept)."""
        then, before = self._ticked
        self._ticked = now, self._monotonic()
        passed = self._ticked[1] - before
        set_by = abs((now - then).total_seconds() - passed)
        return max(passed, set_by) > self._settings.tick_seconds + ABSENCE_SECONDS

    def _forgive(self, now: dt.datetime) -> None:
        """After an absence, ours or the broker's, nobody could be heard: let no lease run out at once."""
        until = now + dt.timedelta(seconds=self._settings.lease_seconds)
        with self._database.transaction() as session:
            for work in KINDS:
                lease_store.extend_short(session, work.model, until)
        self._away = False
        self._missing.clear()

    def _shorten(self, work: leases.AnyWork, longest: dt.datetime) -> None:
        """A clock that was set back leaves leases longer than any that is given: nobody waits for those."""
        with self._database.transaction() as session:
            lease_store.shorten_long(session, work.model, longest)

    def _reap(self, work: leases.AnyWork, now: dt.datetime) -> None:
        """Give up what is silent; only when no report waits, for it may be the missed sign of life."""
        if self._broker.reports(work.kind):
            return
        with self._database.transaction() as session:
            count = leases.reap(
                work, session, now, self._settings, lambda: self._broker.waiting_ids(work.kind)
            )
        log.info("leases ran out", kind=work.kind, count=count)

    def _gone(self, work: leases.AnyWork) -> set[str]:
        """The published tokens whose messages nobody has had for a while, neither a queue nor a worker.

        The queue is read before what workers have, for that is the way of a message. While reports wait
        nothing is concluded: the first sign of life of what is looked for may be among them.
        """
        with self._database.reading() as session:
            published = lease_store.published_tokens(session, work.model)
        held = {*self._broker.waiting_ids(work.kind), *self._broker.taken_ids()}
        if self._broker.reports(work.kind):
            return set()
        now, before = self._monotonic(), self._missing.get(work.kind, {})
        self._missing[work.kind] = {token: before.get(token, now) for token in published - held}
        return {token for token, since in self._missing[work.kind].items() if now - since >= GONE_SECONDS}

    def _recall(self, work: leases.AnyWork, tokens: set[str]) -> None:
        """Put back what was published under these tokens; whoever has it all the same will be refused."""
        with self._database.transaction() as session:
            count = leases.recall(work, session, tokens, (MatchState.PUBLISHED,), leases.GONE)
        log.info("messages are gone", kind=work.kind, count=count)

    def _withdraw(self, work: leases.AnyWork) -> None:
        """Take back the messages whose reports would be refused; what is in play already is let end.

        The queue is read first: whatever waits was committed before it was sent.
        """
        waiting = set(self._broker.waiting_ids(work.kind))
        with self._database.reading() as session:
            stale = waiting - lease_store.issued_tokens(session, work.model)
        if stale:
            self._broker.withdraw(stale, work.kind)
            log.info("withdrawn", kind=work.kind, messages=len(stale))

    def _publish(self, work: leases.AnyWork) -> None:
        with self._database.transaction() as session:
            messages = leases.issue(work, session, self._settings)
        for sent, message in enumerate(messages):
            try:
                self._broker.publish(message)
            except UnavailableError:
                with self._database.transaction() as session:
                    leases.unsend(work, session, messages[sent:])
                raise
        if messages:
            log.info("published", kind=work.kind, count=len(messages))

    def _advance(self) -> None:
        """Go on with the tournaments for which it is time: the next round, or the end.

        Nobody waits for a round that takes long to pair: it is made at the first look after that. A
        tournament whose format fails is left as it is until something changes: the others go on.
        """
        with self._database.reading() as session:
            running = store.in_state(session, TournamentState.RUNNING)
            questions = [question for each in running if (question := self._question(session, each))]
        for question in questions:
            if isinstance(question, pairing.Failure):
                self._give_up(question)
            elif question.is_long:
                self._pairings.take(question)
            else:
                self._go_on(pairing.answer(question))
        for answer in self._pairings.answers():
            self._go_on(answer)

    def _go_on(self, answer: rounds.Proposal | pairing.Failure) -> None:
        if isinstance(answer, pairing.Failure):
            self._give_up(answer)
            return
        with self._database.transaction() as session:
            if lifecycle.advance(session, answer):
                log.info("tournament finished", tournament=answer.tournament_id)

    def _question(self, session: Session, tournament: Tournament) -> rounds.Question | pairing.Failure | None:
        """What the tournament goes on by, if it is time and nothing stands in the way."""
        state = tournament.id, tournament.revision
        if state in self._unanswered or self._pairings.is_at(*state):
            return None
        try:
            return rounds.ask(session, tournament) if rounds.due(session, tournament) else None
        except FormatError as error:
            return pairing.Failure(*state, str(error))

    def _give_up(self, failure: pairing.Failure) -> None:
        """Leave a tournament alone until something changes in it, and say why where it is shown.

        Of a traceback that is the last line; the whole is in the log.
        """
        tournament, revision, trouble = failure
        with self._database.transaction() as session:
            last_line = trouble.strip().splitlines()[-1]
            unanswered = rounds.give_up(session, tournament, revision, last_line)
        self._unanswered.add((tournament, unanswered))
        log.error("no next round", tournament=tournament, revision=revision, trouble=trouble)
