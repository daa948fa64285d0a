"""`arena tournament estimate` and `eta`, against a fake of the API."""

from __future__ import annotations

from typing import Any

import pytest

from arena.cli.tournament.planning import Arrival, eta_lines, lasting
from arena.client.http import ArenaClient
from arena.schemas.planning import EtaOut
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, problem
from workers.core.contract import TimeControl

__all__ = ["api"]

DURATION = {"expected": 3700.0, "low": 1800.0, "high": 7200.0, "confidence": 0.9, "worst": 400_000.0}
FINISH = {
    "expected": "2026-05-20T14:01:40+08:00",
    "low": "2026-05-20T13:30:00+08:00",
    "high": "2026-05-20T15:00:00+08:00",
    "worst": "2026-05-25T04:06:40+08:00",
}
BASED = {"source": "history", "matches": 40, "words": "what was played alike"}
THERE: dict[str, Any] = {"hosts": 1, "workers": 2, "lacking": []}
ESTIMATE: dict[str, Any] = {
    "format": "round_robin",
    "options": {"cycles": 1},
    "openings": 2,
    "time": TimeControl().model_dump(),
    "bots": 30,
    "entered": 3,
    "workers": 2,
    "there": THERE,
    "matches": {"least": 435, "expected": 435.0, "most": 435},
    "stages": 1,
    "matches_an_hour": 100.0,
    "most_answers": 60,
    "longest_match": 4000.0,
    "duration": DURATION,
    "based_on": BASED,
    "start": "2026-05-20T13:00:00+08:00",
    "finish": FINISH,
    "deadline": None,
    "replays": None,
}
ETA: dict[str, Any] = {
    "state": "running",
    "now": "2026-05-20T13:00:00+08:00",
    "left": 12,
    "later": 0.0,
    "parked": 0,
    "voids": 0,
    "there": THERE,
    "sharing": 0,
    "endless": False,
    "duration": DURATION,
    "based_on": BASED,
    "finish": FINISH,
    "replays": None,
}
EXPECTED = (
    "expected: 1 h 02 min (90 %: 30 min to 2 h 00 min), over at 2026-05-20 14:01 "
    "(2026-05-20 13:30 to 2026-05-20 15:00)"
)
ADDRESS = ("GET", "/tournaments/spring/estimate")


def _estimate(run: Run, api: FakeApi, *words: str, **changed: Any) -> str:
    api.answers[ADDRESS] = ESTIMATE | changed
    ran = run("tournament", "estimate", "spring", *words)
    assert ran.code == 0
    return ran.out


def _eta(run: Run, api: FakeApi, **changed: Any) -> str:
    api.answers["GET", "/tournaments/spring/eta"] = ETA | changed
    ran = run("tournament", "eta", "spring")
    assert ran.code == 0
    return ran.out


def test_an_estimate_in_words(run: Run, api: FakeApi) -> None:
    """Matches, durations, moments and what they rest on, a line each; what was asked is sent."""
    found = _estimate(run, api, "--bots", "30", "--workers", "2", "--start", "13:00")
    assert found.splitlines() == [
        "30 bots, 2 at once: 435 matches, each at most 1 h 07 min",
        EXPECTED,
        "at worst: 4 d 15 h, over at 2026-05-25 04:06",
        "based on what was played alike (40)",
    ]
    assert dict(api.asked[0].url.params) == {"bots": "30", "workers": "2", "start": "13:00"}


def test_a_range_and_no_end_are_told(run: Run, api: FakeApi) -> None:
    """Where the number depends on results it is a range; a ladder has none."""
    matches = {"least": 29, "expected": 45.4, "most": 203}
    assert "29 to 203 matches (about 45)" in _estimate(run, api, matches=matches)
    endless = _estimate(run, api, matches=None, duration=None, finish=None)
    assert "until it is ended: 100 matches an hour" in endless


