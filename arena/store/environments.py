"""Queries for environments of Python bots."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.store.models import Environment


def all_chosen(session: Session) -> Sequence[Environment]:
    """All that names mean or meant, in the order in which they were chosen."""
    return session.scalars(select(Environment).order_by(Environment.chosen_at, Environment.digest)).all()


def current(session: Session) -> dict[str, Environment]:
    """What each name means, by the names in their order."""
    return {each.name: each for each in sorted(all_chosen(session), key=lambda each: each.name)}
