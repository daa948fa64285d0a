"""What is new to a user: each kind of it, what is grouped, what a freeze hides, and the mark that moves."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event, update

from arena.core.clock import utc_now
from arena.core.terms import MatchState, NewsKind, Role, VersionState
from arena.events import announcements, news, questions
from arena.people import classes, users
from arena.schemas.events import NewAnnouncement
from arena.schemas.news import NewsOut
from arena.schemas.plans import TournamentPlan
from arena.schemas.questions import NewAnswer, NewQuestion
from arena.store.models import Check, User
from arena.submissions import versions
from arena.tournaments import freezing, lifecycle
from tests.integration.arena.world import GAME, PARAMS, World, issue_matches, play


@pytest.fixture
def cup(world: World) -> World:
    """A `cup` of `red`'s and `blue`'s bots that runs, for the class `7a`; `green` is of no class."""
    with world.database.transaction() as session:
        class_ = classes.create(session, world.staff, "7a")
        for name in ("red", "blue", "green"):
            team, _ = users.create_user(session, name, Role.TEAM)
            team.class_id = class_.id if name != "green" else None
            world.bot(session, name, team)
    _plan(world, "cup", "7a", "red", "blue")
    with world.database.transaction() as session:
        lifecycle.start(session, world.staff, world.get(session))
    return world


def _plan(world: World, name: str, class_name: str | None, *bots: str, rounds: int = 3) -> None:
    with world.database.transaction() as session:
        plan = TournamentPlan(
            name=name,
            game=GAME,
            params=PARAMS,
            seed=7,
            class_name=class_name,
            format="double_round_robin",
            openings=rounds,
            opening_plies=2,
        )
        made = lifecycle.create(session, world.staff, plan)
        lifecycle.open_(session, world.staff, made)
        for bot in bots:
            lifecycle.enter(session, world.staff, made, versions.get(session, bot))


def _play(world: World, number: int) -> None:
    settings = world.settings.model_copy(update={"window": number})
    with world.database.transaction() as session:
        messages = issue_matches(session, settings)
    for message in messages[:number]:
        world.record(message, play(message.spec, seed=int(message.spec.match)))


def _news(world: World, who: str, *kinds: NewsKind) -> list[NewsOut]:
    with world.database.reading() as session:
        told = news.listed(session, users.get(session, who))
    return [each for each in told if not kinds or each.kind in kinds]


def _see(world: World, who: str, until: dt.datetime | None = None) -> None:
    with world.database.transaction() as session:
        news.see(session, users.get(session, who), until)


def _unread(world: World, who: str) -> int:
    with world.database.reading() as session:
        user = users.get(session, who)
        count = news.count_new(session, user)
        assert count == sum(each.is_new for each in news.listed(session, user))
        return count


def _as(world: World, who: str) -> Any:
    with world.database.reading() as session:
        return users.get(session, who)


def test_all_results_of_a_bot_in_a_tournament_are_one_thing(cup: World) -> None:
    """However many, they are one line of sums, seen from the own side; new ones are apart from those seen."""
    _play(cup, 6)
    red, blue = (_news(cup, who, NewsKind.RESULTS) for who in ("red", "blue"))
    assert (len(red), len(blue)) == (1, 1)
    one, other = red[0], blue[0]
    assert (one.won, one.drawn, one.lost) == (other.lost, other.drawn, other.won)
    assert (one.won or 0) + (one.drawn or 0) + (one.lost or 0) == 6
    assert (one.tournament, one.bot, one.is_new) == ("cup", "red", True)
    assert _news(cup, "green", NewsKind.RESULTS) == []
    _see(cup, "red")
    _play(cup, 2)
    new, before = _news(cup, "red", NewsKind.RESULTS)
    assert (new.is_new, before.is_new, new.key) == (True, False, before.key)
    assert (new.won or 0) + (new.drawn or 0) + (new.lost or 0) == 2
    with cup.database.reading() as session:
        (together,) = [
            each
            for each in news.for_feed(session, users.get(session, "red"))
            if each.kind == NewsKind.RESULTS
        ]
        assert (together.won or 0) + (together.drawn or 0) + (together.lost or 0) == 8


def test_verdicts(cup: World) -> None:
    """A check that is over is news to its team, and says what came of it; one that goes on is not."""
    with cup.database.transaction() as session:
        for name, state in (("red", VersionState.FAILED), ("blue", VersionState.CHECKING)):
            version = versions.get_version(session, versions.get(session, name))
            version.state = state
            session.add(
                Check(
                    version_id=version.id,
                    state=MatchState.FINISHED,
                    needs="python",
                    created_at=utc_now(),
                    recorded_at=utc_now(),
                )
            )
    (verdict,) = _news(cup, "red", NewsKind.CHECK)
    assert (verdict.bot, verdict.version, verdict.state) == ("red", 1, VersionState.FAILED)
    assert _news(cup, "blue", NewsKind.CHECK) == []


def test_what_happens_to_tournaments_that_concern_a_team(cup: World) -> None:
    """Entries that opened, the start, freeze, end and reveal, once each; nothing of others' tournaments."""
    _plan(cup, "friendly", None)
    with cup.database.transaction() as session:
        lifecycle.pause(session, cup.staff, cup.get(session))
        lifecycle.resume(session, cup.staff, cup.get(session))

    def told(who: str) -> list[tuple[str | None, str | None]]:
        return [(each.tournament, each.event) for each in _news(cup, who, NewsKind.TOURNAMENT)][::-1]

    begun = [("cup", "tournament.open"), ("cup", "tournament.running"), ("friendly", "tournament.open")]
    assert told("red") == begun
    assert told("green") == begun[2:]
    with cup.database.transaction() as session:
        freezing.freeze(session, cup.staff, cup.get(session), own=True)
        lifecycle.cancel(session, cup.staff, cup.get(session))
    frozen = [*begun, ("cup", "tournament.frozen")]
    assert told("red") == frozen
    with cup.database.transaction() as session:
        freezing.reveal(session, cup.staff, cup.get(session))
    assert told("red") == [*frozen, ("cup", "tournament.cancelled"), ("cup", "tournament.revealed")]


