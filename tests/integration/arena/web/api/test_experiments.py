"""Experiments over the API: who may do what, what is refused, and what is shown."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from tests.integration.arena.lab import PLAN, SPEC, Lab, whole
from tests.integration.arena.site import Site

PATH = "/experiments"


def create(site: Site, **changes: Any) -> Any:
    """Ask for an experiment as the staff."""
    return site.post(PATH, "staff", json=PLAN | changes)


def play(site: Site, chunks: int = 16) -> None:
    """Play the next chunks."""
    lab = Lab(site.world)
    for message in lab.issue(chunk_window=chunks):
        lab.record(message)


def test_an_experiment_from_its_plan_to_its_result(site: Site) -> None:
    """What was asked for is shown, then how far it is, then what a simulation in one process comes to."""
    made = create(site)
    assert made.status_code == 201
    shown = made.json()
    assert (shown["id"], shown["state"], shown["games"], shown["done"]) == (1, "running", 100, 0)
    assert [player["name"] for player in shown["players"]] == ["random", "xor"]
    assert (shown["result"]["games"], shown["result"]["first"]) == (0, None)
    play(site, 2)
    partial = site.get(f"{PATH}/1").json()
    assert (partial["done"], partial["recorded"], partial["result"]["games"]) == (40, 40, 40)
    share = partial["result"]["first"]["shares"]["wins"]
    assert 0 <= share["low"] <= share["share"] <= share["high"] <= 1
    assert partial["games_per_second"] > 0
    assert site.get(f"{PATH}/1/results").json()["final"] is False
    play(site)
    results = site.get(f"{PATH}/1/results").json()
    assert (results["state"], results["final"], results["stopped"]) == ("finished", True, False)
    assert results["result"]["tally"] == whole(SPEC).tally.model_dump(mode="json")
    assert results["result"]["digest"] == SPEC.digest
    assert results["result"]["spec"] == SPEC.model_dump(mode="json")


def test_the_seed_is_shown_to_everybody_when_it_is_over(site: Site) -> None:
    """While games are played, only the staff sees what they are drawn from, and what went wrong."""
    create(site)
    for user, seed in ((None, None), ("red", None), ("staff", 3)):
        shown = site.get(f"{PATH}/1", user).json()
        results = site.get(f"{PATH}/1/results", user).json()
        assert shown["seed"] == seed
        assert "spec" not in shown["result"]
        assert ("spec" in results["result"], "digest" in results["result"]) == (seed is not None,) * 2
        assert (shown["staff"] is not None) == (user == "staff")
    play(site)
    assert site.get(f"{PATH}/1").json()["seed"] == 3


def test_only_the_staff_cancels_its_own(site: Site) -> None:
    """The public and teams are refused, and nothing is changed."""
    assert site.post(PATH, json=PLAN).status_code == 401
    create(site)
    assert site.post(f"{PATH}/1/cancel").status_code == 401
    assert site.post(f"{PATH}/1/cancel", "red").status_code == 403
    assert site.get(PATH).json()["total"] == 1
    assert site.get(f"{PATH}/1").json()["state"] == "running"


def test_a_cancelled_experiment_keeps_its_part(site: Site) -> None:
    """What was played stays to be read, and a second time is a conflict."""
    create(site)
    play(site, 1)
    cancelled = site.post(f"{PATH}/1/cancel", "staff").json()
    assert (cancelled["state"], cancelled["done"]) == ("cancelled", 20)
    again = site.post(f"{PATH}/1/cancel", "staff")
    assert (again.status_code, again.json()["detail"]) == (
        409,
        "experiment 1 is cancelled and cannot be cancelled",
    )


@pytest.mark.parametrize(
    ("changes", "status", "says"),
    [
        ({"game": "chess"}, 422, "chess"),
        ({"game": "circle_nim", "params": {"rows": 13}}, 422, "rows"),
        ({"params": {"heaps": [-1, 2, 3]}}, 422, "heap's size"),
        ({"first": "nobody"}, 422, "heap_nim has no player 'nobody'"),
        ({"first": "algo1:10"}, 422, "heap_nim has no player"),
        ({"game": "circle_nim", "params": {}, "second": "algo1:0"}, 422, "records"),
        ({"first": "bot:nobody"}, 404, "nobody"),
        ({"first": "bot:red@7"}, 404, "7"),
        ({"first": "bot:red@x"}, 422, "names no version"),
        ({"games": 0}, 422, "games"),
        ({"games": 10**12}, 422, "games"),
        ({"chunk": 0}, 422, "chunk"),
        ({"stop_when_ci": 0}, 422, "stop_when_ci"),
        ({"stop_when_ci": 0.7}, 422, "stop_when_ci"),
        ({"confidence": 1}, 422, "confidence"),
        ({"sprt": {"elo0": 5, "elo1": 5}, "swap": True}, 422, "elo0 is less"),
        ({"sprt": {"elo0": 0, "elo1": 5}, "swap": False}, 422, "swap"),
        ({"sprt": {"elo0": 0, "elo1": 5}, "swap": True, "stop_when_ci": 0.1}, 422, "not by both"),
        ({"interval": "wald"}, 422, "interval"),
        ({"columns": "game", "record_games": True, "chunk": None}, 422, "leave out record_games"),
        ({"columns": "game", "chunk": 100}, 422, "leave out record_games and chunk"),
        ({"columns": "game", "first": "bot:red", "chunk": None}, 422, "players by name"),
        ({"columns": "games"}, 422, "columns"),
        ({"openings": 50, "opening_plies": 1}, 422, "openings"),
        ({"time": {"move_ms": 1000, "extension_ms": 10}}, 422, "extension_ms"),
        ({"surprise": 1}, 422, "surprise"),
    ],
)
def test_what_cannot_be_played_is_refused(
    site: Site, changes: dict[str, Any], status: int, says: str
) -> None:
    """Every part that cannot be is refused with words that name it, and nothing is made."""
    answer = create(site, **changes)
    assert answer.status_code == status
    assert says in answer.json()["detail"]
    assert site.get(PATH).json()["total"] == 0


def test_submitted_bots_play_by_their_archives(site: Site) -> None:
    """A bot means its newest version unless one is named, and this must have passed its check."""
    newest = site.submit("red", "red").json()
    assert create(site, first="bot:red", second="bot:red@1").status_code == 409
    site.world.approve("red")
    made = create(site, first="bot:red", second="bot:red@1").json()
    assert [player["name"] for player in made["players"]] == [f"red@{newest['version']}", "red@1"]
    assert made["players"][0]["archive"] == newest["archive"]
    assert made["players"][1]["archive"] != newest["archive"]


def test_no_experiment_of_that_number(site: Site) -> None:
    """Numbers that nothing has, and that nothing can have, are not found."""
    for number in (1, 0, -1, 2**40):
        for rest in ("", "/results", "/export"):
            assert site.get(f"{PATH}/{number}{rest}").status_code == 404
    assert site.get(f"{PATH}/one").status_code == 422


def test_the_counts_as_a_table(site: Site) -> None:
    """A spreadsheet gets a row for each seat of the first player and one for all games."""
    create(site)
    play(site)
    answer = site.get(f"{PATH}/1/export")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    wins, draws, losses = whole(SPEC).tally.wins_draws_losses
    assert [row["games"] for row in rows] == ["50", "50", "100"]
    assert (rows[2]["wins"], rows[2]["draws"], rows[2]["losses"]) == (str(wins), str(draws), str(losses))


def test_recorded_games_line_by_line(site: Site) -> None:
    """With record_games the games that are done are given in order; without, there are none to give."""
    create(site)
    refused = site.get(f"{PATH}/1/export?format=jsonl")
    assert (refused.status_code, "record_games" in refused.json()["detail"]) == (409, True)
    create(site, games=40, record_games=True)
    site.post(f"{PATH}/1/cancel", "staff")
    play(site, 1)
    answer = site.get(f"{PATH}/2/export?format=jsonl")
    assert answer.headers["content-type"] == "application/jsonl"
    games = whole(SPEC.model_copy(update={"games": 40, "record_games": True})).games[:20]
    named = {
        "game": SPEC.game.model_dump(mode="json"),
        "policy": SPEC.policy.model_dump(mode="json"),
        "opening_plies": 0,
        "players": [player.name for player in SPEC.players],
        "simulation": "experiment 2",
    }
    assert [json.loads(line) for line in answer.text.splitlines()] == [
        game.model_dump(mode="json") | named for game in games
    ]
