"""Questions of teams: who may ask about what, who answers, and who reads it then."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from arena.core.errors import ConflictError, ForbiddenError, NotFoundError, TooManyError
from arena.core.terms import QuestionState, Role
from arena.events import questions
from arena.people import classes, users
from arena.results import views
from arena.schemas.plans import TournamentPlan
from arena.schemas.questions import NewAnswer, NewQuestion
from arena.store.models import FROZEN, Event, Question
from arena.store.models.event_types import EventKind
from arena.tournaments import freezing, lifecycle
from tests.integration.arena.world import GAME, PARAMS, World, issue_matches


@pytest.fixture
def cup(world: World) -> World:
    """A running `cup` of `red`'s and `blue`'s bot and one of the staff's, in a class that a teacher runs."""
    with world.database.transaction() as session:
        class_ = classes.create(session, world.staff, "7a")
        teacher, _ = users.create_user(session, "teacher", Role.ORGANISER)
        classes.add_organiser(session, world.staff, class_, teacher)
        users.create_user(session, "elsewhere", Role.ORGANISER)
        plan = TournamentPlan(name="cup", game=GAME, params=PARAMS, seed=7, class_name="7a")
        made = lifecycle.create(session, world.staff, plan)
        lifecycle.open_(session, world.staff, made)
        for name in ("red", "blue", "green"):
            team, _ = users.create_user(session, name, Role.TEAM)
            team.class_id = class_.id if name != "green" else None
            bot = world.bot(session, name, team)
            if name != "green":
                lifecycle.enter(session, world.staff, made, bot)
        lifecycle.enter(session, world.staff, made, world.bot(session, "judge"))
        lifecycle.start(session, world.staff, made)
    return world


def _ask(world: World, who: str, text: str = "Why?", **about: Any) -> int:
    with world.database.transaction() as session:
        asked = questions.ask(session, users.get(session, who), NewQuestion(text=text, **about))
        return asked.id


def _answer(world: World, who: str, number: int, text: str = "So.", **how: Any) -> int:
    with world.database.transaction() as session:
        user = users.get(session, who)
        question = questions.get(session, user, number)
        return questions.answer(session, user, question, NewAnswer(text=text, **how)).id


def _events(world: World, *kinds: EventKind) -> list[tuple[str, dict[str, Any]]]:
    with world.database.reading() as session:
        query = select(Event).where(Event.kind.in_(kinds)).order_by(Event.id)
        return [(event.kind, event.data) for event in session.scalars(query)]


def _state(world: World, number: int) -> QuestionState:
    with world.database.reading() as session:
        return session.get_one(Question, number).state


def test_a_team_asks_about_what_concerns_it(cup: World) -> None:
    """About its tournaments, its games and in general; not about those of others."""
    own = _match_of(cup, "red", "judge")
    assert _ask(cup, "red", tournament="cup", match=own) == 1
    assert _ask(cup, "red") == 2
    with pytest.raises(ForbiddenError, match="no game of your team's"):
        _ask(cup, "red", tournament="cup", match=_match_of(cup, "blue", "judge"))
    with pytest.raises(ForbiddenError, match="takes no part"):
        _ask(cup, "green", tournament="cup")
    with pytest.raises(NotFoundError):
        _ask(cup, "red", tournament="other")
    with pytest.raises(NotFoundError):
        _ask(cup, "red", tournament="cup", match=99)
    with pytest.raises(ConflictError, match="which tournament"):
        _ask(cup, "red", match=1)
    with cup.database.transaction() as session:
        users.create_user(session, "looker", Role.READER)
    with pytest.raises(ForbiddenError):
        _ask(cup, "looker")


def _match_of(world: World, *bots: str) -> int:
    with world.database.reading() as session:
        cup = world.get(session)
        rows, _ = views.list_matches(session, cup)
        return next(
            row.number
            for row in rows
            if {row.first.version.bot.name, row.second.version.bot.name} == set(bots)
        )


def test_a_frozen_game_is_not_asked_about(cup: World) -> None:
    """Whether a game is there is no more told by asking than by looking."""
    with cup.database.transaction() as session:
        freezing.freeze(session, cup.staff, cup.get(session), own=False)
    with pytest.raises(NotFoundError, match="frozen"):
        _ask(cup, "red", tournament="cup", match=_match_of(cup, "red", "judge"))
    with pytest.raises(NotFoundError, match="frozen"):
        _ask(cup, "red", tournament="cup", match=99)
    assert _ask(cup, "red", tournament="cup") == 1


def test_who_answers(cup: World) -> None:
    """Who runs the tournament, or the class for what is asked in general; administrators all of it."""
    about, general, homeless = _ask(cup, "red", tournament="cup"), _ask(cup, "red"), _ask(cup, "green")
    with cup.database.reading() as session:
        may = {
            who: questions.for_staff(session, users.get(session, who), None, 0, 10)
            for who in ("teacher", "elsewhere", "staff")
        }
        counts = {who: sum(questions.count_open(session, users.get(session, who)).values()) for who in may}
    assert {who: ({each.id for each in rows}, total) for who, (rows, total) in may.items()} == {
        "teacher": ({about, general}, 2),
        "elsewhere": (set(), 0),
        "staff": ({about, general, homeless}, 3),
    }
    assert counts == {"teacher": 2, "elsewhere": 0, "staff": 3}
    for who, number in (("elsewhere", about), ("elsewhere", general), ("teacher", homeless), ("blue", about)):
        with pytest.raises(ForbiddenError):
            _answer(cup, who, number)
    with pytest.raises(NotFoundError):
        _answer(cup, "staff", 99)
    for number in (about, general):
        _answer(cup, "teacher", number)
        assert _state(cup, number) is QuestionState.ANSWERED


