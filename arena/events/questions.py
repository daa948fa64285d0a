"""Questions of teams to those who run things, and their answers: to the team alone, or to all.

What is asked is nobody else's affair until it is answered to all.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, ForbiddenError, NotFoundError, TooManyError
from arena.core.terms import QuestionState
from arena.events.announcements import let_pages_tell
from arena.events.news import MAX_TOURNAMENTS
from arena.schemas.questions import NewAnswer, NewQuestion
from arena.store import events, teams
from arena.store import news as news_store
from arena.store import questions as store
from arena.store import tournaments as tournament_store
from arena.store import users as user_store
from arena.store.models import Answer, Match, Question, Tournament, User
from arena.store.models.question_events import (
    AnswerPublished,
    QuestionAnswered,
    QuestionAsked,
    QuestionClosed,
)
from arena.store.paging import page
from arena.tournaments import lifecycle, matches

MAX_OPEN = 10
"""Questions of a team that wait for an answer."""
MAX_A_DAY = 40
DAY = dt.timedelta(days=1)
MAX_ANSWERS = 50
"""Answers to one question, those that were corrected included."""


def ask(session: Session, user: User, new: NewQuestion) -> Question:
    """Ask those who run things something, for the user's team.

    Raises:
        NotFoundError: there is no such tournament or match.
        ForbiddenError: it does not concern the team, or the match is another's.
        ConflictError: a match is named without its tournament.
        TooManyError: the team has asked too much lately, or too much of it is open.
    """
    permissions.require_player(user)
    user_store.lock(session, user)
    _require_room(session, user)
    tournament, match = _subject(session, user, new)
    question = Question(
        team_id=user.account_id,
        user_id=user.id,
        class_id=user.class_id,
        tournament_id=tournament.id if tournament else None,
        match_id=match.id if match else None,
        state=QuestionState.OPEN,
        text=new.text,
        asked_at=utc_now(),
    )
    session.add(question)
    session.flush()
    events.log(session, QuestionAsked(question.id), actor=user, tournament=tournament)
    session.flush()
    return question


def _require_room(session: Session, user: User) -> None:
    is_open, lately = store.count_of_team(session, user.account_id, utc_now() - DAY)
    if is_open >= MAX_OPEN:
        raise ConflictError(
            "%(most)s questions of your team are open; wait for an answer to one of them", most=MAX_OPEN
        )
    if lately >= MAX_A_DAY:
        raise TooManyError(
            "your team has asked %(most)s questions within a day; ask again tomorrow", 3600, most=MAX_A_DAY
        )


def _subject(session: Session, user: User, new: NewQuestion) -> tuple[Tournament | None, Match | None]:
    if new.tournament is None:
        if new.match is not None:
            raise ConflictError("say which tournament the match is of")
        return None, None
    tournament = lifecycle.get(session, new.tournament)
    if tournament.id not in {each.id for each in concerns(session, user)}:
        raise ForbiddenError(
            "your team takes no part in %(tournament)r; ask about a tournament of yours, or in general",
            tournament=tournament.name,
        )
    if new.match is None:
        return tournament, None
    match = matches.get_shown(session, user, tournament, new.match)
    if not permissions.plays_in(user, match):
        raise ForbiddenError(
            "match %(match)s is no game of your team's; ask about one of yours", match=new.match
        )
    return tournament, match


def concerns(session: Session, user: User) -> list[news_store.Concern]:
    """The tournaments that a user's team may ask about, the newest first."""
    bots = [bot.id for bot in teams.bots(session, user.account_id)]
    return news_store.concerns(session, bots, user.class_id, MAX_TOURNAMENTS)


def get(session: Session, user: User, number: int) -> Question:
    """The question of that number, for those who answer it.

    Raises:
        NotFoundError: there is none.
        ForbiddenError: others answer it.
    """
    question = store.get(session, number)
    if question is None:
        raise NotFoundError("there is no question %(number)s", number=number)
    permissions.require_answerer(user, question)
    return question


