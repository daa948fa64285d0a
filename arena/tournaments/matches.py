"""Single matches: finding one, and what the staff decides about a parked one."""

from __future__ import annotations

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import ConflictError, NotFoundError, Term
from arena.core.names import could_count
from arena.core.terms import MatchState
from arena.schemas.plans import BRACKETS, SWISS
from arena.store import events, freezes, operations
from arena.store import matches as store
from arena.store import tournaments as tournament_store
from arena.store.models import Match, Tournament, User
from arena.store.models.event_types import MatchDropped, MatchRetried

MAX_AT_ONCE = 1000


def get(session: Session, tournament: Tournament, number: int) -> Match:
    """A match by its number in the tournament.

    Raises:
        NotFoundError: there is none.
    """
    match = _find(session, tournament, number)
    if match is None:
        raise NotFoundError(
            "%(tournament)r has no match %(number)s", tournament=tournament.name, number=number
        )
    return match


def get_shown(session: Session, user: User, tournament: Tournament, number: int) -> Match:
    """The same for who may know by now what came of it: in a freeze, where that was chosen, its two teams.

    Of other numbers they are told the same whether there is such a match or not: how many there are tells
    how far the tournament is.

    Raises:
        NotFoundError: there is none, or the tournament is frozen to the user.
    """
    if permissions.runs(user, tournament) or not freezes.hiding(session, [tournament.id]):
        return get(session, tournament, number)
    match = _find(session, tournament, number) if tournament.shows_own else None
    if match is None or not permissions.plays_in(user, match):
        raise NotFoundError(
            "%(tournament)r is frozen; its matches are shown when the results are revealed",
            tournament=tournament.name,
        )
    return match


def _find(session: Session, tournament: Tournament, number: int) -> Match | None:
    return store.by_number(session, tournament, number) if could_count(number) else None


def retry(session: Session, actor: User, match: Match) -> None:
    """Put a parked match back among those to be played, its losses forgotten.

    Raises:
        ConflictError: it is not parked.
    """
    _put_back(session, actor, _parked(session, match, "retried"))
    session.flush()


def retry_all(session: Session, actor: User, tournament: Tournament) -> int:
    """Put all parked matches of a tournament back among those to be played; how many those were.

    At most so many at a time as one transaction may take; the rest stays parked.

    Raises:
        ConflictError: none is parked.
    """
    tournament = tournament_store.lock(session, tournament.id)
    rows = operations.lock_parked(session, tournament, MAX_AT_ONCE)
    if not rows:
        raise ConflictError("%(tournament)r has no parked match", tournament=tournament.name)
    for match in rows:
        _put_back(session, actor, match)
    session.flush()
    return len(rows)


def _put_back(session: Session, actor: User, match: Match) -> None:
    match.state = MatchState.PENDING
    match.lost = 0
    match.trouble = None
    events.log(session, MatchRetried(), actor=actor, match=match)


def drop(session: Session, actor: User, match: Match, reason: str) -> None:
    """Call a parked match off: it counts for nobody, and its tournament ends without it.

    Raises:
        ConflictError: it is not parked, or it is one of a bracket or a Swiss, where rounds build on it.
    """
    match = _parked(session, match, "dropped")
    if match.tournament.format in BRACKETS:
        raise ConflictError(
            "match %(match)s decides who goes on; give it a result instead of dropping it", match=match.number
        )
    if match.tournament.format in SWISS:
        raise ConflictError(
            "other rounds are built on match %(match)s; give it a result instead of dropping it",
            match=match.number,
        )
    match.release(MatchState.CANCELLED)
    match.tournament.revision += 1
    session.flush()
    events.log(session, MatchDropped(reason), actor=actor, match=match)


def _parked(session: Session, match: Match, what: str) -> Match:
    tournament_store.lock(session, match.tournament_id)
    match = store.lock(session, match.id)
    if match.state != MatchState.PARKED:
        raise ConflictError(
            "match %(match)s is %(state)s; only a parked match can be %(what)s",
            match=match.number,
            state=match.state,
            what=Term(what),
        )
    return match
