"""The demonstration: who takes part, and what is asked of the arena."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from arena.demo.contest import PLAN, TOURNAMENT, hold
from arena.demo.roster import Team, teams
from arena.schemas.bots import CheckOut, Submitted
from arena.schemas.plans import TournamentPlan
from arena.schemas.tournaments import EntryOut
from arena.schemas.users import UserOut
from tests.unit.arena.cli.fake_api import FakeApi, sample, tournament
from workers.programs.archives import canonical_archive

REAL_CLIENT = httpx2.Client


def test_at_least_six_different_bots_take_part() -> None:
    """Every team has its own bot, in a form that can be submitted."""
    found = teams()
    assert len(found) >= 6
    assert len({team.bot for team in found}) == len({team.name for team in found}) == len(found)
    archives = {canonical_archive(team.filename, team.data) for team in found}
    assert len(archives) == len(found)


def test_the_plan_is_one_that_the_arena_takes() -> None:
    """It is a timed double round robin with openings."""
    plan = TournamentPlan.model_validate(PLAN)
    assert plan.format == "double_round_robin"
    assert plan.openings > 0


def test_each_team_submits_and_enters_with_its_own_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """The staff plans, opens and starts; a team's bot comes from the team, and is entered when checked."""
    monkeypatch.setattr("arena.client.http.time.sleep", lambda _: None)
    api = FakeApi()

    def client(**options: Any) -> httpx2.Client:
        return REAL_CLIENT(**options | {"transport": httpx2.MockTransport(api.handle)})

    monkeypatch.setattr("arena.client.connection.httpx2.Client", client)
    for path in ("", f"/{TOURNAMENT}/open", f"/{TOURNAMENT}/start"):
        api.answers["POST", f"/tournaments{path}"] = tournament("draft")
    api.answers["POST", f"/tournaments/{TOURNAMENT}/entries"] = sample(EntryOut)
    api.answers["POST", "/users"] = {"user": sample(UserOut), "token": "team-token"}
    api.answers["POST", "/bots/ann/versions"] = sample(Submitted, version=1, archive="ab" * 32)
    check = [sample(CheckOut, version=1, state=state) for state in ("checking", "passed")]
    api.answers["GET", "/bots/ann/versions/1/check"] = check
    told: list[str] = []
    hold("http://arena.test", "staff-token", [Team("team-1", "ann", "ann.py", b"run()")], told.append)
    asked = [(request.url.path.rpartition("/")[2], request.headers["Authorization"]) for request in api.asked]
    assert asked == [
        ("tournaments", "Bearer staff-token"),
        ("open", "Bearer staff-token"),
        ("users", "Bearer staff-token"),
        ("versions", "Bearer team-token"),
        ("check", "Bearer team-token"),
        ("check", "Bearer team-token"),
        ("entries", "Bearer team-token"),
        ("start", "Bearer staff-token"),
    ]
    assert told == [
        "team-1 submits ann.py as ann, version 1",
        "ann has passed its check and is entered",
    ]
