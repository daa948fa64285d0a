"""Games of scrimmages: given out when nothing else is to be played, taken in once, lost, put back."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import replace

import pytest
from sqlalchemy import update

from arena.coordinator import leases, scrimmages, workers
from arena.coordinator.kinds import recall_all
from arena.coordinator.leases import Verdict
from arena.coordinator.queue import queue
from arena.core.terms import HostState, MatchState, Unplayed
from arena.scrimmages import asking
from arena.store import scrimmages as store
from arena.store.models import Match
from arena.submissions import hosts
from tests.integration.arena.sparring import Ring
from tests.integration.arena.ticking import Later, coordinator_of, live
from tests.integration.arena.world import World, play
from workers.core.contract import FaultCode, Forfeit, MatchResult, MatchSpec


@pytest.fixture
def ring(world: World) -> Ring:
    """Teams that ask for scrimmages."""
    return Ring(world)


def test_a_game_is_recorded_once(ring: Ring) -> None:
    """Seats are exchanged, the message has all that a worker needs, and late reports change nothing."""
    number = ring.ask(games=2)
    (first,) = ring.issue()
    assert [bot.name for bot in first.spec.bots] == ["red", "@random"]
    assert (first.spec.bots[0].version, first.spec.bots[1].version) == (2, None)
    assert len(ring.archives.get(str(first.spec.bots[1].archive))) > 1000
    assert ring.heartbeat(first) == Verdict.TAKEN
    assert ring.record(first) == Verdict.TAKEN
    assert ring.record(first) == Verdict.DUPLICATE
    assert ring.record(replace(first, token="other")) == Verdict.REFUSED
    assert ring.heartbeat(replace(first, attempt=2)) == Verdict.REFUSED
    (second,) = ring.issue()
    assert [bot.name for bot in second.spec.bots] == ["@random", "red"]
    assert second.spec.seeds != first.spec.seeds
    assert ring.record(second) == Verdict.TAKEN
    assert ring.issue() == []
    found = ring.get(number)
    assert ring.states(number) == [MatchState.FINISHED] * 2
    assert (found.games[0].refused, found.games[0].seat, found.games[1].seat) == (2, 0, 1)
    with ring.world.database.reading() as session:
        moves = store.moves(session, found.games[0])
    assert [move["move"] for move in moves] == [move.move for move in play(first.spec).moves]


def test_a_late_report_of_a_lost_attempt_is_refused(ring: Ring) -> None:
    """A worker that fell silent has lost its attempt; what it reports afterwards is not recorded."""
    number = ring.ask(games=1)
    clock = Later()
    coordinator = coordinator_of(ring.world, clock)
    coordinator.tick()
    (old,) = ring.world.broker.scrimmages
    ring.world.broker.scrimmages.clear()
    assert ring.heartbeat(old) == Verdict.TAKEN
    live(coordinator, clock, ring.world.settings.lease_seconds + 10)
    (new,) = ring.world.broker.scrimmages
    assert (old.attempt, new.attempt, ring.game(number).lost) == (1, 2, 1)
    assert ring.record(old) == Verdict.REFUSED
    assert ring.states(number) == [MatchState.PUBLISHED]
    assert ring.record(new) == Verdict.TAKEN
    assert ring.game(number).refused == 1


def test_a_game_that_is_lost_too_often_is_given_up(ring: Ring) -> None:
    """It says so, and is given out no more; what a stopped worker gives back is no loss."""
    number = ring.ask(games=1)
    (message,) = ring.issue()
    assert ring.lose(message, stopped=True) == Verdict.TAKEN
    for _ in range(ring.world.settings.max_lost + 1):
        (message,) = ring.issue()
        assert ring.lose(message) == Verdict.TAKEN
    game = ring.game(number)
    assert (game.state, game.unplayed) == (MatchState.PARKED, Unplayed.LOST)
    assert game.trouble == "test-host: no room"
    assert ring.issue() == []


def test_a_result_that_cannot_be_is_a_loss(ring: Ring) -> None:
    """The moves are played again before they are believed."""
    number = ring.ask(games=1)
    (message,) = ring.issue()
    other = play(message.spec.model_copy(update={"match": "999"}))
    assert ring.record(message, other) == Verdict.UNFIT
    assert (ring.game(number).state, ring.game(number).lost) == (MatchState.PENDING, 1)


def test_a_game_that_is_not_over_in_time_is_given_up(ring: Ring) -> None:
    """Signs of life renew its lease, but not beyond the half hour that it has."""
    number = ring.ask(games=1)
    (message,) = ring.issue()
    ring.heartbeat(message)
    ends_at = ring.game(number).ends_at
    assert ends_at is not None
    late = ends_at + dt.timedelta(seconds=1)
    with ring.world.database.transaction() as session:
        (row,) = store.lock_games(session, [ring.game(number).id])
        row.lease_until = ends_at
        session.flush()
        assert leases.reap(scrimmages.WORK, session, late, ring.world.settings, set) == 1
    game = ring.game(number)
    assert (game.state, game.unplayed) == (MatchState.PARKED, Unplayed.OVERDUE)
    assert ring.record(message) == Verdict.REFUSED


def test_an_overrun_that_the_host_explains_is_void_once(ring: Ring) -> None:
    """The game is played again; the second time it counts."""
    number = ring.ask(games=1)
    (first,) = ring.issue()
    assert ring.record(first, _late(first.spec)) == Verdict.VOID
    assert ring.game(number).state == MatchState.PENDING
    (second,) = ring.issue()
    assert ring.record(second, _late(second.spec)) == Verdict.TAKEN
    assert ring.get(number).games[0].state == MatchState.FINISHED


def _late(spec: MatchSpec) -> MatchResult:
    told = play(spec, forfeits=[0])
    fault: Forfeit = told.forfeits[0].model_copy(update={"code": FaultCode.TIMEOUT, "excused": True})
    return told.model_copy(update={"forfeits": (fault,), "reason": "timeout"})


def test_teams_take_turns_in_half_of_the_places(ring: Ring) -> None:
    """Whoever asks for much keeps nobody waiting, and matches always find half of the workers free."""
    with ring.world.database.transaction() as session:
        for number in range(6):
            told = {"process": f"worker-{number}", "takes": ["matches", "scrimmages"], "cores": 6}
            hosts.register(session, "test-host", {"python": "3.11"}, 1.0, **told)  # type: ignore[arg-type]
    for team in ("red", "red", "blue", "green"):
        ring.ask(team, games=2)
    given = Counter(
        message.spec.bots[message.spec.bots[0].name == "@random"].name for message in ring.issue()
    )
    assert given == {"red": 1, "blue": 1, "green": 1}
    assert ring.issue() == []


def test_a_game_in_play_gives_way_to_a_match(ring: Ring) -> None:
    """A match that waits for a worker puts it back, which is no loss, and what its worker says is refused."""
    number = ring.ask(games=1)
    clock = Later()
    coordinator = coordinator_of(ring.world, clock)
    coordinator.tick()
    (message,) = ring.world.broker.scrimmages
    ring.world.broker.scrimmages.clear()
    assert ring.heartbeat(message) == Verdict.TAKEN
    ring.world.tournament("cup", bots=2)
    coordinator.tick()
    assert ring.states(number) == [MatchState.RUNNING]
    for _ in range(4):
        live(coordinator, clock, 4)
        ring.heartbeat(message)
    game = ring.game(number)
    assert (game.lost, game.attempt > 1) == (0, True)
    assert ring.record(message) == Verdict.REFUSED


def test_a_game_goes_on_beside_matches_that_its_host_cannot_play(ring: Ring) -> None:
    """Where another language is needed nothing would be gained by putting it back."""
    number = ring.ask(games=1)
    (message,) = ring.issue()
    ring.heartbeat(message, "second-host")
    ring.world.tournament("cup", bots=2)
    with ring.world.database.transaction() as session:
        session.execute(update(Match).values(needs="c"))
    clock = Later()
    coordinator = coordinator_of(ring.world, clock)
    coordinator.tick()
    assert ring.world.matches()[0].state == MatchState.PUBLISHED
    ring.world.broker.scrimmages.clear()
    for _ in range(6):
        live(coordinator, clock, 4)
        ring.heartbeat(message, "second-host")
    assert ring.states(number) == [MatchState.RUNNING]


def test_what_is_called_off_is_broken_off_and_taken_back(ring: Ring) -> None:
    """The message goes from the queue, and who has it already is refused with its next sign of life."""
    number = ring.ask(games=2)
    coordinator = coordinator_of(ring.world)
    coordinator.tick()
    (message,) = ring.world.broker.scrimmages
    with ring.world.database.transaction() as session:
        asking.cancel(session, ring.user("red"), asking.get(session, ring.user("red"), number))
    assert ring.states(number) == [MatchState.CANCELLED] * 2
    coordinator.tick()
    assert ring.world.broker.scrimmages == []
    assert ring.heartbeat(message) == Verdict.REFUSED
    assert {game.unplayed for game in ring.get(number).games} == {Unplayed.CANCELLED}


def test_where_no_worker_lives_a_game_is_requeued(ring: Ring) -> None:
    """After all workers were stopped nobody waits for leases."""
    number = ring.ask(games=1)
    (message,) = ring.issue()
    ring.heartbeat(message)
    with ring.world.database.transaction() as session:
        recall_all(session, "stopped")
    assert ring.states(number) == [MatchState.PENDING]
    assert ring.record(message) == Verdict.REFUSED


def test_what_no_host_can_play_waits(ring: Ring) -> None:
    """It takes no place until a host comes that has the language."""
    with ring.world.database.transaction() as session:
        for version in ring.bot(session, "red").versions:
            version.language = "rust"
    ring.ask(games=1)
    assert ring.issue() == []
    with ring.world.database.transaction() as session:
        tools = {"python": "3.11", "rust": "1.80"}
        hosts.register(session, "third-host", tools, 1.0, process="b", takes=["scrimmages"])
    (message,) = ring.issue()
    assert message.needs == "python+rust"


def test_the_staff_sees_what_waits_and_who_plays(ring: Ring) -> None:
    """A host with a game of a scrimmage in hand is not drained before it is over."""
    number = ring.ask(games=2)
    (message,) = ring.issue()
    ring.heartbeat(message)
    world = ring.world
    with world.database.transaction() as session:
        found = queue(session, world.settings, world.staff)
        assert [sum(line.counts.values()) for line in found.scrimmages] == [2]
        workers.drain(session, world.broker, world.staff, "test-host")
    with world.database.reading() as session:
        host = workers.get(session, world.settings, "test-host")
    (piece,) = host.in_hand
    assert (piece.kind, piece.work.scrimmage, piece.work.game) == ("scrimmages", number, 1)
    assert (piece.work.about, piece.work.bots) == (message.spec.match, ("red",))
    assert host.state == HostState.DRAINING
