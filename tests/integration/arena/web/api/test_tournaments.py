"""Tournaments through the API: who may do what, and what everybody sees."""

from __future__ import annotations

import pytest

from tests.integration.arena.site import PLAN, Site, play_cup, start_cup
from tests.integration.arena.world import issue_matches

TRANSITIONS = ("open", "start", "pause", "resume", "cancel")


def test_from_plan_to_start(site: Site) -> None:
    """The staff plans and opens a tournament, teams enter, and it starts with all its matches."""
    made = site.post("/tournaments", "staff", json=PLAN)
    assert (made.status_code, made.json()["state"]) == (201, "draft")
    assert site.post("/tournaments/autumn/open", "staff").json()["state"] == "open"
    assert site.post("/tournaments/autumn/entries", "red", json={"bot": "red"}).json()["number"] == 1
    assert (
        site.post("/tournaments/autumn/entries", "blue", json={"bot": "blue", "version": 1}).status_code
        == 201
    )
    started = site.post("/tournaments/autumn/start", "staff").json()
    assert (started["state"], started["entries"], started["matches"]) == ("running", 2, {"pending": 1})
    assert [entry["bot"] for entry in site.get("/tournaments/autumn/entries").json()["items"]] == [
        "red",
        "blue",
    ]
    for action, state in (("pause", "paused"), ("resume", "running"), ("cancel", "cancelled")):
        assert site.post(f"/tournaments/autumn/{action}", "staff").json()["state"] == state


@pytest.mark.parametrize("reuse", [False, True])
def test_processes_are_kept_where_the_plan_says_so(site: Site, *, reuse: bool) -> None:
    """Workers are told with each match, and everybody sees it; without a word, none is kept."""
    made = site.post("/tournaments", "staff", json=PLAN | ({"reuse": True} if reuse else {})).json()
    assert made["reuse"] is reuse
    start_cup(site, reuse=reuse)
    with site.world.database.transaction() as session:
        specs = [message.spec for message in issue_matches(session, site.world.settings)]
    assert [spec.reuse for spec in specs] == [reuse] * 2
    assert ("may play many matches in one process" in site.client.get("/tournaments/cup").text) is reuse


@pytest.mark.parametrize("action", TRANSITIONS)
def test_only_the_staff_runs_tournaments(site: Site, action: str) -> None:
    """The public is asked for a token and a team is refused, whatever the state."""
    site.post("/tournaments", "staff", json=PLAN)
    assert site.post(f"/tournaments/autumn/{action}").status_code == 401
    assert site.post(f"/tournaments/autumn/{action}", "red").status_code == 403


def test_only_the_staff_plans(site: Site) -> None:
    """Neither the public nor a team makes a tournament, and nothing is left of the attempt."""
    assert site.post("/tournaments", json=PLAN).status_code == 401
    assert site.post("/tournaments", "red", json=PLAN).status_code == 403
    assert site.get("/tournaments").json()["total"] == 0


def test_teams_enter_their_own_bots_into_open_tournaments(site: Site) -> None:
    """A team enters no draft and nobody else's bot; the staff may do both."""
    site.post("/tournaments", "staff", json=PLAN)
    path = "/tournaments/autumn/entries"
    assert site.post(path, "red", json={"bot": "red"}).status_code == 409
    assert site.post(path, "staff", json={"bot": "blue"}).status_code == 201
    site.post("/tournaments/autumn/open", "staff")
    assert site.post(path, "red", json={"bot": "blue"}).status_code == 403
    assert site.post(path, json={"bot": "red"}).status_code == 401
    assert site.post(path, "red", json={"bot": "nobody"}).status_code == 404


def test_wrong_state(site: Site) -> None:
    """What the state does not allow is a conflict that says which state would."""
    site.post("/tournaments", "staff", json=PLAN)
    answer = site.post("/tournaments/autumn/resume", "staff")
    assert answer.status_code == 409
    assert "paused" in answer.json()["detail"]
    assert site.post("/tournaments", "staff", json=PLAN).status_code == 409


@pytest.mark.parametrize(
    "change",
    [
        {"name": "../etc"},
        {"name": "nul\0"},
        {"game": "chess"},
        {"params": {"size": 7}},
        {"params": {"size": 10**400}},
        {"params": {"size": "\ud800"}},
        {"seed": -1},
        {"seed": 2**63},
        {"openings": 10**30},
        {"time": {"move_ms": 0}},
        {"time": {"move_ms": 2000, "extension_ms": 1999, "extensions": 1}},
        {"time": {"move_ms": 2000, "increment_ms": 5, "extensions": 0}},
        {"surprise": 1},
    ],
)
def test_bad_plans(site: Site, change: dict[str, object]) -> None:
    """A plan that cannot be is refused with its faulty part, and no tournament is made."""
    answer = site.post("/tournaments", "staff", json=PLAN | change)
    assert answer.status_code in {400, 422}
    assert answer.headers["content-type"] == "application/problem+json"
    assert site.get("/tournaments").json()["total"] == 0


