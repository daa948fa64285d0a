"""`arena experiment compare` and `arena experiment plan`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.experiments.simulations import summarise
from arena.theory.statistics.planning import games_for_half_width, games_to_detect
from tests.unit.arena.cli.conftest import Run
from tests.unit.workers.simulation.specs import spec_of
from workers.simulation.contract import Tally


def _file(path: Path, won: int, lost: int, seed: int) -> str:
    games = won + lost
    tally = Tally(games=games, results=((won, 0, lost), (0, 0, 0)), ends={"end": games})
    path.write_text(json.dumps(summarise(spec_of(games=games or 1, seed=seed), tally)))
    return str(path)


def test_two_results_are_compared(run: Run, tmp_path: Path) -> None:
    """Means, difference, interval and p-value come with the name of the test."""
    one, other = _file(tmp_path / "a.json", 520, 480, 1), _file(tmp_path / "b.json", 470, 530, 2)
    ran = run("experiment", "compare", one, other, "--json")
    assert ran.code == 0, ran.err
    told = ran.json()
    assert [each["wins"] for each in told["experiments"]] == [520, 470]
    assert told["difference"] == pytest.approx(0.05)
    assert told["p_value"] == pytest.approx(0.0253, abs=1e-4)
    assert told["interval"]["low"] < 0.05 < told["interval"]["high"]
    words = run("experiment", "compare", one, other, "--confidence", "0.9").out
    assert "p = 0.0253, two-sided; test: z (pooled variance)" in words


def test_files_of_windows_are_read_or_told_what_they_are(run: Run, tmp_path: Path) -> None:
    """A mark before UTF-8 is no part of the results, and of UTF-16 it is said who writes that."""
    one, other = _file(tmp_path / "a.json", 520, 480, 1), _file(tmp_path / "b.json", 470, 530, 2)
    text = Path(one).read_text()
    Path(one).write_text(text, encoding="utf-8-sig")
    assert run("experiment", "compare", one, other).code == 0
    Path(one).write_text(text, encoding="utf-16")
    refused = run("experiment", "compare", one, other)
    assert (refused.code, "a.json is not UTF-8 (PowerShell's > writes UTF-16" in refused.err) == (2, True)


def test_the_same_chance_is_pointed_out(run: Run, tmp_path: Path) -> None:
    """Two experiments under one seed are not independent, and whoever compares them is told."""
    one, other = _file(tmp_path / "a.json", 50, 50, 1), _file(tmp_path / "b.json", 55, 45, 1)
    ran = run("experiment", "compare", one, other)
    assert ran.code == 0
    assert "not independent" in ran.err


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"spec": {}, "tally": {}}', "null"])
def test_other_files_are_refused(run: Run, tmp_path: Path, text: str) -> None:
    """What no simulation printed is an error that says what to give."""
    good = _file(tmp_path / "good.json", 5, 5, 1)
    (tmp_path / "bad.json").write_text(text)
    ran = run("experiment", "compare", good, str(tmp_path / "bad.json"))
    assert ran.code == 2
    assert "does not hold the results" in ran.err


def test_missing_and_empty_results_are_refused(run: Run, tmp_path: Path) -> None:
    """No file, and a simulation without games."""
    good = _file(tmp_path / "good.json", 5, 5, 1)
    assert run("experiment", "compare", good, "nowhere.json").code == 2
    ran = run("experiment", "compare", _file(tmp_path / "empty.json", 0, 0, 1), good)
    assert ran.code == 2
    assert "without games" in ran.err


def test_games_are_planned(run: Run) -> None:
    """The numbers are those of the formulas, for a width and for a difference."""
    width = run("experiment", "plan", "--half-width", "0.001")
    assert width.out == f"{games_for_half_width(0.001):,} games\n"
    found = run("experiment", "plan", "--detect", "0.01", "--power", "0.8", "--draws", "0.2", "--json").json()
    assert found["games"] == games_to_detect(0.01, 0.8, 0.95, 0.5, 0.2)
    assert "in each of the two" in run("experiment", "plan", "--detect", "0.01").out


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--half-width", "0.1", "--detect", "0.1"),
        ("--half-width", "0.7"),
        ("--detect", "0"),
        ("--detect", "0.1", "--power", "1"),
        ("--half-width", "0.1", "--confidence", "95"),
        ("--half-width", "0.1", "--score", "0.9", "--draws", "0.5"),
    ],
)
def test_impossible_plans_are_refused(run: Run, words: tuple[str, ...]) -> None:
    """A plan that is impossible is refused with a reason and exit code 2."""
    ran = run("experiment", "plan", *words)
    assert ran.code == 2
    assert ran.err.startswith("arena: ")
