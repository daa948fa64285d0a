"""Experiments from the command line, against a fake of the arena's API."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from arena.experiments.simulations import summarise
from arena.schemas.experiments import ExperimentOut, ExperimentResults
from tests.integration.arena.lab import SPEC, whole
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, page, problem, sample
from workers.simulation.contract import Tally

__all__ = ["api"]

EXPERIMENTS = "POST", "/experiments"
ONE = "GET", "/experiments/1"
SIMULATE = ("simulate", "heap_nim", "--heaps", "1,2,3", "--first", "random", "--second", "xor")
RUN = (*SIMULATE, "--games", "100", "--seed", "3", "--swap")


def experiment(state: str, done: int, trouble: str | None = None) -> dict[str, Any]:
    """An experiment as the API tells it."""
    tally = whole(SPEC.model_copy(update={"games": done})).tally if done else Tally()
    return sample(
        ExperimentOut,
        id=1,
        state=state,
        game=SPEC.game,
        players=SPEC.players,
        games=100,
        done=done,
        recorded=done,
        started_at="2030-01-01T00:00:00Z",
        finished_at="2030-01-01T00:00:02.500000Z",
        result=summarise(SPEC, tally),
        staff={"lost": 0, "refused": 0, "trouble": trouble},
    )


def results(done: int) -> dict[str, Any]:
    """Its results."""
    tally = whole(SPEC.model_copy(update={"games": done})).tally
    return sample(ExperimentResults, id=1, result=summarise(SPEC, tally))


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.client.http.time.sleep", lambda _: None)


def test_a_simulation_on_workers_prints_what_one_here_does(run: Run, api: FakeApi) -> None:
    """The plan goes to the arena, and what comes back is told just as if it had been played here."""
    api.answers[EXPERIMENTS] = experiment("running", 0)
    api.answers[ONE] = [experiment("running", 40), experiment("finished", 100)]
    api.answers["GET", "/experiments/1/results"] = results(100)
    there = run(*RUN, "--on", "workers", "--chunk", "20", "--json")
    assert there.code == 0, there.err
    sent = api.sent(0)
    assert (sent["game"], sent["params"]["heaps"], sent["first"]) == ("heap_nim", [1, 2, 3], "random")
    assert (sent["games"], sent["seed"], sent["swap"], sent["chunk"]) == (100, 3, True, 20)
    here = run(*RUN, "--json", "--jobs", "1", "--fresh").json()
    assert there.json()["run"].pop("seconds") == 2.5
    assert {key: value for key, value in there.json().items() if key != "run"} == {
        key: value for key, value in here.items() if key != "run"
    }
    assert "experiment 1" in there.err
    assert "40 of 100" in there.err


@pytest.mark.parametrize(
    ("state", "trouble", "says"),
    [
        ("cancelled", None, "experiment 1 is cancelled: 40 of 100 games"),
        ("failed", "host: no memory", "experiment 1 is failed: 40 of 100 games; host: no memory"),
    ],
)
def test_what_does_not_finish_is_a_failure(
    run: Run, api: FakeApi, state: str, trouble: str | None, says: str
) -> None:
    """Exit code 1, with how far it came and why it ended."""
    api.answers[EXPERIMENTS] = experiment("running", 0)
    api.answers[ONE] = experiment(state, 40, trouble)
    ran = run(*RUN, "--on", "workers")
    assert (ran.code, ran.out) == (1, "")
    assert says in ran.err
    ran = run("experiment", "watch", "1", "--json")
    assert (ran.code, ran.json()["done"]) == (1, 40)
    assert says in ran.err


def test_an_interrupt_only_stops_watching(run: Run, api: FakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C leaves the experiment alone, and says how to see it again and how to end it."""

    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.client.http.time.sleep", interrupted)
    api.answers[EXPERIMENTS] = experiment("running", 0)
    api.answers[ONE] = experiment("running", 40)
    ran = run(*RUN, "--on", "workers")
    assert ran.code == 1
    assert "arena experiment cancel 1" in ran.err
    assert "arena experiment watch 1" in ran.err
    assert [request.method for request in api.asked] == ["POST", "GET"]


def test_a_plan_that_is_refused_is_a_wrong_input(run: Run, api: FakeApi) -> None:
    """The arena's own words go to standard error, with exit code 2; what is wrong here is not even sent."""
    api.answers[EXPERIMENTS] = problem(422, "no such bot")
    ran = run(*SIMULATE[:-1], "bot:nobody", "--games", "10", "--on", "workers")
    assert (ran.code, ran.err) == (2, "arena: no such bot\n")
    assert run("simulate", "circle_nim", "--rows", "13", *RUN[4:], "--on", "workers").code == 2
    assert len(api.asked) == 1


def test_experiments_are_listed_shown_and_cancelled(run: Run, api: FakeApi) -> None:
    """Each command prints for people, and the API's own document with --json."""
    api.answers["GET", "/experiments"] = page(experiment("running", 40))
    api.answers[ONE] = experiment("running", 40)
    api.answers["POST", "/experiments/1/cancel"] = experiment("cancelled", 40)
    listed = run("experiment", "list").out
    assert "heap_nim" in listed
    assert "xor" in listed
    assert run("experiment", "list", "--json").json()["experiments"][0]["id"] == 1
    shown = run("experiment", "show", "1").out
    assert shown.startswith("experiment 1 is running: 40 of 100 games\n")
    wins = whole(SPEC.model_copy(update={"games": 40})).tally.wins_draws_losses[0]
    assert f"{wins / 40:.3%}".replace("%", " %") in shown
    assert run("experiment", "cancel", "1", "--yes").out == "experiment 1 is cancelled: 40 of 100 games\n"


def test_nothing_is_told_of_no_games(run: Run, api: FakeApi) -> None:
    """Before the first game there are no shares to print."""
    api.answers[ONE] = experiment("running", 0)
    assert run("experiment", "show", "1").out == "experiment 1 is running: 0 of 100 games\n"


def test_an_export_goes_to_a_file_as_a_whole(run: Run, api: FakeApi) -> None:
    """The format is asked for, and the file's size is told."""
    api.answers["GET", "/experiments/1/export"] = httpx2.Response(200, text="a line\n")
    assert run("experiment", "export", "1", "--format", "jsonl").out == "a line\n"
    assert api.asked[-1].url.params["format"] == "jsonl"
    told = run("experiment", "export", "1", "-o", "out.csv", "--json").json()
    assert told == {"experiment": 1, "format": "csv", "file": "out.csv", "bytes": 7}
    assert run("experiment", "export", "1", "--json").code == 2
