"""Matches of laboratory PCs that are played again on trusted hosts, to be compared; they count nowhere."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.core.terms import MAX_HOST_CHARS, MatchState, Repeated
from arena.store.models.base import Base, Leased
from arena.store.models.matches import Match
from arena.store.types import EnumText


class Repeat(Leased, Base):
    """A match that `played_on` reported, as `told`, and that is played again elsewhere, twice if need be.

    `result_attempt` is the attempt at the match whose result that was. `first` is what came of it the first
    time, where that was something else than what was told; neither game is kept where nothing speaks against
    the host. `differs_at` is the first ply that is another one. `needs` are those of the match, with exactly
    the environments that it was played with.
    """

    __tablename__ = "repeats"
    __table_args__ = (
        Index("ix_repeats_played_on_outcome", "played_on", "outcome"),
        Index("ix_repeats_state_id", "state", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), index=True)
    result_attempt: Mapped[int]
    played_on: Mapped[str] = mapped_column(String(MAX_HOST_CHARS))
    needs: Mapped[str] = mapped_column(String(80))
    told: Mapped[dict[str, Any]]
    first: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    outcome: Mapped[Repeated | None] = mapped_column(EnumText(Repeated, 10))
    differs_at: Mapped[int | None]
    refused: Mapped[int] = mapped_column(default=0)
    trouble: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[dt.datetime]
    recorded_at: Mapped[dt.datetime | None]

    match: Mapped[Match] = relationship(lazy="joined")

    def release(self, state: MatchState) -> None:
        """What is given up for good is over: nobody has to decide it."""
        super().release(MatchState.FINISHED if state == MatchState.PARKED else state)
        if state == MatchState.PARKED:
            self.outcome = Repeated.GIVEN_UP
            self.told, self.first = {}, None
