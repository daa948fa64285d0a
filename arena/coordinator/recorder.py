"""The recorder: takes in what workers report, many reports at once: ``python -m arena.coordinator.recorder``.

Reports stay in the broker's queue until what they say is committed. Who is killed in between, or runs twice,
finds them again, and the engine knows by their tokens what was taken in already. Reports of one task are one
transaction, and each has its own where they fail together.
"""

from __future__ import annotations

import gc
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import redis
import structlog
from pydantic import ValidationError
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from arena.coordinator import leases
from arena.coordinator.host_reports import HostReport, SetAsideReport
from arena.coordinator.inbox import Delivery, Inbox
from arena.coordinator.leases import Attempt, Verdict
from arena.coordinator.reports import HANDLERS, LostReport, MatchReport, Report
from arena.coordinator.result_validation import first_fault
from arena.coordinator.words import plain
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.events.bell import Bell
from arena.store import hosts as store
from arena.store import set_aside
from arena.store import worker_keys as keys
from arena.store.database import Database
from arena.store.failures import failure_of
from arena.store.models import SetAside
from arena.store.startup import begin
from arena.submissions import hosts
from workers.app import HOST, SET_ASIDE
from workers.core import tracing
from workers.core.configuration import or_exit
from workers.core.logs import configure_logs
from workers.core.poison import MAX_DETAIL_CHARS, PoisonError, Unfit, head_of
from workers.host.drains import Drains
from workers.host.refusals import Refusals
from workers.programs.serving import named

SIGNS_OF_LIFE = {task for task, each in HANDLERS.items() if each.step is leases.heartbeat}
FAILED = {Verdict.UNFIT, Unfit.FAILED}
"""What became of a report that should have been believed."""
BATCH = 256
"""So many reports are taken in at once: enough that what a transaction costs by itself is little for each."""
PAUSE_SECONDS = 1.0
HELD_SECONDS = 0.02
"""So long the recorder rests where all that waits is held by somebody else's lock."""
GARBAGE = 50_000
"""So many new objects make Python look for cycles among them, instead of 700: a batch has as many for a
moment, and looking through them again and again takes a third of the time."""

KEPT = 1000
"""So much of what was set aside is kept."""
AnyReport = Report | HostReport | SetAsideReport
FORMS: dict[str, type[AnyReport]] = {
    HOST: HostReport,
    SET_ASIDE: SetAsideReport,
    **{task: each.form for task, each in HANDLERS.items()},
}
"""The form of every report, in the order in which they are taken in."""

log = structlog.get_logger()


class _Received(NamedTuple):
    """A report, and how it came."""

    report: Any
    delivery: Delivery


