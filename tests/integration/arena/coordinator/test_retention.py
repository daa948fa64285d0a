"""What is old goes once a day, by the coordinator that leads and a process beside it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import psutil
import pytest
from structlog.testing import capture_logs

from arena.coordinator import retention
from arena.coordinator.loop import REMOVING_SECONDS
from arena.coordinator.retention import DAY_SECONDS, FIRST_SECONDS, Retention
from arena.play import games
from tests.integration.arena.ticking import Later, coordinator_of
from tests.integration.arena.world import World
from tests.waiting import Clock, eventually


def test_who_leads_has_it_done_once_a_day(
    world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Some minutes after it came to lead, and a day later, and no sooner; that it failed is told."""
    done = tmp_path / "done"
    monkeypatch.setattr(retention, "PROGRAM", ("/bin/sh", "-c", f"echo done >> {done}; exit 3"))
    begun = Mock(side_effect=subprocess.Popen)
    monkeypatch.setattr(subprocess, "Popen", begun)
    clock = Later()
    leading = coordinator_of(world, clock, keep_logs_days=30)
    leading.tick()

    def tick() -> list[int]:
        with capture_logs() as told:
            leading.tick()
        return [each["status"] for each in told if each["event"] == "not all that is old was removed"]

    statuses: list[int] = []

    def have_ended(times: int) -> bool:
        statuses.extend(tick())
        return len(statuses) == times

    for times, later in enumerate((FIRST_SECONDS, DAY_SECONDS), 1):
        clock.seconds += later - 1
        assert tick() == []
        assert begun.call_count == times - 1
        clock.seconds += 1
        eventually(partial(have_ended, times))
        assert begun.call_count == times
    assert statuses == [3, 3]
    assert done.read_text().split() == ["done"] * 2


def test_who_takes_over_has_it_done_some_minutes_later(
    world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """However long it has waited for its turn, also after it had led before."""
    done = tmp_path / "done"
    monkeypatch.setattr(retention, "PROGRAM", ("/bin/sh", "-c", f"echo done >> {done}"))
    clock = Later()
    waiting = coordinator_of(world, clock, keep_logs_days=30)
    waiting.tick()
    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(waiting._leadership, "holds", lambda: False)
            waiting.tick()
        clock.seconds += DAY_SECONDS
        waiting.tick()
        assert waiting._retention._process is None
    clock.seconds += FIRST_SECONDS
    waiting.tick()
    eventually(done.exists)
    waiting._retention.close()


def test_a_clock_that_was_set_may_be_set_right_before_anything_is_removed(
    world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What would be old by a clock that was put forward by mistake stays for some minutes; that is logged."""
    done = tmp_path / "done"
    monkeypatch.setattr(retention, "PROGRAM", ("/bin/sh", "-c", f"echo done >> {done}"))
    removed = Mock(return_value=0)
    monkeypatch.setattr(games, "remove_old", removed)
    clock = Later()
    leading = coordinator_of(world, clock, keep_logs_days=30)
    leading.tick()
    clock.seconds += min(FIRST_SECONDS, REMOVING_SECONDS) - 1
    clock.set_by = DAY_SECONDS
    with capture_logs() as told:
        leading.tick()
    said = [each for each in told if each["event"] == "the clock was set, or the machine slept"]
    assert [each["seconds"] for each in said] == [DAY_SECONDS]
    clock.seconds += 2
    leading.tick()
    assert (leading._retention._process, removed.call_count) == (None, 0)
    clock.seconds += max(FIRST_SECONDS, REMOVING_SECONDS)
    leading.tick()
    eventually(done.exists)
    assert removed.call_count == 1
    leading._retention.close()


def test_what_cannot_be_begun_ends_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without room for another process is told of, and it is tried again the next day."""
    monkeypatch.setattr(retention, "PROGRAM", ("/nowhere/at-all",))
    clock = Clock()
    beside = Retention(world.settings.model_copy(update={"keep_logs_days": 9}), clock)
    with capture_logs() as told:
        for clock.now in (0.0, FIRST_SECONDS, FIRST_SECONDS + 1, FIRST_SECONDS + DAY_SECONDS):
            beside.keep()
    assert [each["event"] for each in told] == ["what is old cannot be removed"] * 2


def test_it_is_ended_with_the_coordinator(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for what is not done; where all is kept for ever nothing is begun."""
    monkeypatch.setattr(retention, "PROGRAM", ("/bin/sleep", "600"))
    clock = Clock()
    for_ever, kept = (
        Retention(world.settings.model_copy(update=days), clock) for days in ({}, {"keep_tokens_days": 9})
    )
    for clock.now in (0.0, FIRST_SECONDS):
        for each in (for_ever, kept):
            each.keep()
    (process,) = [each for each in psutil.Process().children() if each.name() == "sleep"]
    kept.close()
    assert not process.is_running()


def test_the_program_does_what_the_settings_say(world: World, environment: Callable[..., None]) -> None:
    """It reads them from the environment as the coordinator does, removes an old log, and ends well."""
    old = world.settings.data_dir / "logs" / "api.log.1"
    old.parent.mkdir(parents=True)
    old.write_text("a line")
    os.utime(old, (0, 0))
    settings, url = world.settings, world.database.engine.url.render_as_string(hide_password=False)
    environment(data_dir=str(settings.data_dir), database_url=url, keep_logs_days="30")
    clock = Clock()
    beside = Retention(settings.model_copy(update={"keep_logs_days": 30}), clock)
    for clock.now in (0.0, FIRST_SECONDS):
        beside.keep()

    def is_over() -> bool:
        beside.keep()
        return beside._process is None

    with capture_logs() as told:
        eventually(is_over)
    assert told == []
    assert not old.exists()
