"""While a tournament runs, what is left and how long it takes follow what was played."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from arena.core.clock import utc_now
from arena.core.errors import ConflictError
from arena.core.terms import MatchState, Source, TournamentState
from arena.planning import eta
from arena.planning.eta import Eta
from arena.planning.replays import Offer
from arena.store import events
from arena.store.models import Host, Match
from arena.submissions import hosts
from arena.tournaments import lifecycle
from tests.integration.arena.planning.playing import finish, issue
from tests.integration.arena.world import World, play
from workers.core.contract import TimeControl

SECOND = TimeControl(move_ms=1000, extensions=0, extension_ms=1000)


@pytest.fixture
def world(sqlite_world: Callable[[], World]) -> World:
    """A small world; its one host plays two matches at a time."""
    world = sqlite_world()
    with world.database.transaction() as session:
        for number in (1, 2):
            hosts.register(session, "test-host", {"python": "3.11"}, 1.0, process=f"worker-{number}")
    return world


def _eta(world: World, name: str = "cup") -> Eta:
    with world.database.reading() as session:
        return eta.eta(session, world.settings, world.get(session, name))


def _play(world: World, count: int, **plan: Any) -> None:
    """A cup of which so many matches are played, each of them in three seconds."""
    world.tournament(time=SECOND, **plan)
    for message in issue(world, count):
        finish(world, message, (1, 1), 3.0)


def test_what_is_left_takes_as_long_as_what_was_played(world: World) -> None:
    """Of 15 matches ten are left; two at a time and three seconds each they take fifteen seconds."""
    _play(world, 5, bots=6)
    found = _eta(world)
    assert (found.left, found.later, found.parked, found.voids) == (10, 0, 0, 0)
    assert (found.source, found.source_matches) == (Source.TOURNAMENT, 5)
    assert found.span is not None
    assert found.span.expected == pytest.approx(15, rel=0.02)
    assert found.at(found.span.low) <= found.at(found.span.high)
    assert found.worst == pytest.approx(5 * (12 * 1.1 + 20 + 5))


def test_slow_bots_that_still_play_make_it_longer(world: World) -> None:
    """Who has played is known: if the slow ones have most matches left, it takes longer than on average."""
    world.tournament(bots=5, time=SECOND, format="gauntlet", heroes=("cup-bot1",), options={"cycles": 10})
    for message in issue(world, 20):
        slow = [0.1 + 2 * (bot.name == "cup-bot2") for bot in message.spec.bots]
        finish(world, message, slow, sum(slow))
    before = _eta(world)
    with world.database.transaction() as session:
        for match in session.scalars(select(Match).where(Match.state == MatchState.PENDING)):
            names = {match.first.version.bot.name, match.second.version.bot.name}
            match.state = match.state if "cup-bot2" in names else MatchState.CANCELLED
    after = _eta(world)
    assert before.span is not None
    assert after.span is not None
    assert after.left == before.left / 4
    assert after.span.expected > 0.6 * before.span.expected


def test_matches_being_played_count_for_the_rest_of_them(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two matches of three seconds that have been played for one, and nothing else, are over after two."""
    _play(world, 8, bots=5)
    begun = utc_now()
    monkeypatch.setattr(events, "utc_now", lambda: begun)
    issue(world, 2)
    monkeypatch.setattr(eta, "utc_now", lambda: begun + dt.timedelta(seconds=1))
    found = _eta(world)
    assert found.left == 2
    assert found.span is not None
    assert found.span.expected == pytest.approx(2, abs=0.1)


