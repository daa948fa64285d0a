"""Questions on the pages: where a team asks, where the staff answers, and what everybody is told."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import HTMLResponse, Response

from arena.core.errors import (
    ArenaError,
    ConflictError,
    ForbiddenError,
    InvalidError,
    NotFoundError,
    TooManyError,
)
from arena.core.terms import QuestionState
from arena.events import announcements, questions
from arena.schemas.paging import Page
from arena.schemas.questions import NewAnswer, NewQuestion, QuestionOut
from arena.schemas.texts import MAX_TEXT_CHARS
from arena.schemas.tournaments import TournamentOut
from arena.store import stamps
from arena.store.models import Question, Tournament, User
from arena.web.answers.questions import published_of, question_of
from arena.web.answers.tournaments import shown
from arena.web.http.answer_cache import cacheable
from arena.web.http.dependencies import InSession, InTournament
from arena.web.http.responses import Part, Window, page_of
from arena.web.http.visibility import Viewer
from arena.web.http.web_sessions import PlayerVisitor, StaffVisitor
from arena.web.pages.account import Number
from arena.web.pages.forms import Text, local, see, text_of
from arena.web.pages.managing import NOTHING_REFUSED, InManagement, refusal
from arena.web.pages.rendering import render

REFUSED = (ConflictError, ForbiddenError, InvalidError, NotFoundError, TooManyError)
SHOWN = 1
"""So many announcements, and so many answers, stand above the leaderboard; the others have a page."""
PUBLIC = Viewer(None)

router = APIRouter(default_response_class=HTMLResponse)

State = Annotated[QuestionState | None, Query()]


@router.get("/my/questions")
def own_questions(
    *,
    request: Request,
    session: InSession,
    visitor: PlayerVisitor,
    part: Part,
    tournament: Annotated[str, Query(max_length=60)] = "",
    match: Annotated[int | None, Query(ge=1, lt=2**31)] = None,
) -> HTMLResponse:
    """What one's team has asked and was answered; and where to ask."""
    typed = {"tournament": tournament, "match": match, "text": ""}
    return _own(request, session, visitor, part, typed=typed)


def _own(
    request: Request,
    session: InSession,
    visitor: User,
    part: Window,
    *,
    typed: dict[str, Any],
    error: ArenaError | None = None,
) -> HTMLResponse:
    rows, total = questions.of_team(session, visitor, part.offset, part.limit)
    return render(
        request,
        "my_questions.html",
        error.status if error else 200,
        page=page_of([question_of(each, staff=False) for each in rows], total, part),
        concerns=questions.concerns(session, visitor),
        typed=typed,
        refused=error,
        most_chars=MAX_TEXT_CHARS,
    )


@router.post("/my/questions")
def ask(
    *,
    request: Request,
    session: InSession,
    visitor: PlayerVisitor,
    part: Part,
    text: Text = "",
    tournament: Annotated[str, Form(max_length=60)] = "",
    match: Annotated[str, Form(max_length=20)] = "",
) -> Response:
    """Ask something."""
    try:
        number = _match_number(match)
        new = NewQuestion(text=text_of(text), tournament=tournament or None, match=number)
        asked = questions.ask(session, visitor, new)
    except REFUSED as error:
        session.rollback()
        typed = {"tournament": tournament, "match": match, "text": text}
        return _own(request, session, visitor, part, typed=typed, error=error)
    return see(f"/my/questions#question-{asked.id}")


def _match_number(text: str) -> int | None:
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 2**31):
        raise InvalidError("a game is named by its number, such as 17")
    return int(text)


def _page(
    request: Request,
    page: Page[QuestionOut],
    *,
    tournament: TournamentOut | None = None,
    state: QuestionState | None = None,
    status: int = 200,
    **told: Any,
) -> HTMLResponse:
    """Questions with what can be answered to them: about one tournament, or all that one answers."""
    return render(
        request,
        "questions.html",
        status,
        tournament=tournament,
        page=page,
        state=state,
        here=f"/manage/{tournament.name}/questions" if tournament else "/questions",
        most_chars=MAX_TEXT_CHARS,
        **NOTHING_REFUSED | told,
    )


