"""Erasing a person's data: nothing tells who it was, and every result stays."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from itertools import product
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.errors import ConflictError
from arena.core.terms import MatchState, QuestionState, Role
from arena.events import questions
from arena.people import administering, classes, users
from arena.people.erasing import erase
from arena.play.seats import PERSON
from arena.results import views
from arena.schemas.plans import TournamentPlan
from arena.schemas.questions import NewAnswer
from arena.store import copying, erasing, events, models
from arena.store.models import (
    Bot,
    Event,
    Experiment,
    Grading,
    Identity,
    PlayGame,
    PlayTurn,
    Question,
    Sweep,
    Token,
    Tournament,
    User,
)
from arena.store.models.account_events import BotKept
from arena.store.models.event_types import EventData
from arena.submissions import versions
from arena.tournaments import amendments, audit, freezing, lifecycle, matches
from tests.integration.arena.lab import Lab
from tests.integration.arena.world import GAME, PARAMS, World, issue_matches, play

PLAN = {"game": GAME, "params": PARAMS, "seed": 1}
NAME, BOT = "王小明", "小明's bot 100%_"
WITHOUT_NAMES = frozenset(
    {
        *(
            "act",
            "after",
            "again",
            "annulled",
            "archive",
            "attempt",
            "byes",
            "by",
            "chunk",
            "code",
            "count",
            "days",
            "digest",
        ),
        *(
            "entry",
            "experiment",
            "game",
            "games",
            "half_points",
            "has",
            "host",
            "how",
            "issuer",
            "key",
            "leaf",
            "left",
            "lost",
        ),
        *(
            "matches",
            "moments",
            "number",
            "origin",
            "packages",
            "passed",
            "question",
            "releases",
            "repeat_share",
        ),
        *(
            "revision",
            "role",
            "before",
            "round",
            "since",
            "solve",
            "start",
            "state",
            "step",
            "taken_at",
            "takes",
            "teams",
            "training",
        ),
        "uses",
        *("version", "webhook", "winner", "withdrawn", "within_seconds"),
        # What the staff calls tournaments, classes and seasons, and how it has them counted:
        *("class_name", "name", "scoring", "season", "title", "tournaments"),
        # Of these the parts are looked through by their own names:
        "scheme",
        # The words of the staff and of what failed, which docs/operations.md names as not looked through:
        *("answer", "reason", "text", "trouble", "why", "words"),
    }
)
"""The fields of events in which nobody is named who may be erased."""


@pytest.fixture
def person(world: World) -> User:
    """Somebody whose bots have played, who has asked something, and who signs in at the school's provider."""
    user = world.team(NAME)
    with world.database.transaction() as session:
        bots = [world.bot(session, BOT, owner=user), world.bot(session, "other")]
        cup = lifecycle.create(
            session, world.staff, TournamentPlan(name="cup", game=GAME, params=PARAMS, seed=1)
        )
        for bot in bots:
            lifecycle.enter(session, world.staff, cup, bot)
        lifecycle.open_(session, world.staff, cup)
        lifecycle.start(session, world.staff, cup)
        about = {"user_id": user.id, "created_at": utc_now()}
        session.add(Identity(issuer="https://school", subject="s1", label="xiaoming@school", **about))
        session.add(
            Question(
                team_id=user.id,
                user_id=user.id,
                state=QuestionState.OPEN,
                text=f"I am {NAME}",
                asked_at=utc_now(),
            )
        )
    _play(world)
    return user


def _play(world: World) -> None:
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings.model_copy(update={"window": 1000}))
    for message in messages:
        world.record(message, play(message.spec))


def _everything(world: World) -> str:
    """All that the database holds, as text."""
    with world.database.reading() as session:
        tables = copying.tables(session.connection())
        rows: dict[str, list[Any]] = {
            name: list(copying.rows(session, table)) for name, table in tables.items()
        }
    return json.dumps(rows, ensure_ascii=False).replace(r"\\u", r"\u")  # as JSON within JSON has them


def test_no_name_is_left_and_every_result_is(world: World, person: User) -> None:
    """The whole database holds neither name, and totals, log and results go together as before."""
    table = [(line.rank, line.points) for line in world.leaderboard()]
    lab = Lab(world)
    number = lab.create()
    with world.database.transaction() as session:
        experiment = session.get_one(Experiment, number)
        spec = json.loads(json.dumps(experiment.spec))
        spec["players"][0] = {"name": f"{BOT}@1", "archive": "a" * 64}
        experiment.spec = spec
        _name_elsewhere(session, person)
    hidden = json.dumps(NAME)[1:-1], json.dumps(BOT)[1:-1]
    assert all(name in _everything(world) for name in (NAME, BOT, "xiaoming", *hidden))
    with world.database.transaction() as session:
        before = session.scalars(select(Tournament.revision)).one()
        erased = erase(session, NAME, sources=False)
    assert (erased.name, erased.bots, erased.archives) == (f"erased-{person.id}", 1, ())
    left = _everything(world)
    assert not [name for name in (NAME, BOT, "xiaoming", *hidden) if name in left]
    assert f"erased-{person.id}-bot-1@1" in left
    told = world.leaderboard()  # of which all was worked out, and kept, under the old names
    assert [(line.rank, line.points) for line in told] == table
    assert {(line.bot, line.owner) for line in told} == {
        (f"erased-{person.id}-bot-1", f"erased-{person.id}"),
        ("other", "staff"),
    }
    with world.database.reading() as session:
        cup = world.get(session)
        assert audit.verify(session, cup) == []
        assert cup.revision > before
        assert session.scalars(select(Token).where(Token.user_id == person.id)).all() == []


