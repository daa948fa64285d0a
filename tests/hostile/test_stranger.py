"""Another account of the host learns nothing of bots and builds, and cannot become their user."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.conftest import NUMBERED
from tests.hostile.harness import WAYS, Site, Way
from tests.hostile.host import look, own_scratch
from tests.hostile.stranger import Stranger
from tests.hostile.workshop import check_stranger, stored

FIRST_UID = 61_500
REPOSITORY = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")


def test_a_stranger_gets_nowhere_where_root_plays(way: Way, place: Site) -> None:
    """Neither into folders of bots and builds nor into their processes, and no file would make it another."""
    bot = stored(place)
    before = look(place.uids, place.place)
    with contextlib.closing(Stranger(place.place.name, own_scratch().name)) as stranger:
        check_stranger(place, bot, way.confinement(), stranger)
    assert look(place.uids, place.place).left_since(before) == {}


@pytest.mark.parametrize("number", NUMBERED)
def test_a_stranger_gets_nowhere_where_a_user_plays(number: int) -> None:
    """The same where bots are one ordinary user's, whose rights a set-id file would give away."""
    words = [sys.executable, "-m", "tests.hostile", WAYS[number].name, "stranger"]
    ran = subprocess.run(
        [*words, "--user", str(FIRST_UID + number)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.stdout.startswith("skipped"):
        pytest.skip(ran.stdout)
    assert (ran.stdout, ran.returncode) == ("ok stranger: plays\n", 0), ran.stderr
