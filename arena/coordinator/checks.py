"""Submission checks, as work that is given out.

A check that was lost too often is not the bot's fault: its version is as it was before, or unchecked, until
somebody asks anew. The same goes for one that was not over in time, whatever its worker says: it would take
as long again.

Few wait in the queues, so that the owners' turns count (`arena.store.checks.lock_pending`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from sqlalchemy.orm import Session

from arena.coordinator.leases import Verdict, WorkType
from arena.coordinator.messages import CheckMessage
from arena.coordinator.result_validation import require, unreadable
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import MatchState, VersionState
from arena.store import checks as store
from arena.store import events
from arena.store.models import Check
from arena.store.models.event_types import CheckLost, CheckRecorded
from arena.submissions.checks import fall_back
from workers.checks.contract import STEPS, CheckReport, CheckSpec, Step
from workers.core.contract import BotRef
from workers.programs.runtimes.languages import plain
from workers.programs.serving import CHECKS

WINDOW = 2
"""So many checks with the same needs wait for a worker."""
MAX_REPORT_CHARS = 1_000_000


class Checks(WorkType[Check, CheckMessage, CheckReport]):
    """Given out in the owners' turns; an attempt that has begun must be over in time."""

    kind = CHECKS
    model = Check
    unfit = "the reported verdict does not fit"

    def publishable(self, session: Session, settings: Settings) -> bool:
        """Whether there is a check to give out that a host can do, and room for it."""
        return bool(self._rooms(session, settings))

    def _rooms(self, session: Session, settings: Settings) -> dict[str, int]:
        """How many checks may be given out, by their needs, where there are any that a host can do."""
        pending = store.counts(session, MatchState.PENDING)
        if not pending:
            return {}
        published = store.counts(session, MatchState.PUBLISHED)
        able = self.served(session, settings)
        rooms = {each: WINDOW - published.get(each, 0) for each in pending.keys() & able}
        return {each: room for each, room in sorted(rooms.items()) if room > 0}

    def due(self, session: Session, settings: Settings) -> Sequence[Check]:
        """The next checks of all needs that hosts can serve."""
        rooms = self._rooms(session, settings).items()
        return [check for each, room in rooms for check in store.lock_pending(session, each, room)]

    def issued(self, session: Session, row: Check, token: str) -> CheckMessage:
        """The message has the whole spec, the same for every attempt."""
        del session
        return CheckMessage(check_spec(row), row.attempt, token, row.needs)

    def gather(self, session: Session, keys: Sequence[tuple[int, ...]], *, counting: bool) -> object:
        """The checks."""
        del counting
        return store.lock_all(session, [number for (number,) in keys])

    def lock(self, session: Session, key: tuple[int, ...]) -> tuple[Check | None, Check | None]:
        """The check of the version of that id, which keeps its own ledger."""
        check = session.get(Check, key)
        return check, check

    def needs(self, row: Check) -> str:
        """That of the bot."""
        return row.needs

    def alive(self, session: Session, row: Check, host: str) -> None:
        """The lease is not renewed beyond the moment at which the check must be over."""
        super().alive(session, row, host)
        if row.ends_at is None:
            row.ends_at = utc_now() + dt.timedelta(seconds=check_spec(row).most_seconds)
        row.lease_until = min(row.lease_until or row.ends_at, row.ends_at)

    def overdue(self, row: Check, now: dt.datetime) -> str | None:
        """A check that is not over although it must be is given up for good."""
        if row.ends_at is None or row.ends_at >= now:
            return None
        return f"the check was not over after {check_spec(row).most_seconds} s; have it checked again"

    def lost(self, session: Session, row: Check, trouble: str) -> None:
        """The check is to be done again, or its version is as it was before."""
        row.trouble = trouble
        if row.state == MatchState.PARKED:
            fall_back(row.version)
        bot, number = row.version.bot.name, row.version.number
        events.log(session, CheckLost(bot, number, row.attempt, trouble))

    def fit(self, row: Check, report: Mapping[str, Any]) -> CheckReport:
        """The verdict, whose parts are those of the check."""
        return fit_report(report, row)

    def write(self, session: Session, row: Check, fit: CheckReport, gathered: Any) -> Verdict:
        """Write down a verdict, and what it means for the version."""
        del gathered
        row.finish()
        row.trouble = None
        row.report = fit.model_dump(mode="json")
        row.recorded_at = utc_now()
        row.version.state = VersionState.PASSED if fit.passed else VersionState.FAILED
        bot, number = row.version.bot.name, row.version.number
        events.log(session, CheckRecorded(bot, number, fit.passed, fit.code))
        return Verdict.TAKEN


WORK = Checks()


def check_spec(check: Check) -> CheckSpec:
    """What a worker is told about a check; the same for every attempt."""
    version = check.version
    bot = BotRef(name=version.bot.name, version=version.number, archive=version.archive)
    return CheckSpec(check=str(check.version_id), bot=bot, games=tuple(version.games))


def fit_report(payload: Mapping[str, Any], check: Check) -> CheckReport:
    """The report in `payload`, checked against the check, of the host that has it in hand, if one has.

    Raises:
        UnfitResultError: it is no report, or none of this check.
    """
    try:
        report = CheckReport.model_validate(payload)
    except ValidationError as error:
        raise unreadable("report", error) from None
    report = report.model_copy(update={"host": check.host or report.host})
    text = report.model_dump_json()
    require(len(text) <= MAX_REPORT_CHARS and r"\u0000" not in text, "it is too long, or contains NUL")
    own = (str(check.version_id), plain(check.version.language))
    require((report.check, report.language) == own, "it is of another check")
    require(report.passed == (report.code is None), "it has a fault and passed, or neither")
    done = [(step.step, step.game) for step in report.steps if step.passed]
    parts: list[tuple[Step, str | None]] = [(Step.BUILD, None)]
    parts += [(step, game) for game in check.version.games for step in STEPS]
    expected = parts if report.passed else parts[: len(done)]
    require(done == expected, "its parts are not those of the check")
    return report