@pytest.mark.usefixtures("person")
def test_who_left_and_who_was_to_be_a_hero_have_other_names(world: World) -> None:
    """Neither what their leaving decided nor a gauntlet to come names their bot, and that can begin."""
    with world.database.transaction() as session:
        cup = world.get(session)
        rest = lifecycle.create(session, world.staff, TournamentPlan(name="rest", **PLAN))
        duel = {"format": "gauntlet", "heroes": [BOT]}
        gauntlet = lifecycle.create(session, world.staff, TournamentPlan(name="duel", **PLAN, **duel))
        for each, entry in product((rest, gauntlet), cup.entries):
            lifecycle.enter(session, world.staff, each, entry.version.bot)
        for each in (rest, gauntlet):
            lifecycle.open_(session, world.staff, each)
        lifecycle.start(session, world.staff, rest)
        amendments.withdraw(session, world.staff, rest, versions.get(session, BOT), "ill")
        match = matches.get(session, rest, 1)
        freezing.freeze(session, world.staff, rest, own=False)
        amendments.set_result(session, world.staff, match, "draw", "agreed")
    assert json.dumps(BOT)[1:-1] in _everything(world)
    with world.database.transaction() as session:
        erase(session, NAME, sources=False)
    assert not [name for name in (BOT, json.dumps(BOT)[1:-1]) if name in _everything(world)]
    with world.database.transaction() as session:
        assert audit.verify(session, world.get(session, "rest")) == []
        lifecycle.start(session, world.staff, world.get(session, "duel"))


def _name_elsewhere(session: Session, person: User) -> None:
    """Leave both names wherever else a database holds any."""
    made = {"created_at": utc_now(), "state": MatchState.FINISHED}
    sitting = {"bot": BOT, "version": 1, "archive": "a" * 64, "language": "python", "own": False}
    game = PlayGame(
        address="x",
        player="user 1",
        game=GAME,
        params={},
        game_version=1,
        seed=1,
        seats=[sitting, PERSON],
        moves=[],
        revision=1,
        since=utc_now(),
        created_at=utc_now(),
        changed_at=utc_now(),
    )
    session.add(game)
    session.flush()
    told = {"bots": [{"name": BOT, "version": 1, "archive": "a" * 64}]}
    session.add(PlayTurn(game_id=game.id, player="user 1", seat=0, ply=0, spec=told, needs="", **made))
    plan = {
        "vary": {"who": [f"{BOT}@1", "random"], "rows": [3]},
        "each": {"first": "bot:{who}", "second": f"bot:{BOT}"},
    }
    session.add(Sweep(name="grid", digest="d" * 64, plan=plan, owner_id=None, created_at=utc_now()))
    events.log(session, BotKept(BOT, NAME))
    question = session.scalars(select(Question)).one()
    answer = NewAnswer(text="Yes.", to_all=True, names_asker=True)
    questions.answer(session, question.user, question, answer)
    team = session.get_one(User, person.id)
    classes.make_team_code(session, team, uses=1, days=1)
    cup = session.scalars(select(Tournament)).one()
    scheme = {"against": [{"bot": BOT}], "team": NAME}
    session.add(Grading(tournament_id=cup.id, scheme=scheme, set_at=utc_now()))
    session.flush()
    assert person.name == NAME


def _kinds(of: type[Any] = EventData) -> Iterator[type[Any]]:
    for each in of.__subclasses__():
        yield each
        yield from _kinds(each)


def test_it_is_known_of_every_field_of_an_event_whether_it_names_anybody() -> None:
    """A new one is renamed by, forgotten, or known to hold no name."""
    for module in pkgutil.iter_modules(models.__path__, f"{models.__name__}."):
        import_module(module.name)
    found = {each.name for kind in _kinds() if kind.__module__.startswith("arena.") for each in fields(kind)}
    known = {*erasing.OF_PEOPLE, *erasing.OF_BOTS, "asked"}
    assert found - known == WITHOUT_NAMES


