"""What workers report, taken in once. Only the token of the current attempt is listened to.

Every function here is one step of a transaction that the caller commits. A report that comes twice, late,
or from an attempt that was given up changes nothing but a counter.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from sqlalchemy.orm import Session

from arena import totals
from arena.coordinator.checking import MAX_HOST_CHARS, UnfitResultError, fit_result
from arena.coordinator.leases import lose, make_void, renew
from arena.coordinator.specs import match_spec
from arena.moments import utc_now
from arena.pairing.contract import Kind
from arena.settings import Settings
from arena.store import events
from arena.store import matches as match_store
from arena.store import tournaments as store
from arena.store.leases import ISSUED
from arena.store.models import Match, MatchState, Result, VoidAttempt
from workers.contract import MatchResult

MAX_TROUBLE_CHARS = 2000


class Verdict(StrEnum):
    """What became of a report."""

    TAKEN = "taken"
    DUPLICATE = "duplicate"
    REFUSED = "refused"
    UNFIT = "unfit"
    VOID = "void"
    UNKNOWN = "unknown"


def heartbeat(
    session: Session,
    match: int,
    attempt: int,
    token: str,
    *,
    host: str,
    settings: Settings,
) -> Verdict:
    """A match is alive: renew its lease. The first one says that it has begun."""
    row = _current(session, match, attempt, token)
    if isinstance(row, Verdict):
        return row
    renew(row, utc_now(), settings.lease_seconds)
    if row.state == MatchState.PUBLISHED:
        row.state = MatchState.RUNNING
        row.host = plain(host, MAX_HOST_CHARS)
        events.log(session, "match.started", match=row, attempt=attempt, host=row.host)
    session.flush()
    return Verdict.TAKEN


def lost(
    session: Session,
    match: int,
    attempt: int,
    token: str,
    *,
    host: str,
    trouble: str,
    settings: Settings,
) -> Verdict:
    """A worker could not play a match, through no bot's fault: it is to be played again, or parked."""
    row = _current(session, match, attempt, token)
    if isinstance(row, Verdict):
        return row
    told = f"{plain(host, MAX_HOST_CHARS)}: {plain(trouble, MAX_TROUBLE_CHARS)}"
    lose(session, row, told, settings.max_lost)
    session.flush()
    return Verdict.TAKEN


def record(
    session: Session,
    match: int,
    attempt: int,
    token: str,
    *,
    result: Mapping[str, Any],
    settings: Settings,
) -> Verdict:
    """Write down a result with its moves, totals and event; a result that does not fit is a lost attempt.

    One that the pressure on its host explains is void: its evidence is kept and the match played again, once
    for every result that it comes to.
    """
    tournament_id = match_store.tournament_id(session, match)
    if tournament_id is None:
        return Verdict.UNKNOWN
    tournament = store.lock(session, tournament_id)
    row = _current(session, match, attempt, token)
    if isinstance(row, Verdict):
        return row
    try:
        fit = fit_result(result, match_spec(row))
    except UnfitResultError as error:
        trouble = f"the reported result does not fit: {error}"
        lose(session, row, plain(trouble, MAX_TROUBLE_CHARS), settings.max_lost)
        session.flush()
        return Verdict.UNFIT
    if fit.void and not _was_void(row):
        _void(session, row, fit)
        return Verdict.VOID
    _write(session, row, fit)
    tournament.revision += 1
    session.flush()
    return Verdict.TAKEN


def _current(session: Session, match: int, attempt: int, token: str) -> Match | Verdict:
    """The match, locked, if this is a report of its present attempt; else what becomes of the report."""
    if match_store.tournament_id(session, match) is None:
        return Verdict.UNKNOWN
    row = match_store.lock(session, match)
    ours = row.token is not None and row.token == token and row.attempt == attempt
    if ours and row.state in ISSUED:
        return row
    if ours and row.state == MatchState.FINISHED:
        return Verdict.DUPLICATE
    row.refused += 1
    session.flush()
    return Verdict.REFUSED


def _was_void(match: Match) -> bool:
    """Whether an attempt was void since the match's last result, if it had one that counts no more."""
    before = max((each.attempt for each in match.superseded), default=0)
    return any(each.attempt > before for each in match.voids)


def _void(session: Session, match: Match, result: MatchResult) -> None:
    told = result.model_dump(mode="json")
    session.add(
        VoidAttempt(
            match_id=match.id,
            attempt=match.attempt,
            forfeits=told["forfeits"],
            seats=told["seats"],
            host=result.host,
            recorded_at=utc_now(),
        )
    )
    make_void(session, match, result.reason)
    session.flush()


def _write(session: Session, match: Match, result: MatchResult) -> None:
    first_half_points, second_half_points = result.half_points
    told = result.model_dump(mode="json")
    row = Result(
        match_id=match.id,
        attempt=match.attempt,
        winner=result.winner,
        reason=result.reason,
        first_score=result.score[0],
        second_score=result.score[1],
        first_half_points=first_half_points,
        second_half_points=second_half_points,
        forfeits=told["forfeits"],
        seats=told["seats"],
        host=result.host,
        host_speed=result.host_speed,
        recorded_at=utc_now(),
        kind=Kind.PLAYED,
    )
    session.add(row)
    match_store.insert_moves(
        session, [{"match_id": match.id, **move, **move.pop("strain")} for move in told["moves"]]
    )
    totals.add(session, match, row)
    match.state = MatchState.FINISHED
    match.lease_until = None
    match.host = result.host
    match.trouble = None
    events.log(
        session,
        "match.recorded",
        match=match,
        attempt=match.attempt,
        winner=result.winner,
        reason=result.reason,
    )


def plain(text: str, limit: int) -> str:
    """`text` as any database can hold it."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")[:limit]
