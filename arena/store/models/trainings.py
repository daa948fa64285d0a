"""Players learned on the workers: each training, what is given out of it, and what came of that."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.core.terms import MAX_HOST_CHARS, MatchState, TrainingState
from arena.store.models.base import Base, Leased
from arena.store.models.people import User
from arena.store.types import EnumText
from workers.training.plan import Part


class Training(Base):
    """A player that is learned by a `plan` (`workers.training.plan.Plan.told`).

    It is at that `part` of that `round`, counted from 0: at `total` games, stages or openings, of which all
    before `next` were given out. `given` are the SHA-256 of what this takes, with spaces between them, once
    the archive store has it. `answers` and `issued` count the parts and the chunks there ever were: the next
    ones have these numbers. `curve` has what each round came to that is whole, and `spent_ns` is what all
    took the workers.
    """

    __tablename__ = "trainings"

    id: Mapped[int] = mapped_column(primary_key=True)
    asked_by: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    state: Mapped[TrainingState] = mapped_column(EnumText(TrainingState, 10), index=True)
    plan: Mapped[dict[str, Any]]
    round: Mapped[int] = mapped_column(default=0)
    part: Mapped[Part] = mapped_column(EnumText(Part, 10), default=Part.GAMES)
    total: Mapped[int]
    next: Mapped[int] = mapped_column(default=0)
    given: Mapped[str | None] = mapped_column(String(200))
    answers: Mapped[int] = mapped_column(default=0)
    issued: Mapped[int] = mapped_column(default=0)
    curve: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    spent_ns: Mapped[int] = mapped_column(BigInteger, default=0)
    lost: Mapped[int] = mapped_column(default=0)
    refused: Mapped[int] = mapped_column(default=0)
    trouble: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[dt.datetime]
    started_at: Mapped[dt.datetime | None]
    recorded_at: Mapped[dt.datetime | None]
    finished_at: Mapped[dt.datetime | None]

    owner: Mapped[User] = relationship(lazy="joined")


class TrainingChunk(Leased, Base):
    """Games, a stage or openings of a round, `size` from `first` on (`workers.training.plan.Chunk`).

    It is a row only as long as nobody has answered and the answer is wanted.
    """

    __tablename__ = "training_chunks"

    training_id: Mapped[int] = mapped_column(ForeignKey("trainings.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    state: Mapped[MatchState] = mapped_column(EnumText(MatchState, 10), index=True)
    round: Mapped[int]
    part: Mapped[Part] = mapped_column(EnumText(Part, 10))
    first: Mapped[int]
    size: Mapped[int]

    training: Mapped[Training] = relationship()


class TrainingPart(Base):
    """What came of a chunk on that `host`: games or weights in base64, errors of a stage, or points.

    Numbers of a training begin with 0. The games of a round are no rows any more once it is fitted.
    """

    __tablename__ = "training_parts"
    __table_args__ = (
        Index("ix_training_parts_training_id_round_part", "training_id", "round", "part", "first"),
    )

    training_id: Mapped[int] = mapped_column(ForeignKey("trainings.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    round: Mapped[int]
    part: Mapped[Part] = mapped_column(EnumText(Part, 10))
    first: Mapped[int]
    size: Mapped[int]
    payload: Mapped[str] = mapped_column(Text)
    errors: Mapped[list[float] | None] = mapped_column(JSON(none_as_null=True))
    points: Mapped[int | None]
    host: Mapped[str | None] = mapped_column(String(MAX_HOST_CHARS))
