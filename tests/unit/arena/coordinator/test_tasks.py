"""The recorder's tasks: reports of any shape, and a database that is away for a moment."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session
from structlog.testing import capture_logs

from arena import checks as service
from arena import hosts, submissions
from arena.coordinator import checks, publishing, tasks
from arena.coordinator.broker import ChunkMessage, Message
from arena.store.models import Check
from tests.unit.arena.lab import Lab, played
from tests.unit.arena.world import World, play
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
    monkeypatch.setattr(tasks, "PAUSE_S", 0)
    world.tournament(bots=2)
    with world.database.transaction() as session:
        (published, *_) = publishing.issue(session, world.settings)
    return published


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
        version = submissions.get_version(session, world.bot(session, "comet"))
        service.begin(session, version)
        number = version.id
    for report in ("lost", "unfit"):
        with world.database.transaction() as session:
            (check,) = checks.issue(session, world.settings)
        about = {
            "check": check.spec.check,
            "attempt": check.attempt,
            "token": check.token,
            "host": "far-away",
        }
        tasks.check_heartbeat(**about)
        assert _check(world, number).state == "running"
        if report == "lost":
            tasks.check_lost(**about, trouble="no room")
        else:
            tasks.checked(**about, report={"passed": True})
        assert _check(world, number).state == "pending"
    assert _check(world, number).lost == 2


def _check(world: World, number: int) -> Check:
    with world.database.reading() as session:
        return session.scalars(select(Check).where(Check.version_id == number)).one()


def test_a_host_is_registered(world: World, message: Message) -> None:
    """What a host says is kept; what is no registration is logged, and changes nothing."""
    del message
    tasks.host(host="far-away", languages={"go": "go 1.22"}, speed=1.5, cores=3, process="worker-1@far-away")
    tasks.host(host="far-away", languages={"go": "go 1.22"}, speed=1.5, cores=3, process="worker-2@far-away")
    for wrong in ({"languages": {"go": 7}}, {"languages": {}, "speed": -1}, {"languages": {}, "host": ""}):
        tasks.host(**{"host": "far-away", **wrong})
    with world.database.reading() as session:
        found = hosts.versions(session, world.settings)
        slots = hosts.slots(session, world.settings)
    assert slots == {"far-away": 2, "test-host": 1}
    assert (found["go"], found["python"]) == (["go 1.22"], ["Python 3.11"])


def test_reports_are_taken_in(world: World, message: Message) -> None:
    """A heartbeat makes a match running, a result makes it finished."""
    tasks.heartbeat(**_about(message))
    assert (world.match().state, world.match().host) == ("running", "far-away")
    tasks.record(**_about(message), result=play(message.spec).model_dump(mode="json"))
    assert world.match().state == "finished"


def test_a_lost_match_is_pending_again(world: World, message: Message) -> None:
    """A worker's trouble puts the match back and is kept."""
    tasks.lost(**_about(message), trouble="no room")
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
        tasks.heartbeat(**{**_about(message), **changes})
        tasks.record("positional", **_about(message), result=None)
        tasks.lost()
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
    tasks.chunk_heartbeat(**_about_chunk(chunk))
    assert (lab.chunks()[0].state, lab.chunks()[0].host) == ("running", "far-away")
    tasks.chunk_lost(**_about_chunk(chunk), trouble="no room")
    assert (lab.chunks()[0].state, lab.get().trouble) == ("pending", "far-away: no room")
    (again,) = lab.issue()
    blocks = [block.model_dump(mode="json") for block in played(again)]
    tasks.chunk(**_about_chunk(again), blocks=blocks, elapsed_ns=10**9)
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
        tasks.chunk(**{**_about_chunk(chunk), "blocks": blocks, "elapsed_ns": 1, **changes})
    assert [entry["event"] for entry in logs] == ["malformed report"]
    assert Lab(world).chunks()[0].state == "published"


class Flaky:
    """A database that is away for the first `times` transactions."""

    def __init__(self, world: World, times: int) -> None:
        self.world = world
        self.times = times

    def transaction(self) -> AbstractContextManager[Session]:
        """Fail, or begin."""
        self.times -= 1
        if self.times >= 0:
            raise OperationalError("BEGIN", {}, RuntimeError("the database is away"))
        return self.world.database.transaction()


def test_a_report_waits_for_the_database(
    world: World, message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result that arrives while the database is away is recorded when it is back."""
    flaky = Flaky(world, 3)
    monkeypatch.setattr(tasks, "_database", lambda: flaky)
    tasks.record(**_about(message), result=play(message.spec).model_dump(mode="json"))
    assert world.match().state == "finished"


def test_a_report_does_not_wait_for_ever(
    world: World, message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the database stays away the report is given up; the lease will bring the match back."""
    monkeypatch.setattr(tasks, "PATIENCE_S", -1)
    flaky = Flaky(world, 3)
    monkeypatch.setattr(tasks, "_database", lambda: flaky)
    with pytest.raises(OperationalError):
        tasks.heartbeat(**_about(message))