def answer(session: Session, user: User, question: Question, new: NewAnswer) -> Answer:
    """Answer a question, once more or for the first time, or correct an answer.

    Raises:
        ConflictError: the answer to be corrected has been already, or there are too many.
        NotFoundError: the answer to be corrected is not there.
    """
    if len(question.answers) >= MAX_ANSWERS:
        raise ConflictError(
            "question %(number)s has %(most)s answers; tell the rest in another way",
            number=question.id,
            most=MAX_ANSWERS,
        )
    to_all, names_asker = new.to_all, new.to_all and new.names_asker
    if new.corrects is not None:
        before = _before(question, new.corrects)
        to_all, names_asker = before.to_all, before.names_asker
    made = Answer(
        question=question,
        user_id=user.id,
        corrects_id=new.corrects,
        to_all=to_all,
        names_asker=names_asker,
        text=new.text,
        at=utc_now(),
    )
    question.state = QuestionState.ANSWERED
    session.add(made)
    session.flush()
    _tell(session, user, question, made)
    return made


def _before(question: Question, number: int) -> Answer:
    before = next((each for each in question.answers if each.id == number), None)
    if before is None:
        raise NotFoundError(
            "question %(question)s has no answer %(answer)s", question=question.id, answer=number
        )
    if any(each.corrects_id == number for each in question.answers):
        raise ConflictError(
            "answer %(number)s was corrected already; look at what stands in its place", number=number
        )
    return before


def _tell(session: Session, user: User, question: Question, made: Answer) -> None:
    tournament = question.tournament
    if not made.to_all or (tournament is None and question.class_id is not None):
        events.log(session, QuestionAnswered(question.id), actor=user, tournament=tournament)
    else:
        asker = question.team.name if made.names_asker else None
        told = AnswerPublished(question.id, question.text, made.text, asker)
        events.log(session, told, actor=user, tournament=tournament)
        if tournament is not None:
            let_pages_tell(session, tournament_store.lock(session, tournament.id))
    session.flush()


def close(session: Session, user: User, question: Question) -> None:
    """Say that nothing more is to be said to a question; once more changes nothing."""
    if question.state is not QuestionState.CLOSED:
        question.state = QuestionState.CLOSED
        events.log(session, QuestionClosed(question.id), actor=user, tournament=question.tournament)
        session.flush()


def of_team(session: Session, user: User, offset: int, limit: int) -> tuple[Sequence[Question], int]:
    """A part of what a user's team has asked, newest first, and how much that is."""
    return page(session, store.of_team(user.account_id), offset, limit)


def of_tournament(
    session: Session, tournament: Tournament, state: QuestionState | None, offset: int, limit: int
) -> tuple[Sequence[Question], int]:
    """A part of what was asked about a tournament, what is open first, and how much that is."""
    return page(session, store.of_tournament(tournament.id, state), offset, limit)


def for_staff(
    session: Session, staff: User, state: QuestionState | None, offset: int, limit: int
) -> tuple[Sequence[Question], int]:
    """A part of what one of the staff may answer, what is open first, and how much that is."""
    if permissions.is_admin(staff):
        return page(session, store.everything(state), offset, limit)
    return page(session, store.all_for(staff.id, permissions.classes_of(staff), state), offset, limit)


def count_open(session: Session, staff: User) -> dict[int | None, int]:
    """How many open questions one of the staff may answer by tournament; None stands for the general ones."""
    if permissions.is_admin(staff):
        return store.count_open(session)
    return store.count_open(session, owner_id=staff.id, class_ids=permissions.classes_of(staff))


def published(
    session: Session, tournament: Tournament, offset: int, limit: int
) -> tuple[Sequence[Answer], int]:
    """A part of what was answered to all about a tournament, newest first, and how much that is."""
    return page(session, store.published(tournament.id), offset, limit)
