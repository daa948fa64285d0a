"""Games that are analysed by exact solvers: what was found out of each, and the work of finding it out."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.core.terms import MatchState
from arena.store.models.base import Base, Leased
from arena.store.models.matches import Match


class Analysis(Leased, Base):
    """The analysis of the game that gave a match its result: of the attempt `result_attempt` at it.

    `answer` is what `workers.play.analysis` reports. `ends_at` is when the present attempt must be over.
    """

    __tablename__ = "analyses"
    __table_args__ = (
        Index("ix_analyses_state_asked_by", "state", "asked_by"),
        Index("ix_analyses_asked_by_created_at", "asked_by", "created_at"),
    )

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True, autoincrement=False)
    result_attempt: Mapped[int]
    asked_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    answer: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    refused: Mapped[int] = mapped_column(default=0)
    trouble: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[dt.datetime]
    ends_at: Mapped[dt.datetime | None]

    match: Mapped[Match] = relationship()

    def release(self, state: MatchState) -> None:
        """The next attempt has a whole time again."""
        super().release(state)
        self.ends_at = None

    def finish(self) -> None:
        """It is over in time."""
        super().finish()
        self.ends_at = None
