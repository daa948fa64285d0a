"""What happened and when."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.store.models.base import Base
from arena.store.models.event_types import EventKind
from arena.store.models.matches import Match
from arena.store.models.people import User
from arena.store.types import EnumText

_OF_CLASS = text("class_id IS NOT NULL")
_IN_ACT = text("act IS NOT NULL")
_BY_USER = text("user_id IS NOT NULL")
_ANNOUNCED = text(f"kind = '{EventKind.ANNOUNCEMENT}'")


class Event(Base):
    """What happened and when: the audit log, and what is told to those who follow the arena.

    What is for a class alone has its `class_id`. Events of one act that tell of more than one thing have the
    number of the first of them in `act`; that one itself, and every event that stands alone, has none.
    """

    __tablename__ = "events"
    __table_args__ = (
        Index("ix_events_tournament_id_id", "tournament_id", "id"),
        Index("ix_events_announced", "kind", sqlite_where=_ANNOUNCED, postgresql_where=_ANNOUNCED),
        Index("ix_events_class_id", "class_id", sqlite_where=_OF_CLASS, postgresql_where=_OF_CLASS),
        Index("ix_events_act", "act", sqlite_where=_IN_ACT, postgresql_where=_IN_ACT),
        Index("ix_events_user_id_at", "user_id", "at", sqlite_where=_BY_USER, postgresql_where=_BY_USER),
        Index("ix_events_tournament_id_kind_match_id", "tournament_id", "kind", "match_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[dt.datetime]
    kind: Mapped[EventKind] = mapped_column(EnumText(EventKind, 40))
    tournament_id: Mapped[int | None] = mapped_column(ForeignKey("tournaments.id"))
    match_id: Mapped[int | None] = mapped_column(ForeignKey("matches.id"), index=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    data: Mapped[dict[str, Any]]
    class_id: Mapped[int | None]
    act: Mapped[int | None]

    user: Mapped[User | None] = relationship()
    match: Mapped[Match | None] = relationship()
