"""Spans that are sent to a collector, one that is away, and one that never answers."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time

import pytest

from tests.collector import telling
from tests.waiting import eventually
from workers.core import spans, tracing
from workers.core.spans import ids_of
from workers.core.tracing import Place
from workers.sandbox.kernel import fork

PATIENT_SECONDS = 120.0
"""Far longer than a process may wait for its collector, and far shorter than it would if it did."""
UNASKED = """
import sys, threading
import arena.coordinator.loop, arena.coordinator.recorder, arena.web.http.telemetry, workers.play.match
from workers.core import tracing
tracing.begin("test")
with tracing.span("play"):
    tracing.tell("record match", 0, {})
read = {"opentelemetry.sdk.trace", "opentelemetry.exporter", "opentelemetry.proto", "workers.core.spans"}
print(sorted(read & {*sys.modules}), [each.name for each in threading.enumerate()])
"""


def test_nothing_is_imported_where_nothing_is_wanted() -> None:
    """What tells and sends spans is not read, and no thread begins, unless a collector is named."""
    told = {key: value for key, value in os.environ.items() if not key.startswith("OTEL_")}
    told |= {"OTEL_SERVICE_NAME": "arena", "OTEL_EXPORTER_OTLP_HEADERS": "key=x"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", UNASKED], env=told, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "[] ['MainThread']\n"), done.stderr


def test_all_spans_of_an_attempt_are_in_one_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its root and what is within it, however they were told; another attempt has another trace."""
    began_ns = time.time_ns()
    with telling(monkeypatch) as collector:
        with tracing.span("issue match", {"match": "7", "attempt": 1}, Place("one", root=True)):
            pass
        with tracing.span("do match", {"match": "7"}, Place("one")), tracing.span("play"):
            pass
        tracing.tell("record match", began_ns, {"verdict": "taken"}, token="one")
        tracing.tell("record match", began_ns, {}, token="other")
        tracing.tell("GET /tournaments/{name}", began_ns, {"request": "r1"}, kind="server")
    (issued,), (done,), (played,) = map(collector.named, ("issue match", "do match", "play"))
    recorded, other = collector.named("record match")
    (asked,) = collector.named("GET /tournaments/{name}")
    trace, root = ids_of("one")
    assert {each.trace for each in (issued, done, played, recorded)} == {f"{trace:032x}"}
    assert (issued.number, issued.parent) == (f"{root:016x}", "")
    assert done.parent == recorded.parent == issued.number
    assert played.parent == done.number
    assert len({issued.trace, other.trace, asked.trace}) == 3
    assert asked.parent == ""
    assert issued.about == {"match": "7", "attempt": 1}
    assert {each.service for each in collector.spans} == {"arena-test"}
    assert issued.resource["host.name"] == socket.gethostname()


