"""What the coordinator and the recorder tell of an attempt in its trace."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from arena.coordinator import __main__ as coordinator
from arena.coordinator import matches, recorder
from arena.coordinator.messages import LeafMessage
from arena.core.errors import UnavailableError
from arena.events import courier
from arena.web import app
from tests.collector import Told, telling
from tests.integration.arena.coordinator.reporting import about_match, delivery, recorder_of, result_of
from tests.integration.arena.ticking import coordinator_of
from tests.integration.arena.world import World
from workers.app import HEARTBEAT, LOST, RECORD
from workers.core.contract import GameSpec
from workers.core.spans import ids_of
from workers.solving.contract import LeafSpec


def test_an_attempt_is_issued_and_recorded_in_one_trace(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each match has a trace, whose root the coordinator tells and which no token can be read from."""
    world.tournament(bots=3)
    with telling(monkeypatch) as collector:
        coordinator_of(world).tick()
        recorder_of(world).take_in([delivery(HEARTBEAT, **about_match(each)) for each in world.broker.queue])
        recorder_of(world).take_in(map(result_of, world.broker.queue))
    assert len(world.broker.queue) == 3
    issued, recorded = collector.named("issue match"), collector.named("record match")
    assert len(collector.spans) == len(issued) + len(recorded) == 6
    for message in world.broker.queue:
        trace, root = ids_of(message.token)
        (first,), (last,) = (
            [each for each in told if each.trace == f"{trace:032x}"] for told in (issued, recorded)
        )
        assert (first.number, first.parent, last.parent) == (f"{root:016x}", "", f"{root:016x}")
        assert first.about == {"match": message.spec.match, "attempt": 1}
        assert last.about == {**first.about, "host": "far-away", "verdict": "taken"}
        assert message.token.encode() not in b"".join(collector.raw)
        assert bytes.fromhex(message.token) not in b"".join(collector.raw)
    assert {each.failed for each in collector.spans} == {None}


def test_a_trace_says_what_became_of_a_report(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not fit, is lost, or fails here has failed; what was given back or refused has not."""
    world.tournament(bots=4)
    coordinator_of(world).tick()
    unfit, lost, back, refused, broken, _ = world.broker.queue
    fit = matches.WORK.fit

    def fails(row: Any, report: Any) -> Any:
        if row.id == int(broken.spec.match):
            raise ZeroDivisionError("secret")
        return fit(row, report)

    monkeypatch.setattr(matches.WORK, "fit", fails)
    with telling(monkeypatch) as collector:
        recorder_of(world).take_in(
            [
                delivery(RECORD, **about_match(unfit), result={"winner": 0}),
                delivery(LOST, **about_match(lost), trouble="secret"),
                delivery(LOST, **about_match(back), trouble="secret", stopped=True),
                result_of(refused, token="another"),
                result_of(broken),
            ]
        )
    said = {each.about["match"]: (each.about["verdict"], each.failed) for each in collector.spans}
    assert said == {
        unfit.spec.match: ("unfit", "unfit"),
        lost.spec.match: ("taken", "lost"),
        back.spec.match: ("taken", None),
        refused.spec.match: ("refused", None),
        broken.spec.match: ("failed", "failed"),
    }
    assert b"secret" not in b"".join(collector.raw)


def test_what_the_broker_does_not_take_has_failed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The span says by which error, and the match is issued anew in a trace of its own."""

    def away(_: object) -> None:
        raise UnavailableError("redis://:secret@broker")

    world.tournament(bots=2)
    leader = coordinator_of(world)
    with telling(monkeypatch) as collector:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(world.broker, "publish", away)
            with pytest.raises(UnavailableError):
                leader.tick()
        leader.tick()
    assert [_said(each) for each in collector.spans] == [(1, "UnavailableError"), (2, None)]
    assert len({each.trace for each in collector.spans}) == 2


def _said(told: Told) -> tuple[int, str | None]:
    return told.about["attempt"], told.failed


@pytest.mark.parametrize("process", [coordinator, recorder, courier, app])
def test_a_process_that_cannot_tell_its_traces_ends_with_the_reason(
    world: World, monkeypatch: pytest.MonkeyPatch, process: ModuleType
) -> None:
    """In one sentence, as with any other setting, before it does anything."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318")
    monkeypatch.setattr(process, "begin", lambda: world.settings)
    if process is not app:
        monkeypatch.setattr(process, "configure_logs", lambda *_: None)
    with pytest.raises(SystemExit, match=r"^OTEL_EXPORTER_OTLP_ENDPOINT cannot be used: [^\n]*$"):
        (app.create_app if process is app else process.main)()


def test_other_work_is_known_by_its_own_names() -> None:
    """A position of a solve by both its numbers."""
    spec = LeafSpec(game=GameSpec(name="reversed_reversi"), position="0" * 32, at_least=0, memory_mb=1)
    assert LeafMessage(spec, solve=3, leaf=5, attempt=1, token="t").about == {"solve": "3", "leaf": "5"}
