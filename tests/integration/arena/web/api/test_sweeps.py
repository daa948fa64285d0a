"""Sweeps over the API: by the staff, by teams within their quota, and what they come to."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from typing import Any
from unittest.mock import Mock

import pytest
from sqlalchemy import select

from arena.core.clock import utc_now
from arena.experiments.lifecycle import CELLS_AT_ONCE
from arena.store.models import Experiment
from tests.integration.arena.asking import asked
from tests.integration.arena.lab import PLAN, Lab
from tests.integration.arena.roles import ADMIN, MEMBER, ORGANISER, OWNER, WHO, settle
from tests.integration.arena.site import Site
from workers.core.contract import Limits
from workers.simulation.contract import SimulationSpec, Tally
from workers.simulation.runner import simulate

PATH = "/sweeps"
EACH = {key: value for key, value in PLAN.items() if key != "chunk"} | {"params": {"heaps": [1, 2, "{last}"]}}
SWEEP: dict[str, Any] = {
    "name": "grid",
    "vary": {"last": [3, 4], "second_player": ["xor", "random"]},
    "each": EACH | {"second": "{second_player}"},
}
QUICK = {"move_ms": 1000, "extensions": 0}


def create(site: Site, user: str | None = "staff", **changes: Any) -> Any:
    """Ask for a sweep."""
    return site.post(PATH, user, json=SWEEP | changes)


def play(site: Site) -> None:
    """Play everything that there is."""
    lab = Lab(site.world)
    while messages := lab.issue(chunk_window=1000):
        for message in messages:
            lab.record(message)


def rows_of(site: Site, name: str = "grid", user: str | None = None) -> list[dict[str, Any]]:
    """The table."""
    answer = site.get(f"{PATH}/{name}/table?format=jsonl", user)
    assert answer.status_code == 200
    return [json.loads(line) for line in answer.text.splitlines()]


def test_a_sweep_from_its_grid_to_its_table(site: Site) -> None:
    """Every cell comes to what `arena simulate` comes to with the seed and match that the table tells."""
    made = create(site)
    assert made.status_code == 201
    shown = made.json()
    assert (shown["state"], shown["cells"], shown["games"]) == ("running", 4, 400)
    assert (shown["owner"], shown["done"], shown["seconds_left"]) == (None, 0, None)
    assert [row["seed"] for row in rows_of(site)] == [None] * 4
    play(site)
    over = site.get(f"{PATH}/grid").json()
    assert (over["state"], over["states"], over["done"]) == ("finished", {"finished": 4}, 400)
    assert over["seconds_left"] == 0
    rows = rows_of(site)
    assert [(row["cell"], row["last"], row["second_player"]) for row in rows] == [
        (0, 3, "xor"),
        (1, 3, "random"),
        (2, 4, "xor"),
        (3, 4, "random"),
    ]
    for row in rows:
        result = site.get(f"/experiments/{row['experiment']}/results").json()["result"]
        spec = SimulationSpec.model_validate(result["spec"])
        assert (spec.seed, spec.match, spec.games) == (row["seed"], row["match"], row["asked"])
        tally = simulate(spec, jobs=1, plain=True).tally
        assert tally == Tally.model_validate(result["tally"])
        assert tally.wins_draws_losses == (row["wins"], row["draws"], row["losses"])
        assert row["score_low"] <= row["score_mean"] <= row["score_high"]


def test_seeds_that_are_varied_are_told_when_all_is_over(site: Site) -> None:
    """Until then nobody but the staff sees a value that seeds follow from, nor anything made of one."""
    vary = {"last": [3, 4], "luck": [5, 6]}
    each = EACH | {"second": "random", "seed": "{luck}"}
    create(site, vary=vary, each=each)
    for user, seeds, told in ((None, [], [None] * 4), ("staff", [5, 6], [5, 6, 5, 6])):
        shown = site.get(f"{PATH}/grid", user).json()
        assert shown["vary"] == vary | {"luck": seeds}
        assert (shown["digest"] is None) == (user is None)
        rows = rows_of(site, user=user)
        assert [row["luck"] for row in rows] == [row["seed"] for row in rows] == told
        assert [row["last"] for row in rows] == [3, 3, 4, 4]
    assert [row["match"] for row in rows][::2] == [row["match"] for row in rows][1::2]
    play(site)
    over = site.get(f"{PATH}/grid").json()
    assert (over["vary"], over["digest"] is None) == (vary, False)
    assert [row["luck"] for row in rows_of(site)] == [5, 6, 5, 6]


def test_a_list_asks_as_much_whatever_it_lists(site: Site) -> None:
    """Ten sweeps, some of them over, take as many questions as one, and none for each experiment."""
    create(site)
    play(site)
    with asked("SELECT") as of_one:
        one = site.get(PATH, "staff").json()
    for number in range(9):
        create(site, name=f"grid-{number}")
    lab = Lab(site.world)
    for message in lab.issue(chunk_window=4):
        lab.record(message)
    with asked("SELECT") as of_many:
        many = site.get(PATH, "staff").json()
    assert (one["total"], many["total"]) == (1, 10)
    assert {each["state"] for each in many["items"]} == {"running", "finished"}
    assert len(of_many) == len(of_one)


def test_the_table_is_the_same_as_csv(site: Site) -> None:
    """A heading, and a row an experiment, with the values that were varied."""
    create(site)
    play(site)
    told = list(csv.DictReader(io.StringIO(site.get(f"{PATH}/grid/table").text)))
    for one, other in zip(told, rows_of(site), strict=True):
        assert one == {name: "" if value is None else str(value) for name, value in other.items()}


def test_asking_again_makes_nothing_new(site: Site) -> None:
    """The same sweep is there already; another of that name is refused, and what it is for may change."""
    create(site)
    again = create(site, about="once more")
    assert (again.status_code, site.get("/experiments").json()["total"]) == (200, 4)
    other = create(site, vary=SWEEP["vary"] | {"last": [3, 5]})
    assert (other.status_code, "other contents" in other.json()["detail"]) == (409, True)


def test_what_was_cancelled_goes_on_from_where_it_stood(site: Site) -> None:
    """The games that were played stay, and the whole comes to what it would have come to."""
    create(site, each=SWEEP["each"] | {"chunk": 20})
    lab = Lab(site.world)
    lab.record(lab.issue(chunk_window=1)[0])
    cancelled = site.post(f"{PATH}/grid/cancel", "staff").json()
    assert (cancelled["state"], cancelled["states"]) == ("cancelled", {"cancelled": 4})
    assert cancelled["done"] == 20
    assert site.post(f"{PATH}/grid/cancel", "staff").status_code == 409
    resumed = create(site, each=SWEEP["each"] | {"chunk": 20})
    assert (resumed.status_code, resumed.json()["state"]) == (200, "running")
    assert resumed.json()["done"] == cancelled["done"]
    play(site)
    over = rows_of(site)
    create(site, name="whole")
    play(site)
    counts = ("wins", "draws", "losses", "match")
    assert [[row[name] for name in counts] for row in over] == [
        [row[name] for name in counts] for row in rows_of(site, "whole")
    ]


def test_only_so_many_run_at_a_time(site: Site) -> None:
    """The others wait, and each that ends lets the next one begin, until all are over."""
    create(site, vary={"last": list(range(1, CELLS_AT_ONCE + 4)), "second_player": ["xor"]})
    assert site.get(f"{PATH}/grid").json()["states"] == {"waiting": 3, "running": CELLS_AT_ONCE}
    assert site.get("/experiments").json()["items"][0]["state"] == "waiting"
    play(site)
    assert site.get(f"{PATH}/grid").json()["states"] == {"finished": CELLS_AT_ONCE + 3}


def test_a_sweep_has_the_share_of_one_experiment(site: Site) -> None:
    """However many of it run, an experiment that is alone gets as many chunks at once."""
    create(site)
    alone = Lab(site.world).create(chunk=2)
    given = [message.experiment for message in Lab(site.world).issue(chunk_window=8)]
    assert (given.count(alone), len(given)) == (4, 8)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"vary": {"last": [3]}}, "second_player"),
        ({"each": SWEEP["each"] | {"games": 0}}, "each.games: it has to be at least 1"),
        ({"each": SWEEP["each"] | {"first": "nobody"}}, "no player 'nobody'"),
        ({"each": SWEEP["each"] | {"sprt": {"elo0": 0, "elo1": 5}, "stop_when_ci": 0.1}}, "not by both"),
        ({"name": "7"}, "not a number"),
    ],
)
def test_what_cannot_be_played_is_refused(site: Site, changes: dict[str, Any], says: str) -> None:
    """Nothing is made of a sweep of which one simulation cannot be."""
    answer = create(site, **changes)
    assert answer.status_code == 422
    assert says in answer.json()["detail"]
    assert (site.get(PATH).json()["total"], site.get("/experiments").json()["total"]) == (0, 0)


def test_a_team_sees_and_cancels_its_own_and_nobody_elses(site: Site) -> None:
    """What a team asks for is told to it and to administrators; for all others there is no such thing."""
    assert create(site, "red").status_code == 201
    number = rows_of(site, user="red")[0]["experiment"]
    for user, there in (("red", True), ("staff", True), ("blue", False), (None, False)):
        status = 200 if there else 404
        for path in (f"{PATH}/grid", f"{PATH}/grid/table", f"/experiments/{number}"):
            assert site.get(path, user).status_code == status
        assert site.get(PATH, user).json()["total"] == there
        assert site.get("/experiments", user).json()["total"] == 4 * there
    assert site.get(f"{PATH}/grid", "red").json()["owner"] == "red"
    assert rows_of(site, user="red")[0]["seed"] == 3
    assert site.post(f"{PATH}/grid/cancel", "blue").status_code == 404
    assert create(site, "blue").status_code == 409
    assert site.post(f"/experiments/{number}/cancel", "red").json()["state"] == "cancelled"
    assert site.post(f"{PATH}/grid/cancel", "red").json()["states"] == {"cancelled": 4}


@pytest.mark.parametrize(
    ("asked", "open_to"), [("ruby", {MEMBER, OWNER, ORGANISER}), ("teacher", {ORGANISER})]
)
def test_what_one_account_asks_for_is_hidden_from_the_others(
    site: Site, asked: str, open_to: set[str]
) -> None:
    """A team's is its members' and the organisers' of its class, an organiser's their own, in lists too."""
    settle(site)
    assert create(site, asked).status_code == 201
    number = rows_of(site, user=asked)[0]["experiment"]
    for role, user in WHO.items():
        there = role in open_to | {ADMIN}
        paths = (f"{PATH}/grid", f"{PATH}/grid/table", f"/experiments/{number}")
        assert {site.get(path, user).status_code for path in paths} == {200 if there else 404}, role
        assert site.get(PATH, user).json()["total"] == there, role
        assert site.get("/experiments", user).json()["total"] == 4 * there, role
    for role in open_to:
        assert rows_of(site, user=WHO[role])[0]["seed"] == 3
        assert site.post(f"/experiments/{number}/cancel", WHO[role]).status_code == 200
        assert create(site, WHO[role]).status_code == 200


def test_members_have_the_quota_of_their_team_together(site: Site) -> None:
    """What one of them has under way counts for all; an organiser has as much, and a reader nothing."""
    settle(site)
    for number, user in enumerate(("red", "ruby", "red", "ruby")):
        made = create(site, user, name=f"grid-{number}")
        assert (made.status_code, made.json()["owner"]) == (201, "red")
    for user in ("red", "ruby"):
        assert "4 sweeps or experiments under way" in create(site, user, name="fifth").json()["detail"]
    for number in range(4):
        assert create(site, "teacher", name=f"lesson-{number}").status_code == 201
    assert create(site, "teacher", name="lesson").status_code == 409
    assert create(site, "looker", name="look").status_code == 403
    assert site.post("/experiments", "teacher", json=EACH | {"chunk": 2}).status_code == 422


def test_a_teams_games_are_bounded_by_the_day(site: Site) -> None:
    """What was asked for counts, a small simulation as a thousand games; what is left is told."""
    million = EACH | {"games": 9_997_000, "second": "{second_player}", "params": {"heaps": [1, 2, 3]}}
    first = create(site, "red", vary={"second_player": ["xor"]}, each=million)
    assert first.status_code == 201
    refused = create(site, "red", name="more")
    assert refused.status_code == 409
    assert "10,000,000 games of players by name" in refused.json()["detail"]
    assert "3,000 are left, and this is 4,000" in refused.json()["detail"]
    assert create(site, "blue", name="more").status_code == 201
    assert (
        create(site, "staff", name="most", each=million, vary={"second_player": ["xor"]}).status_code == 201
    )
    site.post(f"{PATH}/grid/cancel", "red")
    assert create(site, "red", name="again").status_code == 201


def test_what_goes_on_counts_as_what_is_new(site: Site) -> None:
    """A team that cancels a sweep and asks for another gets the first one back only within its quota."""
    million = EACH | {"games": 9_900_000, "second": "{second_player}", "params": {"heaps": [1, 2, 3]}}
    xor = {"second_player": ["xor"]}
    assert create(site, "red", vary=xor, each=million).status_code == 201
    site.post(f"{PATH}/grid/cancel", "red")
    assert create(site, "red", vary=xor, each=million).status_code == 200
    site.post(f"{PATH}/grid/cancel", "red")
    assert create(site, "red", name="second", vary=xor, each=million).status_code == 201
    refused = create(site, "red", vary=xor, each=million)
    assert (refused.status_code, "this is 9,900,000" in refused.json()["detail"]) == (409, True)
    assert site.get(f"{PATH}/grid", "red").json()["state"] == "cancelled"
    assert create(site, "staff", vary=xor, each=million).status_code == 200


def test_what_was_taken_up_again_counts_after_its_end(site: Site) -> None:
    """However long ago a sweep was made, what was played of it today is part of the day's games."""
    million = EACH | {"games": 9_900_000, "second": "{second_player}", "params": {"heaps": [1, 2, 3]}}
    xor = {"second_player": ["xor"]}
    assert create(site, "red", vary=xor, each=million).status_code == 201
    site.post(f"{PATH}/grid/cancel", "red")
    with site.world.database.transaction() as session:
        (old,) = session.scalars(select(Experiment))
        old.created_at = old.finished_at = utc_now() - dt.timedelta(days=3)
    assert create(site, "red", name="other", vary=xor, each=million).status_code == 201
    site.post(f"{PATH}/other/cancel", "red")
    assert create(site, "red", vary=xor, each=million).status_code == 200
    with site.world.database.transaction() as session:
        session.get_one(Experiment, old.id).done = 9_800_000
    site.post(f"{PATH}/grid/cancel", "red")
    refused = create(site, "red", name="second", vary=xor, each=million)
    assert (refused.status_code, "you asked for 9,801,000 already" in refused.json()["detail"]) == (409, True)


