"""Queries for submission checks."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.core.terms import MatchState
from arena.store.leases import ISSUED, locked
from arena.store.models import Bot, BotVersion, Check

UNFINISHED = (MatchState.PENDING, *ISSUED)


def lock(session: Session, version_id: int) -> Check | None:
    """The check of a version as it is now; nobody else changes it until this transaction ends."""
    return session.scalar(locked(select(Check).where(Check.version_id == version_id), Check))


def lock_all(session: Session, version_ids: Collection[int]) -> Sequence[Check]:
    """The checks of these versions as they are now, locked in the order of their ids."""
    query = select(Check).where(Check.version_id.in_(version_ids)).order_by(Check.version_id)
    return session.scalars(locked(query, Check)).all()


def lock_unfinished_of(session: Session, bot: Bot) -> Sequence[Check]:
    """The checks of a bot's versions that wait or are being done, locked."""
    query = select(Check).join(BotVersion).where(BotVersion.bot_id == bot.id, Check.state.in_(UNFINISHED))
    return session.scalars(locked(query.order_by(Check.version_id), Check)).all()


def counts(session: Session, state: MatchState) -> dict[str, int]:
    """How many checks are in that state, by what they need; none where there is none."""
    query = select(Check.needs, func.count()).where(Check.state == state).group_by(Check.needs)
    return {str(needs): int(count) for needs, count in session.execute(query)}


def lock_pending(session: Session, needs: str, limit: int) -> Sequence[Check]:
    """The next checks with these needs to be given out, locked.

    The owners take turns, each with the check that has waited longest, so that one with many bots does not
    keep the others waiting.
    """
    turn = func.row_number().over(partition_by=Bot.owner_id, order_by=(Check.created_at, Check.version_id))
    turns = select(Check.version_id, turn.label("turn")).join(BotVersion).join(Bot)
    waiting = turns.where(Check.state == MatchState.PENDING, Check.needs == needs).subquery()
    query = select(Check).join(waiting, waiting.c.version_id == Check.version_id)
    query = query.order_by(waiting.c.turn, Check.created_at, Check.version_id).limit(limit)
    return session.scalars(locked(query, Check)).all()
