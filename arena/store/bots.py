"""Queries for bots and their versions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import Select, String, cast, func, or_, select
from sqlalchemy.orm import Session, contains_eager

from arena.core.terms import Role
from arena.store.models import Bot, BotVersion, Event, SchoolClass, User
from arena.store.models.event_types import EventKind


def by_name(session: Session, name: str, *, locked: bool = False) -> Bot | None:
    """The bot of that name; with `locked`, nobody else changes it until this transaction ends."""
    query = select(Bot).where(Bot.name == name)
    if locked:
        query = query.with_for_update(of=Bot).execution_options(populate_existing=True)
    return session.scalar(query)


def names(session: Session) -> Sequence[str]:
    """The names of all bots."""
    return session.scalars(select(Bot.name).order_by(Bot.name)).all()


def newest_version(session: Session, bot: Bot) -> BotVersion | None:
    """The version submitted last."""
    query = select(BotVersion).where(BotVersion.bot_id == bot.id).order_by(BotVersion.number.desc()).limit(1)
    return session.scalar(query)


def version(session: Session, bot: Bot, number: int) -> BotVersion | None:
    """One version of a bot."""
    query = select(BotVersion).where(BotVersion.bot_id == bot.id, BotVersion.number == number)
    return session.scalar(query)


def version_of_archive(session: Session, bot: Bot, archive: str) -> BotVersion | None:
    """The version of a bot that has exactly this content."""
    query = select(BotVersion).where(BotVersion.bot_id == bot.id, BotVersion.archive == archive)
    return session.scalar(query)


def of_class(session: Session, school_class: SchoolClass) -> Sequence[Bot]:
    """The bots of a class's teams, in the order of their names, with their owners."""
    query = select(Bot).join(Bot.owner).options(contains_eager(Bot.owner)).order_by(Bot.name)
    return session.scalars(query.where(User.class_id == school_class.id)).all()


def of_roles(session: Session, roles: Collection[Role]) -> Sequence[Bot]:
    """The bots of users with one of these roles, in the order of their names, with their owners."""
    query = select(Bot).join(Bot.owner).options(contains_eager(Bot.owner)).order_by(Bot.name)
    return session.scalars(query.where(User.role.in_(roles))).all()


def all_bots(owner: User | None = None, text: str = "", game: str = "") -> Select[Bot]:
    """All bots, or those of one owner, in the order of their names.

    With `text` those that it is a part of the name of, or of their owners', and with `game` those of which a
    version was handed in for that game.
    """
    query = select(Bot).order_by(Bot.name)
    if owner is not None:
        query = query.where(Bot.owner_id == owner.id)
    if text:
        named = (Bot.name, User.name)
        query = query.join(User, User.id == Bot.owner_id)
        query = query.where(or_(*(each.icontains(text, autoescape=True) for each in named)))
    if game:
        theirs = cast(BotVersion.games, String).contains(f'"{game}"', autoescape=True)
        query = query.where(Bot.id.in_(select(BotVersion.bot_id).where(theirs)))
    return query


class Stored(NamedTuple):
    """How many bots somebody has, how many versions of them all, and their bytes."""

    bots: int
    versions: int
    size: int


def stored(session: Session, owner_id: int) -> Stored:
    """What somebody has handed in so far."""
    counted = select(
        func.count(Bot.id.distinct()), func.count(BotVersion.id), func.coalesce(func.sum(BotVersion.size), 0)
    )
    query = counted.select_from(Bot).outerjoin(BotVersion, BotVersion.bot_id == Bot.id)
    bots, versions, size = session.execute(query.where(Bot.owner_id == owner_id)).one()
    return Stored(bots, versions, int(size))


def checks_asked(session: Session, account_id: int, since: dt.datetime, limit: int) -> list[dt.datetime]:
    """When somebody, or a team's members, had versions checked since then: the newest, at most so many."""
    of_team = select(User.id).where(or_(User.id == account_id, User.team_id == account_id))
    query = select(Event.at).where(
        Event.user_id.in_(of_team),
        Event.at > since,
        Event.kind.in_((EventKind.BOT_SUBMITTED, EventKind.CHECK_REPEATED)),
    )
    return list(session.scalars(query.order_by(Event.at.desc()).limit(limit)))
