"""A store of bots, and what a worker sends, without a broker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from workers.app import app
from workers.core import settings
from workers.core.contract import BotRef, GameSpec, TimeControl
from workers.host import tasks
from workers.programs.archive_store import ArchiveStore
from workers.programs.archives import canonical_archive
from workers.simulation.contract import SimulatedPlayer, SimulationSpec

SCRIPT = """
import json, sys, time
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": "arena/1", "name": "b", "version": "1"}), flush=True)
    elif m["type"] == "move":
        time.sleep(PAUSE)
        print(json.dumps({"type": "move", "id": m["id"], "move": m["legal"][0]}), flush=True)
"""


SLOW = TimeControl(move_ms=1_800_000, startup_ms=1_800_000)


Sent = list[tuple[str, dict[str, Any]]]


SIMULATION = SimulationSpec(
    game=GameSpec(name="heap_nim", params={"heaps": [1, 2, 3]}),
    players=(
        SimulatedPlayer(name="random", strategy="random"),
        SimulatedPlayer(name="xor", strategy="xor"),
    ),
    games=10,
    seed=3,
    swap=True,
)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ArchiveStore]:
    """An archive store that the worker's settings point at."""
    monkeypatch.setenv("ARENA_ARCHIVE_URL", f"file://{tmp_path}/store")
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("ARENA_HEARTBEAT_SECONDS", "0.05")
    monkeypatch.setenv("ARENA_CORES_DIR", str(tmp_path / "cores"))
    settings.get_settings.cache_clear()
    tasks._build_cache.cache_clear()
    tasks._cores.cache_clear()
    yield ArchiveStore(f"file://{tmp_path}/store")
    tasks._end()
    tasks._live_moves().close()
    tasks._live_moves.cache_clear()
    settings.get_settings.cache_clear()
    tasks._build_cache.cache_clear()
    tasks._cores.cache_clear()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """What the worker sends, instead of a broker."""
    messages: Sent = []

    def send_task(name: str, kwargs: dict[str, Any], **options: object) -> None:
        assert options["kwargsrepr"] == "{}", "Celery would spell it out for monitors"
        messages.append((name, kwargs))

    monkeypatch.setattr(app, "send_task", send_task)
    return messages


def reports(sent: Sent) -> Sent:
    """What was sent besides signs of life, of which there are as many as there is time for."""
    return [(name, told) for name, told in sent if not name.endswith("heartbeat")]


def stored(store: ArchiveStore, pause: float = 0) -> BotRef:
    """A bot in the store that takes `pause` seconds a move."""
    return BotRef(
        name="b", archive=store.put(canonical_archive("b.py", SCRIPT.replace("PAUSE", str(pause)).encode()))
    )


def chunk(**changes: Any) -> dict[str, Any]:
    """What the task that plays a chunk is given."""
    told = {"spec": SIMULATION.model_dump(mode="json"), "start": 4, "count": 6, "cut": 0}
    return {**told, "experiment": 7, "attempt": 2, "token": "token", **changes}
