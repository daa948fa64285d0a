"""What is left when a worker is killed, and after many matches."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.hostile.__main__ import IDLE
from tests.hostile.bots.kit import CASES
from tests.hostile.harness import Site, Way
from tests.hostile.host import look, memory_mb
from tests.waiting import eventually
from workers.sandbox.kernel import PR_SET_CHILD_SUBREAPER, prctl
from workers.sandbox.levels import find_confinement

MATCHES = int(os.environ.get("HOSTILE_MATCHES", "100"))
SETTLING_SECONDS = 0.5
MAX_GROWTH_MB = 8
REPOSITORY = Path(__file__).parents[2]


@contextmanager
def worker(
    place: Site, way: Way, folder: Path, bot: str, stdout: int = subprocess.DEVNULL
) -> Iterator[subprocess.Popen[bytes]]:
    """A process of its own that plays that bot with this test's slots, and keeps its files in `folder`.

    It is killed in the end, if it is still there.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "tests.hostile", way.name, bot],
        cwd=REPOSITORY,
        env=os.environ | {"TMPDIR": str(folder), "ARENA_SLOT_UID": str(place.uids.start)},
        stdout=stdout,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_killed_worker_leaves_nothing(way: Way, place: Site) -> None:
    """The kernel ends its bots, whatever they did against it, and the next start removes the rest."""
    folder = Path(tempfile.mkdtemp(dir=place.place))
    folder.chmod(0o755)
    prctl(PR_SET_CHILD_SUBREAPER, 0)
    before = look(place.uids, place.place)
    with worker(place, way, folder, "abandoned.bots"):
        eventually(lambda: any("abandoned.bots" in line for line in bots_of(place)))
        time.sleep(SETTLING_SECONDS)
    eventually(lambda: look(place.uids, place.place).processes <= before.processes)
    with worker(place, way, folder, "honest.honest") as later:
        assert later.wait() == 0
    left = look(place.uids, place.place).left_since(before)
    own = [path for path in left.pop("files", []) if path.startswith(str(folder / "arena-bots-"))]
    shutil.rmtree(folder)
    assert (left, own) == ({}, [])


def test_a_killed_worker_leaves_none_of_what_waited_for_further_matches(way: Way, place: Site) -> None:
    """A kept process and sandboxes without a bot end with it too, and the next start removes the rest."""
    folder = Path(tempfile.mkdtemp(dir=place.place))
    folder.chmod(0o755)
    prctl(PR_SET_CHILD_SUBREAPER, 0)
    before = look(place.uids, place.place)
    with worker(place, way, folder, IDLE, stdout=subprocess.PIPE) as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline().decode().strip() == IDLE
        assert look(place.uids, place.place).processes > before.processes
    eventually(lambda: look(place.uids, place.place).processes <= before.processes)
    with worker(place, way, folder, "honest.honest") as later:
        assert later.wait() == 0
    left = look(place.uids, place.place).left_since(before)
    own = [path for path in left.pop("files", []) if path.startswith(str(folder / "arena-bots-"))]
    shutil.rmtree(folder)
    assert (left, own) == ({}, [])


def bots_of(place: Site) -> list[str]:
    """The processes of bots, without those that build a sandbox for them."""
    found = look(place.uids, place.place).processes
    return [line for line in found if "main.py" in line and "bwrap" not in line]


@pytest.mark.long
@pytest.mark.timeout(300 + 5 * MATCHES)
def test_many_matches_leave_nothing(place: Site) -> None:
    """A hundred in a row, or as many as `HOSTILE_MATCHES` says, some of them with a failing bot."""
    cases = [
        CASES[name] for name in ("honest.honest", "honest.honest", "ending.gives_up", "network.loopback")
    ]
    for case in cases * 2:
        place.play(case, find_confinement())
    before, memory = look(place.uids, place.place), memory_mb()
    for number in range(MATCHES):
        case = cases[number % len(cases)]
        assert place.play(case, find_confinement()).end in case.ends
    assert look(place.uids, place.place).left_since(before) == {}
    assert memory_mb() - memory < MAX_GROWTH_MB
