"""Queries for scrimmages: who may be played against, what is asked for, and what is given out."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, Select, and_, delete, exists, func, or_, select
from sqlalchemy.orm import Session, contains_eager, joinedload, selectinload, undefer

from arena.core.terms import MatchState, Role
from arena.store.leases import ISSUED, locked
from arena.store.models import (
    Bot,
    BotVersion,
    SchoolClass,
    Scrimmage,
    ScrimmageGame,
    ScrimmageResult,
    User,
)
from arena.store.models.people import organisers

UNFINISHED = (MatchState.PENDING, *ISSUED)


def opponents(team: User) -> Select[Bot]:
    """The bots of others that a team may play against, in the order of their names.

    Their owners let them: teams of its class, the organisers of that, and administrators.
    """
    query = select(Bot).join(Bot.owner).options(contains_eager(Bot.owner)).order_by(Bot.name)
    return query.where(Bot.takes_scrimmages, Bot.owner_id != team.id, _near(team))


def _near(team: User) -> ColumnElement[bool]:
    near: ColumnElement[bool] = User.role == Role.ADMIN
    if team.class_id is None:
        return near
    runs = exists().where(organisers.c.user_id == User.id, organisers.c.class_id == team.class_id)
    return or_(near, User.class_id == team.class_id, and_(User.role == Role.ORGANISER, runs))


def opponent(session: Session, team: User, name: str) -> Bot | None:
    """The one of that name, if it is among them; locked, so that its owner's word stands meanwhile."""
    query = opponents(team).where(Bot.name == name).with_for_update(of=Bot)
    return session.scalar(query.execution_options(populate_existing=True))


def class_of(session: Session, team: User) -> SchoolClass | None:
    """The class of a team, locked, so that what is said of it stands meanwhile."""
    if team.class_id is None:
        return None
    query = select(SchoolClass).where(SchoolClass.id == team.class_id).with_for_update(of=SchoolClass)
    return session.scalar(query.execution_options(populate_existing=True))


def lock_class(session: Session, school_class: SchoolClass) -> SchoolClass:
    """A class as it is now; nobody else changes it until this transaction ends."""
    query = select(SchoolClass).where(SchoolClass.id == school_class.id).with_for_update(of=SchoolClass)
    return session.scalars(query.execution_options(populate_existing=True)).one()


def asked_by(owner_id: int) -> Select[Scrimmage]:
    """What a team has asked for, the last first."""
    return _listed().where(Scrimmage.owner_id == owner_id)


def against(owner_id: int) -> Select[Scrimmage]:
    """What others have asked for against the bots of a team, the last first."""
    theirs = select(BotVersion.id).join(Bot).where(Bot.owner_id == owner_id)
    return _listed().where(Scrimmage.opponent_id.in_(theirs), Scrimmage.owner_id != owner_id)


def _listed() -> Select[Scrimmage]:
    games = selectinload(Scrimmage.games)
    return select(Scrimmage).order_by(Scrimmage.id.desc()).options(games.joinedload(ScrimmageGame.result))


def by_id(session: Session, number: int) -> Scrimmage | None:
    """The scrimmage of that number, with its games."""
    return session.scalar(_listed().where(Scrimmage.id == number))


def moves(session: Session, game: ScrimmageGame) -> list[dict[str, object]]:
    """The moves of a game, as the table of moves has them; none where it has not been played."""
    query = select(ScrimmageResult).where(ScrimmageResult.game_id == game.id)
    loaded = query.options(undefer(ScrimmageResult.moves)).execution_options(populate_existing=True)
    result = session.scalar(loaded)
    return list(result.moves) if result else []


def counted_since(session: Session, owner_id: int, since: dt.datetime) -> list[tuple[dt.datetime, int]]:
    """When a team asked since then and for how many games, the first first.

    Those count for nothing that were called off before they began, or could not be played.
    """
    nothing = and_(ScrimmageGame.state == MatchState.CANCELLED, ScrimmageGame.started_at.is_(None))
    query = select(Scrimmage.created_at, func.count()).join(ScrimmageGame)
    query = query.where(Scrimmage.owner_id == owner_id, Scrimmage.created_at > since, ~nothing)
    query = query.where(ScrimmageGame.state != MatchState.PARKED).group_by(Scrimmage.id, Scrimmage.created_at)
    return [(row[0], row[1]) for row in session.execute(query.order_by(Scrimmage.created_at, Scrimmage.id))]


def count_open(session: Session, owner_id: int) -> int:
    """How many scrimmages of a team are not over."""
    query = select(func.count(ScrimmageGame.scrimmage_id.distinct()))
    mine = ScrimmageGame.owner_id == owner_id, ScrimmageGame.state.in_(UNFINISHED)
    return session.scalar(query.where(*mine)) or 0


