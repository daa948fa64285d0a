"""Games that people play against bots, or with each other at one screen; they count nowhere."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.core.terms import MatchState
from arena.store.models.base import Base, Leased
from arena.store.models.people import User


class PlayGame(Base):
    """A game that somebody plays; its `address` is a secret, which who knows it sees the game by.

    `player` is who began it, as the quotas count: a user's number, or a digest of where somebody without an
    account came from. `seats` are as `arena.play.seats` has them, `moves` as `MoveRecord` does, and `ended`
    is how it ended otherwise than by its moves. `clock` has the seconds of each person and the increment.
    It was `since` then that the side to move has its turn, and `revision` grows with everything that changes.
    """

    __tablename__ = "play_games"
    __table_args__ = (Index("ix_play_games_player_changed_at", "player", "changed_at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    address: Mapped[str] = mapped_column(String(32), unique=True)
    owner_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    player: Mapped[str] = mapped_column(String(80))
    game: Mapped[str] = mapped_column(String(40))
    params: Mapped[dict[str, Any]]
    game_version: Mapped[int]
    seats: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    clock: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    moves: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    ended: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    seed: Mapped[int] = mapped_column(BigInteger)
    revision: Mapped[int]
    since: Mapped[dt.datetime]
    created_at: Mapped[dt.datetime]
    changed_at: Mapped[dt.datetime] = mapped_column(index=True)

    owner: Mapped[User | None] = relationship(lazy="joined")


class PlayTurn(Leased, Base):
    """A turn that a bot is to play in a game, or with `seat` None a hint that is to be found.

    `spec` is what the worker is told, the game so far its opening, which has `ply` plies; `answer` is the
    hint. `ends_at` is when the present attempt must be over. `was_void` says that an attempt did not count
    because its host was too busy.
    """

    __tablename__ = "play_turns"
    __table_args__ = (
        Index("ix_play_turns_state_player", "state", "player"),
        Index("ix_play_turns_player_created_at", "player", "created_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("play_games.id"), index=True)
    player: Mapped[str] = mapped_column(String(80))
    seat: Mapped[int | None]
    ply: Mapped[int]
    spec: Mapped[dict[str, Any]]
    needs: Mapped[str] = mapped_column(String(40))
    answer: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    refused: Mapped[int] = mapped_column(default=0)
    trouble: Mapped[str | None] = mapped_column(Text)
    was_void: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[dt.datetime]
    ends_at: Mapped[dt.datetime | None]

    def release(self, state: MatchState) -> None:
        """The next attempt has a whole time again."""
        super().release(state)
        self.ends_at = None

    def finish(self) -> None:
        """It is over in time."""
        super().finish()
        self.ends_at = None