def test_what_is_called_alike_keeps_its_name(world: World) -> None:
    """Somebody else's bot of the person's name, moves, and games that are called so stay as they are."""
    person, bob = world.team("5"), world.team("bob")
    number = Lab(world).create()
    with world.database.transaction() as session:
        world.bot(session, "5", owner=bob)
        world.bot(session, "own", owner=person)
        events.log(session, BotKept("5", "bob"))
        events.log(session, BotKept("own", "5"))
        experiment = session.get_one(Experiment, number)
        before = json.loads(json.dumps(experiment.spec)) | {"opening_moves": [["5", "own"]]}
        experiment.spec = before
    with world.database.transaction() as session:
        erase(session, "5", sources=False)
    with world.database.reading() as session:
        kept = [each.data for each in session.scalars(select(Event)) if each.kind == "bot.kept"]
        assert kept == [
            {"bot": "5", "owner": "bob"},
            {"bot": f"erased-{person.id}-bot-1", "owner": f"erased-{person.id}"},
        ]
        assert session.scalars(select(Experiment)).one().spec == before


def test_a_neutral_name_that_is_taken_keeps_nobody(world: World) -> None:
    """Whoever has called a bot so beforehand keeps it, and the person gets another one."""
    person, bob = world.team("red"), world.team("bob")
    with world.database.transaction() as session:
        world.bot(session, f"erased-{person.id}-bot-1", owner=bob)
        world.bot(session, "own", owner=person)
    with world.database.transaction() as session:
        assert erase(session, "red", sources=False).name == f"erased-{person.id}-2"


def test_very_many_bots_are_renamed(world: World) -> None:
    """There may be more than one question to the database can name."""
    person = world.team("red")
    with world.database.transaction() as session:
        for number in range(1100):
            session.add(Bot(owner_id=person.id, name=f"小明{number}", created_at=utc_now()))
        events.log(session, BotKept("小明1099", "red"))
    with world.database.transaction() as session:
        assert erase(session, "red", sources=False).bots == 1100
    assert "小明" not in _everything(world)


def test_nobody_comes_in_by_it(world: World, person: User) -> None:
    """Who is erased is out, is not let in again, and is not erased twice."""
    with world.database.transaction() as session:
        erase(session, NAME, sources=False)
    neutral = f"erased-{person.id}"
    with world.database.transaction() as session:
        with pytest.raises(ConflictError, match="is erased"):
            administering.enable(session, world.staff, neutral)
        with pytest.raises(ConflictError, match="is erased already"):
            erase(session, neutral, sources=False)


def test_who_may_not_be_erased(world: World) -> None:
    """The last administrator, and a team whose members have not been."""
    team = world.team("red")
    with world.database.transaction() as session:
        member = users.add(session, "ann", Role.TEAM)
        member.team_id = team.id
    with world.database.transaction() as session:
        with pytest.raises(ConflictError, match="the last administrator"):
            erase(session, "staff", sources=False)
        with pytest.raises(ConflictError, match="a team with members"):
            erase(session, "red", sources=False)
        erase(session, "ann", sources=False)
        assert erase(session, "red", sources=True).name == f"erased-{team.id}"


@pytest.mark.usefixtures("person")
def test_sources_go_when_nothing_is_played_with_them(world: World) -> None:
    """The archives that others have too stay; while a tournament goes on none is given up."""
    shared = "a" * 64
    with world.database.transaction() as session:
        bot, other = (session.scalars(select(Bot).where(Bot.name == name)).one() for name in (BOT, "other"))
        for each in (bot, other):
            world.version(session, each).archive = shared
        with pytest.raises(ConflictError, match="play in cup, which is not over"):
            erase(session, NAME, sources=True)
        lifecycle.cancel(session, world.staff, world.get(session))
        own = [version.archive for version in bot.versions if version.archive != shared]
        erased = erase(session, NAME, sources=True)
        assert list(erased.archives) == own
        assert erase(session, erased.name, sources=True) == erased  # as removing them may have failed


def test_the_public_reads_the_new_name_of_a_frozen_tournament(world: World) -> None:
    """A frozen tournament is told anew to the public, whose revision says so."""
    world.tournament(bots=3)
    with world.database.transaction() as session:
        freezing.freeze(session, world.staff, world.get(session), own=False)
        second, _ = users.create_user(session, "second", Role.ADMIN)
    with world.database.frozen() as session:
        before = world.get(session).revision
        assert {line.owner for line in views.leaderboard(session, world.get(session))} == {"staff"}
    with world.database.transaction() as session:
        erase(session, "staff", sources=False)
    with world.database.frozen() as session:
        assert world.get(session).revision > before
        names = {line.bot for line in views.leaderboard(session, world.get(session))}
    assert names == {f"erased-{world.staff.id}-bot-{number}" for number in (1, 2, 3)}
    assert second.name == "second"
