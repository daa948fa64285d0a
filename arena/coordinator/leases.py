"""One engine for work that is given out under leases: matches, checks, and parts of more.

Work is issued with a new attempt number and a new fencing token, and waits for a worker until its lease ends.
Every heartbeat renews the lease. What is silent is reaped: lost, or requeued where nobody had begun. A report
is taken in once; one that comes twice, late, or from an attempt that was given up changes nothing but a
counter. The first word of an attempt claims it for the host that has signed it, and no other host's counts.
All leases are judged by the trusted side's clock, and losing an attempt is never a bot's fault.

What differs from kind to kind stands in a `WorkType` each, in modules beside this.
Every function here is one step of a transaction that the caller commits.
"""

from __future__ import annotations

import datetime as dt
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from sqlalchemy.orm import Session

from arena.coordinator.messages import AnyMessage
from arena.coordinator.result_validation import UnfitResultError
from arena.coordinator.words import MAX_TROUBLE_CHARS, plain, told_by
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import MAX_HOST_CHARS, MatchState
from arena.store import leases as store
from arena.store.counters import Counted, count
from arena.store.database import has_news
from arena.store.leases import ISSUED, Ledger, W
from arena.submissions import environments, hosts

TOKEN_BYTES = 16
REAPED_AT_ONCE = 200
GONE = "the message is gone and nobody has begun to play"
OUSTED = "it gives way to a match of a tournament"
DRAINED = "its host was to be drained by now"
UNSENT = "the broker did not take the message"

M = TypeVar("M", bound=AnyMessage)
R = TypeVar("R")


class Verdict(StrEnum):
    """What became of a report."""

    TAKEN = "taken"
    DUPLICATE = "duplicate"
    REFUSED = "refused"
    UNFIT = "unfit"
    VOID = "void"
    UNKNOWN = "unknown"
    NOT_THEIRS = "not_theirs"
    """Another host has claimed it."""
    HELD = "held"
    """Somebody else has locked what it is about: it is to be given again."""


class Attempt(NamedTuple):
    """What a report is about: the key of a row, its attempt's number, and the token that fences it.

    `signer` is the host that has signed the report; None where it is the arena's own.
    """

    key: tuple[int, ...]
    number: int
    token: str
    signer: str | None = None


class Batch(NamedTuple):
    """What reports that are taken in together have in common: `gathered` is what their kind of work needs."""

    settings: Settings
    gathered: Any


class WorkType(ABC, Generic[W, M, R]):
    """A kind of work: rows `W`, given out by messages `M`; a report that fits one comes to an `R`."""

    kind: ClassVar[str]
    """Its name, which its queues begin with (see `workers.programs.serving`)."""
    model: type[W]
    unfit: ClassVar[str]
    """What to say of a report that cannot have come of it."""

    @abstractmethod
    def publishable(self, session: Session, settings: Settings) -> bool:
        """Whether there is something to give out that a host can do, and room for it."""

    @abstractmethod
    def due(self, session: Session, settings: Settings) -> Sequence[W]:
        """What is to be given out next, locked: as much as there is room for and hosts can do."""

    @abstractmethod
    def issued(self, session: Session, row: W, token: str) -> M:
        """A row was given a new attempt, with that token: the message of it."""

    @abstractmethod
    def gather(self, session: Session, keys: Sequence[tuple[int, ...]], *, counting: bool) -> Any:
        """Lock all that the reports of these rows need, at once and in the order of their keys.

        A kind of work may leave out what somebody else has locked (`is_elsewhere`).

        `counting` says that what came of them is written down. The session forgets what nobody holds: what
        this returns is held until all reports are taken in.
        """

    def is_elsewhere(self, key: tuple[int, ...], gathered: Any) -> bool:
        """Whether `gather` left that row out because somebody else has locked it."""
        del key, gathered
        return False

    @abstractmethod
    def lock(self, session: Session, key: tuple[int, ...]) -> tuple[W | None, Ledger | None]:
        """The row of that key as it is now, with its ledger, both locked; None where there is none.

        It was gathered before.
        """

    def may(self, row: W, host: str | None, gathered: Any) -> bool:
        """Whether a host may have a row in hand."""
        del row, host, gathered
        return True

    @abstractmethod
    def fit(self, row: W, report: Mapping[str, Any]) -> R:
        """What is reported, checked against the row.

        Raises:
            UnfitResultError: it cannot have come of this work.
        """

    @abstractmethod
    def write(self, session: Session, row: W, fit: R, gathered: Any) -> Verdict:
        """Write down what came of a row."""

    def write_rest(self, session: Session, gathered: Any) -> None:
        """Write down at once what `write` has left to be written of many rows."""

    @abstractmethod
    def lost(self, session: Session, row: W, trouble: str) -> None:
        """An attempt was given up, the row is pending again, or parked if that was one too many."""

    @abstractmethod
    def needs(self, row: W) -> str:
        """The languages that a host must run for a row."""

    def requeued(self, session: Session, row: W, why: str) -> None:
        """An attempt was withdrawn that counts for nothing."""

    def alive(self, session: Session, row: W, host: str) -> None:
        """A row's lease was renewed by a worker on that host."""
        del session
        row.state = MatchState.RUNNING
        row.host = host

    def overdue(self, row: W, now: dt.datetime) -> str | None:
        """Why a row is given up for good that its worker still says is alive; None where it is not."""
        del row, now
        return None

    def ousted(self, session: Session, settings: Settings, now: dt.datetime) -> set[str]:
        """The tokens of what is in play and has to give way to work of another kind."""
        del session, settings, now
        return set()

    @property
    def is_thinking(self) -> bool:
        """Whether what is given out next is being worked out, and soon to be asked for again."""
        return False

    def rest(self) -> None:
        """Let go of what is kept only while this coordinator leads."""

    def served(self, session: Session, settings: Settings) -> set[str]:
        """The needs that a host which is there now can serve."""
        return hosts.served(session, settings, self.kind)

    def lock_tokens(
        self, session: Session, tokens: Collection[str], states: Collection[MatchState]
    ) -> Sequence[W]:
        """What is given out under these tokens and in one of these states, locked."""
        return store.lock_tokens(session, self.model, tokens, states)

    def lock_expired(self, session: Session, now: dt.datetime) -> Sequence[W]:
        """What is given out and has a lease that ran out before `now`, locked."""
        return store.lock_expired(session, self.model, now, REAPED_AT_ONCE)


