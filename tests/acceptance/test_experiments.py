"""Experiments on real processes: on one worker, on three, with every part killed once, and played here."""

from __future__ import annotations

from typing import Any

import pytest

from arena.client.http import ArenaClient
from arena.schemas.experiments import ExperimentResults
from arena.schemas.simulations import SimulationOut
from arena.theory.statistics.stopping import stop_at
from bots.reference.pack import archive
from tests.acceptance.conftest import IMPATIENT, Arena, MakeArena, eventually
from workers.simulation.runner import Totals, simulate

pytestmark = pytest.mark.long

HALF_WIDTH = 0.004
PROGRESS = 2000
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
    assert client.await_check("greedy", 1).state == "passed"
    client.create_experiment(MANY)
    client.create_experiment(BOTS)


def is_running(client: ArenaClient, number: int) -> bool:
    """Whether an experiment is not over."""
    return client.experiment(number).state == "running"


def is_in_the_midst(client: ArenaClient, number: int) -> bool:
    """Whether an experiment, once more of its games are recorded, is running still."""
    goal = client.experiment(number).recorded + PROGRESS
    eventually(lambda: client.experiment(number).recorded >= goal or not is_running(client, number))
    return is_running(client, number)


def kill_in_the_midst(arena: Arena, client: ArenaClient) -> list[int]:
    """Kill every part while the first experiment is running; a slow test begins it anew where it is over.

    The numbers of all that were begun.
    """
    numbers = [1]
    for part in ("worker-1", "valkey", "recorder", "coordinator"):
        while not is_in_the_midst(client, numbers[-1]):
            numbers.append(client.create_experiment(MANY).id)
        arena.kill(part)
    return numbers


def result(client: ArenaClient, number: int) -> ExperimentResults:
    """What an experiment came to, once it is finished."""
    eventually(lambda: not is_running(client, number))
    found = client.experiment_results(number)
    assert found.state == "finished"
    return found


def with_games(client: ArenaClient) -> tuple[SimulationOut, bytes]:
    """What the second experiment came to, and its games."""
    return result(client, 2).result, b"".join(client.export_experiment(2, "jsonl"))


def played_here(found: ExperimentResults) -> Totals:
    """What the same simulation comes to in this process."""
    spec = found.result.spec
    assert spec is not None
    return simulate(spec, jobs=2, stop=stop_at(spec, HALF_WIDTH), plain=True)


def test_workers_kills_and_chunks_change_no_number(make_arena: MakeArena) -> None:
    """One worker, and three with every part killed in the middle, come to what one process comes to."""
    arena = make_arena(1)
    with arena.client() as client:
        begin(client)
        many, calm = [result(client, 1)], with_games(client)
    arena.down()

    arena = make_arena(3, **IMPATIENT)
    with arena.client() as client:
        begin(client)
        many += [result(client, number) for number in kill_in_the_midst(arena, client)]
        assert with_games(client) == calm

    here = played_here(many[0])
    assert here.stopped
    assert 20_000 < here.tally.games < MANY["games"]
    for each in many:
        assert each.result.tally == here.tally
        assert each.stopped
    assert len(calm[1].splitlines()) == BOTS["games"]


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
