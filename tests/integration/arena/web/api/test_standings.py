"""The chain of a table and the numbers of a tournament over the API."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.arena.site import API, PLAN, Site, play_cup, site, start_cup
from tests.integration.arena.world import issue_matches, play

__all__ = ["site"]


def _cup(site: Site, **plan: Any) -> list[dict[str, Any]]:
    """A cup of red and blue, played; its matches."""
    start_cup(site, **plan)
    play_cup(site)
    matches: list[dict[str, Any]] = site.get("/tournaments/cup/matches?limit=500").json()["items"]
    return matches


def test_a_leaderboard_names_its_chain_and_where_the_rules_stand(site: Site) -> None:
    """The plan's own order, with a value of each step for everybody."""
    _cup(site, standings_order=["points", "sonneborn_berger", "disc_difference"])
    table = site.get("/tournaments/cup/leaderboard").json()
    assert [step["name"] for step in table["order"]] == ["points", "sonneborn_berger", "disc_difference"]
    assert "C.07" in table["order"][1]["rules"]
    assert (table["bracket"], table["means"], table["lot_seed"]) == (False, [], None)
    for line, other in zip(table["items"], table["items"][::-1], strict=True):
        behind = line["score_other"] - line["score_own"]
        assert line["tie_breaks"] == [line["points"], line["points"] * other["points"], behind]


def test_the_usual_chain(site: Site) -> None:
    """Points, direct encounter, discs, time; without discs in a game that has none."""
    start_cup(site)
    start_cup(site, "nim", game="heap_nim", params={"heaps": [1, 2, 3]})
    orders = {name: site.get(f"/tournaments/{name}/leaderboard").json()["order"] for name in ("cup", "nim")}
    assert [step["name"] for step in orders["cup"]] == ["points", "direct", "discs", "time"]
    assert [step["name"] for step in orders["nim"]] == ["points", "direct", "time"]


def test_the_seed_of_lots_is_published_at_the_end(site: Site) -> None:
    """As long as somebody plays it is nobody's; what was drawn is shown from the start."""
    start_cup(site, standings_order=["points", "lot"], seed=11)
    running = site.get("/tournaments/cup/leaderboard").json()
    assert running["lot_seed"] is None
    assert all(line["tie_breaks"][1] is not None for line in running["items"])
    site.post("/tournaments/cup/cancel", "staff")
    over = site.get("/tournaments/cup/leaderboard").json()
    assert over["lot_seed"] == 11
    assert over["items"] == running["items"]


def test_a_chain_that_makes_no_sense_is_refused(site: Site) -> None:
    """The problem says what there is instead."""
    answer = site.post("/tournaments", "staff", json=PLAN | {"standings_order": ["points", "elo"]})
    assert answer.status_code == 422
    assert "there is no tie-break 'elo'; there are points, direct," in answer.json()["detail"]


def test_a_bots_numbers_add_up(site: Site) -> None:
    """Seats, openings and opponents each come to the line of the leaderboard."""
    _cup(site, openings=2, opening_plies=2)
    (line,) = (
        each for each in site.get("/tournaments/cup/leaderboard").json()["items"] if each["bot"] == "red"
    )
    found = site.get("/tournaments/cup/bots/red").json()
    keys = ("games", "points", "wins", "draws", "losses", "forfeits", "score_own", "score_other")
    assert {key: found["totals"][key] for key in keys} == {key: line[key] for key in keys}
    parts = (found["seats"], [each["totals"] for each in found["openings"]])
    for part in (*parts, [each["totals"] for each in found["opponents"]]):
        assert {key: sum(each[key] for each in part) for key in keys} == {key: line[key] for key in keys}
    assert [each["games"] for each in found["seats"]] == [4, 4]
    assert [len(each["moves"]) for each in found["openings"]] == [2, 2, 2, 2]
    assert [each["bot"] for each in found["opponents"]] == ["blue"]
    assert (found["owner"], found["version"], found["language"]) == ("red", 1, "python")


def test_forfeits_are_told_by_their_kinds(site: Site) -> None:
    """Who forfeits in seat 0 has it in its numbers, the other one has not."""
    start_cup(site)
    play_cup(site, forfeit=True)
    found = {bot: site.get(f"/tournaments/cup/bots/{bot}").json() for bot in ("red", "blue")}
    assert [found[bot]["forfeits"] for bot in found] == [{"malformed": 1}] * 2
    assert found["red"]["longest_ms"] <= found["red"]["totals"]["wall_ms"]


