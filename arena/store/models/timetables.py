"""When what is to happen to tournaments by itself."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from arena.core.terms import Act
from arena.store.models.base import Base
from arena.store.types import EnumText


class Moment(Base):
    """When an act is to be done in a tournament; when that was tried, and why it could not be done."""

    __tablename__ = "timetable"
    __table_args__ = (Index("ix_timetable_done_at_at", "done_at", "at"),)

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    act: Mapped[Act] = mapped_column(EnumText(Act, 10), primary_key=True)
    at: Mapped[dt.datetime]
    done_at: Mapped[dt.datetime | None]
    trouble: Mapped[str | None] = mapped_column(Text)