def test_nobody_hears_of_a_question_before_it_is_answered_to_all(cup: World) -> None:
    """The log has numbers alone until an answer is for all; then also texts, and who asked if wished."""
    number = _ask(cup, "red", "secret plan", tournament="cup")
    _answer(cup, "teacher", number, "for you alone")
    assert _published(cup) == []
    told = _events(cup, EventKind.QUESTION_ASKED, EventKind.QUESTION_ANSWERED)
    assert told == [("question.asked", {"question": 1}), ("question.answered", {"question": 1})]
    _answer(cup, "teacher", number, "for all", to_all=True)
    _answer(cup, "teacher", number, "by name", to_all=True, names_asker=True)
    assert _published(cup) == ["by name", "for all"]
    expected = {"question": 1, "asked": "secret plan"}
    assert [data for _, data in _events(cup, EventKind.ANSWER_PUBLISHED)] == [
        expected | {"answer": "for all", "asker": None},
        expected | {"answer": "by name", "asker": "red"},
    ]


def test_what_a_class_is_answered_is_for_the_class(cup: World) -> None:
    """A general question of a class, answered to all, is no event for everybody."""
    _answer(cup, "teacher", _ask(cup, "red"), to_all=True)
    _answer(cup, "staff", _ask(cup, "green"), to_all=True)
    assert [data["question"] for _, data in _events(cup, EventKind.ANSWER_PUBLISHED)] == [2]


def _published(world: World) -> list[str]:
    with world.database.reading() as session:
        rows, _ = questions.published(session, world.get(session), 0, 10)
        return [row.text for row in rows]


def test_a_correction_keeps_what_was_said(cup: World) -> None:
    """It has the readers of before, stands in the place of one answer only, and both stay."""
    number = _ask(cup, "red", tournament="cup")
    first = _answer(cup, "teacher", number, "at two", to_all=True)
    second = _answer(cup, "staff", number, "at three", corrects=first)
    assert _published(cup) == ["at three"]
    with pytest.raises(ConflictError, match="corrected already"):
        _answer(cup, "teacher", number, corrects=first)
    with pytest.raises(NotFoundError, match="no answer"):
        _answer(cup, "teacher", number, corrects=second + 1)
    with cup.database.reading() as session:
        (question,) = questions.of_team(session, users.get(session, "red"), 0, 10)[0]
        assert [(each.text, each.to_all) for each in question.answers] == [
            ("at two", True),
            ("at three", True),
        ]


def test_closing_and_answering_again(cup: World) -> None:
    """What is closed is open no more, closing it again changes nothing, and an answer may follow."""
    number = _ask(cup, "red")
    for _ in range(2):
        with cup.database.transaction() as session:
            teacher = users.get(session, "teacher")
            questions.close(session, teacher, questions.get(session, teacher, number))
    assert _state(cup, number) is QuestionState.CLOSED
    assert len(_events(cup, EventKind.QUESTION_CLOSED)) == 1
    _answer(cup, "teacher", number)
    assert _state(cup, number) is QuestionState.ANSWERED


def test_a_team_asks_only_so_much(cup: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many may wait for an answer, and so many be asked within a day; other teams are not kept from it."""
    for _ in range(questions.MAX_OPEN):
        last = _ask(cup, "red")
    with pytest.raises(ConflictError, match="are open"):
        _ask(cup, "red")
    assert _ask(cup, "blue") == last + 1
    _answer(cup, "teacher", last)
    monkeypatch.setattr(questions, "MAX_A_DAY", questions.MAX_OPEN)
    with pytest.raises(TooManyError):
        _ask(cup, "red")
    monkeypatch.setattr(questions, "MAX_ANSWERS", 1)
    with pytest.raises(ConflictError, match="answers"):
        _answer(cup, "teacher", last)


def test_pages_of_a_tournament_are_made_anew(cup: World) -> None:
    """An answer to all changes what a cached page is told by, in a freeze too; one to the team does not."""
    number = _ask(cup, "red", tournament="cup")
    before = _revisions(cup)
    _answer(cup, "teacher", number)
    assert _revisions(cup) == before
    _answer(cup, "teacher", number, to_all=True)
    with cup.database.transaction() as session:
        freezing.freeze(session, cup.staff, cup.get(session), own=False)
        issue_matches(session, cup.settings)
    frozen = _revisions(cup)
    assert frozen[0] > before[0]
    _answer(cup, "teacher", number, to_all=True)
    assert (_revisions(cup)[1] or 0) > (frozen[1] or 0) > 0


def _revisions(world: World) -> tuple[int, int | None]:
    """That of the tournament, and of what the public is shown of it in a freeze."""
    with world.database.reading() as session:
        shown = session.scalar(select(FROZEN["tournaments"].c.revision))
        return world.get(session).revision, shown


def test_members_ask_for_their_team(cup: World) -> None:
    """All of a team read what one of them asked; it says who wrote it."""
    with cup.database.transaction() as session:
        red = users.get(session, "red")
        ruby, _ = users.create_user(session, "ruby", Role.TEAM)
        ruby.team_id, ruby.class_id = red.id, red.class_id
    number = _ask(cup, "ruby", tournament="cup")
    with cup.database.reading() as session:
        (question,) = questions.of_team(session, users.get(session, "red"), 0, 10)[0]
        assert (question.id, question.team.name, question.user.name) == (number, "red", "ruby")
