"""A part of the suite for an ordinary user, who has control groups or has none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.conftest import NUMBERED
from tests.hostile.harness import WAYS, Way

FIRST_UID = 61_000
NAMES = (
    *("snooping.environment", "snooping.told_secrets", "snooping.links_in_its_upload"),
    *("snooping.processes_of_others", "snooping.files_of_others"),
    *("neighbours.signals", "neighbours.everybody", "neighbours.signals_by_file", "neighbours.ptrace"),
    *("neighbours.limits_of_others", "neighbours.descriptors_of_others"),
    *("network.every_family", "network.unix_sockets"),
    *("talking.silence", "ending.stops_everybody", "pondering.ponders_in_a_child"),
    *("pondering.sends_a_stand_in", "powers.marks_on_files"),
    *("bombs.fork_bomb", "bombs.threads", "bombs.daemon", "bombs.memory", "bombs.disk"),
    *("powers.namespaces", "powers.identity", "powers.keys", "pair"),
)
REPOSITORY = Path(__file__).parents[2]


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0, reason="the whole suite is played by an ordinary user already")
@pytest.mark.usefixtures("alone_at_a_page")
@pytest.mark.parametrize("number", NUMBERED)
def test_an_ordinary_user_can_confine_bots_too(number: int) -> None:
    """In a process of a user without rights the same bots end as they may, and leave nothing."""
    way: Way = WAYS[number]
    words = [sys.executable, "-m", "tests.hostile", way.name, *NAMES, "--user", str(FIRST_UID + number)]
    ran = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    lines = ran.stdout.splitlines()
    if lines[:1] and lines[0].startswith("skipped"):
        pytest.skip(lines[0])
    assert [line for line in lines if not line.startswith("ok ")] == []
    assert len(lines) == len(NAMES), ran.stderr
    assert ran.returncode == 0
