"""Experiments on real processes: on one worker, on three, with every part killed once, and played here."""

from __future__ import annotations

from typing import Any

import pytest

from arena.client.http import ArenaClient
from arena.theory.statistics.stopping import stop_at
from bots.reference.pack import archive
from tests.acceptance.conftest import Arena, MakeArena, eventually
from workers.simulation.contract import SimulationSpec, Tally
from workers.simulation.runner import Totals, simulate

HALF_WIDTH = 0.003
MANY: dict[str, Any] = {
    "game": "reversed_reversi",
    "params": {"size": 4},
    "first": "random",
    "second": "random",
    "games": 150_000,
    "seed": 11,
    "swap": True,
    "openings": 4,
    "opening_plies": 2,
    "chunk": 1000,
    "stop_when_ci": HALF_WIDTH,
}
BOTS: dict[str, Any] = {
    "game": "reversed_reversi",
    "params": {"size": 4},
    "first": "bot:greedy",
    "second": "random",
    "games": 24,
    "seed": 5,
    "swap": True,
    "openings": 3,
    "opening_plies": 2,
    "record_games": True,
}


def begin(client: ArenaClient) -> None:
    """Submit the bot that plays along, and have both experiments played."""
    client.submit("greedy", "greedy.zip", archive("greedy"))
    assert client.await_check("greedy", 1)["state"] == "passed"
    client.create_experiment(MANY)
    client.create_experiment(BOTS)


def recorded(client: ArenaClient) -> int:
    """How many games of the first experiment are recorded."""
    return int(client.experiment(1)["recorded"])


def results(arena: Arena) -> tuple[dict[str, Any], dict[str, Any], bytes]:
    """What both experiments came to, once they are finished, and the games of the second."""
    with arena.client() as client:
        for number in (1, 2):
            eventually(lambda number=number: client.experiment(number)["state"] != "running")  # type: ignore[misc]
        first, second = client.experiment_results(1), client.experiment_results(2)
        games = b"".join(client.export_experiment(2, "jsonl"))
    assert first["state"] == second["state"] == "finished"
    return first, second, games


def played_here(result: dict[str, Any]) -> Totals:
    """What the same simulation comes to in this process."""
    spec = SimulationSpec.model_validate(result["result"]["spec"])
    return simulate(spec, jobs=2, stop=stop_at(spec, HALF_WIDTH), plain=True)


@pytest.mark.long
def test_workers_kills_and_chunks_change_no_number(make_arena: MakeArena) -> None:
    """One worker, and three with every part killed in the middle, come to what one process comes to."""
    arena = make_arena(1)
    with arena.client() as client:
        begin(client)
    calm = results(arena)
    arena.down()

    arena = make_arena(3)
    with arena.client() as client:
        begin(client)
        for part in ("worker-1", "valkey", "recorder", "coordinator"):
            goal = recorded(client) + 4000
            eventually(lambda goal=goal: recorded(client) >= goal)  # type: ignore[misc]
            assert client.experiment(1)["state"] == "running", "everything is killed in the middle of it"
            arena.kill(part)
    wild = results(arena)

    here = played_here(calm[0])
    assert here.stopped
    assert 20_000 < here.tally.games < MANY["games"]
    for first, second, games in (calm, wild):
        assert Tally.model_validate(first["result"]["tally"]) == here.tally
        assert first["stopped"]
        assert (second["result"], games) == (calm[1]["result"], calm[2])
    assert len(calm[2].splitlines()) == BOTS["games"]


def test_the_command_line_tells_the_same_of_both_places(make_arena: MakeArena) -> None:
    """`arena simulate` prints the same numbers for games on the workers and for games played here."""
    arena = make_arena(2)
    words = ("circle_nim", "--rows", "3", "--first", "algo1:50", "--second", "random", "-n", "20000")
    told = [arena.json("simulate", *words, "--seed", "2", "--on", place) for place in ("here", "workers")]
    for each in told:
        assert each.pop("run")["games"] == 20_000
    assert told[0] == told[1]
    listed = arena.json("experiment", "list")["experiments"]
    assert [(each["state"], each["done"]) for each in listed] == [("finished", 20_000)]
    assert str(told[0]["tally"]["plies"] / 20_000)[:6] in str(arena.json("experiment", "show", "1"))
