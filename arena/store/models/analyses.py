"""Games that are analysed by exact solvers: what was found out of each, and the work of finding it out."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.core.terms import MatchState
from arena.store.models.base import Base, Leased
from arena.store.models.matches import Match


class Analysis(Leased, Base):
    """The analysis of a game: of the one that gave a match its result, at the attempt `result_attempt`.

    Of a game that is no match's it is of the `moves` of `game`, a `GameSpec`; whoever sees such a game finds
    it by the `digest` of these. `answer` is what `workers.play.analysis` reports, and `accuracy` what
    `arena.results.accuracy` keeps of that of a match. `ends_at` is when the present attempt must be over.
    An `idle` one waits until there is nothing else to do, as nobody has asked for it by itself.
    """

    __tablename__ = "analyses"
    __table_args__ = (
        Index("ix_analyses_state_asked_by", "state", "asked_by"),
        Index("ix_analyses_asked_by_created_at", "asked_by", "created_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int | None] = mapped_column(ForeignKey("matches.id"), unique=True)
    result_attempt: Mapped[int | None]
    digest: Mapped[str | None] = mapped_column(String(64), unique=True)
    game: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    moves: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    asked_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    answer: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    accuracy: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    idle: Mapped[bool] = mapped_column(default=False)
    refused: Mapped[int] = mapped_column(default=0)
    trouble: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[dt.datetime]
    ends_at: Mapped[dt.datetime | None]

    match: Mapped[Match | None] = relationship()

    def release(self, state: MatchState) -> None:
        """The next attempt has a whole time again."""
        super().release(state)
        self.ends_at = None

    def finish(self) -> None:
        """It is over in time."""
        super().finish()
        self.ends_at = None