def test_the_seed_is_shown_at_the_end(site: Site) -> None:
    """While games are to come only the staff sees the seed that they are drawn from."""
    start_cup(site)
    assert site.get("/tournaments/cup").json()["seed"] is None
    assert site.get("/tournaments/cup", "red").json()["seed"] is None
    assert site.get("/tournaments/cup", "staff").json()["seed"] == 7
    site.post("/tournaments/cup/cancel", "staff")
    assert site.get("/tournaments/cup").json()["seed"] == 7


def test_tables(site: Site) -> None:
    """Leaderboard and crosstable tell the same: every game gives one point in all."""
    start_cup(site)
    play_cup(site)
    table = site.get("/tournaments/cup/leaderboard").json()
    assert (table["played"], table["matches"]) == (2, 2)
    assert sum(line["points"] for line in table["items"]) == 2
    assert all(line["games"] == 2 for line in table["items"])
    cross = site.get("/tournaments/cup/crosstable").json()["items"]
    assert [row["bot"] for row in cross] == [line["bot"] for line in table["items"]]
    assert [row["cells"][i] for i, row in enumerate(cross)] == [None, None]
    assert cross[0]["cells"][1] == {"points": cross[0]["points"], "games": 2}


def test_a_crosstable_of_many_comes_in_squares(site: Site) -> None:
    """A part has so many rows and columns of the leaderboard, tells of how many, and is never a large one."""
    start_cup(site)
    play_cup(site)
    whole = site.get("/tournaments/cup/crosstable")
    assert (whole.json()["total"], whole.json()["offset"], whole.json()["limit"]) == (2, 0, 100)
    second = site.get("/tournaments/cup/crosstable?offset=1&limit=1")
    (row,) = second.json()["items"]
    assert row == whole.json()["items"][1] | {"cells": [None]}
    assert 'rel="prev"' in second.headers["Link"]
    assert site.get("/tournaments/cup/crosstable?limit=101").status_code == 422


@pytest.mark.parametrize(
    "time",
    [
        {"move_ms": 2000, "extension_ms": 2000, "extensions": 1},
        {"move_ms": 2000, "extension_ms": 0, "extensions": 0},
        {"bank_ms": 0, "increment_ms": 5},
    ],
)
def test_times_that_just_make_sense(site: Site, time: dict[str, int]) -> None:
    """Extensions may be as short as any answer or of no use, and a reserve may begin empty."""
    assert site.post("/tournaments", "staff", json=PLAN | {"time": time}).status_code == 201


@pytest.mark.parametrize(
    "path", ["", "/leaderboard", "/crosstable", "/matches", "/matches/1", "/matches/1/record"]
)
def test_etags(site: Site, path: str) -> None:
    """A client that has the present content is told so; after a change it gets the new one."""
    start_cup(site)
    play_cup(site)
    answer = site.get(f"/tournaments/cup{path}")
    etag = answer.headers["etag"]
    again = site.get(f"/tournaments/cup{path}", **{"If-None-Match": f'"other", {etag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
    assert site.get(f"/tournaments/cup{path}", **{"If-None-Match": '"other"'}).status_code == 200


def test_an_etag_changes_with_the_content(site: Site) -> None:
    """A result gives the leaderboard another ETag."""
    start_cup(site)
    before = site.get("/tournaments/cup/leaderboard").headers["etag"]
    play_cup(site)
    assert site.get("/tournaments/cup/leaderboard", **{"If-None-Match": before}).status_code == 200


def test_the_same_content_seen_by_others_is_not_theirs(site: Site) -> None:
    """Caches are told that the answer depends on who asks."""
    start_cup(site)
    assert site.get("/tournaments/cup", "staff").headers["vary"] == "Authorization"
    assert (
        site.get("/tournaments/cup", "staff").headers["etag"] != site.get("/tournaments/cup").headers["etag"]
    )


def test_csv_export(site: Site) -> None:
    """The table has a heading and a line for every match."""
    start_cup(site)
    play_cup(site)
    answer = site.get("/tournaments/cup/export?format=csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.content.startswith(b"\xef\xbb\xbf")
    lines = answer.content.decode("utf-8-sig").splitlines()
    assert lines[0].startswith("number,round,state,first,")
    assert [line.split(",")[0] for line in lines[1:]] == ["1", "2"]


def test_jsonl_export(site: Site) -> None:
    """Record lines are what the single records are."""
    start_cup(site)
    play_cup(site)
    lines = site.get("/tournaments/cup/export?format=jsonl").text.splitlines()
    assert lines == [site.get(f"/tournaments/cup/matches/{number}/record").text for number in (1, 2)]
    assert site.get("/tournaments/none/export").status_code == 404
    assert site.get("/tournaments/cup/export?format=xml").status_code == 422
