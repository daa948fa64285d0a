"""Freezes: what the public is shown of a tournament stays as it was, whatever is recorded afterwards.

A freeze copies all rows of a tournament into tables of their own. A session from `Database.frozen` has
views of these under the names of the tables that they copy, so that every query of tables, lists and exports
answers from the copies without knowing of it, and can find nothing that came later.

Whoever locks a tournament whose moment to be frozen has come freezes it first (`store.tournaments`): so no
result is ever recorded after that moment for everybody to see, also while nobody keeps the timetable.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import ColumnElement, Table, delete, func, insert, select, update
from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.terms import Act, TournamentState
from arena.store import events
from arena.store.database import OPEN_FROZEN, is_frozen
from arena.store.event_log import Progress
from arena.store.models import FROZEN, Base, Match, Moment, Result, Tournament, User
from arena.store.models.freeze_events import TimetableDone, TournamentFrozen, TournamentRevealed

HIDEABLE = (TournamentState.RUNNING, TournamentState.PAUSED)
"""The states in which there are results to come that can be hidden."""


def freeze(
    session: Session, tournament: Tournament, *, actor: User | None, at: dt.datetime, own: bool
) -> None:
    """Keep for the public what a (locked) tournament shows now; with `own` teams see their own matches."""
    last = select(func.max(Result.recorded_at)).join(Match, Match.id == Result.match_id)
    latest = session.scalar(last.where(Match.tournament_id == tournament.id))
    tournament.frozen_at = max(each for each in (at, tournament.started_at, latest) if each is not None)
    tournament.freezes_at, tournament.shows_own, tournament.reveal_step = None, own, 0
    tournament.revision += 1
    event = events.log(
        session, TournamentFrozen(tournament.frozen_at.isoformat()), actor=actor, tournament=tournament
    )
    session.flush()
    tournament.freeze_event = event.id
    session.flush()
    for name, copy in FROZEN.items():
        table = Base.metadata.tables[name]
        columns = [table.columns[each.name] for each in copy.columns]
        rows = select(*columns).where(_of(table, tournament.id, Base.metadata.tables))
        session.execute(insert(copy).from_select([each.name for each in copy.columns], rows))


def lift(session: Session, tournament: Tournament, *, actor: User | None) -> None:
    """Show the public a (locked) frozen tournament as it is.

    No revision of what was kept comes again: should it be frozen anew, other things are kept by greater ones.
    """
    copy = FROZEN["tournaments"].c
    shown = session.scalar(select(copy.revision).where(copy.id == tournament.id))
    for name in reversed(FROZEN):
        session.execute(delete(FROZEN[name]).where(_of(FROZEN[name], tournament.id, FROZEN)))
    tournament.frozen_at = tournament.freeze_event = None
    tournament.reveal_step = 0
    tournament.revision = max(tournament.revision, shown or 0) + 1
    events.log(session, TournamentRevealed(), actor=actor, tournament=tournament)
    session.flush()


def in_time(session: Session, tournament: Tournament) -> Tournament:
    """The (locked) tournament, which is frozen by now if its moment for that has come."""
    now = utc_now()
    if tournament.freezes_at is not None and tournament.freezes_at <= now and tournament.state in HIDEABLE:
        at = tournament.freezes_at
        with events.act(session):
            events.log(session, TimetableDone(Act.FREEZE), tournament=tournament)
            freeze(session, tournament, actor=None, at=at, own=tournament.shows_own)
        done = update(Moment).where(Moment.tournament_id == tournament.id, Moment.act == Act.FREEZE)
        session.execute(done.values(done_at=now, trouble=None))
    return tournament


def announce_change(session: Session, tournament: Tournament) -> None:
    """Let what the public is told of a (locked) frozen tournament's timetable be told anew."""
    copy = FROZEN["tournaments"]
    grown = update(copy).where(copy.c.id == tournament.id).values(revision=copy.c.revision + 1)
    session.execute(grown)


def retitle(session: Session, tournament: Tournament) -> None:
    """Let what the public is told of a (locked) frozen tournament stand under its present title."""
    copy = FROZEN["tournaments"]
    told = update(copy).where(copy.c.id == tournament.id)
    session.execute(told.values(title=tournament.title, revision=copy.c.revision + 1))


def is_kept(session: Session, name: str) -> bool:
    """Whether there is something kept of a tournament of that name."""
    copy = FROZEN["tournaments"]
    return session.scalar(select(copy.c.id).where(copy.c.name == name)) is not None


def is_hiding(session: Session, name: str) -> bool:
    """Whether a tournament of that name is frozen."""
    query = select(Tournament.id).where(Tournament.name == name, Tournament.frozen_at.is_not(None))
    return session.scalar(query) is not None


def hiding(session: Session, tournaments: Collection[int]) -> frozenset[int]:
    """Which of these tournaments are frozen, or are to be by now."""
    due = Tournament.freezes_at <= utc_now()
    query = select(Tournament.id).where(Tournament.id.in_(tournaments))
    return frozenset(session.scalars(query.where(Tournament.frozen_at.is_not(None) | due)))


def progress(session: Session, tournaments: Collection[int]) -> dict[int, Progress]:
    """How far those of these tournaments that are frozen were."""
    copy = FROZEN["tournaments"].c
    query = select(
        *(copy.id, copy.name, copy.state, copy.revision),
        *(copy.matches_total, copy.matches_finished, copy.matches_cancelled),
    ).where(copy.id.in_(tournaments))
    return {row[0]: Progress(*row[1:]) for row in session.execute(query)}


def count_ended(session: Session) -> int:
    """How many tournaments have ended behind a freeze: others must not be told so by forecasts."""
    copy = FROZEN["tournaments"].c
    query = select(func.count()).select_from(Tournament).join(FROZEN["tournaments"], copy.id == Tournament.id)
    still = copy.state == TournamentState.RUNNING, Tournament.state != TournamentState.RUNNING
    return session.scalar(query.where(*still)) or 0


@contextmanager
def beside(session: Session) -> Iterator[Session]:
    """A session that sees frozen tournaments as the public does, of the same database."""
    if is_frozen(session):
        yield session
        return
    opened: Callable[[], Any] = session.info[OPEN_FROZEN]
    with opened() as there:
        yield there


def _of(table: Table, tournament: int, tables: Any) -> ColumnElement[bool]:
    """Which rows of a table, or of its copy, are a tournament's."""
    columns = table.columns
    if "tournament_id" in columns:
        return columns.tournament_id == tournament
    for name, key in (("match_id", "matches"), ("entry_id", "entries")):
        if name in columns:
            others = tables[key].columns
            return columns[name].in_(select(others.id).where(others.tournament_id == tournament))
    return columns.id == tournament