@pytest.mark.parametrize(
    ("fits", "words"),
    [("surely", "even if every match"), ("likely", "likely to fit"), ("perhaps", "may"), ("no", "not fit")],
)
def test_a_deadline_is_answered(run: Run, api: FakeApi, fits: str, words: str) -> None:
    """Whether it fits is said in words, with every change that makes it fit."""
    changes = ["openings", "cycles", "time", "workers", "format"]
    others = [ESTIMATE | {"change": change, "fits": "likely"} for change in changes]
    deadline = {"until": "2026-05-20T17:00:00+08:00", "fits": fits, "alternatives": others}
    found = _estimate(run, api, "--until", "17:00", deadline=deadline)
    assert words in found
    for line in ("openings 2:", "round_robin of 1 cycle:", "1 min for an answer:", "2 workers:"):
        assert f"  {line} 435 matches" in found
    assert "  format round_robin:" in found


def test_warnings_are_told(run: Run, api: FakeApi) -> None:
    """No workers, a language that nobody runs, and games that repeat themselves."""
    replays = {"times": 2, "matches": [[1, 3]], "bots": ["ann"], "openings": 1, "matches_then": 90}
    there = {"hosts": 0, "workers": 0, "lacking": ["c+rust"]}
    found = _estimate(run, api, there=there, replays=replays)
    assert "no worker is there now" in found
    assert "need c+rust" in found
    assert "same move by move: 1 = 3" in found
    assert "same game 2 times" in found
    assert "with openings 1 all games differ: at most 90 matches" in found


def test_an_eta_in_words(run: Run, api: FakeApi) -> None:
    """What is left and when it is over; a pause, parked and void matches and others' share besides."""
    assert _eta(run, api).splitlines()[:2] == [
        "12 matches are left; 2 at once",
        EXPECTED,
    ]
    found = _eta(run, api, later=18.0, parked=2, voids=1, sharing=1, state="paused", finish=None)
    for words in ("about 18 in rounds", "it is paused", "2 parked", "1 attempt was void", "1 other"):
        assert words in found
    assert "until it is ended" in _eta(run, api, duration=None, finish=None, endless=True)


def test_a_live_view_asks_now_and_then(api: FakeApi) -> None:
    """Between two questions the last answer is told again; where there is none, nothing is."""
    address = ("GET", "/tournaments/spring/eta")
    with ArenaClient("http://arena.test") as client:
        api.answers[address] = [ETA, problem(409, "it is over")]
        patient = Arrival(client, "spring", pause=3600)
        assert patient.lines() == patient.lines() == eta_lines(EtaOut.model_validate(ETA))[:2]
        assert len(api.asked) == 1
        assert Arrival(client, "spring", pause=0).lines() == []


def test_both_as_json(run: Run, api: FakeApi) -> None:
    """With --json the arena's answer is printed as it is."""
    api.answers[ADDRESS] = ESTIMATE
    assert run("tournament", "estimate", "spring", "--json").json() == ESTIMATE
    api.answers["GET", "/tournaments/spring/eta"] = ETA
    assert run("tournament", "eta", "spring", "--json").json() == ETA


def test_a_refusal_is_told(run: Run, api: FakeApi) -> None:
    """What the arena refuses is an error with its words."""
    api.answers[ADDRESS] = problem(409, "it is running")
    ran = run("tournament", "estimate", "spring")
    assert (ran.code, ran.err) == (2, "arena: it is running\n")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.25, "0.25 s"),
        (59, "59 s"),
        (60, "1 min"),
        (65.4, "1 min 05 s"),
        (599, "9 min 59 s"),
        (601, "10 min"),
        (3570, "1 h 00 min"),
        (86_400, "24 h 00 min"),
        (200_000, "2 d 8 h"),
    ],
)
def test_durations_as_people_say_them(seconds: float, words: str) -> None:
    """Seconds, minutes, hours or days, whichever shows it."""
    assert lasting(seconds) == words
