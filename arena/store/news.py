"""Queries for what is new to a team. Each finds its rows by an index, however long the log is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnClause, case, func, literal_column, or_, select
from sqlalchemy.orm import Session

from arena.core.terms import VersionState
from arena.store import teams
from arena.store.models import Bot, BotVersion, Check, Entry, Event, Tournament
from arena.store.models.event_types import EventKind
from arena.store.teams import Sought

HAPPENED = (
    EventKind.ANNOUNCEMENT,
    EventKind.TOURNAMENT_OPEN,
    EventKind.TOURNAMENT_RUNNING,
    EventKind.TOURNAMENT_FINISHED,
    EventKind.TOURNAMENT_CANCELLED,
    EventKind.TOURNAMENT_FROZEN,
    EventKind.TOURNAMENT_REVEALED,
)
"""What is news of a tournament."""
ANNOUNCEMENT: ColumnClause[str] = literal_column(f"'{EventKind.ANNOUNCEMENT}'")
"""As the index of announcements has it."""


class Concern(NamedTuple):
    """A tournament that concerns a team; of the freeze, the number of its event."""

    id: int
    name: str
    title: str | None
    freeze_event: int | None


class Results(NamedTuple):
    """What a bot's games in a tournament came to, those that are new or those of before."""

    bot: str
    tournament_id: int
    is_new: bool
    won: int
    drawn: int
    lost: int
    at: dt.datetime


class Verdict(NamedTuple):
    """What came of a check."""

    bot: str
    version: int
    state: VersionState
    at: dt.datetime


class Happening(NamedTuple):
    """An event of the log."""

    number: int
    at: dt.datetime
    kind: EventKind
    tournament_id: int | None
    data: dict[str, Any]


def concerns(session: Session, bot_ids: Collection[int], class_id: int | None, limit: int) -> list[Concern]:
    """The newest tournaments that a team takes part in, may enter, or that are for its class."""
    entered = select(Entry.tournament_id).where(Entry.bot_id.in_(bot_ids))
    theirs = or_(Tournament.id.in_(entered), teams.is_open(class_id))
    if class_id is not None:
        theirs = or_(theirs, Tournament.class_id == class_id)
    query = select(Tournament.id, Tournament.name, Tournament.title, Tournament.freeze_event).where(theirs)
    rows = session.execute(query.order_by(Tournament.id.desc()).limit(limit))
    return [Concern(*row) for row in rows]


def results(
    session: Session, bot_ids: Collection[int], since: dt.datetime | None, *, only_new: bool
) -> list[Results]:
    """What the games of some bots came to, by bot and tournament; what is newer than `since` apart.

    There is nothing of a tournament that is frozen to its teams too.
    """
    sides = teams.sides(bot_ids, Sought(since=since if only_new else None)).subquery()
    is_new: Any = case((sides.c.recorded_at > since, 1), else_=0) if since else literal_column("1")
    listed = select(sides, is_new.label("is_new")).subquery()
    outcomes = [func.sum(case((listed.c.half_points == each, 1), else_=0)) for each in (2, 1, 0)]
    groups = (listed.c.bot_id, listed.c.tournament_id, listed.c.is_new)
    counted = select(*groups, *outcomes, func.max(listed.c.recorded_at)).group_by(*groups).subquery()
    query = select(Bot.name, *list(counted.c)[1:]).join(Bot, Bot.id == counted.c.bot_id)
    return [Results(row[0], row[1], bool(row[2]), *row[3:]) for row in session.execute(query)]


def verdicts(session: Session, bot_ids: Collection[int], limit: int) -> list[Verdict]:
    """What came of the last checks of some bots' versions."""
    query = select(Bot.name, BotVersion.number, BotVersion.state, Check.recorded_at)
    query = query.select_from(BotVersion).join(Bot).join(Check, Check.version_id == BotVersion.id)
    query = query.where(BotVersion.bot_id.in_(bot_ids), Check.recorded_at.is_not(None))
    query = query.where(BotVersion.state != VersionState.CHECKING).order_by(Check.recorded_at.desc())
    rows: Sequence[Any] = session.execute(query.limit(limit)).all()
    return [Verdict(*row) for row in rows]


def happened(session: Session, tournaments: Collection[int], limit: int) -> list[Happening]:
    """The newest announcements and changes of state of some tournaments."""
    query = _events().where(Event.tournament_id.in_(tournaments), Event.kind.in_(HAPPENED))
    return _read(session, query, limit)


def announced(session: Session, class_id: int | None, limit: int) -> list[Happening]:
    """The newest announcements that are about no tournament: to everybody, and to a class."""
    everybody = _events().where(Event.kind == ANNOUNCEMENT, Event.tournament_id.is_(None))
    found = _read(session, everybody, limit)
    return found if class_id is None else found + announced_to_class(session, class_id, 0, limit)


def announced_to_class(session: Session, class_id: int, offset: int, limit: int) -> list[Happening]:
    """A part of what was announced to a class, newest first."""
    query = _events().where(Event.class_id == class_id, Event.kind == EventKind.CLASS_ANNOUNCED)
    return _read(session, query.offset(offset), limit)


def count_announced_to_class(session: Session, class_id: int) -> int:
    """How many announcements a class has had."""
    query = select(func.count()).select_from(Event).where(Event.class_id == class_id)
    return session.scalar(query.where(Event.kind == EventKind.CLASS_ANNOUNCED)) or 0


def _events() -> Any:
    return select(Event.id, Event.at, Event.kind, Event.tournament_id, Event.data)


def _read(session: Session, query: Any, limit: int) -> list[Happening]:
    rows: Sequence[Any] = session.execute(query.order_by(Event.id.desc()).limit(limit)).all()
    return [Happening(*row) for row in rows]