@pytest.mark.parametrize("own", [False, True])
def test_behind_a_freeze_there_are_results_only_if_teams_see_theirs(cup: World, own: bool) -> None:
    """Without that not even those of before are told, as on the other pages; announcements are."""
    _play(cup, 1)
    with cup.database.transaction() as session:
        freezing.freeze(session, cup.staff, cup.get(session), own=own)
    _play(cup, 1)
    with cup.database.transaction() as session:
        announcements.make_in(session, cup.staff, cup.get(session), "lunch")
    results = _news(cup, "red", NewsKind.RESULTS)
    assert len(results) == own
    assert [each.text for each in _news(cup, "red", NewsKind.ANNOUNCEMENT)] == ["lunch"]
    _unread(cup, "red")


def test_announcements_reach_those_they_are_for(cup: World) -> None:
    """To everybody, about a tournament to those whom it concerns, to a class to its teams alone."""
    with cup.database.transaction() as session:
        announcements.make(session, cup.staff, NewAnnouncement(text="all"))
        announcements.make_in(session, cup.staff, cup.get(session), "cup")
        announcements.make_for(session, cup.staff, classes.get(session, "7a"), "class")
        told, total = announcements.listed_for(session, classes.get(session, "7a"), offset=0, limit=5)
        assert ([each.data["text"] for each in told], total) == (["class"], 1)
        about, _ = announcements.listed_in(session, cup.get(session), offset=0, limit=5)
        assert [each.data["text"] for each in about] == ["cup"]
        everybody, total = announcements.listed(session, offset=0, limit=5)
        assert ([each.data["text"] for each in everybody], total) == (["cup", "all"], 2)
    seen = {who: {each.text for each in _news(cup, who, NewsKind.ANNOUNCEMENT)} for who in ("red", "green")}
    assert seen == {"red": {"all", "cup", "class"}, "green": {"all"}}


