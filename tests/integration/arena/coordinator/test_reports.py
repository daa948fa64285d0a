"""What each kind of report does that the recorder takes in; one of another form does nothing."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from arena.coordinator import checks, leases, workers
from arena.coordinator.messages import ChunkMessage, Message
from arena.store import hosts as host_store
from arena.store.models import Check
from arena.submissions import checks as service
from arena.submissions import hosts, versions
from arena.tournaments import lifecycle
from tests.integration.arena.coordinator.reporting import (
    FakeDrains,
    FakeRefusals,
    about_match,
    delivery,
    reasons_set_aside,
    recorder_of,
    result_of,
    tell,
)
from tests.integration.arena.lab import Lab, played
from tests.integration.arena.world import World, play
from workers.app import (
    CHECK_HEARTBEAT,
    CHECK_LOST,
    CHECKED,
    CHUNK,
    CHUNK_HEARTBEAT,
    CHUNK_LOST,
    HEARTBEAT,
    HOST,
    LOST,
    RECORD,
)


def test_reports_of_a_check_are_taken_in(world: World, message: Message) -> None:
    """A heartbeat makes a check running; one that is lost or does not fit puts it back."""
    del message
    with world.database.transaction() as session:
        version = versions.get_version(session, world.bot(session, "comet"))
        service.begin(session, version)
        number = version.id
    for report in ("lost", "unfit"):
        with world.database.transaction() as session:
            (check,) = leases.issue(checks.WORK, session, world.settings)
        about = {
            "check": check.spec.check,
            "attempt": check.attempt,
            "token": check.token,
            "host": "far-away",
        }
        tell(world, CHECK_HEARTBEAT, **about)
        assert _check(world, number).state == "running"
        if report == "lost":
            tell(world, CHECK_LOST, **about, trouble="no room")
        else:
            tell(world, CHECKED, **about, report={"passed": True})
        assert _check(world, number).state == "pending"
    assert _check(world, number).lost == 2


def _check(world: World, number: int) -> Check:
    with world.database.reading() as session:
        return session.scalars(select(Check).where(Check.version_id == number)).one()


def test_a_host_is_registered(world: World, message: Message) -> None:
    """What a host says is kept; what is no registration is logged, and changes nothing."""
    del message
    told = {"host": "far-away", "languages": {"go": "go 1.22"}, "cores": 3}
    for number in (1, 2):
        tell(world, HOST, **told, speed=1.5, process=f"worker-{number}@far-away", takes=["matches"])
    tell(world, HOST, **told, speed=None, process="checker@far-away", takes=["checks"])
    for wrong in ({"languages": {"go": 7}}, {"languages": {}, "speed": -1}, {"languages": {}, "host": ""}):
        tell(world, HOST, **{"host": "far-away", **wrong})
    with world.database.reading() as session:
        found = hosts.versions(session, world.settings)
        slots = hosts.slots(session, world.settings)
        checking = hosts.takers(session, world.settings, "checks")
    assert {(host.name, host.speed, count) for host, count in slots.items()} == {
        ("far-away", 1.5, 2),
        ("test-host", 1.0, 1),
    }
    assert {host.name: count for host, count in checking.items()} == {"far-away": 1, "test-host": 1}
    assert (found["go"], found["python"]) == (["go 1.22"], ["Python 3.11"])


def test_reports_are_taken_in(world: World, message: Message) -> None:
    """A heartbeat makes a match running, a result makes it finished."""
    tell(world, HEARTBEAT, **about_match(message))
    assert (world.match().state, world.match().host) == ("running", "far-away")
    tell(world, RECORD, **about_match(message), result=play(message.spec).model_dump(mode="json"))
    assert world.match().state == "finished"


def test_who_gives_signs_of_life_in_vain_is_told(world: World, message: Message) -> None:
    """A refused heartbeat is answered through the broker, once it can be; other reports are not."""
    refusals = FakeRefusals()
    recorder = recorder_of(world, refusals)
    heartbeat = delivery(HEARTBEAT, **about_match(message))
    recorder.take_in([heartbeat])
    assert refusals.tokens == []
    with world.database.transaction() as session:
        lifecycle.cancel(session, world.staff, world.get(session))
    refusals.away = True
    recorder.take_in([heartbeat])
    refusals.away = False
    recorder.take_in([result_of(message)])
    assert refusals.tokens == []
    recorder.take_in([heartbeat, delivery(HEARTBEAT, **{**about_match(message), "match": 99})])
    assert refusals.tokens == [message.token] * 2


def test_a_match_of_a_stopped_worker_is_put_back(world: World, message: Message) -> None:
    """It is to be played again, and nothing is held against it."""
    tell(world, HEARTBEAT, **about_match(message))
    tell(world, LOST, **about_match(message), trouble="the worker was stopped", stopped=True)
    match = world.match()
    assert (match.state, match.lost, match.trouble) == ("pending", 0, None)


def test_a_lost_match_is_pending_again(world: World, message: Message) -> None:
    """A worker's trouble puts the match back and is kept."""
    tell(world, LOST, **about_match(message), trouble="no room")
    assert (world.match().state, world.match().trouble) == ("pending", "far-away: no room")


