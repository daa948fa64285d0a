"""Queries for bots that are to be entered as soon as they have passed their check."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import delete, select
from sqlalchemy.orm import Session, joinedload

from arena.core.terms import TournamentState
from arena.store.models import Bot, PendingEntry, Tournament


def get(session: Session, tournament: Tournament, bot: Bot) -> PendingEntry | None:
    """Whether, and for whom, a bot is to be entered."""
    return session.get(PendingEntry, (tournament.id, bot.id))


def in_tournament(session: Session, tournament: Tournament) -> Sequence[PendingEntry]:
    """The bots that are to be entered into a tournament, in the order in which that was asked for."""
    query = select(PendingEntry).where(PendingEntry.tournament_id == tournament.id)
    return session.scalars(
        query.options(joinedload(PendingEntry.bot).joinedload(Bot.owner)).order_by(
            PendingEntry.created_at, PendingEntry.bot_id
        )
    ).all()


def of_bots(session: Session, bots: Collection[int]) -> Sequence[PendingEntry]:
    """Where these bots are to be entered."""
    query = select(PendingEntry).where(PendingEntry.bot_id.in_(bots))
    options = joinedload(PendingEntry.bot), joinedload(PendingEntry.tournament)
    return session.scalars(query.options(*options).order_by(PendingEntry.tournament_id)).all()


def in_states(session: Session, states: Collection[TournamentState]) -> Sequence[PendingEntry]:
    """All that are to be entered into tournaments in one of these states."""
    query = select(PendingEntry).join(PendingEntry.tournament).where(Tournament.state.in_(states))
    options = joinedload(PendingEntry.bot), joinedload(PendingEntry.tournament)
    return session.scalars(query.options(*options).order_by(PendingEntry.created_at)).all()


def forget(session: Session, tournament: Tournament, bot: Bot) -> bool:
    """Enter a bot by itself no more; whether it would have been."""
    one = PendingEntry.tournament_id == tournament.id, PendingEntry.bot_id == bot.id
    return (
        session.execute(delete(PendingEntry).where(*one).returning(PendingEntry.bot_id)).first() is not None
    )