def test_head_to_head_is_the_crosstables_cell_from_both_sides(site: Site) -> None:
    """Points, games, seats and likelihoods mirror each other; the games lead to the matches."""
    matches = _cup(site, openings=1, opening_plies=2)
    one, other = (
        site.get(f"/tournaments/cup/head-to-head?one={a}&other={b}").json()
        for a, b in (("red", "blue"), ("blue", "red"))
    )
    cross = {row["bot"]: row for row in site.get("/tournaments/cup/crosstable").json()["items"]}
    (cell,) = (cell for cell in cross["red"]["cells"] if cell)
    assert (one["totals"]["points"], one["totals"]["games"]) == (cell["points"], cell["games"])
    assert one["totals"]["points"] + other["totals"]["points"] == len(matches)
    assert one["seats"][0]["wins"] == other["seats"][1]["losses"]
    assert one["superiority"] == pytest.approx(1 - other["superiority"], abs=1e-6)
    assert one["rated_superiority"] == pytest.approx(1 - other["rated_superiority"], abs=1e-6)
    assert [game["number"] for game in one["games"]] == [match["number"] for match in matches]
    assert [
        game["points"] + back["points"] for game, back in zip(one["games"], other["games"], strict=True)
    ] == [1.0] * len(matches)


def test_before_the_first_game_nobody_is_ahead(site: Site) -> None:
    """No games, no likelihood, no share; the seats are even."""
    start_cup(site)
    found = site.get("/tournaments/cup/head-to-head?one=red&other=blue").json()
    assert (found["games"], found["superiority"], found["rated_superiority"]) == ([], None, None)
    balance = site.get("/tournaments/cup/balance").json()
    assert balance["first"]["share"] is None
    assert balance["openings"] == []
    assert balance["seats"] == [{"bot": bot, "first": 0, "second": 0} for bot in ("red", "blue")]


def test_the_balance_counts_the_matches(site: Site) -> None:
    """The first seat's wins, draws and losses are those of the matches shown, in all and by opening."""
    matches = _cup(site, openings=2, opening_plies=2)
    found = site.get("/tournaments/cup/balance").json()
    winners = [match["result"]["winner"] for match in matches]
    counts = {"wins": winners.count(0), "draws": winners.count(None), "losses": winners.count(1)}
    assert {key: found["first"][key] for key in counts} == counts
    for key in ("games", *counts):
        assert sum(each["first"][key] for each in found["openings"]) == found["first"][key]
    assert found["first"]["low"] <= found["first"]["share"] <= found["first"]["high"]
    assert found["seats"] == [{"bot": bot, "first": 4, "second": 4} for bot in ("red", "blue")]
    assert found["widest"] == 0


def test_games_that_both_forfeit_say_nothing_of_seats(site: Site) -> None:
    """They are in nobody's share and in nobody's seat."""
    start_cup(site)
    with site.world.database.transaction() as session:
        messages = issue_matches(session, site.world.settings)
    for message in messages:
        site.world.record(message, play(message.spec, forfeits=(0, 1)))
    found = site.get("/tournaments/cup/balance").json()
    assert found["first"]["games"] == 0
    assert [(each["first"], each["second"]) for each in found["seats"]] == [(0, 0), (0, 0)]


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [
        ("/bots/nobody", 404, "nobody"),
        ("/head-to-head?one=red&other=nobody", 404, "nobody"),
        ("/head-to-head?one=red&other=red", 422, "does not meet itself"),
        ("/head-to-head?one=red", 422, "other"),
        ("/bots/green", 404, "not entered"),
    ],
)
def test_who_cannot_be_told_of(site: Site, path: str, status: int, told: str) -> None:
    """The problem says who is not known, not entered, or one and the same."""
    start_cup(site)
    with site.world.database.transaction() as session:
        site.world.bot(session, "green")
    answer = site.get(f"/tournaments/cup{path}")
    assert answer.status_code == status
    assert told in answer.text


def test_numbers_have_etags(site: Site) -> None:
    """What has not changed is not sent again."""
    start_cup(site)
    for path in ("/bots/red", "/head-to-head?one=red&other=blue", "/balance"):
        first = site.get(f"/tournaments/cup{path}")
        again = site.client.get(
            f"{API}/tournaments/cup{path}", headers={"If-None-Match": first.headers["etag"]}
        )
        assert (first.status_code, again.status_code) == (200, 304)
