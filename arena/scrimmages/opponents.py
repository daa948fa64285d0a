"""Whom a team may play scrimmages against, and those that it sees."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.core.games import find_rules
from arena.core.settings import Settings
from arena.core.terms import Side
from arena.scrimmages import quotas
from arena.scrimmages.quotas import Allowance
from arena.store import scrimmages as store
from arena.store.models import Bot, Scrimmage, User
from arena.store.paging import page
from arena.submissions import reference
from engines import USUAL_GAME

MAX_OTHERS = 500


def listed(
    session: Session, actor: User, side: Side, offset: int, limit: int
) -> tuple[Sequence[Scrimmage], int]:
    """A part of the scrimmages that a team asked for, or others against it; and how many there are."""
    query = store.asked_by if side is Side.ASKED else store.against
    return page(session, query(actor.account_id), offset, limit)


def others(session: Session, team: User) -> Sequence[Bot]:
    """The bots of others that a team may play against, at most so many, in the order of their names."""
    return session.scalars(store.opponents(team).limit(MAX_OTHERS)).all()


def reference_bots(game: str | None) -> list[str]:
    """The reference bots of a game.

    Raises:
        InvalidError: there is no such game.
    """
    return reference.offered(find_rules(game or USUAL_GAME))


def allowance(session: Session, team: User, settings: Settings) -> Allowance:
    """How many games a team may still ask for."""
    return quotas.allowance(session, team, settings.team_scrimmages)
