"""Whether traces are wanted, what keeps them from being told, and that otherwise they cost nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from workers.core import tracing
from workers.core.errors import SettingsError
from workers.core.spans import ids_of
from workers.programs.serving import KINDS, NAMED_BY, SIMULATIONS, named
from workers.sandbox.environment import environment

ENDPOINT, TRACES = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
HERE = "http://localhost:4318"


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ({}, False),
        ({ENDPOINT: ""}, False),
        ({"OTEL_SERVICE_NAME": "arena"}, False),
        ({ENDPOINT: HERE}, True),
        ({TRACES: f"{HERE}/v1/traces"}, True),
        ({ENDPOINT: HERE, "OTEL_SDK_DISABLED": "True"}, False),
        ({ENDPOINT: HERE, "OTEL_SDK_DISABLED": "false"}, True),
        ({ENDPOINT: HERE, "OTEL_TRACES_EXPORTER": "none"}, False),
        ({ENDPOINT: HERE, "OTEL_TRACES_EXPORTER": "otlp"}, True),
    ],
)
def test_traces_are_told_where_a_collector_is_named(told: dict[str, str], *, wanted: bool) -> None:
    """And a standard variable can say that all the same they are not."""
    assert tracing.is_wanted(told) is wanted
    tracing.check(told)


@pytest.mark.parametrize("address", ["localhost:4318", "grpc://localhost:4317", "http://", "http://[", "x"])
def test_what_is_no_address_is_refused_without_being_shown(address: str) -> None:
    """One sentence names the variable and an example; there may be a password in what it says."""
    with pytest.raises(SettingsError) as refused:
        tracing.check({TRACES: f"{address}/secret", ENDPOINT: HERE})
    assert str(refused.value).startswith(f"{TRACES} cannot be used: it should be the address of a collector")
    assert "secret" not in str(refused.value)


def test_another_protocol_is_refused() -> None:
    """Whoever names gRPC's gets to know what is spoken, and at which port."""
    with pytest.raises(SettingsError, match=r"^OTEL_EXPORTER_OTLP_PROTOCOL=grpc cannot be used: .*port 4318"):
        tracing.check({ENDPOINT: HERE, "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"})
    tracing.check({ENDPOINT: HERE, "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"})


@pytest.mark.parametrize("headers", ["hidden", "api-key=x,hidden", "hidden,api-key=x"])
def test_headers_that_cannot_be_read_are_refused_without_being_shown(headers: str) -> None:
    """OpenTelemetry would send the others, and write what it cannot read to the log."""
    with pytest.raises(SettingsError, match=r"^OTEL_EXPORTER_OTLP_HEADERS cannot be used: ") as refused:
        tracing.check({ENDPOINT: HERE, "OTEL_EXPORTER_OTLP_HEADERS": headers})
    assert "hidden" not in str(refused.value)
    tracing.check({ENDPOINT: HERE, "OTEL_EXPORTER_OTLP_HEADERS": "api-key=x, other=y%20z,"})


def test_another_variable_that_cannot_be_used_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one sentence, where OpenTelemetry raises an error of its own."""
    monkeypatch.setenv(ENDPOINT, HERE)
    monkeypatch.setenv("OTEL_ATTRIBUTE_COUNT_LIMIT", "many")
    with pytest.raises(
        SettingsError, match=r"^a variable OTEL_… cannot be used: OTEL_ATTRIBUTE_COUNT_LIMIT "
    ):
        tracing.begin("test")


def test_what_is_not_installed_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to install, or what to unset."""
    monkeypatch.delitem(sys.modules, "workers.core.spans")
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(SettingsError) as refused:
        tracing.check({ENDPOINT: HERE})
    assert "\n" not in str(refused.value)
    assert f"{ENDPOINT} is set, which needs opentelemetry" in str(refused.value)
    assert "`pip install 'bot-arena[otel]'`" in str(refused.value)


def test_nothing_is_made_where_nothing_is_told() -> None:
    """All blocks are then one and the same, that does nothing."""
    with tracing.span("do match", {"match": "7"}, tracing.Place("token")) as nothing:
        tracing.tell("record match", 0, {"match": "7"}, token="token")
    assert nothing is None
    assert tracing.span("play") is tracing.span("issue match", {}, tracing.Place("token", root=True))


def test_a_trace_s_number_tells_nothing_of_the_token() -> None:
    """It is the same wherever it is made, another one for each token, and fits what OpenTelemetry takes."""
    numbers = [ids_of(f"{token:032x}") for token in range(200)]
    assert numbers == [ids_of(f"{token:032x}") for token in range(200)]
    assert len({trace for trace, _ in numbers}) == len({root for _, root in numbers}) == 200
    for token, (trace, root) in enumerate(numbers):
        assert 0 < trace < 2**128
        assert 0 < root < 2**64
        assert f"{token:032x}" not in {f"{trace:032x}", f"{trace:032x}"[::-1]}


def test_every_kind_of_work_has_names_of_its_own() -> None:
    """By the first of them a span, a report and a line of a log say which kind it is."""
    assert {*NAMED_BY} == {*KINDS}
    assert len({names[0] for names in NAMED_BY.values()}) == len(KINDS)
    told = {"experiment": 7, "start": 4, "attempt": 2, "token": "t", "count": 6}
    assert named(SIMULATIONS, told) == {"experiment": "7", "start": "4"}


def test_bots_do_not_see_where_traces_go(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nor the headers by which the arena is let in there."""
    monkeypatch.setenv(ENDPOINT, HERE)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=secret")
    told = environment(tmp_path)
    assert not [name for name in told if name.startswith("OTEL")]
    assert "secret" not in " ".join(told.values())
