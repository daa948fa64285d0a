"""Analyses of games by exact solvers: who may ask for one, how many, and what there is of a match."""

from __future__ import annotations

import datetime as dt
import math

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, ForbiddenError, NotFoundError, PendingError, TooManyError
from arena.core.terms import MatchState
from arena.store import analyses as store
from arena.store import freezes, users
from arena.store import matches as match_store
from arena.store.database import has_news, is_frozen
from arena.store.models import Analysis, Match, User
from engines.game import UnknownGameError
from engines.games import find_row

DAY = dt.timedelta(days=1)
RETRY_SECONDS = 2


def find(session: Session, match: Match) -> Analysis | None:
    """The analysis of the game that gave a match its result; none where the session sees a freeze."""
    if is_frozen(session) or match.result is None:
        return None
    row = store.find(session, match)
    return row if row is not None and row.result_attempt == match.result.attempt else None


def done(session: Session, match: Match) -> Analysis:
    """The analysis of a match, which is over.

    Raises:
        NotFoundError: nobody has asked for it.
        PendingError: it is under way.
        ConflictError: it was given up.
    """
    row = find(session, match)
    if row is None:
        raise NotFoundError(
            "nobody has had match %(match)s analysed; whoever has an account may ask for it",
            match=match.number,
        )
    if row.state == MatchState.PARKED:
        raise ConflictError(
            "the analysis of match %(match)s was given up after %(lost)s attempts; ask for it again",
            match=match.number,
            lost=row.lost,
        )
    if row.state != MatchState.FINISHED:
        raise PendingError(f"match {match.number} is being analysed", RETRY_SECONDS)
    return row


def is_offered(session: Session, match: Match) -> bool:
    """Whether a match has a game that could be analysed, as far as the session sees it."""
    return not is_frozen(session) and match.result is not None and has_solver(match)


def has_solver(match: Match) -> bool:
    """Whether the rules of its game are here as they were played by, and bring a solver."""
    try:
        row = find_row(match.tournament.game)
    except UnknownGameError:
        return False
    return row.solver is not None and row.rules.version == match.tournament.game_version


def ask(session: Session, actor: User, match: Match, most: int) -> Analysis:
    """Have the game of a match analysed, of which somebody may have `most` in a day; or what there is of it.

    Raises:
        NotFoundError: the tournament is frozen to the actor.
        ConflictError: there is no game yet, or no solver for it.
        ForbiddenError, TooManyError: the actor may not have one more now.
    """
    _require_shown(session, actor, match)
    match = match_store.lock(session, match.id)
    session.refresh(match, ["result"])
    result = match.result
    if result is None or not match_store.moves(session, match):
        raise ConflictError(
            "match %(match)s has no game to be analysed: it is %(state)s",
            match=match.number,
            state=match.state,
        )
    if not has_solver(match):
        raise ConflictError("there is no solver here for %(game)s", game=match.tournament.game)
    row = store.find(session, match, lock=True)
    if row is not None and row.result_attempt == result.attempt and row.state != MatchState.PARKED:
        return row
    _require_allowance(session, actor, most)
    if row is None:
        row = Analysis(match_id=match.id)
        session.add(row)
    row.release(MatchState.PENDING)
    row.result_attempt, row.asked_by, row.created_at = result.attempt, actor.id, utc_now()
    row.attempt, row.lost, row.refused = row.attempt or 0, 0, row.refused or 0
    row.answer = row.trouble = None
    session.flush()
    has_news(session)
    return row


def _require_shown(session: Session, actor: User, match: Match) -> None:
    """Let go on whoever sees the match as it is: a frozen tournament is analysed for nobody else."""
    tournament = match.tournament
    if not freezes.hiding(session, [tournament.id]) or permissions.runs(actor, tournament):
        return
    if tournament.shows_own and any(
        permissions.opens(actor, each.version.bot) for each in (match.first, match.second)
    ):
        return
    raise NotFoundError(
        "%(tournament)r is frozen; its matches are shown when the results are revealed",
        tournament=tournament.name,
    )


def _require_allowance(session: Session, actor: User, most: int) -> None:
    """Let go on who may have one more; their other orders wait until this transaction ends.

    Raises:
        ForbiddenError: nothing is analysed here.
        TooManyError: there were as many as may be in a day; with when there is one again.
    """
    if permissions.is_admin(actor):
        return
    if most == 0:
        raise ForbiddenError("no games are analysed on this arena")
    users.lock(session, actor)
    now = utc_now()
    used, first = store.asked_since(session, actor.id, now - DAY)
    if used >= most and first is not None:
        again = first + DAY
        raise TooManyError(
            "you have had as many games analysed as may be in 24 hours (%(most)s): ask again from"
            " %(moment)s UTC on",
            max(1, math.ceil((again - now).total_seconds())),
            most=most,
            moment=f"{again:%Y-%m-%d %H:%M}",
        )