@pytest.mark.parametrize(
    "changes",
    [
        {"match": "cup"},
        {"match": 2**80},
        {"match": "7 or 1=1"},
        {"attempt": -1},
        {"attempt": None},
        {"token": 7},
        {"token": None},
        {"host": ["x"]},
        {"extra": 1},
    ],
    ids=str,
)
def test_malformed_reports_are_logged_and_change_nothing(
    world: World, message: Message, changes: dict[str, Any]
) -> None:
    """Whatever a report says, the recorder goes on."""
    tell(world, HEARTBEAT, **{**about_match(message), **changes})
    tell(world, RECORD, **about_match(message), result=None)
    tell(world, LOST)
    assert reasons_set_aside(world) == ["form"] * 3
    assert world.match().state == "published"


@pytest.fixture
def chunk(world: World, message: Message) -> ChunkMessage:
    """A published chunk of an experiment."""
    del message
    lab = Lab(world)
    lab.create(games=20)
    (published,) = lab.issue()
    return published


def _about_chunk(chunk: ChunkMessage) -> dict[str, Any]:
    about = {"experiment": chunk.experiment, "start": chunk.start, "attempt": chunk.attempt}
    return {**about, "token": chunk.token, "host": "far-away"}


def test_reports_of_chunks_are_taken_in(world: World, chunk: ChunkMessage) -> None:
    """A heartbeat makes a chunk running, a loss puts it back, and counts make an experiment finished."""
    lab = Lab(world)
    tell(world, CHUNK_HEARTBEAT, **_about_chunk(chunk))
    assert (lab.chunks()[0].state, lab.chunks()[0].host) == ("running", "far-away")
    tell(world, CHUNK_LOST, **_about_chunk(chunk), trouble="no room")
    assert (lab.chunks()[0].state, lab.get().trouble) == ("pending", "far-away: no room")
    (again,) = lab.issue()
    blocks = [block.model_dump(mode="json") for block in played(again)]
    tell(world, CHUNK, **_about_chunk(again), blocks=blocks, elapsed_ns=10**9)
    assert (lab.get().state, lab.get().done) == ("finished", 20)


@pytest.mark.parametrize(
    "changes",
    [{"experiment": 0}, {"start": -1}, {"start": 2**80}, {"blocks": None}, {"elapsed_ns": -1}, {"match": 1}],
    ids=str,
)
def test_malformed_reports_of_chunks_change_nothing(
    world: World, chunk: ChunkMessage, changes: dict[str, Any]
) -> None:
    """Whatever a report says, the recorder goes on."""
    blocks = [block.model_dump(mode="json") for block in played(chunk)]
    tell(world, CHUNK, **{**_about_chunk(chunk), "blocks": blocks, "elapsed_ns": 1, **changes})
    assert reasons_set_aside(world) == ["form"]
    assert Lab(world).chunks()[0].state == "published"


def test_a_host_that_drains_and_should_not_is_told_so(world: World) -> None:
    """What a host says of itself is compared with what the staff wants; a broker that is away is no harm."""
    drains = FakeDrains()
    host = {"host": "pc-7", "languages": {"python": "3.12"}, "process": "slot1@pc-7"}

    def say(*, draining: bool) -> None:
        told = delivery(HOST, **host, draining=draining, version="1.2")
        assert recorder_of(world, drains=drains).take_in([told]) == []

    say(draining=False)
    assert drains.told == []
    with world.database.transaction() as session:
        workers.drain(session, world.broker, world.staff, "pc-7")
    say(draining=False)
    say(draining=True)
    assert drains.told == [("pc-7", True)]
    with world.database.transaction() as session:
        workers.resume(session, world.broker, world.staff, "pc-7")
    drains.away = True
    say(draining=True)
    drains.away = False
    say(draining=True)
    assert drains.told == [("pc-7", True), ("pc-7", False)]
    with world.database.reading() as session:
        process = host_store.processes_of(session, ["pc-7"])[0]
        assert (process.version, process.draining) == ("1.2", True)