class Recorder:
    """Takes reports in; it holds nothing in memory that matters."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        refusals: Refusals,
        drains: Drains,
        enrolled: Callable[[Session], Mapping[str, str]] = keys.enrolled,
    ) -> None:
        self._database = database
        self._enrolled = enrolled
        self._settings = settings
        self._refusals = refusals
        self._drains = drains

    def run(self, inbox: Inbox, stop: threading.Event) -> None:
        """Take in what comes until `stop` is set; a database or broker that is away is waited for.

        What somebody else has locked is put by and tried again, so that nothing waits for it.
        """
        while not stop.is_set():
            try:
                if deliveries := inbox.oldest(BATCH):
                    held = self.take_in(deliveries)
                    inbox.remove(deliveries, held)
                    if len(held) == len(deliveries):
                        stop.wait(HELD_SECONDS)
                else:
                    inbox.wait()
            except (DBAPIError, redis.RedisError) as error:
                log.warning("waiting for the database or the broker", error=str(error))
                stop.wait(PAUSE_SECONDS)

    def take_in(self, deliveries: Iterable[Delivery]) -> list[Delivery]:
        """Take in reports, those of one task together: signs of life before what came of the work.

        Returns those that are to be given again, because somebody else has locked what they are about.

        Raises:
            DBAPIError: the database is away. Some may have been taken in; all may be given again.
        """
        told: dict[str, list[_Received]] = {task: [] for task in FORMS}
        poison: list[SetAside] = []
        with self._database.reading() as session:
            enrolled = self._enrolled(session)
        for delivery in deliveries:
            try:
                report = _read(delivery, enrolled)
            except PoisonError as error:
                poison.append(_aside(delivery, error))
            else:
                told[delivery.task].append(_Received(report, delivery))
        if poison:
            self._set_aside(poison)
        return [each for task, given in told.items() if given for each in self._take(task, given)]

    def _set_aside(self, rows: Sequence[SetAside]) -> None:
        """Keep for the staff what is no report."""
        log.warning("set aside", so_many=dict(Counter(each.why for each in rows)), last=rows[-1].detail)
        with self._database.transaction() as session:
            set_aside.add(session, rows, KEPT)

    def _take(self, task: str, given: Sequence[_Received]) -> list[Delivery]:
        """Take in reports of one task in one transaction, or one by one where that fails; what is held."""
        reports, began_ns = [each.report for each in given], time.time_ns()
        try:
            verdicts = self._commit(task, reports)
        except Exception as error:
            if isinstance(error, DBAPIError) and failure_of(error):
                raise
            if len(given) == 1:
                log.exception("a report cannot be taken in", task=task, **_about(reports[0]))
                _trace(task, reports, (Unfit.FAILED,), began_ns)
                self._set_aside([_aside(given[0].delivery, PoisonError(Unfit.FAILED, str(error)))])
                return []
            return [held for each in given for held in self._take(task, [each])]
        self._told(task, reports, verdicts)
        _trace(task, reports, verdicts, began_ns)
        return [
            each.delivery for each, verdict in zip(given, verdicts, strict=True) if verdict == Verdict.HELD
        ]

    def _commit(self, task: str, reports: Sequence[Any]) -> list[Verdict]:
        if task == HOST:
            return self._commit_hosts(reports)
        if task == SET_ASIDE:
            self._set_aside([SetAside(**each.model_dump(mode="json"), at=utc_now()) for each in reports])
            return [Verdict.TAKEN] * len(reports)
        with self._database.transaction() as session:
            work, step, _ = HANDLERS[task]
            told = [(Attempt(each.about, each.attempt, each.token, each.host), each.told) for each in reports]
            return leases.take_in(step, work, session, told, self._settings)

    def _commit_hosts(self, reports: Sequence[HostReport]) -> list[Verdict]:
        """Take in what hosts say; who drains and should not, or the other way round, is told so again."""
        wrong: dict[str, bool] = {}
        with self._database.transaction() as session:
            held = store.gather(session, {each.host for each in reports})
            for each in reports:
                told = each.model_dump(exclude={"host", "doing"})
                doing = each.doing.model_dump(mode="json") if each.doing else None
                host = hosts.register(session, each.host, **told, doing=doing)
                if each.process is not None and each.draining != (host.draining_at is not None):
                    wrong[each.host] = not each.draining
            session.flush()
            del held
        for name, draining in wrong.items():
            try:
                self._drains.tell(name, draining=draining)
            except redis.RedisError as error:
                log.warning("a host could not be told", host=name, error=str(error))
        return [Verdict.TAKEN] * len(reports)

    def _told(self, task: str, reports: Sequence[Any], verdicts: Sequence[Verdict]) -> None:
        """Log what became of reports; who works for nothing is told so by its next sign of life."""
        if {*verdicts} != {Verdict.HELD}:
            log.info("taken in", task=task, reports=dict(Counter(map(str, verdicts))))
        for report, verdict in zip(reports, verdicts, strict=True):
            if verdict not in {Verdict.TAKEN, Verdict.HELD}:
                log.info(task, **_about(report), verdict=str(verdict))
            if task in SIGNS_OF_LIFE and verdict in {Verdict.REFUSED, Verdict.UNKNOWN}:
                self._refuse(report.token)

    def _refuse(self, token: str) -> None:
        """Let a worker know that it works for nothing; if that fails, its next sign of life comes here."""
        try:
            self._refusals.refuse(token)
        except redis.RedisError as error:
            log.warning("a worker could not be told", error=str(error))


def _read(delivery: Delivery, enrolled: Mapping[str, str]) -> AnyReport:
    """The report that was delivered.

    Raises:
        PoisonError: it is none, or not of the host that it names.
    """
    if poison := delivery.poison:  # another, as one that was raised keeps the whole batch by its traceback
        raise PoisonError(poison.why, str(poison))
    host = enrolled.get(delivery.signer or "")
    if host is None:
        raise PoisonError(Unfit.SIGNATURE, f"{delivery.task}: no enrolled host has signed it")
    if delivery.task not in FORMS:
        raise PoisonError(Unfit.TASK, f"no such report: {delivery.task!r}")
    try:
        report = FORMS[delivery.task].model_validate(delivery.told)
    except ValidationError as error:
        raise PoisonError(Unfit.FORM, f"{delivery.task}: {first_fault(error)}") from None
    if report.host != host:
        raise PoisonError(Unfit.SIGNATURE, f"{delivery.task}: {host} speaks for {report.host}")
    return report


def _aside(delivery: Delivery, error: PoisonError) -> SetAside:
    detail = plain(str(error), MAX_DETAIL_CHARS)
    size, head = len(delivery.raw), head_of(delivery.raw)
    return SetAside(at=utc_now(), why=error.why, detail=detail, queue=delivery.queue, size=size, head=head)


def _about(report: AnyReport) -> dict[str, Any]:
    """What the log says of a report."""
    if not isinstance(report, Report):
        return {"host": report.host}
    what = {"match": report.match} if isinstance(report, MatchReport) else {"about": report.about}
    return {**what, "attempt": report.attempt, "host": report.host}


def _trace(task: str, reports: Sequence[Any], verdicts: Sequence[Verdict | Unfit], began_ns: int) -> None:
    """Tell in the traces of attempts that are over what became of them."""
    if task not in HANDLERS or task in SIGNS_OF_LIFE:
        return
    kind = HANDLERS[task].work.kind
    for report, verdict in zip(reports, verdicts, strict=True):
        if verdict == Verdict.HELD:
            continue
        about = named(kind, vars(report))
        lost = isinstance(report, LostReport) and not report.stopped
        tracing.tell(
            f"record {next(iter(about))}",
            began_ns,
            {**about, "attempt": report.attempt, "host": report.host, "verdict": str(verdict)},
            token=report.token,
            failed=str(verdict) if verdict in FAILED else "lost" if lost else None,
        )


def main() -> None:
    """Run until SIGTERM or SIGINT."""
    settings = begin()
    configure_logs("recorder", settings.log_format)
    or_exit(lambda: tracing.begin("recorder"))
    gc.freeze()
    gc.set_threshold(GARBAGE)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    bell, inbox = Bell(settings.broker_url), Inbox(settings.broker_url)
    database = Database(settings.database_url, on_news=bell.ring)
    told = Refusals(settings.broker_url), Drains(settings.broker_url)
    Recorder(database, settings, *told).run(inbox, stop)
    inbox.close()
    bell.close()
    database.close()


if __name__ == "__main__":
    main()
