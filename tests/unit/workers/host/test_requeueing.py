"""Work that asks for more than a host gives goes back to its queue."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.unit.workers.conftest import make_spec
from tests.waiting import Clock
from workers.app import app
from workers.checks.contract import CheckSpec
from workers.core.contract import BotRef, GameSpec, Limits
from workers.host import requeueing, tasks
from workers.simulation.contract import SimulatedPlayer, SimulationSpec

ABOVE = Limits(memory_mb=601)
BOT = BotRef(name="b", archive="0" * 64)

Sent = list[tuple[str, dict[str, Any], dict[str, Any]]]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch, environment: Callable[..., None]) -> Sent:
    """What a host that gives a bot 600 MB sends, instead of a broker."""
    environment(most_memory_mb="600")
    monkeypatch.setattr(requeueing, "PAUSE_SECONDS", 0.0)
    messages: Sent = []

    def send_task(name: str, kwargs: dict[str, Any], **options: Any) -> None:
        assert options["kwargsrepr"] == "{}", "Celery would spell it out for monitors"
        messages.append((name, kwargs, options))

    monkeypatch.setattr(app, "send_task", send_task)
    untold = SimpleNamespace(of=lambda _: contextlib.nullcontext([]))
    monkeypatch.setattr(tasks, "_live_moves", lambda: untold)
    return messages


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """By which it is measured how long work is given back; nothing was, so far."""
    moved = Clock()
    monkeypatch.setattr(requeueing, "_now", moved)
    requeueing._since.clear()
    return moved


def taken(task: Any, queue: str, **details: Any) -> None:
    """Have a worker take a message of that task from a queue."""
    task.push_request(id="token", delivery_info={"routing_key": queue})
    try:
        task(**details)
    finally:
        task.pop_request()


def a_match(limits: Limits) -> dict[str, Any]:
    """What the task that plays a match is given."""
    spec = make_spec(bots=(BOT, BOT), limits=limits)
    return {"spec": spec.model_dump(mode="json"), "attempt": 2, "token": "token"}


BY_NAME = SimulatedPlayer(name="xor", strategy="xor"), SimulatedPlayer(name="random", strategy="random")


def a_chunk(players: tuple[SimulatedPlayer, SimulatedPlayer], **more: Any) -> dict[str, Any]:
    """What the task that plays a chunk is given, with limits that are above the maximum."""
    spec = SimulationSpec(
        game=GameSpec(name="heap_nim", params={"heaps": [1, 2, 3]}),
        players=players,
        games=2,
        seed=1,
        limits=ABOVE,
    )
    about = {"experiment": 1, "attempt": 1, "token": "token"}
    return {"spec": spec.model_dump(mode="json"), "start": 0, "count": 2, "cut": 0, **about, **more}


def test_a_match_above_the_maximum_goes_back_as_it_came(sent: Sent) -> None:
    """The same message under the same id in the same queue, and nothing else is said of it."""
    message = a_match(ABOVE)
    taken(tasks.play, "matches.python", **message)
    ((name, details, options),) = sent
    assert (name, details) == ("workers.play", message)
    assert (options["task_id"], options["queue"]) == ("token", "matches.python")
    taken(tasks.play, "matches.python", **message)
    assert sent[1] == sent[0]


def test_a_match_that_no_host_took_for_long_is_lost_with_the_reason(
    sent: Sent, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that it does not go round for ever, and the staff reads why."""
    monkeypatch.setattr(tasks, "_program", lambda _, __: ("true",))
    taken(tasks.play, "matches.python", **a_match(ABOVE))
    clock.now = requeueing.MAX_SECONDS
    taken(tasks.play, "matches.python", **a_match(ABOVE))
    clock.now += 1
    taken(tasks.play, "matches.python", **a_match(ABOVE))
    told = [name for name, _, _ in sent if not name.endswith("heartbeat")]
    assert told == ["workers.play", "workers.play", "arena.lost"]
    assert "memory_mb 601" in sent[-1][1]["trouble"]


@pytest.mark.parametrize(
    ("newer", "reason"),
    [
        ({"limits": {"gpus": 1}}, "limits.gpus"),
        ({"bots": [{"name": "b", "accent": "south"}, {"name": "c"}]}, "bots.0.accent"),
        ({"format": 2}, "format"),
        ({"game": {"name": "heap_nim", "version": 99}}, "version 99 of heap_nim"),
    ],
)
def test_what_a_newer_arena_asks_for_is_left_to_newer_hosts(
    sent: Sent, clock: Clock, newer: dict[str, Any], reason: str
) -> None:
    """As it came, for however long: nothing is parked while an arena is brought up to date."""
    message = a_match(Limits(memory_mb=600))
    message["spec"] |= newer
    with capture_logs() as logs:
        taken(tasks.play, "matches.python", **message)
        clock.now = 2 * requeueing.MAX_SECONDS
        taken(tasks.play, "matches.python", **message)
    assert [(name, details) for name, details, _ in sent] == [("workers.play", message)] * 2
    assert logs[0]["reason"].endswith(f"does not know {reason}")


