"""Questions that teams ask those who run things, and what these answer."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.core.terms import QuestionState
from arena.store.models.base import Base
from arena.store.models.matches import Match
from arena.store.models.people import User
from arena.store.models.tournaments import Tournament
from arena.store.types import EnumText


class Question(Base):
    """What the user `user_id` asks for the team `team_id`: about a tournament, a match in it, or in general.

    What is asked in general is for the organisers of the class `class_id` that the team was in then.
    """

    __tablename__ = "questions"
    __table_args__ = (
        Index("ix_questions_tournament_id_state", "tournament_id", "state"),
        Index("ix_questions_class_id_state", "class_id", "state"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    class_id: Mapped[int | None]
    tournament_id: Mapped[int | None] = mapped_column(ForeignKey("tournaments.id"))
    match_id: Mapped[int | None] = mapped_column(ForeignKey("matches.id"))
    state: Mapped[QuestionState] = mapped_column(EnumText(QuestionState, 10))
    text: Mapped[str] = mapped_column(Text)
    asked_at: Mapped[dt.datetime]

    team: Mapped[User] = relationship(foreign_keys=team_id)
    user: Mapped[User] = relationship(foreign_keys=user_id)
    tournament: Mapped[Tournament | None] = relationship()
    match: Mapped[Match | None] = relationship()
    answers: Mapped[list[Answer]] = relationship(order_by="Answer.id", back_populates="question")


class Answer(Base):
    """What was answered: to the team alone, or to all, who read the question too and perhaps who asked it.

    One that `corrects_id` another stands in its place; what was said before is kept.
    """

    __tablename__ = "answers"

    id: Mapped[int] = mapped_column(primary_key=True)
    question_id: Mapped[int] = mapped_column(ForeignKey("questions.id"), index=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    corrects_id: Mapped[int | None] = mapped_column(ForeignKey("answers.id"), unique=True)
    to_all: Mapped[bool]
    names_asker: Mapped[bool]
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[dt.datetime]

    question: Mapped[Question] = relationship(back_populates="answers")
    user: Mapped[User] = relationship()
