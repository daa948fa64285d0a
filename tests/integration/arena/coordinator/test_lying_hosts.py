"""Whatever an enrolled host makes up, results of others are recorded, and all can be shown."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest
from pydantic import ValidationError

from arena.coordinator.leases import Verdict
from arena.coordinator.messages import Message
from arena.coordinator.result_validation import MAX_FAULTS, MAX_NS, first_fault
from arena.store import counters
from arena.store import hosts as host_store
from arena.store.counters import MAX_KEPT, Counted
from arena.store.models import Experiment
from arena.submissions import hosts
from tests.integration.arena.coordinator.reporting import delivery, reasons_set_aside, recorder_of, tell
from tests.integration.arena.lab import Lab
from tests.integration.arena.world import World, issue_matches, play
from workers.app import HOST
from workers.core.contract import MatchResult
from workers.core.poison import PoisonError, told_in


def _said(text: str) -> dict[str, Any]:
    return told_in(b64encode(f'[[], {{"detail": "{text}"}}, {{}}]'.encode("utf-8", "surrogatepass")).decode())


@pytest.mark.parametrize("half", [r"\ud800", r"x\uDFFFy", r"\ude00\ud83d", "\ud800"])
def test_half_a_character_is_no_report(half: str) -> None:
    """What no answer could show is not kept, whichever way it is written."""
    with pytest.raises(PoisonError):
        _said(half)


@pytest.mark.parametrize(("text", "meant"), [(r"\ud83d\ude00", "\U0001f600"), (r"\\ud800", r"\ud800")])
def test_whole_characters_are(text: str, meant: str) -> None:
    """Both halves of a character make one, and what only looks like a half is text."""
    assert _said(text) == {"detail": meant}


@pytest.mark.parametrize(
    "use",
    [
        {"answers": 2**63 - 1},
        {"answers": 2**52},
        {"answers": -1},
        {"extensions_used": 2**31 - 1},
        {"slowest_ns": MAX_NS + 1},
        {"startup_ns": 10**400},
        {"bank_left_ms": 10**400},
        {"stderr_bytes": 10**400},
    ],
    ids=str,
)
def test_what_a_seat_used_fits_the_match(world: World, message: Message, use: dict[str, int]) -> None:
    """A made-up number is a lost attempt; honest results of the same bots are recorded after it."""
    told = play(message.spec).model_dump(mode="json")
    told["seats"][0] |= use
    assert world.record(message, told) == Verdict.UNFIT
    with world.database.transaction() as session:
        again = issue_matches(session, world.settings)
    assert {world.record(each) for each in again} == {Verdict.TAKEN}


def test_a_match_takes_no_longer_than_any_may(world: World, message: Message) -> None:
    """Many moves of a month each are no match: their sum is more than a figure holds."""
    told = play(message.spec).model_dump(mode="json")
    for move in told["moves"]:
        move["wall_ns"] = MAX_NS
    assert world.record(message, told) == Verdict.UNFIT


def test_figures_stay_at_what_a_column_keeps(world: World) -> None:
    """What hosts make up a figure of stops no later result from being counted in it."""
    for _ in range(3):
        with world.database.transaction() as session:
            counters.count(session, Counted.MOVES_NS, number=MAX_KEPT - 1)
    with world.database.reading() as session:
        assert counters.counts(session)[Counted.MOVES_NS] == {"": MAX_KEPT}


def test_a_chunk_takes_no_longer_than_any_may(world: World, message: Message) -> None:
    """What a host says of its time is possible, and an experiment's sum has an end."""
    del message
    lab = Lab(world)
    lab.create(games=20)
    (chunk,) = lab.issue()
    assert lab.record(chunk, seconds=MAX_NS / 10**9 + 1) == Verdict.UNFIT
    with world.database.transaction() as session:
        session.get_one(Experiment, 1).spent_ns = MAX_KEPT
    (again,) = lab.issue()
    assert lab.record(again) == Verdict.TAKEN
    assert lab.get().spent_ns == MAX_KEPT


def test_of_many_faults_few_are_written_down() -> None:
    """A report of nothing but faults takes no more memory than its text takes anyway."""
    many = {"match": "1", "winner": None, "reason": "", "score": (0, 0)}
    with pytest.raises(ValidationError) as raised:
        MatchResult.model_validate({**many, "moves": [{}] * 5000, "forfeits": [0] * 5000})
    assert raised.value.error_count() < 20
    with pytest.raises(ValidationError) as raised:
        MatchResult.model_validate({**many, **{str(number): 0 for number in range(MAX_FAULTS + 1)}})
    assert first_fault(raised.value) == f"{MAX_FAULTS + 1} faults"


@pytest.mark.parametrize("since", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_since_when_is_a_moment_everywhere(world: World, since: str) -> None:
    """What no time zone can show is no report of what a host does."""
    doing = {"kind": "matches", "about": "1", "attempt": 1, "since": since}
    tell(world, HOST, host="pc-7", languages={}, process="slot1@pc-7", doing=doing)
    assert reasons_set_aside(world) == ["form"]


def test_a_host_has_only_so_many_processes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who makes up ever more of them has the newest; those of other hosts stay."""
    monkeypatch.setattr(hosts, "MAX_PROCESSES", 3)
    tell(world, HOST, host="far-away", languages={}, process="slot1")
    told = {"host": "pc-7", "languages": {}}
    recorder_of(world).take_in([delivery(HOST, **told, process=f"slot{number}") for number in range(8)])
    with world.database.reading() as session:
        names = [each.name for each in host_store.processes_of(session, {"far-away", "pc-7"})]
    assert names == ["slot1", "slot5", "slot6", "slot7"]
