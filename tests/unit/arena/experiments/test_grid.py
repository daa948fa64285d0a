"""Sweeps: from a grid to its simulations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from arena.documents import circle_nim as document
from arena.experiments.grid import MAX_CELLS, SweepPlan
from arena.local.errors import InputError
from arena.local.sweep_files import read_plan

EACH: dict[str, Any] = {
    "game": "circle_nim",
    "params": {"rows": "{rows}"},
    "first": "algo1:{records}",
    "second": "random",
    "games": 100,
}
PLAN: dict[str, Any] = {"name": "grid", "vary": {"rows": [3, 4], "records": [10, 100]}, "each": EACH}
EXAMPLE = Path(__file__).parents[4] / "docs" / "examples" / "circle-nim-sweep.toml"


def plan(**changes: Any) -> SweepPlan:
    """The plan with some of it changed."""
    return SweepPlan.model_validate(PLAN | changes)


def test_every_combination_is_a_simulation() -> None:
    """The last name changes first, and a text that is nothing but a value stays a number."""
    cells = list(plan().cells())
    assert [cell.values for cell in cells] == [
        {"rows": rows, "records": records} for rows in (3, 4) for records in (10, 100)
    ]
    assert [cell.number for cell in cells] == [0, 1, 2, 3]
    assert (cells[3].plan.params, cells[3].plan.first) == ({"rows": 4}, "algo1:100")


def test_chance_follows_from_the_values_alone() -> None:
    """No two simulations share their match, and none gets another when the grid grows."""
    small = {tuple(cell.values.values()): cell.plan.match for cell in plan().cells()}
    grown = plan(vary={"rows": [2, 3, 4], "records": [1, 10, 100]})
    large = {tuple(cell.values.values()): cell.plan.match for cell in grown.cells()}
    assert len(set(large.values())) == 9
    assert small.items() <= large.items()
    told = plan(each=EACH | {"match": 7})
    assert {cell.plan.match for cell in told.cells()} == {7}


def test_the_digest_is_that_of_what_is_played() -> None:
    """What it is for is not part of it; the name and every value are."""
    assert plan(about="for people").digest == plan().digest
    others = [plan(name="other"), plan(vary=PLAN["vary"] | {"rows": [3, 5]}), plan(each=EACH | {"games": 99})]
    assert len({each.digest for each in (plan(), *others)}) == 4


def nested(depth: int) -> Any:
    """Lists in each other."""
    inner: Any = []
    for _ in range(depth):
        inner = [inner]
    return inner


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name": "12"}, "not a number"),
        ({"name": "No Name"}, "a sweep's name has lower-case"),
        ({"vary": {"rows": [3], "records": [10], "more": [1]}}, "vary.more changes nothing: write {more}"),
        ({"vary": {"rows": [3]}}, "each has {records}, but vary has no records; it has rows"),
        ({"vary": {"rows": [3, 3], "records": [1]}}, "vary.rows has a value twice"),
        ({"vary": {"rows": [], "records": [1]}}, "at least 1 item"),
        ({"vary": {"rows": [[3]], "records": [1]}}, "valid"),
        ({"vary": {"games": [3]}, "each": {"games": "{games}"}}, "the table has a column of that name"),
        ({"vary": {"rows": list(range(60)), "records": list(range(60))}}, f"at most {MAX_CELLS:,}"),
        ({"each": {"params": nested(600)}}, "stand in each other more than 20 deep"),
        ({"surprise": 1}, "Extra inputs"),
    ],
)
def test_a_grid_that_cannot_be_is_refused(changes: dict[str, Any], says: str) -> None:
    """The message says what is wrong and what to write instead."""
    with pytest.raises(ValidationError) as refused:
        plan(**changes)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("grid.yaml", "", "ends with .toml or .json"),
        ("grid.toml", "a = 1\nname = =", "grid.toml is not TOML: Invalid value (at line 2"),
        ("grid.json", "{", "grid.json is not JSON:"),
        ("grid.toml", 'name = "a"', "grid.toml: vary: Field required"),
        (
            "grid.toml",
            'name = "a"\nvary = {rows = [3]}\neach = {game = "heap_nim", games = "{rows}", first = "random"}',
            "grid.toml: each.second: it is missing (rows=3)",
        ),
    ],
)
def test_a_file_is_refused_by_name_and_key(tmp_path: Path, name: str, text: str, says: str) -> None:
    """Whoever wrote it reads in one line where to look."""
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match="grid") as refused:
        read_plan(tmp_path / name)
    assert says in str(refused.value)


def test_the_example_has_a_simulation_for_every_cell_of_the_documents_tables() -> None:
    """Rows, algorithms and records are those of tables 3 to 11, each as many games as three runs have."""
    grid, cells = read_plan(EXAMPLE)
    told = {
        (table.rows, table.algorithm, column.records)
        for table in document.ALGORITHM_TABLES
        for column in table.columns
    }
    assert {tuple(cell.values.values())[:3] for cell in cells} == told
    assert {cell.plan.games for cell in cells} == {3 * document.GAMES_A_RUN}
    assert len(cells) == len(told) * len(grid.vary["set"])
