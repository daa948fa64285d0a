"""The planner through the API: estimates, plans that are none yet, and what is left."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from arena.core.terms import Source
from arena.planning import eta
from arena.web.answers.planning import BASES
from arena.web.pages.planning import BASES as WORDS
from tests.integration.arena.planning.playing import begun_at, finish, issue
from tests.integration.arena.site import PLAN, Site, start_cup

MOST = {"expected", "low", "high", "confidence", "worst"}
SHORT = {"move_ms": 1000, "extensions": 0, "extension_ms": 1000}


def _open(site: Site, name: str = "draft", bots: int = 6, **plan: Any) -> None:
    site.world.tournament(name, bots=bots, start=False, time=SHORT, **plan)


def test_an_estimate_has_numbers_and_moments(site: Site) -> None:
    """Everybody sees how many matches there are, how long they take and when they are over."""
    _open(site)
    found = site.get("/tournaments/draft/estimate?workers=2&start=2026-05-20T13:00").json()
    assert found["matches"] == {"least": 15, "expected": 15, "most": 15}
    assert (found["bots"], found["workers"], found["there"]["workers"]) == (6, 2, 1)
    assert found["duration"].keys() == MOST
    assert found["duration"]["worst"] == pytest.approx(8 * found["longest_match"])
    start = dt.datetime.fromisoformat(found["start"])
    assert start.utcoffset() is not None
    worst = dt.datetime.fromisoformat(found["finish"]["worst"])
    assert (worst - start).total_seconds() == round(found["duration"]["worst"])
    assert found["based_on"]["source"] == "prior"
    assert (found["deadline"], found["replays"]) == (None, None)


def test_a_deadline_is_answered_with_alternatives(site: Site) -> None:
    """What does not fit comes with changes that do, each with its own numbers."""
    _open(site, openings=3, opening_plies=2)
    path = "/tournaments/draft/estimate?bots=20&start=2026-05-20T13:00&until=13:30"
    deadline = site.get(path).json()["deadline"]
    assert deadline["fits"] in {"no", "perhaps"}
    assert {each["change"] for each in deadline["alternatives"]} >= {"workers", "format"}
    for each in deadline["alternatives"]:
        assert each["fits"] in {"likely", "surely"}
        assert each["duration"]["high"] <= 1800


def test_a_plan_is_estimated_and_not_made(site: Site) -> None:
    """Whoever has a token may ask about a plan; no tournament comes of it."""
    asked = {"plan": PLAN | {"format": "knockout", "openings": 1}, "bots": 30, "workers": 4}
    assert site.post("/estimates", json=asked).status_code == 401
    found = site.post("/estimates", "red", json=asked).json()
    assert (found["matches"]["least"], found["bots"], found["entered"]) == (58, 30, 0)
    assert found["matches"]["least"] < found["matches"]["expected"] < found["matches"]["most"]
    assert site.get("/tournaments").json()["total"] == 0
    nameless = {key: value for key, value in PLAN.items() if key != "name"}
    assert site.post("/estimates", "red", json={"plan": nameless, "bots": 2}).status_code == 200


@pytest.mark.parametrize(
    "query", ["bots=1", "bots=1001", "workers=0", "until=teatime", "until=2020-01-01T10:00", "days=3"]
)
def test_impossible_questions_are_refused(site: Site, query: str) -> None:
    """Numbers out of range, times that cannot be read or are over, and what nobody knows: a problem each."""
    _open(site)
    assert site.get(f"/tournaments/draft/estimate?{query}").status_code == 422


def test_a_moment_that_nobody_will_see_is_null(site: Site) -> None:
    """Many games on one worker with an hour for a move can take more than a hundred years."""
    time = {"move_ms": 3_600_000, "extensions": 0, "extension_ms": 3_600_000}
    plan = PLAN | {"params": {}, "options": {"cycles": 20}, "openings": 2, "time": time}
    found = site.post("/estimates", "red", json={"plan": plan, "bots": 60}).json()
    assert found["finish"]["worst"] is None
    assert found["duration"]["worst"] > 0


def test_what_is_left_follows_the_results(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A running tournament has an ETA and no estimate; one that is over has neither."""
    site.world.tournament(bots=4, time=SHORT)
    assert site.get("/tournaments/cup/estimate").status_code == 409
    messages = issue(site.world, 6)
    for message in messages[:5]:
        finish(site.world, message, (1, 1), 3.0)
    now = begun_at(site.world, messages[5]) + dt.timedelta(seconds=1)
    monkeypatch.setattr(eta, "utc_now", lambda: now)
    found = site.get("/tournaments/cup/eta").json()
    assert (found["left"], found["later"], found["parked"], found["endless"]) == (1, 0, 0, False)
    assert found["based_on"] == {
        "source": "tournament",
        "matches": 5,
        "words": "what matches of this tournament took",
    }
    assert found["duration"]["expected"] == pytest.approx(2, abs=0.1)
    assert dt.datetime.fromisoformat(found["finish"]["expected"]) > dt.datetime.fromisoformat(found["now"])
    site.post("/tournaments/cup/pause", "staff")
    paused = site.get("/tournaments/cup/eta").json()
    assert (paused["state"], paused["finish"]) == ("paused", None)
    site.post("/tournaments/cup/cancel", "staff")
    assert site.get("/tournaments/cup/eta").status_code == 409


def test_repeated_games_are_warned_of(site: Site) -> None:
    """Foreseen before the start, and with the numbers of matches once they were played."""
    _open(site, bots=2, options={"cycles": 3})
    foreseen = site.get("/tournaments/draft/estimate").json()["replays"]
    assert foreseen == {"times": 2, "matches": [], "bots": [], "openings": 1, "matches_then": 6}
    start_cup(site, options={}, openings=0)
    assert site.get("/tournaments/cup/eta").json()["replays"] is None


def test_every_basis_has_words() -> None:
    """Whatever an estimate rests on is told, by the API and on the pages."""
    assert set(BASES) == set(WORDS) == set(Source)
