"""What happened and when."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.store.models.base import Base
from arena.store.models.event_types import EventKind
from arena.store.models.matches import Match
from arena.store.models.people import User
from arena.store.types import EnumText


class Event(Base):
    """What happened and when: the audit log, and later the feed of the live pages."""

    __tablename__ = "events"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[dt.datetime]
    kind: Mapped[EventKind] = mapped_column(EnumText(EventKind, 40))
    tournament_id: Mapped[int | None] = mapped_column(ForeignKey("tournaments.id"), index=True)
    match_id: Mapped[int | None] = mapped_column(ForeignKey("matches.id"))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    data: Mapped[dict[str, Any]]

    user: Mapped[User | None] = relationship()
    match: Mapped[Match | None] = relationship()
