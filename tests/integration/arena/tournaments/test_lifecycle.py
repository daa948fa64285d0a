"""Tournaments: their states, their entries, and their start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.core.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from arena.core.terms import MatchState, TournamentState
from arena.people import users
from arena.results import views
from arena.schemas.plans import TournamentPlan
from arena.store import events
from arena.store.matches import Sought
from arena.store.models import Event, Tournament, User
from arena.submissions import versions
from arena.tournaments import drawing, lifecycle, lists, matches
from engines.games import find_game
from engines.openings import balanced_openings
from engines.stream import derive
from tests.integration.arena.world import GAME, PARAMS, World

Step = Callable[[Session, User, Tournament], None]
STEPS: dict[str, Step] = {
    "open": lifecycle.open_,
    "start": lifecycle.start,
    "pause": lifecycle.pause,
    "resume": lifecycle.resume,
    "cancel": lifecycle.cancel,
}
ALLOWED = {
    "draft": {"open": "open", "cancel": "cancelled"},
    "open": {"start": "running", "cancel": "cancelled"},
    "running": {"pause": "paused", "cancel": "cancelled"},
    "paused": {"resume": "running", "cancel": "cancelled"},
    "finished": {},
    "cancelled": {},
}


def _plan(**changes: Any) -> TournamentPlan:
    return TournamentPlan.model_validate({"name": "cup", "game": GAME, "params": PARAMS, **changes})


def _create(world: World, **changes: Any) -> None:
    with world.database.transaction() as session:
        lifecycle.create(session, world.staff, _plan(**changes))


def _do(world: World, step: Step) -> None:
    with world.database.transaction() as session:
        step(session, world.staff, world.get(session))


@pytest.mark.parametrize("state", ALLOWED)
@pytest.mark.parametrize("name", STEPS)
def test_every_step_from_every_state(sqlite_world: Callable[[], World], state: str, name: str) -> None:
    """Each step leads where it should, or is refused with the state that it would need."""
    world = sqlite_world()
    world.tournament(bots=2, start=False)
    with world.database.transaction() as session:
        world.get(session).state = TournamentState(state)
    if name in ALLOWED[state]:
        _do(world, STEPS[name])
    else:
        with pytest.raises(ConflictError, match=f"'cup' is {state}"):
            _do(world, STEPS[name])
    with world.database.reading() as session:
        assert world.get(session).state == ALLOWED[state].get(name, state)


def test_every_change_is_an_event_of_whoever_made_it(world: World) -> None:
    """The log tells a tournament's life with the acting user at every step."""
    world.tournament(bots=2)
    for step in (lifecycle.pause, lifecycle.resume, lifecycle.cancel):
        _do(world, step)
    with world.database.reading() as session:
        log = events.of_tournament(session, world.get(session))
        assert [(event.kind.removeprefix("tournament."), event.user_id) for event in log] == [
            *((kind, world.staff.id) for kind in ("created", "entry.made", "entry.made", "open")),
            ("round.paired", None),
            *((kind, world.staff.id) for kind in ("running", "paused", "running", "cancelled")),
        ]
        assert log[-1].data == {"matches": 1}


def test_a_plan_is_kept_with_every_default(world: World) -> None:
    """The game's parameters are filled in, and its version is part of the tournament."""
    _create(world, time={"move_ms": 1000}, seed=5)
    with world.database.reading() as session:
        cup = lifecycle.get(session, "cup")
        assert cup.params == {"size": 4, "reversed": True}
        assert (cup.game_version, cup.seed, cup.state) == (1, 5, "draft")
        assert cup.time["move_ms"] == 1000
        assert cup.time["extensions"] == 3


def test_a_seed_that_nobody_gave_is_drawn(world: World) -> None:
    """Of two tournaments without a seed each has its own."""
    for name in ("one", "two"):
        _create(world, name=name, seed=None)
    with world.database.reading() as session:
        one, two = (lifecycle.get(session, name) for name in ("one", "two"))
        assert one.seed != two.seed


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "Cup"},
        {"name": ""},
        {"format": "chess"},
        {"format": "gauntlet"},
        {"heroes": ["ann"]},
        {"format": "gauntlet", "heroes": ["ann"], "options": {"heroes": [1]}},
        {"openings": -1},
        {"openings": 2, "opening_plies": 0},
        {"seed": -1},
        {"seed": 2**53},
        {"time": {"move_ms": 0}},
        {"colour": "red"},
    ],
    ids=str,
)
def test_plans_that_cannot_be(changes: dict[str, Any]) -> None:
    """A plan with a wrong field is refused before anything is done."""
    with pytest.raises(ValidationError):
        _plan(**changes)


@pytest.mark.parametrize(
    "changes", [{"game": "chess"}, {"params": {"size": 5}}, {"params": {"x": 1}}], ids=str
)
def test_games_that_are_not_there(world: World, changes: dict[str, Any]) -> None:
    """An unknown game or parameter is refused in the game's own words, and nothing is created."""
    with pytest.raises(InvalidError):
        _create(world, **changes)
    with world.database.reading() as session:
        with pytest.raises(NotFoundError):
            lifecycle.get(session, "cup")
        with pytest.raises(NotFoundError):
            lifecycle.get(session, "\0")


def test_a_name_is_taken_once(world: World) -> None:
    """A second tournament of a name is refused; lists have the newest first."""
    _create(world)
    _create(world, name="second")
    with pytest.raises(ConflictError, match="already"):
        _create(world)
    with world.database.reading() as session:
        found, total = lists.list_tournaments(session, 0, 10)
        assert ([each.name for each in found], total) == (["second", "cup"], 2)


