"""What a worker tells of an attempt in its trace."""

from __future__ import annotations

import socket
from types import SimpleNamespace

import pytest

from tests.collector import telling
from tests.integration.workers.host.conftest import Sent, reports, stored
from tests.unit.workers.conftest import make_spec
from workers.core.contract import BotRef
from workers.core.spans import ids_of
from workers.host import beginning, tasks
from workers.programs.archive_store import ArchiveStore

HOST = socket.gethostname()


def test_a_match_is_a_span_of_what_it_took(
    store: ArchiveStore, sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each bot is built, both are started, the game is played: in the attempt's trace, and no span a ply."""
    bot = stored(store)
    with telling(monkeypatch, "worker") as collector:
        tasks.play(make_spec(match="17", bots=(bot, bot)).model_dump(mode="json"), 2, "the-token")
    assert [name for name, _ in reports(sent)] == ["arena.record"]
    (done,), (played,), (started,) = map(collector.named, ("do match", "play", "start"))
    built = collector.named("build")
    trace, root = ids_of("the-token")
    assert {each.trace for each in collector.spans} == {f"{trace:032x}"}
    assert done.parent == f"{root:016x}"
    assert done.about == {"match": "17", "attempt": 2, "host": HOST}
    assert [each.parent for each in (*built, played, started)] == [*[done.number] * 3, played.number]
    assert len(collector.spans) == 5
    assert {each.failed for each in collector.spans} == {None}
    assert b"the-token" not in b"".join(collector.raw)


@pytest.mark.usefixtures("store")
def test_work_that_comes_to_nothing_has_failed(sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the kind of error alone, in what failed and all around it."""
    missing = BotRef(name="secret", archive="0" * 64)
    with telling(monkeypatch) as collector:
        tasks.play(make_spec(bots=(missing, missing)).model_dump(mode="json"), 1, "token")
    assert [name for name, _ in reports(sent)] == ["arena.lost"]
    assert [(each.name, each.failed) for each in collector.spans] == [
        ("build", "ArchiveMissingError"),
        ("do match", "ArchiveMissingError"),
    ]
    assert b"secret" not in b"".join(collector.raw)


def test_a_worker_that_cannot_tell_its_traces_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says why in one sentence, before it measures anything."""
    monkeypatch.setattr(beginning, "configure_logs", lambda *_: None)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318")
    with pytest.raises(SystemExit, match=r"^OTEL_EXPORTER_OTLP_ENDPOINT cannot be used: [^\n]*$"):
        beginning._begin(SimpleNamespace(hostname="worker-1@pc-7"))