AnyWork = WorkType[Any, Any, Any]
Step = Callable[..., Verdict]
"""What is done to a row by a report of its present attempt."""


def issue(work: WorkType[W, M, R], session: Session, settings: Settings) -> list[M]:
    """Give what is due a new attempt and a new token; the messages to send once this is committed."""
    messages = [_issue_one(work, session, row, settings) for row in work.due(session, settings)]
    session.flush()
    return messages


def _issue_one(work: WorkType[W, M, R], session: Session, row: W, settings: Settings) -> M:
    row.state = MatchState.PUBLISHED
    row.attempt += 1
    row.beat = None
    row.token = secrets.token_hex(TOKEN_BYTES)
    renew(row, utc_now(), settings.pickup_seconds)
    message = work.issued(session, row, row.token)
    return message.needing(environments.pinned(session, message.needs))


def take_in(
    step: Step,
    work: WorkType[W, M, R],
    session: Session,
    reports: Sequence[tuple[Attempt, Mapping[str, Any]]],
    settings: Settings,
) -> list[Verdict]:
    """Take in reports of one kind, in their order; what becomes of each.

    `step` is `heartbeat`, `lost` or `record`, and is told what stands in each report.
    """
    keys = sorted({attempt.key for attempt, _ in reports})
    batch = Batch(settings, work.gather(session, keys, counting=step is record))
    verdicts: list[Verdict] = []
    for attempt, told in reports:
        if work.is_elsewhere(attempt.key, batch.gathered):
            verdicts.append(Verdict.HELD)
            continue
        row = _current(work, session, attempt, batch.gathered)
        verdicts.append(row if isinstance(row, Verdict) else step(work, session, row, batch, **told))
    recorded = verdicts.count(Verdict.TAKEN) if step is record else 0
    count(session, Counted.RESULTS, work.kind, recorded)
    refused = verdicts.count(Verdict.REFUSED) + verdicts.count(Verdict.NOT_THEIRS)
    count(session, Counted.REFUSED, work.kind, refused)
    session.flush()
    work.write_rest(session, batch.gathered)
    return verdicts


def heartbeat(
    work: WorkType[W, M, R], session: Session, row: W, batch: Batch, *, host: str, beat: int | None = None
) -> Verdict:
    """Work is alive: renew its lease. The first sign of life says that it has begun.

    Of an attempt's signs of life each must be later than those before: one that was read in the broker and is
    sent again renews nothing.
    """
    if beat is not None:
        if row.beat is not None and beat <= row.beat:
            return Verdict.DUPLICATE
        row.beat = beat
    if row.state == MatchState.PUBLISHED:
        has_news(session)  # there is room for another
    renew(row, utc_now(), batch.settings.lease_seconds)
    work.alive(session, row, plain(host, MAX_HOST_CHARS))
    return Verdict.TAKEN


