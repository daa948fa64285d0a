"""Matches, how they ended, and their moves."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.core.terms import MatchState
from arena.store.models.base import Base, Leased
from arena.store.models.tournaments import Entry, Tournament
from arena.store.types import EnumText
from arena.theory.pairing.contract import Kind


class Match(Leased, Base):
    """One game to be played. `number` counts from 1 in the order of the schedule.

    `phase` is where its round belongs: a group's letter, a stage of a bracket, or nothing.
    """

    __tablename__ = "matches"
    __table_args__ = (
        UniqueConstraint("tournament_id", "number"),
        Index("ix_matches_state_tournament_id_number", "state", "tournament_id", "number"),
        Index("ix_matches_tournament_id_round", "tournament_id", "round"),
        Index("ix_matches_first_id_number", "first_id", "number"),
        Index("ix_matches_second_id_number", "second_id", "number"),
        Index("ix_matches_first_id_second_id", "first_id", "second_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))
    number: Mapped[int]
    round: Mapped[int]
    phase: Mapped[str] = mapped_column(String(40), default="")
    first_id: Mapped[int] = mapped_column(ForeignKey("entries.id"))
    second_id: Mapped[int] = mapped_column(ForeignKey("entries.id"))
    opening_number: Mapped[int]
    opening: Mapped[list[str]]
    needs: Mapped[str] = mapped_column(String(40))
    refused: Mapped[int] = mapped_column(default=0)
    trouble: Mapped[str | None] = mapped_column(Text)

    tournament: Mapped[Tournament] = relationship(lazy="joined")
    first: Mapped[Entry] = relationship(foreign_keys=[first_id], lazy="joined")
    second: Mapped[Entry] = relationship(foreign_keys=[second_id], lazy="joined")
    result: Mapped[Result | None] = relationship(back_populates="match")
    voids: Mapped[list[VoidAttempt]] = relationship(order_by="VoidAttempt.attempt")
    superseded: Mapped[list[SupersededResult]] = relationship(order_by="SupersededResult.attempt")

    def release(self, state: MatchState) -> None:
        """Likewise; lock the tournament, which counts it, before a match ends or is open again."""
        self._count(state)
        super().release(state)

    def finish(self) -> None:
        """Likewise."""
        self._count(MatchState.FINISHED)
        super().finish()

    def _count(self, after: MatchState) -> None:
        cup, before = self.tournament, self.state
        cup.matches_finished += (after == MatchState.FINISHED) - (before == MatchState.FINISHED)
        cup.matches_cancelled += (after == MatchState.CANCELLED) - (before == MatchState.CANCELLED)


class Ending:
    """How a match ended.

    `kind` is `PLAYED`, or `FORFEIT` where it was decided without a game. `manual_reason` is why the staff
    (the user `decided_by`) or somebody's leaving decided it; no host had a part in that.
    """

    winner: Mapped[int | None]
    reason: Mapped[str] = mapped_column(String(40))
    first_score: Mapped[int]
    second_score: Mapped[int]
    first_half_points: Mapped[int]
    second_half_points: Mapped[int]
    forfeits: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    seats: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    host: Mapped[str] = mapped_column(String(200))
    host_speed: Mapped[float | None]
    recorded_at: Mapped[dt.datetime]
    kind: Mapped[Kind] = mapped_column(EnumText(Kind, 20), default=Kind.PLAYED)
    manual_reason: Mapped[str | None] = mapped_column(Text)
    decided_by: Mapped[int | None]

    @property
    def reported(self) -> bool:
        """Whether a worker reported it, of a game on the board, and nobody decided it otherwise."""
        return self.manual_reason is None


class Result(Ending, Base):
    """The result of a match: at most one, whatever the number of attempts."""

    __tablename__ = "results"
    __table_args__ = (UniqueConstraint("match_id", "attempt"),)

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    attempt: Mapped[int]

    match: Mapped[Match] = relationship(back_populates="result")


class SupersededResult(Ending, Base):
    """A result that counts no more, with its moves: why, by whom (the arena itself if nobody) and when."""

    __tablename__ = "superseded_results"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    attempt: Mapped[int] = mapped_column(primary_key=True)
    moves: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    why: Mapped[str] = mapped_column(Text)
    superseded_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    superseded_at: Mapped[dt.datetime]


class VoidAttempt(Base):
    """An attempt that does not count, because its host was too busy to tell whose fault its end was."""

    __tablename__ = "void_attempts"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    attempt: Mapped[int] = mapped_column(primary_key=True)
    forfeits: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    seats: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    host: Mapped[str] = mapped_column(String(200))
    recorded_at: Mapped[dt.datetime]


class Move(Base):
    """One ply of a recorded match; for the times see `workers.core.contract.MoveRecord`."""

    __tablename__ = "moves"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[int]
    move: Mapped[str] = mapped_column(String(64))
    asked: Mapped[bool]
    wall_ns: Mapped[int] = mapped_column(BigInteger)
    cpu_ns: Mapped[int | None] = mapped_column(BigInteger)
    extension: Mapped[bool]
    lag_ns: Mapped[int] = mapped_column(BigInteger)
    off_turn_ns: Mapped[int] = mapped_column(BigInteger)
    waited_ns: Mapped[int | None] = mapped_column(BigInteger)
    pressure_ns: Mapped[int | None] = mapped_column(BigInteger)
    steal_ns: Mapped[int | None] = mapped_column(BigInteger)
    lost_ns: Mapped[int] = mapped_column(BigInteger)
    debug: Mapped[str | None] = mapped_column(Text)
