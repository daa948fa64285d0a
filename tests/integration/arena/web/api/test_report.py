"""The class report through the API: figures that add up, verdicts by thresholds, and who may read it."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from arena.schemas.plans import TournamentPlan
from arena.submissions import versions
from arena.tournaments import lifecycle
from tests.integration.arena.site import Site, start_cup
from tests.integration.arena.world import GAME, PARAMS, issue_matches, play
from workers.core.contract import MatchResult

WITH_REFERENCE = ("red", "blue", "yardstick")


@pytest.fixture
def cup(site: Site) -> Site:
    """A played double round robin of two teams and a bot of the staff; red wins all, blue crashes in all."""
    world = site.world
    with world.database.transaction() as session:
        world.bot(session, "yardstick")
        plan = TournamentPlan(name="cup", game=GAME, params=PARAMS, format="double_round_robin")
        tournament = lifecycle.create(session, world.staff, plan)
        lifecycle.open_(session, world.staff, tournament)
        for bot in WITH_REFERENCE:
            lifecycle.enter(session, world.staff, tournament, versions.get(session, bot))
        lifecycle.start(session, world.staff, tournament)
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings)
    for message in messages:
        names = [bot.name for bot in message.spec.bots]
        loser = "blue" if "blue" in names else "yardstick"
        world.record(message, _timed(play(message.spec, forfeits=[0 if names[0] == loser else 1])))
    return site


def _timed(result: MatchResult) -> MatchResult:
    """The result with what its seats needed for their answers."""
    seats = []
    for seat, use in enumerate(result.seats):
        walls = [move.wall_ns for move in result.moves if move.asked and move.seat == seat]
        seats.append(use.model_copy(update={"answers": len(walls), "slowest_ns": max(walls)}))
    return result.model_copy(update={"seats": tuple(seats)})


def _report(site: Site, query: str = "", user: str | None = "staff") -> Any:
    return site.get(f"/tournaments/cup/report{query}", user)


def test_figures_of_teams(cup: Site) -> None:
    """Places with and without the reference bot, points, and forfeits by kind are those of the games."""
    told = _report(cup).json()
    red, blue = told["items"]
    assert told["references"] == [{"bot": "yardstick", "threshold": None}]
    assert (red["bot"], red["team"], red["place"], red["class_place"], red["points"]) == (
        "red",
        "red",
        1,
        1,
        4.0,
    )
    assert (blue["place"], blue["class_place"], blue["forfeits"], blue["losses"]) == (3, 2, {"crash": 4}, 4)
    assert (red["against"][0]["points"], red["against"][0]["games"], red["against"][0]["share"]) == (
        2.0,
        2,
        1.0,
    )
    assert (red["passed"], red["forfeits"]) == (None, {})


def test_times_are_those_of_the_records(cup: Site) -> None:
    """Answers, their mean and the slowest one come from what the seats used, shares from the limit."""
    uses = []
    for number in range(1, 7):
        match = cup.get(f"/tournaments/cup/matches/{number}").json()
        uses += [use for use, seat in zip(match["use"], match["seats"], strict=True) if seat["bot"] == "red"]
    (time,) = [line["time"] for line in _report(cup).json()["items"] if line["bot"] == "red"]
    mean = sum(use["wall_ns"] for use in uses) / 4 / 1e6
    slowest = max(use["slowest_ns"] for use in uses) / 1e6
    assert (time["answers"], time["extensions"]) == (4, 0)
    assert (time["mean_ms"], time["mean_share"]) == pytest.approx((mean, mean / 60_000))
    assert (time["slowest_ms"], time["slowest_share"]) == pytest.approx((slowest, slowest / 60_000))


def test_thresholds_are_reached_when_met(cup: Site) -> None:
    """A share of just the threshold passes; who has less does not, unless nothing is asked for."""
    for share in ("1", "0.5", "0"):
        red, blue = _report(cup, f"?threshold=yardstick={share}").json()["items"]
        assert (red["passed"], red["against"][0]["passed"]) == (True, True)
        assert blue["passed"] is (share == "0")


def test_named_reference_bots_replace_those_of_the_staff(cup: Site) -> None:
    """Any entered bot can be what the others are measured by."""
    told = _report(cup, "?reference=red").json()
    assert [reference["bot"] for reference in told["references"]] == ["red"]
    assert [line["bot"] for line in told["items"]] == ["yardstick", "blue"]


def test_what_cannot_be_measured_is_told(cup: Site) -> None:
    """Thresholds and reference bots that cannot be are refused with what could be."""
    for query, told in {
        "?threshold=yardstick": "'yardstick' is no threshold",
        "?threshold=yardstick=1.5": "from 0 to 1",
        "?threshold=yardstick=nan": "from 0 to 1",
        "?threshold=nobody=0.5": "'nobody' is not entered",
        "?reference=nobody": "entered are blue, red, yardstick",
        "?threshold=red=0.5&threshold=red=0.6": "two thresholds for 'red'",
    }.items():
        answer = _report(cup, query)
        assert answer.status_code == 422
        assert told in answer.json()["detail"]


def test_csv_has_the_same_figures(cup: Site) -> None:
    """The table begins with the mark of UTF-8 and says of every bot what the JSON says."""
    answer = cup.get("/tournaments/cup/report.csv?threshold=yardstick=0.75", "staff")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.content.startswith(b"\xef\xbb\xbf")
    red, blue = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline=""))
    assert (red["team"], red["points"], red["points vs yardstick"]) == ("red", "4.0", "2.0")
    assert (red["passed"], blue["passed"], blue["forfeits"], blue["forfeits crash"]) == ("1", "0", "4", "4")
    assert (red["threshold vs yardstick"], blue["forfeits timeout"]) == ("0.75", "0")


def test_only_the_staff_reads_it(cup: Site) -> None:
    """The report is refused to the public and to teams, as JSON and as CSV."""
    for path in ("/tournaments/cup/report", "/tournaments/cup/report.csv"):
        assert cup.get(path).status_code == 401
        assert cup.get(path, "red").status_code == 403


def test_nothing_played_yet(site: Site) -> None:
    """Before the first game there is no share, no time and no verdict."""
    start_cup(site)
    told = _report(site, "?threshold=blue=0.5").json()
    (red,) = told["items"]
    assert (red["against"][0]["share"], red["passed"], red["time"]["mean_ms"]) == (None, None, None)
