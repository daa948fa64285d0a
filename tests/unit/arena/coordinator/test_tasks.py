"""The recorder's tasks: reports of any shape, and a database that is away for a moment."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session
from structlog.testing import capture_logs

from arena.coordinator import publishing, tasks
from arena.coordinator.broker import Message
from tests.unit.arena.world import World, play
from workers.app import HEARTBEAT, LOST, RECORD


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
    """The three reports are known to the recorder's application."""
    assert {HEARTBEAT, RECORD, LOST} <= set(tasks.app.tasks)


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
