"""Seasons: tournaments that are counted together."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.store.models.base import Base


class Season(Base):
    """An ordered list of tournaments, and how they are counted (`arena.schemas.seasons.Scoring`).

    The user `owner_id`, who made it, runs it, and so do the organisers of the class `class_id`.
    """

    __tablename__ = "seasons"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)
    title: Mapped[str | None] = mapped_column(String(100))
    owner_id: Mapped[int | None] = mapped_column(index=True)
    class_id: Mapped[int | None] = mapped_column(index=True)
    scoring: Mapped[dict[str, Any]]
    created_at: Mapped[dt.datetime]

    @property
    def heading(self) -> str:
        """What stands over it."""
        return self.title or self.name


class SeasonTournament(Base):
    """A tournament of a season; `position` counts from 1."""

    __tablename__ = "season_tournaments"
    __table_args__ = (
        UniqueConstraint("season_id", "position"),
        Index("ix_season_tournaments_tournament_id", "tournament_id"),
    )

    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"), primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    position: Mapped[int]