def test_a_clock_that_was_set_back_adds_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches that begin an hour from now, by this clock, have just begun, and take as long as others."""
    _play(world, 8, bots=5)
    begun = utc_now()
    monkeypatch.setattr(events, "utc_now", lambda: begun)
    issue(world, 2)
    monkeypatch.setattr(eta, "utc_now", lambda: begun - dt.timedelta(hours=1))
    found = _eta(world)
    assert found.span is not None
    assert found.span.expected == pytest.approx(3, abs=0.1)


def test_rounds_to_come_wait_for_this_one(world: World) -> None:
    """Of a Swiss of four rounds the ones that are not paired yet are later; each waits for the one before."""
    _play(world, 5, bots=12, format="swiss")
    found = _eta(world)
    assert (found.left, found.later) == (1, 18)
    assert found.span is not None
    assert found.span.expected == pytest.approx(3 + 3 * 9, rel=0.02)


def test_a_bracket_goes_on_as_the_results_have_it(world: World) -> None:
    """After three quarter-finals one match is left and three are to come, whoever wins."""
    _play(world, 3, bots=8, format="knockout", options={"tie_breaks": 0})
    found = _eta(world)
    assert (found.left, found.later) == (1, 3)


def test_groups_go_on_at_once_and_then_the_bracket(world: World) -> None:
    """All games of the groups are there; semi-finals and final are to come."""
    _play(world, 5, bots=8, format="groups", options={"groups": 2, "tie_breaks": 0})
    found = _eta(world)
    assert (found.left, found.later) == (7, 3)


def test_parked_matches_are_told_apart(world: World) -> None:
    """What waits for the staff is not among what is left, and takes no time."""
    _play(world, 5, bots=6)
    with world.database.transaction() as session:
        pending = session.scalars(select(Match).where(Match.state == MatchState.PENDING)).all()
        for match in pending[:6]:
            match.state = MatchState.PARKED
    found = _eta(world)
    assert (found.left, found.parked) == (4, 6)
    assert found.span is not None
    assert found.span.expected == pytest.approx(6, rel=0.02)


def test_tournaments_share_the_workers(world: World) -> None:
    """With another one that runs, half of the workers are left, and it takes twice as long."""
    _play(world, 5, bots=6)
    alone = _eta(world)
    world.tournament("other", bots=3)
    shared = _eta(world)
    assert (alone.sharing, shared.sharing) == (0, 1)
    assert alone.span is not None
    assert shared.span is not None
    assert shared.span.expected == pytest.approx(2 * alone.span.expected, rel=0.05)


def test_a_pause_and_a_ladder_have_no_end_in_sight(world: World) -> None:
    """A paused tournament still tells how long it takes; a ladder does not, and says why."""
    _play(world, 5, bots=6)
    with world.database.transaction() as session:
        lifecycle.pause(session, world.staff, world.get(session))
    assert _eta(world).state == TournamentState.PAUSED
    assert _eta(world).span is not None
    world.tournament("ladder", bots=4, format="ladder", time=SECOND)
    found = _eta(world, "ladder")
    assert (found.endless, found.span, found.worst) == (True, None, None)


def test_without_workers_there_is_no_end_in_sight(world: World) -> None:
    """Where no host is there, nothing is said of how long it takes."""
    _play(world, 5, bots=6)
    with world.database.transaction() as session:
        for host in session.scalars(select(Host)):
            host.seen_at = host.seen_at.replace(year=2020)
    found = _eta(world)
    assert (found.capacity.workers, found.span) == (0, None)
    assert found.capacity.lacking == ("python",)


def test_void_attempts_are_told(world: World) -> None:
    """What had to be played again is counted."""
    world.tournament(bots=3, time=SECOND)
    (message,) = issue(world, 1)
    told = play(message.spec, forfeits=(0,)).model_dump(mode="json")
    told["forfeits"][0] |= {"code": "timeout", "excused": True}
    told["reason"] = "timeout"
    assert world.record(message, told) == "void"
    assert _eta(world).voids == 1


def test_identical_games_are_found_while_it_runs(world: World) -> None:
    """Games with the same moves are named with the bots that played them, and what would help."""
    world.tournament(bots=3, time=SECOND, options={"cycles": 4})
    foreseen = _eta(world).replays
    assert foreseen is not None
    assert (foreseen.times, foreseen.matches, foreseen.bots) == (2, (), ())
    messages = issue(world, 8)
    pairs = [tuple(bot.name for bot in message.spec.bots) for message in messages]
    for message in messages:
        finish(world, message, (1, 1), 3.0, same=True)
    found = _eta(world).replays
    assert found is not None
    assert found.matches == tuple(
        (one + 1, other + 1)
        for one, pair in enumerate(pairs)
        for other in range(one + 1, len(pairs))
        if pair == pairs[other]
    )
    assert found.bots == tuple(sorted({name for group in found.matches for name in pairs[group[0] - 1]}))
    assert found.offer == Offer(1, 24)


def test_what_is_not_running_has_no_eta(world: World) -> None:
    """One that has not begun has an estimate; one that is over has nothing left."""
    world.tournament(bots=3, start=False)
    with pytest.raises(ConflictError, match="estimate cup"):
        _eta(world)
    with world.database.transaction() as session:
        lifecycle.cancel(session, world.staff, world.get(session))
    with pytest.raises(ConflictError, match="nothing is left"):
        _eta(world)
