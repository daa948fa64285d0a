"""A bot that computes with NumPy, from building the environment to recorded games."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest

from arena.client.errors import RefusedError
from arena.client.http import ArenaClient
from bots.reference.pack import archive
from tests.acceptance.conftest import Arena, MakeArena, eventually
from tests.integration.workers.programs.test_environments import NUMPY_BOT
from tests.packages import Shelf, numpy_wheel, shelf, wheel

pytestmark = pytest.mark.long

__all__ = ["shelf"]

PLAN: dict[str, Any] = {
    "name": "numeric",
    "game": "reversed_reversi",
    "params": {"size": 4},
    "format": "double_round_robin",
    "time": {"move_ms": 20_000, "extensions": 1, "extension_ms": 40_000, "startup_ms": 120_000},
}


def _bot(environment: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("main.py", NUMPY_BOT)
        packed.writestr("bot.toml", f'environment = "{environment}"\n')
    return buffer.getvalue()


def test_a_bot_that_computes_with_numpy_is_checked_and_plays(make_arena: MakeArena, shelf: Shelf) -> None:
    """Its games are recorded; other packages of the name are played with once they are chosen."""
    first = shelf.build("numpy", numpy_wheel(shelf.wheels))
    arena = make_arena(1, ARENA_ENVIRONMENTS_DIR=str(shelf.environments))
    assert f"numpy: {first.told}" in arena.command("doctor", check=False).stdout
    with arena.client() as staff:
        eventually(lambda: [each.hosts for each in staff.environments()] == [1])
        with pytest.raises(RefusedError, match="no environment 'scipy' for Python bots; it has numpy"):
            staff.submit("other", "other.zip", _bot("scipy"))
        staff.submit("numeric", "numeric.zip", _bot("numpy"))
        staff.submit("random", "random.zip", archive("random"))
        checked = staff.await_check("numeric", 1)
        assert (checked.state, checked.report and first.digest in checked.report.toolchain) == (
            "passed",
            True,
        )
        assert staff.await_check("random", 1).state == "passed"
        _play(staff, "numeric")
        wheel(shelf.wheels, "tiny", "1.0", {"tiny.py": ""})
        second = shelf.build("numpy", *first.packages, "tiny==1.0")
        arena.kill("worker-1")
        eventually(lambda: [[*each.others] for each in staff.environments()] == [[second.digest]])
        assert _choose(arena, second.digest) == second.told
        _play(staff, "again")


def _choose(arena: Arena, digest: str) -> str:
    return str(arena.json("env", "choose", "numpy", digest)["packages"])


def _play(staff: ArenaClient, name: str) -> None:
    """Play and record a tournament in which nobody forfeits."""
    staff.create_tournament(PLAN | {"name": name})
    staff.change(name, "open")
    for bot in ("numeric", "random"):
        staff.enter(name, bot)
    staff.change(name, "start")
    eventually(lambda: staff.tournament(name).state == "finished")
    board = staff.leaderboard(name).items
    assert [(row.forfeits, row.played) for row in board] == [(0, 2), (0, 2)]
