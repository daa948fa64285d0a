"""Queries for the teams that somebody follows, and for what of these is news."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import delete, exists, func, select
from sqlalchemy.orm import Session, aliased

from arena.store.models import Bot, BotVersion, Follow, User


class Followed(NamedTuple):
    """A team that somebody follows, since when, and its bots."""

    team: str
    since: dt.datetime
    bots: tuple[str, ...]


class Towards(NamedTuple):
    """A team by its name: whether it is one's own, and whether one follows it."""

    team: str
    own: bool
    followed: bool


class Submitted(NamedTuple):
    """A version that was handed in."""

    bot: str
    team: str
    version: int
    at: dt.datetime


def of_user(session: Session, user: User) -> list[Followed]:
    """The teams that somebody follows, in the order of their names."""
    query = select(User.id, User.name, Follow.created_at).join(User, User.id == Follow.team_id)
    rows = session.execute(query.where(Follow.user_id == user.id).order_by(User.name)).all()
    bots: dict[int, list[str]] = {row[0]: [] for row in rows}
    owned = select(Bot.owner_id, Bot.name).where(Bot.owner_id.in_(bots)).order_by(Bot.name)
    for owner, name in session.execute(owned):
        bots[owner].append(name)
    return [Followed(name, since, tuple(bots[team])) for team, name, since in rows]


def bot_ids(session: Session, user: User) -> list[int]:
    """The bots of the teams that somebody follows."""
    followed = select(Follow.team_id).where(Follow.user_id == user.id)
    return list(session.scalars(select(Bot.id).where(Bot.owner_id.in_(followed))))


def submitted(session: Session, bots: Collection[int], limit: int) -> list[Submitted]:
    """The newest versions of some bots, the last first."""
    query = select(Bot.name, User.name, BotVersion.number, BotVersion.created_at)
    query = query.select_from(BotVersion).join(Bot, Bot.id == BotVersion.bot_id)
    query = query.join(User, User.id == Bot.owner_id).where(BotVersion.bot_id.in_(bots))
    rows = session.execute(query.order_by(BotVersion.created_at.desc(), BotVersion.id.desc()).limit(limit))
    return [Submitted(*row) for row in rows]


def find(session: Session, user: User, team: User) -> Follow | None:
    """That somebody follows a team, if they do."""
    return session.get(Follow, (user.id, team.id))


def towards(session: Session, user_id: int, bot: str) -> Towards | None:
    """What the team that a bot is of is to somebody."""
    reader = aliased(User)
    own = func.coalesce(reader.team_id, reader.id) == User.id
    follows = exists().where(Follow.team_id == User.id, Follow.user_id == user_id)
    query = select(User.name, own, follows).join(Bot, Bot.owner_id == User.id)
    row = session.execute(query.join(reader, reader.id == user_id).where(Bot.name == bot)).first()
    return Towards(*row) if row else None


def count(session: Session, user: User) -> int:
    """How many teams somebody follows."""
    return session.scalar(select(func.count()).where(Follow.user_id == user.id)) or 0


def remove(session: Session, user: User, team: User) -> bool:
    """Forget that somebody follows a team; whether they did."""
    query = delete(Follow).where(Follow.user_id == user.id, Follow.team_id == team.id)
    return bool(session.execute(query.returning(Follow.team_id)).all())
