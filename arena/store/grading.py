"""Queries for grading schemes and for the grades that teams were told."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.store.models import Grade, GradeRelease, Grading, Tournament, User


class Release(NamedTuple):
    """A release, and the name of who made it."""

    release: GradeRelease
    by: str | None


def scheme_of(session: Session, tournament: Tournament) -> Grading | None:
    """How a tournament is graded, as it is now."""
    return session.get(Grading, tournament.id, populate_existing=True)


def releases(session: Session, tournament: Tournament, limit: int) -> list[Release]:
    """The last releases of a tournament's grades, the last first."""
    query = select(GradeRelease, User.name).outerjoin(User, User.id == GradeRelease.user_id)
    query = query.where(GradeRelease.tournament_id == tournament.id).order_by(GradeRelease.number.desc())
    return [Release(row[0], row[1]) for row in session.execute(query.limit(limit))]


def told(session: Session, release: GradeRelease) -> Sequence[Grade]:
    """What was told in a release."""
    return session.scalars(select(Grade).where(Grade.release_id == release.id)).all()


def of_owner(session: Session, owner_id: int) -> Sequence[Grade]:
    """Everything that a team was told, with the releases, the last first."""
    query = select(Grade).join(Grade.release).where(Grade.owner_id == owner_id)
    return session.scalars(query.order_by(GradeRelease.id.desc())).unique().all()


def newest(session: Session, tournaments: Collection[int]) -> dict[int, int]:
    """The number of the last release of each of these tournaments that has one."""
    query = select(GradeRelease.tournament_id, func.max(GradeRelease.number))
    query = query.where(GradeRelease.tournament_id.in_(tournaments)).group_by(GradeRelease.tournament_id)
    return {row[0]: row[1] for row in session.execute(query)}


def owners(session: Session, names: Collection[str]) -> dict[str, int]:
    """The ids of users by their names."""
    return {row[0]: row[1] for row in session.execute(select(User.name, User.id).where(User.name.in_(names)))}