def test_parts_are_told_of_what_is_told_and_has_some(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither beside any attempt, as games at home are, nor of one that would have too many."""
    with telling(monkeypatch) as collector:
        with tracing.span("play"):
            pass
        with tracing.span("do experiment", {}, Place("token", parts=False)), tracing.span("play"):
            pass
    assert [each.name for each in collector.spans] == ["do experiment"]


def test_of_what_fails_only_the_kind_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The span says that it failed, and nothing that was sent has the words, the token or the headers."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=hidden")
    with telling(monkeypatch) as collector:
        with (
            pytest.raises(OSError, match="redis://:hidden"),
            tracing.span("do match", {}, Place("hidden-token")),
        ):
            raise OSError("redis://:hidden@broker is away")
        tracing.tell("record match", time.time_ns(), {}, token="hidden-token", failed="unfit")
    assert [(each.name, each.failed) for each in collector.spans] == [
        ("do match", "OSError"),
        ("record match", "unfit"),
    ]
    assert b"hidden" not in b"".join(collector.raw)
    assert {each["api-key"] for each in collector.headers} == {"hidden"}


def test_the_standard_variables_say_whose_spans_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name and attributes that were given go before the arena's own."""
    monkeypatch.setenv("OTEL_SERVICE_NAME", "school")
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=lab,host.name=pc")
    with telling(monkeypatch) as collector, tracing.span("do match", {}, Place("token")):
        pass
    (told,) = collector.spans
    assert told.service == "school"
    assert (told.resource["deployment.environment.name"], told.resource["host.name"]) == ("lab", "pc")


@pytest.mark.parametrize("sampler", ["traceidratio", "parentbased_traceidratio"])
def test_an_attempt_is_sampled_as_a_whole(monkeypatch: pytest.MonkeyPatch, sampler: str) -> None:
    """Every process finds out for itself whether a trace is told, and all find the same."""
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", sampler)
    monkeypatch.setenv("OTEL_TRACES_SAMPLER_ARG", "0.5")
    with telling(monkeypatch) as collector:
        for number in range(60):
            with tracing.span("issue match", {}, Place(f"token {number}", root=True)):
                pass
            with tracing.span("do match", {}, Place(f"token {number}")), tracing.span("play"):
                pass
            tracing.tell("record match", time.time_ns(), {}, token=f"token {number}")
    traces = {each.trace for each in collector.spans}
    assert 0 < len(traces) < 60
    for name in ("issue match", "do match", "play", "record match"):
        assert {each.trace for each in collector.named(name)} == traces


def test_a_forked_process_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has one thread, as what makes sandboxes must, and what tells spans has stayed behind."""
    with telling(monkeypatch) as collector:
        child = fork()
        if child == 0:
            try:
                silent = tracing.span("play") is tracing.NOTHING
                alone = len(os.listdir("/proc/self/task")) == 1  # noqa: PTH208  (only the number is wanted)
                os._exit(0 if silent and alone else 1)
            finally:
                os._exit(2)
        assert os.waitpid(child, 0)[1] == 0
        tracing.tell("record match", time.time_ns(), {})
    assert [each.name for each in collector.spans] == ["record match"]


def test_a_collector_that_is_away_is_said_once_and_in_nobody_s_way(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """What cannot be sent is lost, the latest of it last; the log says why, and shows no secrets."""
    monkeypatch.setattr(spans, "MAX_WAITING", 50)
    monkeypatch.setattr(spans, "SEND_SECONDS", 0.01)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=hidden,bad name hidden=x")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.1")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "zip")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{taken.getsockname()[1]}/hidden")
        tracing.begin("test")
        telling_it = tracing._Telling.spans
        assert telling_it is not None
        waiting = telling_it._sender._waiting
        for number in range(200):
            tracing.tell("record match", time.time_ns(), {}, token=f"token {number}")
            assert len(waiting) <= 50
        eventually(lambda: not waiting)
        for _ in range(5):
            tracing.tell("record match", time.time_ns(), {})
            eventually(lambda: not waiting)
        tracing.end()
        told = list[str]()

        def has_said() -> bool:
            told.extend(capfd.readouterr())
            return "traces are not taken" in "".join(told)

        eventually(has_said)  # what was sent last is given up a moment after it was taken
        eventually(lambda: "spans" not in {each.name for each in threading.enumerate()})
    told.extend(capfd.readouterr())
    (said,) = (line for line in "".join(told).splitlines() if "traces are not taken" in line)
    assert "Failed to export spans batch" in said
    assert "Unsupported compression type: zip" in "".join(told)
    assert "hidden" not in "".join(told)


def test_a_collector_that_never_answers_keeps_no_process_from_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it is to be waited for, a process that ends waits a moment."""
    monkeypatch.setattr(spans, "SEND_SECONDS", 0.01)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "600")
    with socket.create_server(("127.0.0.1", 0)) as mute:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{mute.getsockname()[1]}")
        tracing.begin("test")
        tracing.tell("record match", time.time_ns(), {})
        asked, _ = mute.accept()
        before = time.monotonic()
        tracing.tell("record match", time.time_ns(), {})
        tracing.end()
        assert time.monotonic() - before < PATIENT_SECONDS
        asked.close()
    eventually(lambda: "spans" not in {each.name for each in threading.enumerate()})
