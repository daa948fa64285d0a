"""Amendments through the API: who may do what, and what everybody sees of it."""

from __future__ import annotations

from typing import Any

import pytest

from arena.store.models import Entry
from tests.integration.arena.site import Site, park, play_cup, start_cup
from tests.integration.arena.world import GAME, PARAMS

WHY = {"reason": "for the test"}
CUP = "/tournaments/cup"
STAFFS: list[tuple[str, dict[str, Any]]] = [
    ("/entries/red/disqualify", WHY | {"annul": True}),
    ("/rounds/1/rerun", WHY),
    ("/matches/1/rerun", WHY),
    ("/matches/1/result", WHY | {"winner": "draw"}),
]


@pytest.mark.parametrize(("path", "body"), STAFFS, ids=[path for path, _ in STAFFS])
def test_only_the_staff_amends(site: Site, path: str, body: dict[str, Any]) -> None:
    """The public is asked for a token, a team is refused, and without a reason nobody does it."""
    start_cup(site)
    play_cup(site)
    assert site.post(CUP + path, json=body).status_code == 401
    assert site.post(CUP + path, "red", json=body).status_code == 403
    for reason in ("", " ", "two\nlines", "x" * 501):
        assert site.post(CUP + path, "staff", json=body | {"reason": reason}).status_code == 422
    assert site.get(CUP + "/leaderboard").json()["played"] == 2
    assert site.post(CUP + path, "staff", json=body).status_code == 200


def test_a_team_withdraws_its_bot(site: Site) -> None:
    """Its owner may, others may not; everybody sees who has left and that a match was no game."""
    start_cup(site)
    path = CUP + "/entries/red/withdraw"
    assert site.post(path, json=WHY).status_code == 401
    assert site.post(path, "blue", json=WHY).status_code == 403
    assert site.post(CUP + "/entries/zoe/withdraw", "red", json=WHY).status_code == 404
    assert site.post(path, "red", json=WHY).json()["matches"] == {"finished": 2}
    assert site.post(path, "red", json=WHY).status_code == 409
    red, blue = site.get(CUP + "/entries").json()["items"]
    assert (red["left_as"], red["left_round"], blue["left_as"]) == ("withdrawn", 3, None)
    result = site.get(CUP + "/matches/1").json()["result"]
    assert (result["kind"], result["reason"]) == ("forfeit", "withdrawn")
    assert "red" in result["manual_reason"]


def test_a_replayed_match_shows_what_it_was(site: Site) -> None:
    """The result that counts no more is shown with its moves and the reason, to everybody."""
    start_cup(site)
    play_cup(site)
    before = site.get(CUP + "/matches/1").json()
    again = site.post(CUP + "/matches/1/rerun", "staff", json=WHY).json()
    assert (again["state"], again["result"], again["moves"]) == ("pending", None, [])
    (kept,) = site.get(CUP + "/matches/1").json()["superseded"]
    assert kept["result"] == before["result"]
    assert kept["moves"] == [move["move"] for move in before["moves"]]
    assert kept["why"] == WHY["reason"]
    assert site.post(CUP + "/matches/1/rerun", "staff", json=WHY).status_code == 409


def test_the_staff_decides_a_parked_match(site: Site) -> None:
    """The decided result is shown with its reason; nonsense for a winner is refused."""
    start_cup(site)
    park(site)
    path = CUP + "/matches/1/result"
    assert site.post(path, "staff", json=WHY | {"winner": "third"}).status_code == 422
    decided = site.post(path, "staff", json=WHY | {"winner": "second"}).json()
    assert (decided["state"], decided["result"]["points"]) == ("finished", [0, 1])
    assert decided["result"]["manual_reason"] == WHY["reason"]


def test_the_log_tells_who_did_what_and_why(site: Site) -> None:
    """The staff sees every amendment with its reason, newest first; a team does not."""
    start_cup(site)
    play_cup(site)
    site.post(CUP + "/matches/2/rerun", "staff", json=WHY)
    site.post(CUP + "/entries/red/withdraw", "red", json=WHY)
    assert site.get(CUP + "/log", "red").status_code == 403
    log = site.get(CUP + "/log", "staff").json()["items"]
    assert [(line["kind"], line["user"], line["match"]) for line in log[:4]] == [
        ("match.decided", None, 2),
        ("entry.withdrawn", "red", None),
        ("match.rerun", "staff", 2),
        ("match.superseded", "staff", 2),
    ]
    assert log[1]["data"]["reason"] == log[2]["data"]["reason"] == WHY["reason"]
    assert log[-1]["kind"] == "tournament.created"
    assert not {line["kind"] for line in log} & {"match.published", "match.recorded"}


def test_rounds_that_there_are_not(site: Site) -> None:
    """A round that was never paired is not found, whatever number is asked for."""
    start_cup(site)
    assert site.post(CUP + "/rounds/9/rerun", "staff", json=WHY).status_code == 404
    assert site.post(f"{CUP}/rounds/{10**30}/rerun", "staff", json=WHY).status_code == 422


def test_totals_are_verified_for_the_staff(site: Site) -> None:
    """Right totals agree; a wrong one is named; a team is not told."""
    start_cup(site)
    play_cup(site)
    path = CUP + "/verification"
    assert site.get(path, "red").status_code == 403
    assert site.get(path, "staff").json() == {"tournament": "cup", "agrees": True, "differences": []}
    with site.world.database.transaction() as session:
        session.query(Entry).where(Entry.number == 1).one().games += 1
    told = site.get(path, "staff").json()
    assert not told["agrees"]
    assert told["differences"] == ["entry 1: games is 3, and its results add up to 2"]


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"format": "swiss", "options": {"cycles": 2}}, "no option 'cycles'"),
        ({"format": "swiss", "options": {"rounds": 0}}, "rounds"),
        ({"format": "knockout", "options": {"best_of": "x"}}, "best_of"),
        ({"format": "gauntlet"}, "name its bots in heroes"),
        ({"standings_order": ["points", "beauty"]}, "beauty"),
    ],
    ids=str,
)
def test_options_that_cannot_be(site: Site, plan: dict[str, Any], words: str) -> None:
    """An option or tie-break that there is not is refused with its name, and nothing is made."""
    answer = site.post("/tournaments", "staff", json={"name": "x", "game": GAME, "params": PARAMS} | plan)
    assert answer.status_code == 422
    assert words in answer.text
    assert site.get("/tournaments").json()["total"] == 0


def test_a_plan_tells_its_options(site: Site) -> None:
    """The options are shown with their defaults, the heroes by name before the start."""
    plan = {"name": "x", "game": GAME, "params": PARAMS, "format": "gauntlet", "heroes": ["red"]}
    made = site.post("/tournaments", "staff", json=plan | {"standings_order": ["points", "wins"]}).json()
    assert (made["heroes"], made["options"]["cycles"], made["rounds_paired"]) == (["red"], 1, 0)
    assert made["standings_order"] == ["points", "wins"]
