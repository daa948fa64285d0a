"""Simulations, their chunks and their games."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.core.terms import ExperimentState, MatchState
from arena.store.models.base import Base, Leased
from arena.store.models.people import User
from arena.store.types import EnumText
from arena.theory.statistics.intervals import Method
from workers.simulation.contract import RowOf


class Sweep(Base):
    """Experiments that were asked for together: one for each combination of some values.

    `owner_id` is the team or organiser that asked for it, None for an administrator's. `plan` is an
    `arena.experiments.grid.SweepPlan`, `digest` its digest; its cell n is the experiment with `cell` n.
    """

    __tablename__ = "sweeps"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)
    owner_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    digest: Mapped[str] = mapped_column(String(64))
    plan: Mapped[dict[str, Any]]
    created_at: Mapped[dt.datetime]

    owner: Mapped[User | None] = relationship(lazy="joined")


class Experiment(Base):
    """Many games between two players, counted: a simulation that the workers play in chunks.

    `owner_id` is the team or organiser that asked for it, None for an administrator's; it is number `cell`
    of a sweep where it has one. `games` are asked for, and `spent_ns` is what workers took for those that
    came back. `spec` says all that a game depends on. `issued` games are in chunks that were made, `done`
    is the length of the recorded prefix and `tally` what it comes to, `ahead` the games recorded behind a
    gap; `course` is how the tally came about (`arena.experiments.course`). `chunk` is the size of the next
    chunk, `chunk_fixed` whether it stays that. With `columns` its games are recorded so, a chunk being a
    part of the recording. `stopped` says that `done` games were enough for an interval of `stop_when_ci` to
    either side, or to decide the test `sprt`.
    """

    __tablename__ = "experiments"

    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    sweep_id: Mapped[int | None] = mapped_column(ForeignKey("sweeps.id"), index=True)
    cell: Mapped[int | None]
    state: Mapped[ExperimentState] = mapped_column(EnumText(ExperimentState, 10), index=True)
    games: Mapped[int] = mapped_column(BigInteger)
    spent_ns: Mapped[int] = mapped_column(BigInteger, default=0)
    spec: Mapped[dict[str, Any]]
    needs: Mapped[str] = mapped_column(String(40))
    opening_plies: Mapped[int]
    stop_when_ci: Mapped[float | None]
    sprt: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    interval: Mapped[Method] = mapped_column(String(20))
    confidence: Mapped[float]
    columns: Mapped[RowOf | None] = mapped_column(EnumText(RowOf, 4))
    chunk: Mapped[int] = mapped_column(BigInteger)
    chunk_fixed: Mapped[bool]
    issued: Mapped[int] = mapped_column(BigInteger, default=0)
    done: Mapped[int] = mapped_column(BigInteger, default=0)
    ahead: Mapped[int] = mapped_column(BigInteger, default=0)
    tally: Mapped[dict[str, Any]]
    course: Mapped[list[list[int]]] = mapped_column(JSON, default=list, deferred=True)
    stopped: Mapped[bool] = mapped_column(default=False)
    lost: Mapped[int] = mapped_column(default=0)
    refused: Mapped[int] = mapped_column(default=0)
    trouble: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[dt.datetime]
    started_at: Mapped[dt.datetime | None]
    recorded_at: Mapped[dt.datetime | None]
    finished_at: Mapped[dt.datetime | None]

    owner: Mapped[User | None] = relationship(lazy="joined")
    sweep: Mapped[Sweep | None] = relationship()


class ExperimentChunk(Leased, Base):
    """Games `start` to ``start + count - 1`` of a running experiment, until they are part of its prefix.

    `blocks` is what came back, kept while a chunk before this one is missing.
    """

    __tablename__ = "experiment_chunks"

    experiment_id: Mapped[int] = mapped_column(ForeignKey("experiments.id"), primary_key=True)
    start: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    count: Mapped[int] = mapped_column(BigInteger)
    state: Mapped[MatchState] = mapped_column(EnumText(MatchState, 10), index=True)
    blocks: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))

    experiment: Mapped[Experiment] = relationship()


class ExperimentGame(Base):
    """One game of an experiment that records its games; scores are by seat."""

    __tablename__ = "experiment_games"

    experiment_id: Mapped[int] = mapped_column(ForeignKey("experiments.id"), primary_key=True)
    index: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    first: Mapped[int]
    winner: Mapped[int | None]
    reason: Mapped[str] = mapped_column(String(40))
    first_score: Mapped[int]
    second_score: Mapped[int]
    plies: Mapped[int]
    moves: Mapped[list[str]]
