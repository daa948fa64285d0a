"""Queries for questions and their answers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select
from sqlalchemy.orm import Session, aliased, contains_eager, joinedload, selectinload

from arena.core.terms import QuestionState
from arena.store.models import Answer, Question, Tournament

LATER = aliased(Answer)
STANDS = ~exists().where(LATER.corrects_id == Answer.id)
"""Whether no other answer stands in the place of one."""


def get(session: Session, number: int) -> Question | None:
    """The question of that number; nobody else changes it until this transaction ends."""
    query = select(Question).where(Question.id == number).with_for_update(of=Question)
    return session.scalar(query)


def of_team(team_id: int) -> Select[Question]:
    """What a team has asked, the newest first."""
    return _whole().where(Question.team_id == team_id).order_by(Question.id.desc())


def of_tournament(tournament_id: int, state: QuestionState | None = None) -> Select[Question]:
    """What was asked about a tournament: what is open first, and then the newest."""
    return _sorted(_whole().where(Question.tournament_id == tournament_id), state)


def all_for(
    owner_id: int, class_ids: Collection[int], state: QuestionState | None = None
) -> Select[Question]:
    """What an organiser answers, sorted likewise."""
    return _sorted(_whole().where(_for(owner_id, class_ids)), state)


def everything(state: QuestionState | None = None) -> Select[Question]:
    """All questions, sorted likewise."""
    return _sorted(_whole(), state)


def _whole() -> Select[Question]:
    query = select(Question).outerjoin(Tournament, Tournament.id == Question.tournament_id)
    return query.options(
        contains_eager(Question.tournament),
        joinedload(Question.team),
        joinedload(Question.user),
        joinedload(Question.match),
        selectinload(Question.answers).joinedload(Answer.user),
    )


def _sorted(query: Select[Question], state: QuestionState | None) -> Select[Question]:
    if state is not None:
        query = query.where(Question.state == state)
    return query.order_by(Question.state != QuestionState.OPEN, Question.id.desc())


def _for(owner_id: int, class_ids: Collection[int]) -> ColumnElement[bool]:
    run = or_(Tournament.owner_id == owner_id, Tournament.class_id.in_(class_ids))
    return or_(run, and_(Question.tournament_id.is_(None), Question.class_id.in_(class_ids)))


def count_open(
    session: Session, *, owner_id: int | None = None, class_ids: Collection[int] = ()
) -> dict[int | None, int]:
    """How many open questions there are by tournament, None for the general ones: all, or an organiser's."""
    query = select(Question.tournament_id, func.count()).where(Question.state == QuestionState.OPEN)
    if owner_id is not None:
        query = query.outerjoin(Tournament, Tournament.id == Question.tournament_id)
        query = query.where(_for(owner_id, class_ids))
    return {row[0]: row[1] for row in session.execute(query.group_by(Question.tournament_id))}


def count_of_team(session: Session, team_id: int, since: dt.datetime) -> tuple[int, int]:
    """How many questions of a team are open, and how many it has asked since then."""
    is_open = func.count().filter(Question.state == QuestionState.OPEN)
    lately = func.count().filter(Question.asked_at > since)
    row = session.execute(select(is_open, lately).where(Question.team_id == team_id)).one()
    return row[0], row[1]


def published(tournament_id: int) -> Select[Answer]:
    """What was answered to all about a tournament, the newest first, as it stands now."""
    query = select(Answer).join(Question).options(contains_eager(Answer.question).joinedload(Question.team))
    query = query.where(Question.tournament_id == tournament_id, Answer.to_all, STANDS)
    return query.order_by(Answer.id.desc())


def told(
    session: Session, team_id: int, class_id: int | None, tournaments: Collection[int], limit: int
) -> Sequence[Answer]:
    """The newest answers that a team may read: its own, and those to all that are about what concerns it."""
    general: ColumnElement[bool] = Question.class_id.is_(None)
    if class_id is not None:
        general = or_(general, Question.class_id == class_id)
    concerns = or_(Question.tournament_id.in_(tournaments), and_(Question.tournament_id.is_(None), general))
    query = select(Answer).join(Question).options(contains_eager(Answer.question).joinedload(Question.team))
    query = query.where(or_(Question.team_id == team_id, and_(Answer.to_all, concerns)), STANDS)
    return session.scalars(query.order_by(Answer.id.desc()).limit(limit)).all()
