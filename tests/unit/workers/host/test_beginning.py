"""What a worker does before it takes anything."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from workers.core.errors import LodgingError
from workers.host import beginning


def test_what_befalls_a_worker_that_begins_is_logged_as_it_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the time that old slots cannot be cleared, which Celery logs, the log is in its form."""
    connected: list[str] = []
    for name in ("configure_logs", "check_speed"):
        monkeypatch.setattr(beginning, name, lambda *_: None)
    monkeypatch.setattr(beginning, "own_key", lambda: SimpleNamespace(public="key"))
    monkeypatch.setattr(beginning, "arena_key", lambda: "key")
    monkeypatch.setattr(beginning, "tracing", SimpleNamespace(begin=lambda *_: None))
    monkeypatch.setattr(beginning, "sweep_slots", _no_slots)
    for name in ("after_setup_logger", "after_setup_task_logger"):
        monkeypatch.setattr(
            beginning, name, SimpleNamespace(connect=lambda *_, name=name, **__: connected.append(name))
        )
    with pytest.raises(LodgingError):
        beginning._begin(SimpleNamespace(hostname="worker-1@pc-7"))
    assert connected == ["after_setup_logger", "after_setup_task_logger"]


def _no_slots() -> None:
    raise LodgingError("there are no slots")
