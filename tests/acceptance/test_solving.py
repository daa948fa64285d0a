"""A game solved on real processes: by one worker, by four with every part killed, and by processes here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.client.http import ArenaClient
from arena.schemas.solves import SolveOut
from tests.acceptance.conftest import IMPATIENT, Arena, MakeArena, eventually

pytestmark = pytest.mark.long

WORDS = ("reversed_reversi", "--size", "4")
VALUE = 3
PLAN: dict[str, Any] = {"game": "reversed_reversi", "params": {"size": 4}, "frontier": 4, "memory_mb": 1}
RECTANGLE: dict[str, Any] = {"params": {"size": 4, "rows": 6}, "frontier": 11}
LATE: dict[str, Any] = {
    "params": {"size": 6, "reversed": False},
    "position": {"board": [".X..O.", ".OOOOX", "..OOO.", "..XXX.", ".X.X..", "....X."], "to_move": "X"},
    "frontier": 16,
}
"""One of a game at random, with 20 empty squares."""


def solved(client: ArenaClient, number: int) -> SolveOut:
    """A solve, once it is over."""
    eventually(lambda: client.solve(number).state != "running")
    solve = client.solve(number)
    assert solve.state == "finished", solve.staff
    return solve


def verified(arena: Arena, number: int, file: Path) -> dict[str, Any]:
    """What the proof of a solve shows, all of its leaves solved again."""
    arena.command("solves", "proof", str(number), "-o", str(file))
    shown: dict[str, Any] = arena.json("solve", "verify", str(file), "--all")
    return shown


def is_in_the_midst(client: ArenaClient, number: int) -> bool:
    """Whether a solve, once more is known of it, is running still."""
    goal = client.solve(number).answers + 1
    eventually(lambda: client.solve(number).answers >= goal or client.solve(number).state != "running")
    return client.solve(number).state == "running"


def kill_in_the_midst(arena: Arena, client: ArenaClient, plan: dict[str, Any]) -> list[int]:
    """Kill every part while a solve is running; a slow test begins another where it is over.

    The numbers of all that were begun.
    """
    numbers = [client.create_solve(plan).id]
    for part in ("worker-1", "coordinator", "recorder", "valkey"):
        while not is_in_the_midst(client, numbers[-1]):
            numbers.append(client.create_solve(plan).id)
        arena.kill(part)
    return numbers


def test_a_worker_solves_what_is_solved_here(make_arena: MakeArena, tmp_path: Path) -> None:
    """The command line waits for the same value and moves as here, and keeps a proof that holds."""
    arena = make_arena(1)
    here = arena.json("solve", *WORDS, "--jobs", "1")
    proof = tmp_path / "proof.gz"
    there = arena.json("solve", *WORDS, "--on", "workers", "--wait", "--proof", str(proof))
    assert (there["state"], there["value"], there["moves"]) == ("finished", here["value"], here["moves"])
    assert here["value"] == VALUE
    assert arena.json("solve", "verify", str(proof), "--all", "--plain")["value"] == VALUE
    checkpoint = tmp_path / "reversi.bounds"
    arena.command("solves", "checkpoint", "1", "-o", str(checkpoint))
    again = arena.json("solve", *WORDS, "--jobs", "1", "--checkpoint", str(checkpoint))
    assert (again["value"], again["moves"]) == (here["value"], here["moves"])


@pytest.mark.parametrize(
    ("changes", "value"), [({}, VALUE), (RECTANGLE, 0), (LATE, 14)], ids=["4x4", "4x6", "6x6"]
)
def test_workers_cuts_and_kills_change_nothing(
    make_arena: MakeArena, tmp_path: Path, changes: dict[str, Any], value: int
) -> None:
    """One worker, and four with another cut and every part killed: one value, the same moves, proofs hold."""
    plan = PLAN | changes
    arena = make_arena(1)
    with arena.client() as client:
        calm = solved(client, client.create_solve(plan | {"frontier": plan["frontier"] + 2}).id)
    shown = verified(arena, calm.id, tmp_path / "calm")
    assert (shown["value"], shown["position"]) == (calm.value, calm.position) == (value, plan.get("position"))
    arena.down()

    arena = make_arena(4, **IMPATIENT)
    with arena.client() as client:
        numbers = kill_in_the_midst(arena, client, plan)
        found = [solved(client, number) for number in numbers]
    assert {each.value for each in found} == {value}
    assert all(each.moves == calm.moves for each in found)
    for number in numbers:
        shown = verified(arena, number, tmp_path / str(number))
        assert (shown["value"], shown["position"]) == (value, calm.position)
