"""Queries for classes and the codes by which they are joined."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, selectinload

from arena.core.clock import utc_now
from arena.store.models import JoinCode, SchoolClass, User
from arena.store.models.people import organisers


def by_name(session: Session, name: str) -> SchoolClass | None:
    """The class of that name, with its organisers."""
    query = select(SchoolClass).where(SchoolClass.name == name)
    return session.scalar(query.options(selectinload(SchoolClass.organisers)))


def names(session: Session) -> Sequence[str]:
    """The names of all classes."""
    return session.scalars(select(SchoolClass.name).order_by(SchoolClass.name)).all()


def all_classes(organiser: User | None = None) -> Select[SchoolClass]:
    """All classes, or those of an organiser, in the order of their names."""
    query = select(SchoolClass).order_by(SchoolClass.name).options(selectinload(SchoolClass.organisers))
    if organiser is None:
        return query
    return query.join(organisers, organisers.c.class_id == SchoolClass.id).where(
        organisers.c.user_id == organiser.id
    )


def teams(session: Session, school_class: SchoolClass) -> Sequence[User]:
    """The users of a class who are in, in the order of their names."""
    query = select(User).where(User.class_id == school_class.id, User.left_at.is_(None))
    return session.scalars(query.order_by(User.name)).all()


def code(session: Session, text: str) -> JoinCode | None:
    """The code that reads so and is good now; locked, so that nobody else uses it up meanwhile."""
    query = _good_codes().where(JoinCode.text == text)
    return session.scalar(query.with_for_update())


def codes_of_class(session: Session, school_class: SchoolClass) -> Sequence[JoinCode]:
    """The codes of a class that are good now, the oldest first."""
    return session.scalars(_good_codes().where(JoinCode.class_id == school_class.id)).all()


def codes_of_team(session: Session, team_id: int, *, locked: bool = False) -> Sequence[JoinCode]:
    """The codes of a team that are good now, the oldest first; locked, nobody uses them meanwhile."""
    query = _good_codes().where(JoinCode.team_id == team_id)
    return session.scalars(query.with_for_update() if locked else query).all()


def _good_codes() -> Select[JoinCode]:
    good = (JoinCode.uses_left > 0, JoinCode.expires_at > utc_now())
    return select(JoinCode).where(*good).order_by(JoinCode.id)
