"""Bots that no interpreter slows down: bombs and dives in C, at every level of confinement."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.hostile.bots.kit import BREACH, DONE, PLAYS
from tests.hostile.harness import BOTS, LIMITS, Site, Way
from tests.hostile.host import look
from workers.sandbox.cgroups import OVERHEAD

DEEDS = {
    "forks": (LIMITS["processes"] + OVERHEAD, {PLAYS}),
    "threads": (LIMITS["processes"] + OVERHEAD, {PLAYS}),
    "shadows": (LIMITS["processes"] + OVERHEAD, {PLAYS}),
    "hare": (0, {PLAYS}),
    "memory": (LIMITS["memory_mb"], {PLAYS, "resource"}),
    "rights": (0, {PLAYS}),
    "dive": (0, {"crash"}),
    "null": (0, {"crash"}),
}
"""What each deed may get of what it takes, and how the match may end for it."""


@pytest.fixture(scope="module")
def program(place: Site) -> Path:
    """The bots of `native.c`, for this machine."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler here")
    made = place.place / "native"
    subprocess.run(
        [compiler, "-O1", "-pthread", "-o", made, BOTS / "native.c"], check=True, capture_output=True
    )
    made.chmod(0o755)
    return made


@pytest.mark.parametrize("deed", DEEDS)
def test_a_native_bot_ends_as_it_may_and_leaves_nothing(
    deed: str, way: Way, place: Site, program: Path
) -> None:
    """Each is held to its limits, and all that it started is gone after its match."""
    most, ends = DEEDS[deed]
    before = look(place.uids, place.place)
    ended = place.native((str(program), deed, str(most)), way.confinement())
    assert [line for line in ended.said.splitlines() if BREACH in line] == []
    assert ended.end in ends, ended
    assert ended.end != PLAYS or DONE in ended.said
    assert look(place.uids, place.place).left_since(before) == {}