def test_a_team_fills_no_database(site: Site) -> None:
    """Games of players by name that are kept are few in a day, however it asks for them; not the staff's."""
    kept = EACH | {"second": "{second_player}", "params": {"heaps": [1, 2, 3]}, "record_games": True}
    too_many = create(site, "red", vary={"second_player": ["xor", "random"]}, each=kept | {"games": 50_001})
    assert too_many.status_code == 409
    assert "100,000 recorded games of players by name" in too_many.json()["detail"]
    single = {key: value for key, value in PLAN.items() if key != "chunk"} | {"record_games": True}
    assert site.post("/experiments", "red", json=single | {"games": 60_000}).status_code == 201
    assert site.post("/experiments", "red", json=single | {"games": 40_001}).status_code == 409
    assert site.post("/experiments", "red", json=single | {"games": 40_000}).status_code == 201
    assert site.post("/experiments", "red", json=PLAN | {"chunk": None, "games": 40_001}).status_code == 201
    assert site.post("/experiments", "staff", json=single | {"games": 10_000_000}).status_code == 201


def test_openings_are_counted_as_they_are_drawn(site: Site) -> None:
    """Fewer games need fewer openings, which are others; the same game written otherwise needs no others."""
    each = EACH | {"params": {}, "openings": 100, "opening_plies": 1, "games": "{some}"}
    answer = create(site, vary={"some": list(range(1, 34))}, each=each)
    assert (answer.status_code, "drawn for 17 different games" in answer.json()["detail"]) == (422, True)