def test_entering_again_takes_another_version(world: World) -> None:
    """A bot has one entry; entering again moves it to the newest or the named version."""
    _create(world)
    _do(world, lifecycle.open_)
    with world.database.transaction() as session:
        cup = world.get(session)
        bot = world.bot(session, "bot", versions=3)
        assert lifecycle.enter(session, world.staff, cup, bot, 1).version.number == 1
        assert lifecycle.enter(session, world.staff, cup, bot).version.number == 3
        with pytest.raises(NotFoundError):
            lifecycle.enter(session, world.staff, cup, bot, 4)
    with world.database.reading() as session:
        (entry,) = lifecycle.entries(session, world.get(session))
        assert (entry.number, entry.version.number) == (1, 3)
        assert lifecycle.entry_of(session, world.get(session), bot).id == entry.id


def test_teams_enter_their_own_bots_while_it_is_open(world: World) -> None:
    """A draft is the staff's; an open tournament takes a team's own bots; a running one takes none."""
    team, other = world.team("team"), world.team("other")
    _create(world)

    def enter(actor: User) -> None:
        with world.database.transaction() as session:
            lifecycle.enter(session, actor, world.get(session), versions.get(session, "bot"))

    with world.database.transaction() as session:
        bot = world.bot(session, "bot", team)
        with pytest.raises(NotFoundError, match="not entered"):
            lifecycle.entry_of(session, world.get(session), bot)
    with pytest.raises(ConflictError, match="is draft"):
        enter(team)
    _do(world, lifecycle.open_)
    with pytest.raises(ForbiddenError, match="enter your own"):
        enter(other)
    enter(team)
    with world.database.transaction() as session:
        lifecycle.enter(session, world.staff, world.get(session), world.bot(session, "second"))
    _do(world, lifecycle.start)
    with pytest.raises(ConflictError, match="is running"):
        enter(team)


@pytest.mark.parametrize("bots", [0, 1])
def test_a_start_with_too_few_entries_leaves_the_tournament_open(world: World, bots: int) -> None:
    """With fewer than two entries nothing starts and no match is made."""
    world.tournament(bots=bots, start=False)
    with pytest.raises(ConflictError, match="of the 2 entries"):
        _do(world, lifecycle.start)
    with world.database.reading() as session:
        assert world.get(session).state == TournamentState.OPEN
        assert views.progress(session, world.get(session))["total"] == 0
        assert "tournament.running" not in session.scalars(select(Event.kind)).all()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"openings": 40, "opening_plies": 1}, "only 4 different"),
        ({"game": "heap_nim", "params": {}, "openings": 40, "opening_plies": 1}, "only 12 different"),
        ({"openings": 3, "opening_plies": 1, "format": "double_round_robin"}, "where 6 were .*every cycle"),
        ({"openings": 41}, "at most 40 openings"),
        ({"openings": 21, "format": "double_round_robin"}, "21 for this format make 42"),
    ],
    ids=str,
)
def test_openings_that_are_not_there(world: World, changes: dict[str, Any], why: str) -> None:
    """A plan whose openings do not exist, or are too many, is refused when it is made, not at the start."""
    with pytest.raises(InvalidError, match=why):
        _create(world, **changes)
    with world.database.reading() as session:
        assert lists.list_tournaments(session, 0, 1)[1] == 0


def test_others_write_while_openings_are_drawn(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes long and holds no lock, not even in a session that has read before."""

    def draw(*_: object) -> tuple[tuple[str, ...], ...]:
        world.team("meanwhile")
        return (("a1",), ("a2",))

    monkeypatch.setattr(drawing, "balanced_openings", draw)
    with world.database.transaction() as session:
        staff = users.get(session, "staff")
        cup = lifecycle.create(session, staff, _plan(openings=2))
        assert cup.opening_moves == [["a1"], ["a2"]]
    with world.database.reading() as session:
        assert users.get(session, "meanwhile")
        assert world.get(session).opening_moves == [["a1"], ["a2"]]


def test_the_matches_of_a_class_tournament(world: World) -> None:
    """Eight bots, double round robin, two openings a cycle: 224 matches, no two of them the same."""
    world.tournament(bots=8, format="double_round_robin", openings=2, opening_plies=2)
    all_matches = world.matches()
    assert [match.number for match in all_matches] == list(range(1, 225))
    expected = balanced_openings(find_game(GAME, PARAMS), 4, 2, derive(7, "openings"))
    assert {(match.opening_number, tuple(match.opening)) for match in all_matches} == {
        *enumerate(expected, start=1)
    }
    assert len({(match.first_id, match.second_id, match.opening_number) for match in all_matches}) == 224
    with world.database.reading() as session:
        progress = views.progress(session, world.get(session))
        assert (progress["pending"], progress["total"]) == (224, 224)
        match = matches.get(session, world.get(session), 1)
        with pytest.raises(ConflictError, match="no result yet"):
            views.match_record(session, match)
        with pytest.raises(NotFoundError, match="no match 225"):
            matches.get(session, world.get(session), 225)


def test_matches_are_listed_by_state_and_entry(world: World) -> None:
    """Pages of matches, all or those of one state or one entry, each with the whole number."""
    world.tournament(bots=4)
    with world.database.reading() as session:
        cup = world.get(session)
        entry = lifecycle.entries(session, cup)[0]
        found, total = views.list_matches(session, cup, offset=2, limit=3)
        assert ([match.number for match in found], total) == ([3, 4, 5], 6)
        found, total = views.list_matches(session, cup, Sought(entry=entry))
        assert total == len(found) == 3
        assert all(entry.id in {match.first_id, match.second_id} for match in found)
        assert views.list_matches(session, cup, Sought(MatchState.FINISHED))[1] == 0
