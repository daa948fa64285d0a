"""Freezing a tournament, and showing what was hidden; how it is hidden is in `arena.store.freezes`."""

from __future__ import annotations

import datetime as dt

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError
from arena.core.terms import Act
from arena.store import events, freezes
from arena.store import timetables as moment_store
from arena.store import tournaments as store
from arena.store.models import Tournament, User
from arena.store.models.freeze_events import RevealMoved


def freeze(session: Session, actor: User, tournament: Tournament, *, own: bool) -> None:
    """Hide from now on all results from the public; teams see their own matches with `own`.

    A freeze that the timetable had in mind is done with that.

    Raises:
        ConflictError: it is frozen already, or not being played.
    """
    tournament = store.lock(session, tournament.id)
    if tournament.frozen_at is not None:
        raise ConflictError(
            "%(tournament)r is frozen already, since %(moment)s",
            tournament=tournament.name,
            moment=_told(tournament),
        )
    require_hideable(tournament)
    moment = moment_store.of_act(session, tournament.id, Act.FREEZE)
    if moment is not None and moment.done_at is None:
        session.delete(moment)
    freezes.freeze(session, tournament, actor=actor, at=utc_now(), own=own)


def reveal(session: Session, actor: User, tournament: Tournament) -> None:
    """Show everybody all results, at once.

    Raises:
        ConflictError: it is not frozen.
    """
    tournament = _frozen(session, tournament)
    freezes.lift(session, tournament, actor=actor)


@events.one_act
def go_to(
    session: Session, actor: User, tournament: Tournament, step: int, *, now_at: int, last: int
) -> None:
    """Take the reveal from one step to another; at the last one everybody sees all results.

    Whoever is at another step by now, as two presses of a key may come at once, is left where they are.

    Raises:
        ConflictError: it is not frozen, or still being played.
    """
    tournament = _frozen(session, tournament)
    if tournament.state in freezes.HIDEABLE:
        raise ConflictError(
            "%(tournament)r is still being played; its results are revealed step by step when all are there",
            tournament=tournament.name,
        )
    if tournament.reveal_step != now_at or not 0 <= step <= last or step == now_at:
        return
    tournament.reveal_step = step
    events.log(session, RevealMoved(step), actor=actor, tournament=tournament)
    if step == last:
        freezes.lift(session, tournament, actor=actor)
    session.flush()


def require_hideable(tournament: Tournament) -> None:
    """Let nothing be frozen in which there is nothing to hide.

    Raises:
        ConflictError: it is not being played.
    """
    if tournament.state not in freezes.HIDEABLE:
        raise ConflictError(
            "%(tournament)r is %(state)s; only a tournament that is being played can be frozen",
            tournament=tournament.name,
            state=tournament.state,
        )


def require_thawed(actor: User, tournament: Tournament) -> None:
    """Let nobody but its staff change a frozen tournament: what came of it would tell how far it is.

    Raises:
        ConflictError: it is frozen.
    """
    if tournament.frozen_at is not None and not permissions.runs(actor, tournament):
        raise ConflictError(
            "%(tournament)r is frozen since %(moment)s; ask its staff, or wait for the reveal",
            tournament=tournament.name,
            moment=_told(tournament),
        )


def require_unclosed(
    session: Session, actor: User, tournament: Tournament, asked_at: dt.datetime | None = None
) -> None:
    """Let teams enter nothing after the moment at which the timetable closes the entries.

    What was `asked_at` an earlier time, and not now, is in time if it was then.

    Raises:
        ConflictError: it has come.
    """
    moment, asked_at = moment_store.of_act(session, tournament.id, Act.CLOSE), asked_at or utc_now()
    if moment is not None and moment.at <= asked_at and not permissions.runs(actor, tournament):
        raise ConflictError(
            "%(tournament)r takes no entries since %(at)s UTC; ask its staff",
            tournament=tournament.name,
            at=f"{moment.at:%Y-%m-%d %H:%M}",
        )


def _frozen(session: Session, tournament: Tournament) -> Tournament:
    tournament = store.lock(session, tournament.id)
    if tournament.frozen_at is None:
        raise ConflictError(
            "%(tournament)r is not frozen: everybody sees all of its results", tournament=tournament.name
        )
    return tournament


def _told(tournament: Tournament) -> str:
    return f"{tournament.frozen_at:%Y-%m-%d %H:%M:%S} UTC"