def test_a_team_has_so_much_under_way_and_no_more(site: Site) -> None:
    """A fifth order waits for one of four to be over."""
    for number in range(4):
        assert create(site, "red", name=f"grid-{number}").status_code == 201
    fifth = create(site, "red", name="fifth")
    assert (fifth.status_code, "4 sweeps or experiments under way" in fifth.json()["detail"]) == (409, True)
    site.post(f"{PATH}/grid-2/cancel", "red")
    assert create(site, "red", name="fifth").status_code == 201
    assert create(site, "red", name="grid-2").status_code == 409
    site.post(f"{PATH}/fifth/cancel", "red")
    assert create(site, "red", name="grid-2").status_code == 200


@pytest.mark.parametrize(
    ("changes", "status", "says"),
    [
        ({"chunk": 2}, 422, "only an administrator sets chunk"),
        ({"limits": Limits(memory_mb=1024).model_dump()}, 422, "only an administrator sets limits"),
        ({"columns": "game"}, 422, "have them kept as lines with record_games"),
        ({"first": "bot:red"}, 422, "at most 10 s for a move"),
        ({"first": "bot:red", "time": QUICK, "games": 10_001}, 409, "10,000 games of bots"),
        ({"first": "bot:blue", "time": QUICK}, 403, "belongs to 'blue'"),
        ({"first": "bot:red", "time": QUICK, "games": 10_000}, 201, ""),
    ],
)
def test_what_a_team_may_ask_for(site: Site, changes: dict[str, Any], status: int, says: str) -> None:
    """Its own bots, in little time, within the day's games; the rest is the administrators'."""
    site.world.approve("red")
    site.world.approve("blue")
    asked = {key: value for key, value in PLAN.items() if key != "chunk"} | changes
    answer = site.post("/experiments", "red", json=asked)
    assert answer.status_code == status, answer.json()
    assert says in answer.json().get("detail", "")