def test_an_argument_that_is_new_is_left_to_newer_hosts(sent: Sent) -> None:
    """Likewise what comes beside the spec, which this version could not even begin."""
    message = a_match(Limits(memory_mb=600)) | {"weather": "fine"}
    taken(tasks.play, "matches.python", **message)
    assert [(name, details) for name, details, _ in sent] == [("workers.play", message)]


def test_a_game_that_is_not_there_goes_to_a_host_that_has_it(
    sent: Sent, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be installed elsewhere; where nobody has it for long, the work is lost with that reason."""
    monkeypatch.setattr(tasks, "_program", lambda _, __: ("true",))
    message = a_match(Limits(memory_mb=600))
    message["spec"] |= {"game": {"name": "chess"}}
    taken(tasks.play, "matches.python", **message)
    check = CheckSpec(check="7", bot=BOT, games=("chess",)).model_dump(mode="json")
    taken(tasks.check, "checks.python", spec=check, attempt=1, token="token")
    assert [name for name, _, _ in sent] == ["workers.play", "workers.check"]
    clock.now = requeueing.MAX_SECONDS + 1
    taken(tasks.play, "matches.python", **message)
    assert "no game 'chess'" in sent[-1][1]["trouble"]


def test_what_needs_packages_that_were_removed_goes_back(sent: Sent) -> None:
    """To where another host takes it that still has just these."""
    queue = "matches.python:numpy@0123456789abcdef"
    taken(tasks.play, queue, **a_match(Limits(memory_mb=600)))
    ((name, _, options),) = sent
    assert (name, options["queue"]) == ("workers.play", queue)


def test_what_cannot_be_read_at_all_is_lost_at_once(sent: Sent) -> None:
    """Another host could not read it either."""
    message = a_match(Limits(memory_mb=600))
    message["spec"]["seeds"] = "none"
    taken(tasks.play, "matches.python", **message)
    assert [name for name, _, _ in sent] == ["arena.heartbeat", "arena.lost"]


def test_a_match_within_the_maximum_is_begun(sent: Sent) -> None:
    """What asks for no more than there is stays."""
    taken(tasks.play, "matches.python", **a_match(Limits(memory_mb=600)))
    assert sent[0][0] == "arena.heartbeat"


@pytest.mark.parametrize(
    ("stored", "queue", "tells"),
    [
        (True, "simulations.python", "workers.simulate"),
        (False, "simulations", "arena.chunk"),
    ],
)
def test_limits_are_of_bots(sent: Sent, *, stored: bool, queue: str, tells: str) -> None:
    """A chunk with a bot goes back, one that is played without processes does not."""
    players = (SimulatedPlayer(name="b", archive=BOT.archive), BY_NAME[1]) if stored else BY_NAME
    taken(tasks.simulate, queue, **a_chunk(players))
    assert sent[-1][0] == tells


@pytest.mark.parametrize("lacking", ["ARENA_RECORDS_URL", "pyarrow"])
def test_games_in_columns_go_to_a_host_that_can_record_them(
    sent: Sent,
    environment: Callable[..., None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    lacking: str,
) -> None:
    """One that cannot gives them back, counted as no loss, until nobody has taken them for long."""
    if lacking == "pyarrow":
        environment(records_url=f"file://{tmp_path}/records")
        monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    message = a_chunk(BY_NAME, columns="game")
    taken(tasks.simulate, "simulations", **message)
    ((name, details, options),) = sent
    assert (name, details) == ("workers.simulate", message)
    assert (options["task_id"], options["queue"]) == ("token", "simulations")
    monkeypatch.setattr(requeueing, "MAX_SECONDS", -1.0)
    taken(tasks.simulate, "simulations", **message)
    assert [name for name, _, _ in sent[1:]] == ["arena.chunk_heartbeat", "arena.chunk_lost"]
    assert lacking in sent[-1][1]["trouble"]


def test_a_host_that_can_record_takes_games_in_columns(
    sent: Sent, environment: Callable[..., None], tmp_path: Path
) -> None:
    """Games in columns are played, reported and written to the host's place for recordings."""
    environment(records_url=f"file://{tmp_path}/records")
    taken(tasks.simulate, "simulations", **a_chunk(BY_NAME, columns="game"))
    assert [name for name, _, _ in sent] == ["arena.chunk_heartbeat", "arena.chunk"]
    assert [path.name for path in tmp_path.glob("records/*/*")] == ["part-000000000000.parquet"]
