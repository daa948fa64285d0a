"""A player learned on real processes: by one worker, by four with every part killed, and here."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from arena.client.errors import ClientError
from arena.client.http import ArenaClient
from arena.local.trained import CHECKPOINT, CURVE, RECIPE, WEIGHTS
from tests.acceptance.conftest import IMPATIENT, MakeArena, eventually

pytestmark = pytest.mark.long

ROUNDS = [
    {"games": 1500, "depth": 4, "solved": 4, "steps": 20},
    {"games": 2000, "depth": 4, "solved": 4, "steps": 20},
]
SHORT = ("300:2:4:20", "500:2:4:20")
PLAN: dict[str, Any] = {"game": "reversed_reversi", "params": {"size": 4}, "seed": 3, "rounds": ROUNDS}


def words(*rounds: str) -> tuple[str, ...]:
    """The command line of a plan on 4 by 4 squares."""
    return "train", "reversed_reversi", "--size", "4", "--seed", "3", "--rounds", ",".join(rounds)


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of what follows from a plan."""
    return {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in (WEIGHTS, RECIPE, CURVE)
    }


def is_in_the_midst(client: ArenaClient, number: int) -> bool:
    """Whether a training, once more of it is done, is running still."""

    def done() -> int:
        standing, curve = client.training(number).standing, len(client.training(number).curve)
        return 10000 * curve + 3000 * ["games", "stage", "points"].index(standing.part) + standing.done

    goal = done() + 1
    eventually(lambda: done() >= goal or client.training(number).state != "running")
    return client.training(number).state == "running"


def finished(client: ArenaClient, number: int) -> None:
    """Wait for its end."""
    eventually(lambda: client.training(number).state != "running")
    training = client.training(number)
    assert training.state == "finished", training.staff


def test_a_worker_learns_what_is_learned_here(make_arena: MakeArena, tmp_path: Path) -> None:
    """The command line waits for it and writes the same files as here; a checkpoint is gone on with here."""
    arena = make_arena(1)
    here, there, again = tmp_path / "here", tmp_path / "there", tmp_path / "again"
    told = arena.json(*words(*SHORT), "--jobs", "1", "--out", str(here))
    taught = arena.json(*words(*SHORT), "--on", "workers", "--out", str(there))
    assert (taught["weights"], taught["curve"]) == (told["weights"], told["curve"])
    assert digests(there) == digests(here)
    assert arena.json(*words(*SHORT), "--out", str(there))["weights"] == told["weights"]
    exported = arena.json("trainings", "export", "1", "--out", str(again))
    assert exported["weights"] == told["weights"]
    for name in (WEIGHTS, RECIPE, CURVE):
        (again / name).unlink()
    checkpoint = again / CHECKPOINT
    checkpoint.write_bytes(checkpoint.read_bytes()[: checkpoint.stat().st_size // 2])
    assert arena.json(*words(*SHORT), "--jobs", "1", "--out", str(again))["weights"] == told["weights"]
    assert digests(again) == digests(here)


def test_workers_and_kills_change_nothing(make_arena: MakeArena, tmp_path: Path) -> None:
    """One worker, and four with every part killed: the SHA-256 of the run here."""
    rounds = tuple(":".join(str(number) for number in each.values()) for each in ROUNDS)
    arena = make_arena(1)
    arena.json(*words(*rounds), "--jobs", "2", "--out", str(tmp_path / "here"))
    with arena.client() as client:
        finished(client, client.create_training(PLAN).id)
    arena.json("trainings", "export", "1", "--out", str(tmp_path / "calm"))
    assert digests(tmp_path / "calm") == digests(tmp_path / "here")
    arena.down()

    arena = make_arena(4, **IMPATIENT)
    with arena.client() as client:
        numbers = [client.create_training(PLAN).id]
        for part in ("worker-1", "coordinator", "recorder", "api", "valkey", "worker-3"):
            while not is_in_the_midst(client, numbers[-1]):
                numbers.append(client.create_training(PLAN).id)
            arena.kill(part)
            eventually(lambda: answers(client))
        for number in numbers:
            finished(client, number)
    for number in numbers:
        folder = tmp_path / str(number)
        arena.json("trainings", "export", str(number), "--out", str(folder))
        assert digests(folder) == digests(tmp_path / "here")


def answers(client: ArenaClient) -> bool:
    """Whether the arena answers, as it does again after its API was killed."""
    try:
        client.training(1)
    except ClientError:
        return False
    return True
