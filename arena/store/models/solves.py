"""Games that are solved on the workers: each solve, what is known in it, and what is given out of it."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.core.terms import MAX_HOST_CHARS, MatchState, SolveState
from arena.store.models.base import Base, Leased
from arena.store.models.people import User
from arena.store.types import EnumText

POSITION_CHARS = 32
"""Two bitboards, sixteen hexadecimal digits each: the mover's discs, and the other side's."""


class Solve(Base):
    """A game that is solved: positions of at most `frontier` empty squares are given out.

    It begins at its start, or at the state `position`. Workers search each with a table of `memory_mb`.
    `answers` and `issued` count the bounds and the leaves there ever were: the next ones have these numbers.
    `standing` is how far it was when its tree was last looked at (`arena.schemas.solves.SolveStanding`),
    `value` and `moves` what came out. `nodes` were searched in `spent_ns` of the workers.
    """

    __tablename__ = "solves"

    id: Mapped[int] = mapped_column(primary_key=True)
    asked_by: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    state: Mapped[SolveState] = mapped_column(EnumText(SolveState, 10), index=True)
    game: Mapped[dict[str, Any]]
    position: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    frontier: Mapped[int]
    memory_mb: Mapped[int]
    answers: Mapped[int] = mapped_column(default=0)
    issued: Mapped[int] = mapped_column(default=0)
    standing: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    value: Mapped[int | None]
    moves: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    nodes: Mapped[int] = mapped_column(BigInteger, default=0)
    spent_ns: Mapped[int] = mapped_column(BigInteger, default=0)
    lost: Mapped[int] = mapped_column(default=0)
    refused: Mapped[int] = mapped_column(default=0)
    trouble: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[dt.datetime]
    started_at: Mapped[dt.datetime | None]
    recorded_at: Mapped[dt.datetime | None]
    finished_at: Mapped[dt.datetime | None]

    owner: Mapped[User] = relationship(lazy="joined")


class SolveLeaf(Leased, Base):
    """A position of a solve that is to be found out about: whether it is worth `at_least` that to its mover.

    It is a row only as long as nobody has answered and the answer is wanted.
    """

    __tablename__ = "solve_leaves"

    solve_id: Mapped[int] = mapped_column(ForeignKey("solves.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    state: Mapped[MatchState] = mapped_column(EnumText(MatchState, 10), index=True)
    position: Mapped[str] = mapped_column(String(POSITION_CHARS))
    at_least: Mapped[int]

    solve: Mapped[Solve] = relationship()


class SolveBound(Base):
    """An answer: a position of a solve is worth from `low` to `high` to its mover, who plays `move` best.

    A worker on `host` has searched `nodes` for it when it was asked whether it is `at_least` that. What came
    from a checkpoint has no host. Numbers of a solve begin with 0 and have no gaps.
    """

    __tablename__ = "solve_bounds"
    __table_args__ = (Index("ix_solve_bounds_solve_id_position", "solve_id", "position"),)

    solve_id: Mapped[int] = mapped_column(ForeignKey("solves.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    position: Mapped[str] = mapped_column(String(POSITION_CHARS))
    at_least: Mapped[int]
    low: Mapped[int]
    high: Mapped[int]
    move: Mapped[int | None]
    nodes: Mapped[int] = mapped_column(BigInteger)
    host: Mapped[str | None] = mapped_column(String(MAX_HOST_CHARS))


class SolveProof(Base):
    """The proof of what came out of a solve, in parts of many lines."""

    __tablename__ = "solve_proofs"

    solve_id: Mapped[int] = mapped_column(ForeignKey("solves.id"), primary_key=True)
    part: Mapped[int] = mapped_column(primary_key=True)
    lines: Mapped[str] = mapped_column(Text)