def lost(
    work: WorkType[W, M, R],
    session: Session,
    row: W,
    batch: Batch,
    *,
    host: str,
    trouble: str,
    stopped: bool = False,
) -> Verdict:
    """A worker could not do it, through no bot's fault. Where it was `stopped`, that is no loss."""
    has_news(session)
    if stopped:
        _requeue(work, session, row, told_by(host, trouble))
    else:
        lose(work, session, row, told_by(host, trouble), batch.settings.max_lost)
    return Verdict.TAKEN


def record(
    work: WorkType[W, M, R], session: Session, row: W, batch: Batch, *, report: Mapping[str, Any]
) -> Verdict:
    """Write down what came of an attempt; a report that does not fit is a lost attempt."""
    has_news(session)
    try:
        fit = work.fit(row, report)
    except UnfitResultError as error:
        trouble = plain(f"{work.unfit}: {error}", MAX_TROUBLE_CHARS)
        lose(work, session, row, trouble, batch.settings.max_lost)
        return Verdict.UNFIT
    return work.write(session, row, fit, batch.gathered)


def _current(work: WorkType[W, M, R], session: Session, attempt: Attempt, gathered: Any) -> W | Verdict:
    """The row, locked, if this is a report of its present attempt, which its host has then claimed.

    Else what becomes of the report.
    """
    row, ledger = work.lock(session, attempt.key)
    if ledger is None:
        return Verdict.UNKNOWN
    if row is not None and (row.token, row.attempt) == (attempt.token, attempt.number):
        if row.state in ISSUED:
            theirs = attempt.signer is None or row.host in {None, attempt.signer}
            if theirs and work.may(row, attempt.signer, gathered):
                row.host = attempt.signer or row.host
                return row
            ledger.refused += 1
            return Verdict.NOT_THEIRS
        if row.state == MatchState.FINISHED:
            return Verdict.DUPLICATE
    ledger.refused += 1
    return Verdict.REFUSED


def reap(
    work: WorkType[W, M, R],
    session: Session,
    now: dt.datetime,
    settings: Settings,
    waiting: Callable[[], Collection[str]],
) -> int:
    """Deal with the leases that have run out; how many there were.

    What is published and whose message is still `waiting` (its token is among those) keeps waiting while
    there is a host that can do it. What has no message any more was taken by a worker that has died since,
    or was lost with the broker.
    """
    expired = work.lock_expired(session, now)
    published = any(row.state == MatchState.PUBLISHED for row in expired)
    queued = waiting() if published else ()
    can = work.served(session, settings) if published else set()
    count(session, Counted.EXPIRED, work.kind, len(expired))
    for row in expired:
        if trouble := work.overdue(row, now):
            lose(work, session, row, trouble, max_lost=0)
        elif row.state == MatchState.RUNNING:
            trouble = f"no sign of life from {row.host} for {settings.lease_seconds:g} s"
            count(session, Counted.SILENT, work.kind)
            lose(work, session, row, trouble, settings.max_lost)
        elif row.token not in queued:
            _requeue(work, session, row, GONE)
        elif work.needs(row) in can:
            renew(row, now, settings.pickup_seconds)
        else:
            _requeue(work, session, row, hosts.lacking(work.kind, work.needs(row)))
    session.flush()
    return len(expired)


def recall(
    work: WorkType[W, M, R],
    session: Session,
    tokens: Collection[str],
    states: Collection[MatchState],
    why: str,
) -> int:
    """Requeue what is given out under these tokens and is in one of these states; how much that is."""
    rows = work.lock_tokens(session, tokens, states)
    for row in rows:
        _requeue(work, session, row, why)
    session.flush()
    return len(rows)


def unsend(work: WorkType[W, M, R], session: Session, messages: Sequence[M]) -> None:
    """Requeue that of which the messages could not be sent, unless it moved on meanwhile."""
    recall(work, session, {message.token for message in messages}, (MatchState.PUBLISHED,), UNSENT)


def lose(work: WorkType[W, M, R], session: Session, row: W, trouble: str, max_lost: int) -> None:
    """Give up the present attempt at a (locked) row; park it when that was one too many."""
    row.lost += 1
    count(session, Counted.LOST, work.kind)
    row.release(MatchState.PARKED if row.lost > max_lost else MatchState.PENDING)
    work.lost(session, row, trouble)


def _requeue(work: WorkType[W, M, R], session: Session, row: W, why: str) -> None:
    """Withdraw the present attempt at a (locked) row, which is no loss."""
    row.release(MatchState.PENDING)
    work.requeued(session, row, why)


def renew(row: W, now: dt.datetime, seconds: float) -> None:
    """Wait for a sign of life until `seconds` from now."""
    row.lease_until = now + dt.timedelta(seconds=seconds)
