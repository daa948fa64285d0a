"""What the staff is shown of the arena's own work, on either database."""

from __future__ import annotations

import datetime as dt

import pytest

from arena.coordinator import leases, losses, matches, storage, workers
from arena.coordinator.queue import queue
from arena.core.errors import ConflictError, ForbiddenError
from arena.core.terms import ExperimentState, MatchState, Role
from arena.experiments import lifecycle
from arena.people import administering, users
from arena.store import counters
from arena.store import hosts as host_store
from arena.store.counters import Counted
from arena.store.users import Wanted
from arena.submissions import hosts
from tests.integration.arena.lab import Lab
from tests.integration.arena.ticking import Later, coordinator_of
from tests.integration.arena.world import World, issue_matches, play


def _lose_one(world: World, max_lost: int) -> None:
    settings = world.settings.model_copy(update={"max_lost": max_lost})
    with world.database.transaction() as session:
        message = issue_matches(session, settings)[0]
    world.heartbeat(message, "pc-7")
    with world.database.transaction() as session:
        attempt = leases.Attempt((int(message.spec.match),), message.attempt, message.token)
        told = {"host": "pc-7", "trouble": "no room"}
        leases.take_in(leases.lost, matches.WORK, session, [(attempt, told)], settings)


def test_all_is_shown(world: World) -> None:
    """Queue, losses, hosts, users and sizes agree with what there is; an organiser sees what is theirs."""
    world.tournament(bots=3)
    _lose_one(world, max_lost=0)
    with world.database.transaction() as session:
        hosts.register(session, "pc-7", {"python": "3"}, 1.0, process="slot1@pc-7")
        users.create_user(session, "teacher", Role.ORGANISER)
    with world.database.transaction() as session:
        teacher = users.get(session, "teacher")
        found = queue(session, world.settings, world.staff)
        assert sum(sum(line.counts.values()) for line in found.matches) == 2
        assert [line.nobody for line in found.matches] == [False] * len(found.matches)
        assert queue(session, world.settings, teacher).matches == []
        (loss,), total = losses.parked(session, world.staff, 0, 10)
        assert (total, loss.match.state, loss.attempts[0].host) == (1, MatchState.PARKED, "pc-7")
        assert losses.parked(session, teacher, 0, 10) == ([], 0)
        assert losses.lost(session, world.staff, 0, 10) == ([], 0)
        assert losses.parked_by_tournament(session, world.staff) == [("cup", "", 1)]
        assert losses.checks(session, world.staff, losses.OPEN_CHECKS, 0, 10)[1] == 0
        assert counters.counts(session)[Counted.LOST] == {"matches": 1}
        assert {each.host.name for each in workers.list_hosts(session, world.settings, 0, 10)[0]} == {
            "pc-7",
            "test-host",
        }
        assert administering.list_accounts(session, world.staff, Wanted("TEACH"), 0, 10)[1] == 1
        told = storage.storage(session, world.settings, world.staff)
        assert told.database.size > 0
        assert {each.name for each in told.tables} >= {"matches", "events"}
        with pytest.raises(ForbiddenError):
            storage.storage(session, world.settings, teacher)


def test_a_failed_experiment_goes_on(world: World) -> None:
    """It is listed while it has failed, and plays on where it was once it is retried; twice is refused."""
    lab = Lab(world)
    lab.create(games=100)
    with world.database.transaction() as session:
        experiment = lifecycle.get(session, 1)
        experiment.trouble = "no room"
        lifecycle.fail(session, experiment)
    with world.database.transaction() as session:
        (failed,), _ = losses.failed_experiments(session, world.staff, 0, 10)
        losses.retry_experiment(session, world.staff, failed)
    assert lab.get().state == ExperimentState.RUNNING
    assert lab.get().trouble is None
    with (
        world.database.transaction() as session,
        pytest.raises(ConflictError, match="only one that has failed"),
    ):
        losses.retry_experiment(session, world.staff, lifecycle.get(session, 1))


def test_what_a_drained_host_does_not_end_is_given_to_others(world: World) -> None:
    """After the limit its match is played again elsewhere: no loss, and what it still reports is refused."""
    world.tournament(bots=2)
    clock = Later()
    coordinator = coordinator_of(world, clock)
    with world.database.transaction() as session:
        hosts.register(session, "pc-7", {"python": "3"}, 1.0, process="slot1@pc-7")
    coordinator.tick()
    (message, *_) = world.broker.queue
    world.heartbeat(message, "pc-7")
    with world.database.transaction() as session:
        workers.drain(session, world.broker, world.staff, "pc-7")
    with world.database.transaction() as session:
        workers.drain(session, world.broker, world.staff, "pc-7", within_seconds=20)
    coordinator.tick()
    assert world.match(int(message.spec.match)).state == MatchState.RUNNING
    with world.database.transaction() as session:
        host = host_store.lock(session, "pc-7")
        assert host is not None
        host.drain_until = clock() - dt.timedelta(seconds=1)
    coordinator.tick()
    match = world.match(int(message.spec.match))
    assert (match.state, match.lost, match.attempt) == (MatchState.PUBLISHED, 0, message.attempt + 1)
    late = play(message.spec)
    assert world.record(message, late) == "refused"
    again = next(each for each in world.broker.queue if each.token == match.token)
    assert world.record(again, play(again.spec)) == "taken"
    with world.database.transaction() as session:
        workers.resume(session, world.broker, world.staff, "pc-7")
        resumed = host_store.by_name(session, "pc-7")
        assert resumed is not None
        assert (resumed.draining_at, resumed.drain_until) == (None, None)
