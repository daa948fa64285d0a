"""The recorder's tasks: reports of any shape, and a database that is away for a moment."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import pytest
import redis
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError, InternalError, OperationalError
from sqlalchemy.orm import Session
from structlog.testing import capture_logs

from arena.coordinator import checks, leases, tasks
from arena.coordinator.broker import ChunkMessage, Message
from arena.store.models import Check
from arena.submissions import checks as service
from arena.submissions import hosts, versions
from arena.tournaments import lifecycle
from tests.integration.arena.lab import Lab, played
from tests.integration.arena.world import World, issue_matches, play
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


@pytest.fixture
def message(world: World, monkeypatch: pytest.MonkeyPatch) -> Message:
    """A published match, with the tasks working on the test's database."""
    monkeypatch.setattr(tasks, "_database", lambda: world.database)
    monkeypatch.setattr(tasks, "PAUSE_SECONDS", 0)
    world.tournament(bots=2)
    with world.database.transaction() as session:
        (published, *_) = issue_matches(session, world.settings)
    return published


def tell(task: str, *positional: Any, **message: Any) -> None:
    """Have the recorder's task of that name take in a message."""
    tasks.app.tasks[task](*positional, **message)


def _about(message: Message) -> dict[str, Any]:
    about = {"match": message.spec.match, "attempt": message.attempt, "token": message.token}
    return {**about, "host": "far-away"}


def test_tasks_have_the_names_that_workers_send() -> None:
    """The reports of matches, checks, chunks and hosts are known to the recorder's application."""
    assert {HEARTBEAT, RECORD, LOST, CHUNK_HEARTBEAT, CHUNK, CHUNK_LOST} <= set(tasks.app.tasks)
    assert {CHECK_HEARTBEAT, CHECKED, CHECK_LOST, HOST} <= set(tasks.app.tasks)


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
        tell(CHECK_HEARTBEAT, **about)
        assert _check(world, number).state == "running"
        if report == "lost":
            tell(CHECK_LOST, **about, trouble="no room")
        else:
            tell(CHECKED, **about, report={"passed": True})
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
        tell(HOST, **told, speed=1.5, process=f"worker-{number}@far-away", takes=["matches"])
    tell(HOST, **told, speed=None, process="checker@far-away", takes=["checks"])
    for wrong in ({"languages": {"go": 7}}, {"languages": {}, "speed": -1}, {"languages": {}, "host": ""}):
        tell(HOST, **{"host": "far-away", **wrong})
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
    tell(HEARTBEAT, **_about(message))
    assert (world.match().state, world.match().host) == ("running", "far-away")
    tell(RECORD, **_about(message), result=play(message.spec).model_dump(mode="json"))
    assert world.match().state == "finished"


class FakeRefusals:
    """Remembers whom it was told to refuse, and is away when told so."""

    def __init__(self) -> None:
        self.tokens: list[str] = []
        self.away = False

    def refuse(self, token: str) -> None:
        """Remember it."""
        if self.away:
            raise redis.ConnectionError("away")
        self.tokens.append(token)


def test_who_gives_signs_of_life_in_vain_is_told(
    world: World, message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refused heartbeat is answered through the broker, once it can be; other reports are not."""
    refusals = FakeRefusals()
    monkeypatch.setattr(tasks, "_refusals", lambda: refusals)
    tell(HEARTBEAT, **_about(message))
    assert refusals.tokens == []
    with world.database.transaction() as session:
        lifecycle.cancel(session, world.staff, world.get(session))
    refusals.away = True
    tell(HEARTBEAT, **_about(message))
    refusals.away = False
    tell(RECORD, **_about(message), result=play(message.spec).model_dump(mode="json"))
    assert refusals.tokens == []
    tell(HEARTBEAT, **_about(message))
    tell(HEARTBEAT, **{**_about(message), "match": 99})
    assert refusals.tokens == [message.token] * 2


def test_a_match_of_a_stopped_worker_is_put_back(world: World, message: Message) -> None:
    """It is to be played again, and nothing is held against it."""
    tell(HEARTBEAT, **_about(message))
    tell(LOST, **_about(message), trouble="the worker was stopped", stopped=True)
    match = world.match()
    assert (match.state, match.lost, match.trouble) == ("pending", 0, None)


def test_a_lost_match_is_pending_again(world: World, message: Message) -> None:
    """A worker's trouble puts the match back and is kept."""
    tell(LOST, **_about(message), trouble="no room")
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
    with capture_logs() as logs:
        tell(HEARTBEAT, **{**_about(message), **changes})
        tell(RECORD, "positional", **_about(message), result=None)
        tell(LOST)
    assert [entry["event"] for entry in logs] == ["malformed report"] * 3
    assert logs[2]["so_far"] == logs[0]["so_far"] + 2
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
    tell(CHUNK_HEARTBEAT, **_about_chunk(chunk))
    assert (lab.chunks()[0].state, lab.chunks()[0].host) == ("running", "far-away")
    tell(CHUNK_LOST, **_about_chunk(chunk), trouble="no room")
    assert (lab.chunks()[0].state, lab.get().trouble) == ("pending", "far-away: no room")
    (again,) = lab.issue()
    blocks = [block.model_dump(mode="json") for block in played(again)]
    tell(CHUNK, **_about_chunk(again), blocks=blocks, elapsed_ns=10**9)
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
    with capture_logs() as logs:
        tell(CHUNK, **{**_about_chunk(chunk), "blocks": blocks, "elapsed_ns": 1, **changes})
    assert [entry["event"] for entry in logs] == ["malformed report"]
    assert Lab(world).chunks()[0].state == "published"


class Flaky:
    """A database that is away for the first `times` transactions."""

    def __init__(self, world: World, times: int, kind: type[DBAPIError] = OperationalError) -> None:
        self.world = world
        self.times = times
        self.kind = kind

    def transaction(self) -> AbstractContextManager[Session]:
        """Fail, or begin."""
        self.times -= 1
        if self.times >= 0:
            raise self.kind("BEGIN", {}, RuntimeError("the database is away"))
        return self.world.database.transaction()


@pytest.mark.parametrize("kind", [OperationalError, InternalError], ids=["away", "read-only"])
def test_a_report_waits_for_the_database(
    world: World, message: Message, monkeypatch: pytest.MonkeyPatch, kind: type[DBAPIError]
) -> None:
    """A result that arrives while the database is away, or takes no writes, is recorded when it is back."""
    flaky = Flaky(world, 2, kind)
    monkeypatch.setattr(tasks, "_database", lambda: flaky)
    tell(RECORD, **_about(message), result=play(message.spec).model_dump(mode="json"))
    assert world.match().state == "finished"


def test_a_report_does_not_wait_for_ever(
    world: World, message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the database stays away the report is given up; the lease will bring the match back."""
    monkeypatch.setattr(tasks, "PATIENCE_SECONDS", -1)
    flaky = Flaky(world, 3)
    monkeypatch.setattr(tasks, "_database", lambda: flaky)
    with pytest.raises(OperationalError):
        tell(HEARTBEAT, **_about(message))