def test_recorded_parts_are_given_when_it_is_over(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part from a multiple of the chunk on; while games are played they would tell the seed."""
    monkeypatch.setattr("arena.experiments.lifecycle.games_in_part", lambda _: 64)
    assert (
        site.post("/experiments", "staff", json=EACH | {"params": {}, "columns": "game"}).status_code == 201
    )
    lab = Lab(site.world)
    (first, second) = lab.issue()
    assert (first.start, first.count, second.start, second.count, first.columns) == (0, 64, 64, 36, "game")
    folder = site.world.settings.data_dir / "records" / "experiment-1"
    lab.record(first)
    assert site.get("/experiments/1/parts/0").status_code == 409
    assert site.get("/experiments/1/parts/64").status_code == 404
    lab.record(second)
    gone = site.get("/experiments/1/parts/0")
    assert (gone.status_code, "kept no more" in gone.json()["detail"]) == (404, True)
    with monkeypatch.context() as broken:
        broken.setattr("obstore.get", Mock(side_effect=OSError("the disk is gone")))
        assert site.get("/experiments/1/parts/0").status_code == 503
    folder.mkdir(parents=True)
    (folder / "part-000000000064.parquet").write_bytes(b"columns")
    assert site.get("/experiments/1/parts/64").content == b"columns"
    assert [site.get(f"/experiments/1/parts/{start}").status_code for start in (2, 128)] == [404, 404]
