"""Questions and answers, in the words of the API and the pages, as each reader may see them."""

from __future__ import annotations

from arena.schemas.questions import AnswerOut, QuestionOut
from arena.store.models import Answer, Question


def question_of(question: Question, *, staff: bool) -> QuestionOut:
    """The question with all its answers, as its team or the staff sees it."""
    corrected = {answer.corrects_id for answer in question.answers}
    answers = [
        _answer(answer, corrected=answer.id in corrected, by=answer.user.name if staff else None)
        for answer in question.answers
    ]
    return _question(question, answers, team=question.team.name, asked_by=question.user.name)


def published_of(answer: Answer) -> QuestionOut:
    """A question that was answered to all, with this answer; who asked it, only where all are to know."""
    told = _answer(answer, corrected=False, by=None)
    return _question(answer.question, [told], team=answer.question.team.name if answer.names_asker else None)


def _question(
    question: Question, answers: list[AnswerOut], *, team: str | None, asked_by: str | None = None
) -> QuestionOut:
    tournament, match = question.tournament, question.match if team is not None else None
    return QuestionOut(
        number=question.id,
        state=question.state,
        text=question.text,
        asked_at=question.asked_at,
        team=team,
        asked_by=asked_by,
        tournament=tournament.name if tournament else None,
        title=tournament.title if tournament else None,
        match=match.number if match else None,
        answers=answers,
    )


def _answer(answer: Answer, *, corrected: bool, by: str | None) -> AnswerOut:
    return AnswerOut(
        number=answer.id,
        text=answer.text,
        to_all=answer.to_all,
        at=answer.at,
        by=by,
        corrects=answer.corrects_id,
        corrected=corrected,
    )
