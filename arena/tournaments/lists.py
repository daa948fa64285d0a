"""The lists of tournaments: all of them, and those that somebody runs."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.store import tournaments as store
from arena.store.models import Tournament, User
from arena.store.paging import page


def list_tournaments(session: Session, offset: int, limit: int) -> tuple[Sequence[Tournament], int]:
    """One page of the tournaments, newest first, and how many there are in all."""
    return page(session, store.all_tournaments(), offset, limit)


def list_own(session: Session, actor: User, offset: int, limit: int) -> tuple[Sequence[Tournament], int]:
    """One page of the tournaments that somebody runs, newest first, and how many there are."""
    if permissions.is_admin(actor):
        return list_tournaments(session, offset, limit)
    return page(session, store.run_by(actor.id, permissions.classes_of(actor)), offset, limit)
