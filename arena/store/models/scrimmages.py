"""Scrimmages: games that a team has played for itself, which count nowhere."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.core.terms import MatchState, Unplayed
from arena.store.models.base import Base, Leased
from arena.store.models.matches import Ending
from arena.store.models.people import User
from arena.store.models.submissions import BotVersion
from arena.store.models.tournaments import Tournament
from arena.store.types import EnumText


class Scrimmage(Base):
    """Some games of a team's bot against one opponent: the version `opponent_id`, or a reference bot.

    The `reference` bot is named as it was asked for, and its files are kept as `archive`. Of the tournament
    that was named it has game, parameters, time and limits.
    """

    __tablename__ = "scrimmages"
    __table_args__ = (Index("ix_scrimmages_owner_id_created_at", "owner_id", "created_at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    asked_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    version_id: Mapped[int] = mapped_column(ForeignKey("bot_versions.id"))
    opponent_id: Mapped[int | None] = mapped_column(ForeignKey("bot_versions.id"), index=True)
    reference: Mapped[str | None] = mapped_column(String(60))
    archive: Mapped[str | None] = mapped_column(String(64))
    tournament_id: Mapped[int | None] = mapped_column(ForeignKey("tournaments.id"))
    game: Mapped[str] = mapped_column(String(40))
    params: Mapped[dict[str, Any]]
    game_version: Mapped[int]
    time: Mapped[dict[str, Any]]
    limits: Mapped[dict[str, Any]]
    seed: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[dt.datetime]

    owner: Mapped[User] = relationship(foreign_keys=[owner_id], lazy="joined")
    asker: Mapped[User] = relationship(foreign_keys=[asked_by], lazy="joined")
    version: Mapped[BotVersion] = relationship(foreign_keys=[version_id], lazy="joined")
    opponent: Mapped[BotVersion | None] = relationship(foreign_keys=[opponent_id], lazy="joined")
    tournament: Mapped[Tournament | None] = relationship(lazy="joined")
    games: Mapped[list[ScrimmageGame]] = relationship(
        order_by="ScrimmageGame.number", back_populates="scrimmage"
    )


class ScrimmageGame(Leased, Base):
    """One game of a scrimmage; `number` counts from 1. The team that asked sits in `seat`.

    `started_at` is when it first began, and `ends_at` when the present attempt must be over. `unplayed` says
    why nothing came of it; `was_void` that an attempt did not count because its host was too busy.
    """

    __tablename__ = "scrimmage_games"
    __table_args__ = (
        UniqueConstraint("scrimmage_id", "number"),
        Index("ix_scrimmage_games_state_owner_id", "state", "owner_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    scrimmage_id: Mapped[int] = mapped_column(ForeignKey("scrimmages.id"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    number: Mapped[int]
    seat: Mapped[int]
    opening: Mapped[list[str]]
    needs: Mapped[str] = mapped_column(String(40))
    refused: Mapped[int] = mapped_column(default=0)
    trouble: Mapped[str | None] = mapped_column(Text)
    unplayed: Mapped[Unplayed | None] = mapped_column(EnumText(Unplayed, 10))
    was_void: Mapped[bool] = mapped_column(default=False)
    started_at: Mapped[dt.datetime | None]
    ends_at: Mapped[dt.datetime | None]

    scrimmage: Mapped[Scrimmage] = relationship(lazy="joined", back_populates="games")
    result: Mapped[ScrimmageResult | None] = relationship(back_populates="game")

    def release(self, state: MatchState) -> None:
        """The next attempt has a whole time again."""
        super().release(state)
        self.ends_at = None

    def finish(self) -> None:
        """It is over in time."""
        super().finish()
        self.ends_at = None


class ScrimmageResult(Ending, Base):
    """How a game of a scrimmage ended, with its moves as the table of moves has them."""

    __tablename__ = "scrimmage_results"

    game_id: Mapped[int] = mapped_column(ForeignKey("scrimmage_games.id"), primary_key=True)
    moves: Mapped[list[dict[str, Any]]] = mapped_column(JSON, deferred=True)

    game: Mapped[ScrimmageGame] = relationship(back_populates="result")