@router.get("/questions")
def all_questions(
    request: Request, session: InSession, visitor: StaffVisitor, part: Part, state: State = None
) -> HTMLResponse:
    """What one may answer, what is open first."""
    rows, total = questions.for_staff(session, visitor, state, part.offset, part.limit)
    page = page_of([question_of(each, staff=True) for each in rows], total, part)
    return _page(request, page, state=state)


@router.get("/manage/{name}/questions")
def tournament_questions(management: InManagement, part: Part, state: State = None) -> HTMLResponse:
    """What was asked about a tournament, what is open first."""
    rows, total = questions.of_tournament(
        management.session, management.tournament, state, part.offset, part.limit
    )
    page = page_of([question_of(each, staff=True) for each in rows], total, part)
    (tournament,) = shown(management.session, Viewer(management.visitor), [management.tournament])
    return _page(management.request, page, tournament=tournament, state=state)


def get_question(session: InSession, visitor: StaffVisitor, number: Number) -> Question:
    """The question that the path names, for those who answer it."""
    return questions.get(session, visitor, number)


InQuestion = Annotated[Question, Depends(get_question)]
Back = Annotated[str, Form(max_length=200)]


@router.post("/questions/{number}/answer")
def answer(
    *,
    request: Request,
    session: InSession,
    visitor: StaffVisitor,
    question: InQuestion,
    text: Text = "",
    to: Annotated[str, Form(max_length=10)] = "team",
    names_asker: Annotated[bool, Form()] = False,
    corrects: Annotated[int | None, Form(ge=1, lt=2**31)] = None,
    back: Back = "",
) -> Response:
    """Answer a question to its team or to all, or correct an answer."""
    try:
        new = NewAnswer(text=text_of(text), to_all=to == "all", names_asker=names_asker, corrects=corrects)
        questions.answer(session, visitor, question, new)
    except REFUSED as error:
        page = page_of([question_of(question, staff=True)], 1, Window(offset=0, limit=1))
        session.rollback()
        typed = {"text": text, "to": to, "names_asker": names_asker, "corrects": corrects}
        told = refusal(error, f"answer {question.id}", **typed)
        return _page(request, page, status=error.status, **told)
    return see(f"{local(back, '/questions')}#question-{question.id}")


@router.post("/questions/{number}/close")
def close(session: InSession, visitor: StaffVisitor, question: InQuestion, back: Back = "") -> Response:
    """Say that nothing more is to be said to a question."""
    questions.close(session, visitor, question)
    return see(local(back, "/questions"))


def announced(session: InSession, tournament: Tournament) -> dict[str, Any]:
    """What the first page of a tournament tells: the last announcements, and the last answers to all."""
    told, all_told = announcements.listed_in(session, tournament, offset=0, limit=SHOWN)
    answers, all_answers = questions.published(session, tournament, 0, SHOWN)
    return {
        "announcements": told,
        "published": [published_of(each) for each in answers],
        "more_announced": all_told + all_answers > len(told) + len(answers),
    }


@router.get("/tournaments/{name}/announcements")
def show_announcements(
    request: Request, session: InSession, tournament: InTournament, part: Part
) -> HTMLResponse:
    """All that was announced about a tournament, and all that was answered to all."""
    cacheable(request, stamps.of_tournament(session, tournament))
    told, all_told = announcements.listed_in(session, tournament, offset=part.offset, limit=part.limit)
    answers, all_answers = questions.published(session, tournament, part.offset, part.limit)
    return render(
        request,
        "announcements.html",
        tournament=shown(session, PUBLIC, [tournament])[0],
        announcements=told,
        published=[published_of(each) for each in answers],
        page=page_of([], max(all_told, all_answers), part),
    )
