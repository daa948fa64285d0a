"""One page of a list, and how long the whole list is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

T = TypeVar("T")


def page(session: Session, query: Select[T], offset: int, limit: int) -> tuple[Sequence[Any], int]:
    """The rows of `query` from `offset`, at most `limit` of them, and how many there are in all."""
    total = session.scalar(select(func.count()).select_from(query.order_by(None).subquery())) or 0
    return session.scalars(query.offset(offset).limit(limit)).unique().all(), total
