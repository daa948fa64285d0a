"""Queries for erasing a person's data: what is deleted, and where names stand within other values."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Text, cast, delete, inspect, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from arena.core.terms import TournamentState
from arena.store import play
from arena.store.models import (
    FROZEN,
    Base,
    Bot,
    BotVersion,
    Entry,
    Event,
    Experiment,
    Follow,
    Grade,
    Identity,
    JoinCode,
    OpenIdRequest,
    Passkey,
    PasskeyChallenge,
    PendingEntry,
    PlayGame,
    Question,
    Scrimmage,
    SignInLink,
    Sweep,
    Token,
    Tournament,
    User,
    WebSession,
)
from arena.store.models.people import organisers

OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)
OWN: tuple[InstrumentedAttribute[Any], ...] = (
    *(WebSession.user_id, Token.user_id, SignInLink.user_id, Passkey.user_id, PasskeyChallenge.user_id),
    *(Identity.user_id, OpenIdRequest.user_id, JoinCode.team_id, Follow.user_id, Follow.team_id),
    PendingEntry.user_id,
)
"""What a row that refers to a user by it is deleted with them, in an order in which it can be."""
OF_EVENTS = frozenset({"user", "team", "bot"})
"""By these keys events name people, teams and bots."""


class Named(NamedTuple):
    """A column of JSON with names in it: everywhere, or by some keys only."""

    column: InstrumentedAttribute[Any]
    keys: frozenset[str] | None = None


NAMED = (
    Named(Event.data, OF_EVENTS),
    *(Named(column) for column in (Experiment.spec, Sweep.plan, PlayGame.seats, Grade.told)),
)


def bots(session: Session, user: User) -> Sequence[Bot]:
    """The bots of a user, the oldest first."""
    return session.scalars(select(Bot).where(Bot.owner_id == user.id).order_by(Bot.id)).unique().all()


def unfinished(session: Session, bots: Collection[int]) -> Sequence[str]:
    """The names of the tournaments that these bots are entered in and that are not over."""
    entered = select(Entry.tournament_id).where(Entry.bot_id.in_(bots))
    query = select(Tournament.name).where(Tournament.id.in_(entered), Tournament.state.not_in(OVER))
    return session.scalars(query.order_by(Tournament.id)).all()


def archives_of(session: Session, bots: Collection[int]) -> Sequence[str]:
    """The hashes of the archives that nothing but these bots refers to."""
    others = select(BotVersion.archive).where(BotVersion.bot_id.not_in(bots))
    sparring = select(Scrimmage.archive).where(Scrimmage.archive.is_not(None))
    query = select(BotVersion.archive).where(BotVersion.bot_id.in_(bots)).distinct()
    query = query.where(BotVersion.archive.not_in(others), BotVersion.archive.not_in(sparring))
    return session.scalars(query.order_by(BotVersion.archive)).all()


def forget(session: Session, user: User, bots: Collection[int]) -> None:
    """Delete all that is a person's own and no result, and take what they wrote out of what they asked."""
    for column in OWN:
        session.execute(delete(column.class_).where(column == user.id))
    session.execute(delete(organisers).where(organisers.c.user_id == user.id))
    session.execute(delete(PendingEntry).where(PendingEntry.bot_id.in_(bots)))
    play.delete_of(session, user)
    session.execute(update(Question).where(Question.user_id == user.id).values(text="—"))
    session.execute(update(BotVersion).where(BotVersion.bot_id.in_(bots)).values(filename="bot.zip"))


def tell_anew(session: Session, bots: Collection[int]) -> None:
    """Let what is told of the tournaments of these bots be told anew, frozen ones to the public, too."""
    entered = select(Entry.tournament_id).where(Entry.bot_id.in_(bots))
    for tables in (Base.metadata.tables, FROZEN):
        cups, entries = tables["tournaments"], tables["entries"]
        session.execute(update(cups).where(cups.c.id.in_(entered)).values(revision=cups.c.revision + 1))
        now = select(cups.c.revision).where(cups.c.id == entries.c.tournament_id).scalar_subquery()
        session.execute(update(entries).where(entries.c.bot_id.in_(bots)).values(revision=now))


def rename(session: Session, names: Mapping[str, str]) -> None:
    """Put other names in the place of some where these stand within a row, also before `@` and a version."""
    for column, keys in NAMED:
        text = cast(column, Text)
        starts = {json.dumps(name, ensure_ascii=ascii_)[:-1] for name in names for ascii_ in (True, False)}
        key = inspect(column.class_).primary_key
        query = select(*key, column).where(or_(*(text.contains(start, autoescape=True) for start in starts)))
        for *number, told in session.execute(query).all():
            changed = _renamed(told, names, keys)
            if changed != told:
                place = [part == value for part, value in zip(key, number, strict=True)]
                session.execute(update(column.class_).where(*place).values({column.key: changed}))


def _renamed(told: Any, names: Mapping[str, str], keys: frozenset[str] | None, key: str = "") -> Any:
    if isinstance(told, dict):
        return {name: _renamed(value, names, keys, name) for name, value in told.items()}
    if isinstance(told, list):
        return [_renamed(value, names, keys, key) for value in told]
    if not isinstance(told, str) or (keys is not None and key not in keys):
        return told
    name, at, version = told.partition("@")
    return names[name] + at + version if name in names else told
