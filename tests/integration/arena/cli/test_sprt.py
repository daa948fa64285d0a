"""`arena match sprt` and `arena simulate --sprt`, with a state folder of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api

__all__ = ["api"]

WORDS = ("random", "random", "--game", "heap_nim", "--elo0", "0", "--elo1", "80", "--seed", "5")


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def test_a_test_is_played_until_it_is_decided(run: Run) -> None:
    """The JSON document has the test, its counts, ratio and verdict; both words and jobs tell the same."""
    ran = run("match", "sprt", *WORDS, "--json")
    assert ran.code == 0, ran.err
    told = ran.json()
    test = told["sprt"]
    assert (test["elo0"], test["elo1"], test["model"], test["scale"]) == (0, 80, "pentanomial", "logistic")
    assert (told["stopped"], test["verdict"]) == (True, "elo0" if test["llr"] < 0 else "elo1")
    assert abs(test["llr"]) >= test["bounds"][1]
    assert 2 * sum(test["counts"]) == told["games"]
    assert test["counts"] == told["tally"]["pairs"]
    again = run("match", "sprt", *WORDS, "--jobs", "2")
    assert f"{test['llr']:+.3f}" in again.out
    assert "Elo is accepted" in again.out
    assert "--openings" in again.err


def test_it_is_given_up_after_so_many_pairs(run: Run) -> None:
    """Without a decision the games that were allowed are played, and the test says that it is open."""
    ran = run("match", "sprt", *WORDS, "--max-pairs", "3", "--model", "trinomial", "--elo", "normalized")
    assert ran.code == 0
    assert "not decided" in ran.out
    assert "losses, draws and wins" in ran.out


def test_a_simulation_can_end_by_a_test(run: Run) -> None:
    """`arena simulate --sprt` asks the same test as `arena match sprt`."""
    words = ("--first", "random", "--second", "random", "--games", "100000", "--seed", "5", "--swap")
    ran = run("simulate", "heap_nim", *words, "--sprt", "0,80", "--json")
    assert ran.json()["sprt"] == run("match", "sprt", *WORDS, "--json").json()["sprt"]


def test_the_workers_are_given_the_test(run: Run, api: FakeApi) -> None:
    """With --on workers the plan of the experiment has the test, pairs and seats exchanged."""
    run("match", "sprt", *WORDS, "--on", "workers", "--look", "4", "--max-pairs", "700")
    sent = api.sent(0)
    assert sent["sprt"] == {
        "elo0": 0,
        "elo1": 80,
        "alpha": 0.05,
        "beta": 0.05,
        "model": "pentanomial",
        "elo": "logistic",
        "look": 4,
    }
    assert (sent["swap"], sent["games"]) == (True, 1400)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("match", "sprt", "random", "random", "--elo0", "9", "--elo1", "3"), "elo0 is less"),
        (("match", "sprt", "random", "random", "--alpha", "0.7"), "--alpha"),
        (("match", "sprt", "random", "random", "--on", "workers", "--jobs", "2"), "--jobs"),
        (("simulate", "heap_nim", "--sprt", "0,5"), "add --swap"),
        (("simulate", "heap_nim", "--swap", "--sprt", "5"), "two numbers"),
        (("simulate", "heap_nim", "--swap", "--model", "trinomial"), "--model only say how --sprt tests"),
        (("simulate", "heap_nim", "--opening-plies", "3"), "add --openings N"),
        (("simulate", "heap_nim", "--swap", "--sprt", "0,5", "--stop-when-ci", "0.1"), "not by both"),
    ],
)
def test_impossible_tests_are_usage_errors(run: Run, words: tuple[str, ...], says: str) -> None:
    """What cannot be asked exits with 2 and says why."""
    more = ("--first", "random", "--second", "random", "--games", "10") if words[0] == "simulate" else ()
    ran = run(*words, *more)
    assert ran.code == 2
    assert says in ran.err
