"""How tournaments are graded, and which grades their teams were told."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import ForeignKey, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.store.models.base import Base
from arena.store.models.people import User
from arena.store.models.tournaments import Tournament


class Grading(Base):
    """The scheme by which a tournament is graded, as its staff set it last."""

    __tablename__ = "gradings"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    scheme: Mapped[dict[str, Any]]
    set_at: Mapped[dt.datetime]


class GradeRelease(Base):
    """Grades as they were told to the teams; `number` counts a tournament's releases from 1.

    Nothing changes a release: other grades are another release, with the `reason` for it.
    """

    __tablename__ = "grade_releases"
    __table_args__ = (UniqueConstraint("tournament_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))
    number: Mapped[int]
    at: Mapped[dt.datetime]
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    reason: Mapped[str] = mapped_column(Text)
    scheme: Mapped[dict[str, Any]]

    tournament: Mapped[Tournament] = relationship(lazy="joined")


class Grade(Base):
    """What one team was told in a release: its points, and by which numbers."""

    __tablename__ = "grades"
    __table_args__ = (Index("ix_grades_owner_id", "owner_id"),)

    release_id: Mapped[int] = mapped_column(ForeignKey("grade_releases.id"), primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    told: Mapped[dict[str, Any]]

    release: Mapped[GradeRelease] = relationship(lazy="joined")
    owner: Mapped[User] = relationship()
