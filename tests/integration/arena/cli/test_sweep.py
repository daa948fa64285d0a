"""`arena experiment sweep`, `table` and the rest of sweeps, here and against a fake of the arena's API."""

from __future__ import annotations

import csv
import json
import statistics
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from arena.documents import circle_nim as document
from arena.local import simulation, sweeps
from arena.schemas.sweeps import SweepOut
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, page, sample

__all__ = ["api"]

EXAMPLE = Path(__file__).parents[4] / "docs" / "examples" / "circle-nim-sweep.toml"
GRID = """
name = "grid"
[vary]
rows = [3, 4]
records = [10, 100]
[each]
game = "circle_nim"
params = { rows = "{rows}" }
first = "algo1:{records}"
second = "random"
games = 4000
stop_when_ci = 0.02
"""


@pytest.fixture(autouse=True)
def _own_state(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del run  # which goes to the folder first
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("arena.client.http.time.sleep", lambda _: None)
    (tmp_path / "grid.toml").write_text(GRID)


def sweep(state: str, **told: Any) -> dict[str, Any]:
    """A sweep as the API tells it."""
    fields = {"name": "grid", "state": state, "cells": 4, "games": 16_000, "states": {state: 4}}
    return sample(SweepOut, **fields | {"vary": {"rows": [3, 4]}, "seconds_left": 7.0} | told)


def test_what_ends_by_other_rules_is_known_again_by_its_own(run: Run, tmp_path: Path) -> None:
    """Two rows of the same games that end at other widths stay what they are when the sweep is run again."""
    told = """
name = "widths"
[vary]
width = [0.02, 0.01]
[each]
game = "circle_nim"
first = "random"
second = "random"
games = 200_000
seed = 1
match = 0
stop_when_ci = "{width}"
"""
    (tmp_path / "widths.toml").write_text(told)
    ran = [run("experiment", "sweep", "widths.toml", "--on", "here", "--json") for _ in range(2)]
    first, again = ([row["games"] for row in each.json()["rows"]] for each in ran)
    assert first[0] < first[1] < 200_000
    assert again == first


def test_every_row_is_what_a_simulation_comes_to(run: Run) -> None:
    """`arena simulate` with a row's players, seed and match comes to the row's numbers."""
    ran = run("experiment", "sweep", "grid.toml", "--on", "here", "--json")
    assert ran.code == 0, ran.err
    rows = ran.json()["rows"]
    assert [(row["rows"], row["records"]) for row in rows] == [(3, 10), (3, 100), (4, 10), (4, 100)]
    assert "4 of 4: rows=4, records=100" in ran.err
    row = rows[2]
    words = ("circle_nim", "--rows", "4", "--first", row["first"], "--second", row["second"])
    drawn = ("--seed", str(row["seed"]), "--match", str(row["match"]), "--stop-when-ci", "0.02")
    alone = run("simulate", *words, *drawn, "-n", str(row["asked"]), "--json").json()
    assert (alone["games"], alone["stopped"]) == (row["games"], row["stopped"])
    assert [alone["first"][name] for name in ("wins", "draws", "losses")] == [
        row[name] for name in ("wins", "draws", "losses")
    ]
    assert alone["first"]["score"]["high"] == row["score_high"]


def test_what_was_broken_off_goes_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is finished is not played again, and the table is that of one go."""
    whole = run("experiment", "sweep", "grid.toml", "--on", "here", "--journal", "other", "--json").json()
    play, played = sweeps._play, []

    def third_is_interrupted(cell: Any, spec: Any, way: Any) -> Any:
        played.append(cell.number)
        one, _ = play(cell, spec, way)
        return one, "interrupted" if len(played) == 3 else ""

    monkeypatch.setattr(sweeps, "_play", third_is_interrupted)
    broken = run("experiment", "sweep", "grid.toml", "--on", "here")
    assert broken.code == 1
    assert "interrupted in simulation 3 of 4; the same command goes on" in broken.err
    again = run("experiment", "sweep", "grid.toml", "--on", "here", "--json")
    assert "going on after 2 of 4 simulations" in again.err
    assert again.json() == whole
    assert played == [0, 1, 2, 2, 3]


def test_the_table_in_three_forms(run: Run) -> None:
    """CSV, JSON lines and Parquet have the same rows; Parquet keeps what is a number one."""
    for form in ("csv", "jsonl", "parquet"):
        ran = run("experiment", "sweep", "grid.toml", "--on", "here", "--table", f"table.{form}")
        assert ran.code == 0, ran.err
    lines = [json.loads(line) for line in Path("table.jsonl").read_text().splitlines()]
    assert pq.read_table("table.parquet").to_pylist() == lines
    with Path("table.csv").open(newline="") as file:
        for one, other in zip(csv.DictReader(file), lines, strict=True):
            assert one == {name: "" if value is None else str(value) for name, value in other.items()}


def test_without_pyarrow_nothing_is_played_for_its_table(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that could not be written is refused beforehand."""
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    ran = run("experiment", "sweep", "grid.toml", "--on", "here", "--table", "t.parquet")
    assert (ran.code, "install bot-arena[parquet]" in ran.err) == (2, True), ran.err
    assert not Path("state").exists()


def test_what_is_left_is_reckoned_by_what_was_played_now(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that were played before count no time, neither in this go nor when it goes on."""
    simulate, paces = simulation.run, []

    def half_was_there(*told: Any, **more: Any) -> Any:
        ran = simulate(*told, **more)
        return ran._replace(seconds=2.0, played_now=ran.tally.games // 2)

    def left(known: Any, spent: Any, seconds: float) -> float:
        assert spent.ns == seconds * 1e9
        paces.append([(pace.played, seconds) for pace in known if pace.played])
        return 0.0

    monkeypatch.setattr(simulation, "run", half_was_there)
    monkeypatch.setattr(sweeps, "seconds_left", left)
    rows = run("experiment", "sweep", "grid.toml", "--on", "here", "--json").json()["rows"]
    assert paces[0] == [(rows[0]["games"] // 2, 2.0)]
    file = next(Path("state").rglob("sweep-*.jsonl"))
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:3]))
    assert run("experiment", "sweep", "grid.toml", "--on", "here").code == 0
    assert paces[-1] == [(row["games"] // 2, 8.0) for row in rows]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nowhere.toml",), "nowhere.toml cannot be read"),
        (("grid.toml", "--on", "here", "--watch"), "--watch is for workers"),
        (("grid.toml", "--fresh"), "add --on here"),
        (("grid.toml", "--table", "t.csv"), "--table needs --watch"),
        (("grid.toml", "--on", "here", "--table", "t.xlsx"), "ends with .csv, .jsonl or .parquet"),
        (("grid.toml", "--on", "here", "--table", "nowhere/t.csv"), "nowhere/t.csv cannot be written"),
    ],
)
def test_what_cannot_be_is_refused(run: Run, words: tuple[str, ...], says: str) -> None:
    """With exit code 2, before anything is played."""
    ran = run("experiment", "sweep", *words)
    assert (ran.code, says in ran.err) == (2, True), ran.err
    assert not Path("state").exists()


@pytest.mark.parametrize("key", ["record_games", "columns"])
def test_games_are_not_silently_left_unrecorded(run: Run, tmp_path: Path, key: str) -> None:
    """A sweep here that asks for its games, in some cells only too, is refused by the key that asks."""
    kept = {"record_games": "true, false", "columns": '"game", "ply"'}[key]
    told = GRID.replace("[vary]", f"[vary]\nkept = [{kept}]") + f'{key} = "{{kept}}"\n'
    (tmp_path / "kept.toml").write_text(told)
    ran = run("experiment", "sweep", "kept.toml", "--on", "here")
    assert (ran.code, f"each.{key}: a sweep that is played here keeps no games" in ran.err) == (2, True)
    assert not Path("state").exists()


def test_a_sweep_on_the_workers_is_watched_and_told(run: Run, api: FakeApi) -> None:
    """The plan goes to the arena; how far it is, and how long it takes, is told until the table is there."""
    api.answers["POST", "/sweeps"] = sweep("running", recorded=0)
    api.answers["GET", "/sweeps/grid"] = [sweep("running", recorded=8000), sweep("finished", recorded=16_000)]
    row = {"rows": 3, "records": 10, "games": 0, "wins": 0, "draws": 0}
    api.answers["GET", "/sweeps/grid/table"] = row
    ran = run("experiment", "sweep", "grid.toml", "--watch")
    assert ran.code == 0, ran.err
    sent = api.sent(0)
    assert (sent["vary"], sent["each"]["first"]) == (
        {"rows": [3, 4], "records": [10, 100]},
        "algo1:{records}",
    )
    assert "8,000 of 16,000 games, 4 experiments (4 running); about 7 s left" in ran.err
    assert "records" in ran.out


def test_sweeps_are_listed_shown_and_cancelled(run: Run, api: FakeApi) -> None:
    """By their names, where experiments go by numbers."""
    api.answers["GET", "/sweeps"] = page(sweep("running"))
    api.answers["GET", "/sweeps/grid"] = sweep("failed")
    api.answers["POST", "/sweeps/grid/cancel"] = sweep("cancelled")
    assert "grid" in run("experiment", "sweeps").out
    assert run("experiment", "sweeps", "--json").json()["sweeps"][0]["name"] == "grid"
    assert run("experiment", "show", "grid").out.startswith("sweep grid is failed")
    assert run("experiment", "cancel", "grid", "--yes", "--json").json()["state"] == "cancelled"
    assert run("experiment", "watch", "grid").code == 1


def test_games_of_bots_in_bulk_are_an_experiment(run: Run, api: FakeApi) -> None:
    """`match run --on workers` asks for its games with seats exchanged, under the time that was given."""
    api.answers["POST", "/experiments"] = {"detail": "no"}
    words = ("bot:one", "bot:two@3", "-n", "100000", "--on", "workers", "--time", "1s", "--extensions", "0")
    run("match", "run", *words, "--param", "size=4", "--openings", "20", "--record", "games.jsonl")
    sent = api.sent(0)
    assert (sent["first"], sent["second"], sent["games"], sent["swap"]) == (
        "bot:one",
        "bot:two@3",
        100_000,
        True,
    )
    assert (sent["params"], sent["openings"], sent["record_games"]) == (
        {"size": 4, "reversed": True},
        20,
        True,
    )
    assert (sent["time"]["move_ms"], sent["time"]["extensions"]) == (1000, 0)
    refused = run("match", "run", *words, "--jobs", "2")
    assert (refused.code, "played here" in refused.err) == (2, True)


def test_the_file_of_a_match_on_workers_is_replaced_when_told(run: Run, api: FakeApi) -> None:
    """A file that is there is refused before anything is asked for, unless there is `--force`."""
    Path("games.jsonl").write_text("mine")
    api.answers["POST", "/experiments"] = {"detail": "no"}
    words = ("match", "run", "bot:one", "bot:two", "--record", "games.jsonl")
    refused = run(*words, "--on", "workers")
    assert (refused.code, "games.jsonl is there already" in refused.err, api.asked) == (2, True, [])
    run(*words, "--on", "workers", "--force")
    assert api.sent(0)["record_games"] is True
    here = run(*words, "--force")
    assert (here.code, "--force is for --on workers" in here.err) == (2, True)
    assert Path("games.jsonl").read_text() == "mine"


def test_the_example_comes_to_the_documents_tables(run: Run) -> None:
    """Tables 3 to 11 of the document: no mean is far from that of three sets of records."""
    ran = run("experiment", "sweep", str(EXAMPLE), "--on", "here", "--json")
    assert ran.code == 0, ran.err
    means = defaultdict(list)
    for row in ran.json()["rows"]:
        means[row["rows"], row["algorithm"], row["records"]].append(row["score_mean"])
    distances = {
        (table.number, column.records): statistics.mean(means[table.rows, table.algorithm, column.records])
        - float(column.mean)
        for table in document.ALGORITHM_TABLES
        for column in table.columns
    }
    assert max(map(abs, distances.values())) < 0.04, distances
    assert statistics.mean(map(abs, distances.values())) < 0.01