def delete_old(session: Session, owner_id: int, kept: int, before: dt.datetime) -> int:
    """Delete what a team asked for before then and is over, but for so many that are the newest."""
    newest = select(Scrimmage.id).where(Scrimmage.owner_id == owner_id).order_by(Scrimmage.id.desc())
    going = exists().where(ScrimmageGame.scrimmage_id == Scrimmage.id, ScrimmageGame.state.in_(UNFINISHED))
    query = select(Scrimmage.id).where(Scrimmage.owner_id == owner_id, Scrimmage.created_at < before, ~going)
    old = session.scalars(query.where(Scrimmage.id.not_in(newest.limit(kept).scalar_subquery()))).all()
    if old:
        games = select(ScrimmageGame.id).where(ScrimmageGame.scrimmage_id.in_(old))
        unseen = {"synchronize_session": False}
        session.execute(
            delete(ScrimmageResult).where(ScrimmageResult.game_id.in_(games)), execution_options=unseen
        )
        session.execute(
            delete(ScrimmageGame).where(ScrimmageGame.scrimmage_id.in_(old)), execution_options=unseen
        )
        session.execute(delete(Scrimmage).where(Scrimmage.id.in_(old)), execution_options=unseen)
    return len(old)


def lock_games(session: Session, ids: Collection[int]) -> Sequence[ScrimmageGame]:
    """The games of these ids as they are now, locked in the order of their ids."""
    query = select(ScrimmageGame).where(ScrimmageGame.id.in_(ids)).order_by(ScrimmageGame.id)
    return session.scalars(locked(_whole(query), ScrimmageGame)).all()


def lock_unfinished(session: Session, scrimmage: Scrimmage) -> Sequence[ScrimmageGame]:
    """The games of a scrimmage that are not over, locked."""
    return _lock_open(session, ScrimmageGame.scrimmage_id == scrimmage.id)


def lock_unfinished_against(session: Session, bot: Bot) -> Sequence[ScrimmageGame]:
    """The games of others against a bot that are not over, locked."""
    versions = select(BotVersion.id).where(BotVersion.bot_id == bot.id)
    theirs = select(Scrimmage.id).where(
        Scrimmage.opponent_id.in_(versions), Scrimmage.owner_id != bot.owner_id
    )
    return _lock_open(session, ScrimmageGame.scrimmage_id.in_(theirs))


def lock_unfinished_of_class(session: Session, school_class: SchoolClass) -> Sequence[ScrimmageGame]:
    """The games of a class's teams that are not over, locked."""
    teams = select(User.id).where(User.class_id == school_class.id)
    return _lock_open(session, ScrimmageGame.owner_id.in_(teams))


def _lock_open(session: Session, which: ColumnElement[bool]) -> Sequence[ScrimmageGame]:
    query = select(ScrimmageGame).where(which, ScrimmageGame.state.in_(UNFINISHED))
    return session.scalars(locked(query.order_by(ScrimmageGame.id), ScrimmageGame)).all()


def any_pending(session: Session) -> bool:
    """Whether a game waits to be given out."""
    query = select(ScrimmageGame.id).where(ScrimmageGame.state == MatchState.PENDING).limit(1)
    return session.scalar(query) is not None


def pending_of(session: Session, needs: Collection[str]) -> dict[int, int]:
    """How many games each team has that wait to be given out and need one of these."""
    query = select(ScrimmageGame.owner_id, func.count()).where(*_pending(needs))
    return {row[0]: row[1] for row in session.execute(query.group_by(ScrimmageGame.owner_id))}


def lock_pending(
    session: Session, owner_id: int, needs: Collection[str], limit: int
) -> Sequence[ScrimmageGame]:
    """The next games of a team to be given out, locked."""
    query = select(ScrimmageGame).where(ScrimmageGame.owner_id == owner_id, *_pending(needs))
    query = _whole(query.order_by(ScrimmageGame.id).limit(limit))
    return session.scalars(locked(query, ScrimmageGame)).all()


def _pending(needs: Collection[str]) -> tuple[ColumnElement[bool], ...]:
    return ScrimmageGame.state == MatchState.PENDING, ScrimmageGame.needs.in_(needs)


def _whole(query: Select[ScrimmageGame]) -> Select[ScrimmageGame]:
    """With all that a worker is told of a game."""
    return query.options(joinedload(ScrimmageGame.scrimmage).joinedload(Scrimmage.version))


def running(session: Session) -> Sequence[ScrimmageGame]:
    """The games that are in play."""
    return session.scalars(select(ScrimmageGame).where(ScrimmageGame.state == MatchState.RUNNING)).all()
