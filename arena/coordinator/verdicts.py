"""What workers report about submission checks, taken in once. Only the current token is listened to.

Every function here is one step of a transaction that the caller commits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from sqlalchemy.orm import Session

from arena.coordinator import checks
from arena.coordinator.checking import MAX_HOST_CHARS, UnfitResultError
from arena.coordinator.leases import renew
from arena.coordinator.recording import MAX_TROUBLE_CHARS, Verdict, plain
from arena.moments import utc_now
from arena.settings import Settings
from arena.store import checks as store
from arena.store import events
from arena.store.leases import ISSUED
from arena.store.models import Check, MatchState, VersionState
from workers.check_contract import STEPS, CheckReport, Step

MAX_REPORT_CHARS = 1_000_000


def heartbeat(
    session: Session, check: int, attempt: int, token: str, *, host: str, settings: Settings
) -> Verdict:
    """A check is alive: renew its lease."""
    row = _current(session, check, attempt, token)
    if isinstance(row, Verdict):
        return row
    renew(row, utc_now(), settings.lease_seconds)
    row.state = MatchState.RUNNING
    row.host = plain(host, MAX_HOST_CHARS)
    session.flush()
    return Verdict.TAKEN


def lost(
    session: Session, check: int, attempt: int, token: str, *, host: str, trouble: str, settings: Settings
) -> Verdict:
    """A worker could not do a check, through no fault of the bot."""
    row = _current(session, check, attempt, token)
    if isinstance(row, Verdict):
        return row
    told = f"{plain(host, MAX_HOST_CHARS)}: {plain(trouble, MAX_TROUBLE_CHARS)}"
    checks.lose(session, row, told, settings.max_lost)
    session.flush()
    return Verdict.TAKEN


def record(
    session: Session,
    check: int,
    attempt: int,
    token: str,
    *,
    report: Mapping[str, Any],
    settings: Settings,
) -> Verdict:
    """Write down a verdict; one that does not fit is a lost attempt."""
    row = _current(session, check, attempt, token)
    if isinstance(row, Verdict):
        return row
    try:
        fit = fit_report(report, row)
    except UnfitResultError as error:
        trouble = plain(f"the reported verdict does not fit: {error}", MAX_TROUBLE_CHARS)
        checks.lose(session, row, trouble, settings.max_lost)
        session.flush()
        return Verdict.UNFIT
    row.state = MatchState.FINISHED
    row.lease_until = None
    row.trouble = None
    row.report = fit.model_dump(mode="json")
    row.recorded_at = utc_now()
    row.version.state = VersionState.PASSED if fit.passed else VersionState.FAILED
    bot, number = row.version.bot.name, row.version.number
    events.log(session, "check.recorded", bot=bot, version=number, passed=fit.passed, code=fit.code)
    session.flush()
    return Verdict.TAKEN


def fit_report(payload: Mapping[str, Any], check: Check) -> CheckReport:
    """The report in `payload`, checked against the check.

    Raises:
        UnfitResultError: it is no report, or none of this check.
    """
    try:
        report = CheckReport.model_validate(payload)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise UnfitResultError(f"no report: {first['msg']} at {first['loc']}") from None
    text = report.model_dump_json()
    if len(text) > MAX_REPORT_CHARS or r"\u0000" in text:
        raise UnfitResultError("it is too long, or contains NUL")
    if (report.check, report.language) != (str(check.version_id), check.version.language):
        raise UnfitResultError("it is of another check")
    if report.passed == (report.code is not None):
        raise UnfitResultError("it has a fault and passed, or neither")
    done = [(step.step, step.game) for step in report.steps if step.passed]
    parts: list[tuple[Step, str | None]] = [(Step.BUILD, None)]
    parts += [(step, game) for game in check.version.games for step in STEPS]
    if done != parts[: len(parts) if report.passed else len(done)]:
        raise UnfitResultError("its parts are not those of the check")
    return report


def _current(session: Session, check: int, attempt: int, token: str) -> Check | Verdict:
    """The check, locked, if this is a report of its present attempt; else what becomes of the report."""
    row = store.lock(session, check)
    if row is None:
        return Verdict.UNKNOWN
    ours = row.token is not None and row.token == token and row.attempt == attempt
    if ours and row.state in ISSUED:
        return row
    if ours and row.state == MatchState.FINISHED:
        return Verdict.DUPLICATE
    row.refused += 1
    session.flush()
    return Verdict.REFUSED
