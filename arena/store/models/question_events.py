"""What is told of questions, of their answers, and to a class alone."""

from __future__ import annotations

from arena.store.models.event_types import EventData, EventKind


class ClassAnnounced(EventData, kind=EventKind.CLASS_ANNOUNCED):
    """The staff tells a class something."""

    class_name: str
    text: str


class QuestionAsked(EventData, kind=EventKind.QUESTION_ASKED):
    """A team asks something; what, is for those who answer."""

    question: int


class QuestionAnswered(EventData, kind=EventKind.QUESTION_ANSWERED):
    """A question has an answer that is not for everybody."""

    question: int


class QuestionClosed(EventData, kind=EventKind.QUESTION_CLOSED):
    """Nothing more is to be said to a question."""

    question: int


class AnswerPublished(EventData, kind=EventKind.ANSWER_PUBLISHED):
    """Everybody is told a question and its answer; `asker` where they are to know who asked."""

    question: int
    asked: str
    answer: str
    asker: str | None