def test_answers_reach_those_they_are_for(cup: World) -> None:
    """The team that asked, and where it is to all those whom it concerns, who do not learn who asked."""
    for number, (text, about, to_all, named) in enumerate(
        [("a", "cup", False, False), ("b", "cup", True, False), ("c", None, True, True)], 1
    ):
        with cup.database.transaction() as session:
            questions.ask(session, users.get(session, "red"), NewQuestion(text=text, tournament=about))
            question = questions.get(session, cup.staff, number)
            answer = NewAnswer(text=text.upper(), to_all=to_all, names_asker=named)
            questions.answer(session, cup.staff, question, answer)

    def told(who: str) -> list[tuple[Any, ...]]:
        return sorted(
            (each.asked, each.text, each.asker, each.own, each.tournament)
            for each in _news(cup, who, NewsKind.ANSWER)
        )

    own = [("a", "A", "red", True, "cup"), ("b", "B", "red", True, "cup"), ("c", "C", "red", True, None)]
    assert told("red") == own
    assert [(each.question, each.asker, each.own) for each in _news(cup, "blue", NewsKind.ANSWER)] == [
        (3, "red", False),
        (2, None, False),
    ]
    assert told("green") == []


def test_the_mark_moves_on_and_never_back(cup: World) -> None:
    """What came after it is new; neither an earlier moment nor one that is to come moves it there."""
    assert _unread(cup, "red") == 2
    newest, oldest = _news(cup, "red")
    _see(cup, "red", oldest.at)
    assert [each.is_new for each in _news(cup, "red")] == [True, False]
    _see(cup, "red", newest.at)
    assert _unread(cup, "red") == 0
    _see(cup, "red", oldest.at)
    assert _unread(cup, "red") == 0
    _see(cup, "red", utc_now() + dt.timedelta(days=1))
    assert (_as(cup, "red").news_seen_at or utc_now()) <= utc_now()
    assert _unread(cup, "blue") == 2


def test_what_was_before_somebody_came_is_not_new(cup: World) -> None:
    """A member who joins reads all that the team may read, and none of it is new."""
    _play(cup, 2)
    with cup.database.transaction() as session:
        ruby, _ = users.create_user(session, "ruby", Role.TEAM)
        red = users.get(session, "red")
        ruby.team_id, ruby.class_id = red.id, red.class_id
    assert [each.key for each in _news(cup, "ruby")] == [each.key for each in _news(cup, "red")]
    assert _unread(cup, "ruby") == 0
    _play(cup, 1)
    assert _unread(cup, "ruby") == 1


def test_results_of_what_is_over_are_counted_only_if_they_are_new(cup: World) -> None:
    """A tournament that ended after the last look has new results; one that ended before has none."""
    _see(cup, "red")
    _play(cup, 1)
    with cup.database.transaction() as session:
        lifecycle.cancel(session, cup.staff, cup.get(session))
    assert _unread(cup, "red") == 2  # the results, and that it was cancelled
    _see(cup, "red")
    assert _unread(cup, "red") == 0


@contextmanager
def _statements(world: World) -> Iterator[list[str]]:
    asked: list[str] = []

    def note(_conn: Any, _cursor: Any, statement: str, *_: Any) -> None:
        asked.append(statement)

    event.listen(world.database.engine, "before_cursor_execute", note)
    yield asked
    event.remove(world.database.engine, "before_cursor_execute", note)


def test_as_many_questions_to_the_database_however_much_is_new(cup: World) -> None:
    """The list takes as many statements with one thing in it as with a hundred."""

    def count() -> int:
        with cup.database.reading() as session:
            user: User = users.get(session, "red")
            with _statements(cup) as asked:
                news.listed(session, user)
            return len(asked)

    before = count()
    _play(cup, 6)
    for number in range(20):
        with cup.database.transaction() as session:
            announcements.make_in(session, cup.staff, cup.get(session), str(number))
        with cup.database.transaction() as session:
            asked = questions.ask(session, users.get(session, "red"), NewQuestion(text="?"))
            questions.answer(session, cup.staff, asked, NewAnswer(text="!"))
        _plan(cup, f"cup-{number}", None)
    assert len(_news(cup, "red")) > 60
    assert count() == before <= 9


def test_long_texts_of_old_days_do_not_hide_new_ones(cup: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where more has happened than is looked back upon, it is the newest that is told."""
    monkeypatch.setattr(news, "MOST", 3)
    for number in range(5):
        with cup.database.transaction() as session:
            announcements.make(session, cup.staff, NewAnnouncement(text=str(number)))
    assert [each.text for each in _news(cup, "red", NewsKind.ANNOUNCEMENT)] == ["4", "3", "2"]
    with cup.database.transaction() as session:
        session.execute(update(User).values(news_seen_at=None))
    _unread(cup, "red")
