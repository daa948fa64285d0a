"""The coordinator: give up what is lost, publish what is next, finish what is complete; for ever.

It holds nothing that matters in memory and can be killed at any moment. It looks when word comes that there
is something new, when the next lease runs out, and every few seconds in any case: word may be lost.
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
from arena.coordinator.kinds import KINDS, rest_all
from arena.coordinator.leadership import RENEW_SECONDS, WATCH_SECONDS, Leadership, NotLeadingError
from arena.coordinator.retention import Retention
from arena.coordinator.watermark import Watermark
from arena.core.clock import utc_now
from arena.core.errors import ArenaError, ChangedError, UnavailableError
from arena.core.settings import Settings
from arena.core.terms import Act, MatchState, TournamentState
from arena.play import games
from arena.store import hosts as host_store
from arena.store import leases as lease_store
from arena.store import timetables as timetable_store
from arena.store import tournaments as store
from arena.store.database import Database
from arena.store.models import Tournament
from arena.submissions import environments
from arena.theory.pairing.format import FormatError
from arena.tournaments import analyses, lifecycle, pending, rounds, timetables

MAX_BACKOFF_SECONDS = 1.0
"""With what a mute broker takes to be found so, this is shorter than the lease of who leads."""
GONE_SECONDS = 2.0
"""So long nobody may have a message before it is gone: while a worker takes it, it is nowhere."""
LOOKING_SECONDS = 1.0
"""So often messages that nobody has are looked for: a thousand workers hold megabytes of others."""
FOR_EVER_SECONDS = 1e9
REMOVING_SECONDS = 600.0
WRITING_SECONDS = 5.0
"""So often something is written to the database, which an arena that has nothing to do would only read."""
ABSENCE_SECONDS = 5.0
"""So much later than its turn a tick may come, or so far may the clock be set, before it was an absence."""
IDLE_SECONDS = RENEW_SECONDS
"""So long nobody looks where no word comes and nothing waits for a worker."""
WAITING_SECONDS = 1.0
"""So long where something does: of the message that a killed worker had taken, no word comes."""
BUSY_SECONDS = 0.05
"""After something was given out the next look may come so soon: as many matches may begin a second as there
are windows in it."""
SLICE_SECONDS = 0.5
"""So long it takes at most until who is told to stop stops."""

log = structlog.get_logger()


class Coordinator:
    """Decides what is played next, where it leads; of several at once the others wait for their turn."""

    def __init__(
        self,
        database: Database,
        broker: Broker,
        settings: Settings,
        now: Callable[[], dt.datetime] = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._leadership = Leadership(database, monotonic)
        self._broker = broker
        self._settings = settings
        self._now = now
        self._monotonic = monotonic
        longest = max(settings.lease_seconds, settings.pickup_seconds) + ABSENCE_SECONDS
        self._longest = dt.timedelta(seconds=longest)
        self._ticked = now(), monotonic()
        self._patience_seconds = settings.tick_seconds
        self._busy = False
        self._write_at = monotonic() + WRITING_SECONDS
        self._remove_at = monotonic() + REMOVING_SECONDS
        self._away = True
        self._missing: dict[str, dict[str, float]] = {}
        self._looked: dict[str, float] = {}
        self._watermark = Watermark(broker, monotonic)
        self._pairings = pairing.PairingPool(monotonic)
        self._retention = Retention(settings, monotonic)
        self._unanswered: set[tuple[int, int]] = set()

    def run(self, stop: threading.Event) -> None:
        """Tick until `stop` is set; a database or broker that is away is waited for, ever more patiently."""
        backoff = self._settings.tick_seconds
        while not stop.is_set():
            try:
                self.tick()
                backoff = self._settings.tick_seconds
                self._rest(stop)
            except (DBAPIError, UnavailableError) as error:
                self._away = True
                backoff = min(2 * backoff, MAX_BACKOFF_SECONDS)
                log.warning("waiting for the database or the broker", error=str(error), seconds=backoff)
                stop.wait(backoff)
            except NotLeadingError:
                self._away = True
        self._leadership.resign()
        self._pairings.close()
        self._retention.close()
        rest_all()

    def _rest(self, stop: threading.Event) -> None:
        """Wait for a reason to look, and in any case so long that nobody can make this look all the time.

        Raises:
            UnavailableError: the broker is away.
        """
        until = self._monotonic() + self._patience_seconds
        least = self._settings.tick_seconds
        stop.wait(min(least, BUSY_SECONDS) if self._busy else least)
        while not stop.is_set() and (left := until - self._monotonic()) > 0:
            if self._broker.heard(min(left, SLICE_SECONDS)):
                return

    def tick(self) -> None:
        """Look once at everything, and find out when the next look is due without further word.

        Raises:
            DBAPIError, UnavailableError: the database or the broker is away; nothing is lost.
            NotLeadingError: another coordinator has taken over meanwhile.
        """
        self._busy = False
        if not self._leadership.holds():
            self._away, self._patience_seconds = True, WATCH_SECONDS
            self._retention.rest()
            rest_all()
            return
        self._broker.ping()
        self._try_database()
        now = self._now()
        self._away = self._was_absent(now) or self._away
        if self._away:
            self._forgive(now)
        following = self._keep_timetables(now)
        self._enter_checked()
        self._remove_old_games()
        self._retention.keep()
        self._give_to_others(now)
        self._learn_queues()
        waits = [self._look_after(work, now) for work in KINDS]
        self._patience_seconds = min(following, *waits)
        self._advance()
        if self._pairings.at_work:
            self._patience_seconds = min(self._patience_seconds, self._settings.tick_seconds)

    def _look_after(self, work: leases.AnyWork, now: dt.datetime) -> float:
        """Look without taking the database's write lock, which is what most ticks come to; then act.

        Returns after how many seconds the next look is due.
        """
        longest = now + self._longest
        with self._database.reading() as session:
            first, last = lease_store.ends(session, work.model) or (longest, now)
            published = lease_store.count_published(session, work.model)
            publishable = work.publishable(session, self._settings)
            ousted = work.ousted(session, self._settings, now)
        waiting = self._broker.waiting(work.kind)
        if last > longest:
            self._shorten(work, longest)
        if first < now and first < (silent := self._heard_until(work, now)):
            self._reap(work, silent)
        if waiting > published:  # some were cancelled, or issued anew
            self._withdraw(work)
        gone = self._gone(work) if published > waiting else set()
        if gone:
            self._recall(work, gone, MatchState.PUBLISHED, leases.GONE)
        if ousted:
            self._recall(work, ousted, MatchState.RUNNING, leases.OUSTED)
        if publishable or gone or first < now:
            self._publish(work)
        waits = [(first - now).total_seconds(), WAITING_SECONDS if published or self._busy else IDLE_SECONDS]
        if published > waiting and (since := self._missing.get(work.kind, {}).values()):
            waits.append(min(since) + GONE_SECONDS - self._monotonic())
        if work.is_thinking:
            waits.append(self._settings.tick_seconds)
        return max(0.0, min(waits))

    def _learn_queues(self) -> None:
        """Have the broker look where work may be that needs an environment."""
        with self._database.reading() as session:
            self._broker.know(environments.ever(session))

    def _give_to_others(self, now: dt.datetime) -> None:
        """Take away what hosts still have in hand that were to be done with it by now."""
        with self._database.reading() as session:
            hosts = host_store.overdue(session, now)
            late = (
                {work: lease_store.tokens_on(session, work.model, hosts) for work in KINDS} if hosts else {}
            )
        for work, tokens in late.items():
            if tokens:
                self._recall(work, tokens, MatchState.RUNNING, leases.DRAINED)

    def _keep_timetables(self, now: dt.datetime) -> float:
        """Do what the tournaments' timetables say by now; the seconds until something else is to be done."""
        with self._database.reading() as session:
            due = timetable_store.due(session, now)
        for tournament, act in due:
            self._keep(tournament, act)
        with self._database.reading() as session:
            following = timetable_store.next_at(session)
        return IDLE_SECONDS if following is None else max(0.0, (following - self._now()).total_seconds())

    def _keep(self, tournament: int, act: Act) -> None:
        """Do one thing that a timetable says; why it cannot be done is written down."""
        self._busy = True
        try:
            with self._leadership.transaction() as session:
                timetables.keep(session, tournament, act, self._now())
        except (ChangedError, UnavailableError):
            log.info("the timetable is kept at the next look", tournament=tournament, act=act)
        except ArenaError as error:
            with self._leadership.transaction() as session:
                timetables.fail(session, tournament, act, error)
            log.warning("the timetable was not kept", tournament=tournament, act=act, why=str(error))

    def _enter_checked(self) -> None:
        """Enter the bots that were to be as soon as they have passed their checks."""
        with self._database.reading() as session:
            due = pending.due(session)
        for tournament, bot in due:
            try:
                with self._leadership.transaction() as session:
                    pending.settle(session, tournament, bot)
            except (ChangedError, UnavailableError):
                log.info("the bot is entered at the next look", tournament=tournament, bot=bot)
            except ArenaError as error:
                with self._leadership.transaction() as session:
                    pending.give_up(session, tournament, bot)
                log.warning("a bot was not entered", tournament=tournament, bot=bot, why=str(error))

    def _remove_old_games(self) -> None:
        """Remove from time to time games of people that nobody has touched for long."""
        if self._monotonic() >= self._remove_at:
            self._remove_at = self._monotonic() + REMOVING_SECONDS
            with self._leadership.transaction() as session:
                games.remove_old(session, self._settings.play_days)
                analyses.remove_old(session, self._settings.play_days)

    def _try_database(self) -> None:
        """Find out in time, and log, that nothing can be written."""
        if self._monotonic() >= self._write_at:
            self._database.try_writing()
            self._write_at = self._monotonic() + WRITING_SECONDS

    def _was_absent(self, now: dt.datetime) -> bool:
        """Whether this tick comes late, or the clock was set since the last one (or the machine slept)."""
        (then, before), self._ticked = self._ticked, (now, self._monotonic())
        passed = self._ticked[1] - before
        set_by = abs((now - then).total_seconds() - passed)
        if set_by > ABSENCE_SECONDS:
            log.warning("the clock was set, or the machine slept", seconds=round(set_by), now=now)
            self._retention.rest()  # somebody may set it right before anything is taken for old
            self._remove_at = self._monotonic() + REMOVING_SECONDS
        due = max(self._patience_seconds, self._settings.tick_seconds)
        return max(passed - due, set_by) > ABSENCE_SECONDS

    def _forgive(self, now: dt.datetime) -> None:
        """After an absence, ours or the broker's, nobody could be heard: let no lease run out at once."""
        until = now + dt.timedelta(seconds=self._settings.lease_seconds)
        with self._leadership.transaction() as session:
            for work in KINDS:
                lease_store.extend_short(session, work.model, until)
            draining = host_store.draining(session)
        for host in draining:  # the broker may have forgotten
            self._broker.drain(host, draining=True)
        self._away = False
        self._missing.clear()

    def _shorten(self, work: leases.AnyWork, longest: dt.datetime) -> None:
        """A clock that was set back leaves leases longer than any that is given: nobody waits for those."""
        with self._leadership.transaction() as session:
            lease_store.shorten_long(session, work.model, longest)

    def _heard_until(self, work: leases.AnyWork, now: dt.datetime) -> dt.datetime:
        """The same moment by the clock."""
        behind = self._monotonic() - self._watermark.taken_in_until(work.kind)
        return now - dt.timedelta(seconds=min(behind, FOR_EVER_SECONDS))

    def _reap(self, work: leases.AnyWork, now: dt.datetime) -> None:
        """Give up what was silent at that moment, before which all that was reported is taken in."""
        with self._leadership.transaction() as session:
            count = leases.reap(
                work, session, now, self._settings, lambda: self._broker.waiting_ids(work.kind)
            )
        log.info("leases ran out", kind=work.kind, count=count)

    def _gone(self, work: leases.AnyWork) -> set[str]:
        """The published tokens whose messages nobody has had for a while, neither a queue nor a worker.

        The queue is read before what workers have, for that is the way of a message. Nothing is concluded
        before all is taken in that was reported until then: the first sign of life may be in it.
        """
        now = self._monotonic()
        if now - self._looked.get(work.kind, -FOR_EVER_SECONDS) < LOOKING_SECONDS:
            return set()
        self._looked[work.kind] = now
        heard = self._watermark.taken_in_until(work.kind)
        with self._database.reading() as session:
            published = lease_store.published_tokens(session, work.model)
        held = {*self._broker.waiting_ids(work.kind), *self._broker.taken_ids()}
        before = self._missing.get(work.kind, {})
        self._missing[work.kind] = {token: before.get(token, now) for token in published - held}
        latest = min(now - GONE_SECONDS, heard)
        return {token for token, since in self._missing[work.kind].items() if since <= latest}

    def _recall(self, work: leases.AnyWork, tokens: set[str], state: MatchState, why: str) -> None:
        """Put back what is in that state under these tokens; whoever has it all the same will be refused."""
        with self._leadership.transaction() as session:
            count = leases.recall(work, session, tokens, (state,), why)
        log.info("put back", kind=work.kind, count=count, why=why)

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
        with self._leadership.transaction() as session:
            messages = leases.issue(work, session, self._settings)
        for sent, message in enumerate(messages):
            try:
                message.issue(self._broker.publish)
            except UnavailableError:
                with self._leadership.transaction() as session:
                    leases.unsend(work, session, messages[sent:])
                raise
        if messages:
            self._busy = True
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
            elif answer := self._pairings.take(question):
                self._go_on(answer)
        for answer in self._pairings.answers():
            self._go_on(answer)

    def _go_on(self, answer: rounds.Proposal | pairing.Failure) -> None:
        if isinstance(answer, pairing.Failure):
            self._give_up(answer)
            return
        self._busy = True
        with self._leadership.transaction() as session:
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
            return pairing.Failure(*state, error)

    def _give_up(self, failure: pairing.Failure) -> None:
        """Leave a tournament alone until something changes in it, and say why where it is shown.

        Of a traceback that is the last line; the whole is in the log.
        """
        tournament, revision, trouble = failure
        with self._leadership.transaction() as session:
            unanswered = rounds.give_up(session, tournament, revision, failure.in_short)
        self._unanswered.add((tournament, unanswered))
        log.error("no next round", tournament=tournament, revision=revision, trouble=str(trouble))
