"""Questions of teams and their answers, and what the staff announces to a tournament or a class."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from arena.core.terms import QuestionState
from arena.events import announcements, questions
from arena.schemas.events import EventOut, NewText
from arena.schemas.paging import Page
from arena.schemas.questions import NewAnswer, NewQuestion, QuestionOut
from arena.store.models import Question
from arena.web.answers.questions import published_of, question_of
from arena.web.http.dependencies import InClass, InSession, InTournament, Player, Runner, Staff
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of

TOURNAMENT = "/tournaments/{name}"
State = Annotated[QuestionState | None, Query(description="Only those in this state.")]
router = APIRouter(tags=["questions"], responses=documented(422))


@router.get(
    "/me/questions", response_model=Page[QuestionOut], responses={**NOT_MODIFIED, **documented(401, 403)}
)
def list_own_questions(request: Request, session: InSession, player: Player, part: Part) -> Response:
    """What one's team has asked, and what it was answered, newest first."""
    rows, total = questions.of_team(session, player, part.offset, part.limit)
    return conditional(request, page_of([question_of(each, staff=False) for each in rows], total, part))


@router.post("/me/questions", status_code=201, responses=documented(400, 401, 403, 404, 409, 413, 429))
def ask_question(session: InSession, player: Player, new: NewQuestion) -> QuestionOut:
    """Ask those who run a tournament, or one's class, something; they answer one's team, or all."""
    return question_of(questions.ask(session, player, new), staff=False)


@router.get(
    "/questions", response_model=Page[QuestionOut], responses={**NOT_MODIFIED, **documented(401, 403)}
)
def list_questions(
    request: Request, session: InSession, staff: Staff, part: Part, state: State = None
) -> Response:
    """What one may answer, what is open first: about tournaments that one runs, and in general."""
    rows, total = questions.for_staff(session, staff, state, part.offset, part.limit)
    return conditional(request, page_of([question_of(each, staff=True) for each in rows], total, part))


def get_question(session: InSession, staff: Staff, number: Annotated[int, Path(ge=1, lt=2**31)]) -> Question:
    """The question that the path names, for those who answer it."""
    return questions.get(session, staff, number)


InQuestion = Annotated[Question, Depends(get_question)]


@router.post(
    "/questions/{number}/answers", status_code=201, responses=documented(400, 401, 403, 404, 409, 413)
)
def answer_question(session: InSession, staff: Staff, question: InQuestion, new: NewAnswer) -> QuestionOut:
    """Answer a question: to its team, or to all, who then read the question too; or correct an answer."""
    questions.answer(session, staff, question, new)
    return question_of(question, staff=True)


@router.post("/questions/{number}/close", responses=documented(401, 403, 404))
def close_question(session: InSession, staff: Staff, question: InQuestion) -> QuestionOut:
    """Say that nothing more is to be said to a question. It may be answered all the same later."""
    questions.close(session, staff, question)
    return question_of(question, staff=True)


@router.get(
    TOURNAMENT + "/questions",
    response_model=Page[QuestionOut],
    responses={**NOT_MODIFIED, **documented(401, 403, 404)},
)
def list_tournament_questions(
    *,
    request: Request,
    session: InSession,
    _runner: Runner,
    tournament: InTournament,
    part: Part,
    state: State = None,
) -> Response:
    """What was asked about a tournament, what is open first."""
    rows, total = questions.of_tournament(session, tournament, state, part.offset, part.limit)
    return conditional(request, page_of([question_of(each, staff=True) for each in rows], total, part))


@router.get(
    TOURNAMENT + "/answers", response_model=Page[QuestionOut], responses={**NOT_MODIFIED, **documented(404)}
)
def list_answers(request: Request, session: InSession, tournament: InTournament, part: Part) -> Response:
    """What was answered to all about a tournament, newest first, each with its question."""
    rows, total = questions.published(session, tournament, part.offset, part.limit)
    return conditional(request, page_of([published_of(each) for each in rows], total, part))


@router.get(
    TOURNAMENT + "/announcements",
    response_model=Page[EventOut],
    responses={**NOT_MODIFIED, **documented(404)},
)
def list_tournament_announcements(
    request: Request, session: InSession, tournament: InTournament, part: Part
) -> Response:
    """What was announced about a tournament, newest first."""
    told, total = announcements.listed_in(session, tournament, offset=part.offset, limit=part.limit)
    return conditional(request, page_of(told, total, part))


@router.post(TOURNAMENT + "/announcements", status_code=201, responses=documented(400, 401, 403, 404, 413))
def announce_in_tournament(
    session: InSession, runner: Runner, tournament: InTournament, new: NewText
) -> EventOut:
    """Tell everybody something about a tournament; its pages show it."""
    return announcements.make_in(session, runner, tournament, new.text)


@router.get(
    "/classes/{name}/announcements",
    response_model=Page[EventOut],
    responses={**NOT_MODIFIED, **documented(401, 403, 404)},
)
def list_class_announcements(
    request: Request, session: InSession, school_class: InClass, part: Part
) -> Response:
    """What was announced to a class, newest first."""
    told, total = announcements.listed_for(session, school_class, offset=part.offset, limit=part.limit)
    return conditional(request, page_of(told, total, part))


@router.post("/classes/{name}/announcements", status_code=201, responses=documented(400, 401, 403, 404, 413))
def announce_to_class(session: InSession, staff: Staff, school_class: InClass, new: NewText) -> EventOut:
    """Tell the teams of a class something; others do not read it."""
    return announcements.make_for(session, staff, school_class, new.text)
