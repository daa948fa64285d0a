"""A PC of a laboratory that plays false is found out, and purged, in the midst of a tournament."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.acceptance import league
from tests.acceptance.conftest import eventually
from tests.chaos import hosts
from tests.chaos.stages import services

pytestmark = pytest.mark.long
FALSE = """\
import workers.play.match as match

play = match.play_match


def play_otherwise(spec, *rest, **more):
    return play(spec.model_copy(update={"seeds": (1, 2)}), *rest, **more)


match.play_match = play_otherwise
"""
"""Has a worker's bots play by other seeds than they are to: what comes of it is legal, and another game."""
ENOUGH = 3


def test_a_host_that_plays_false_is_found_and_purged(tmp_path: Path) -> None:
    """Its games are told apart by those of a trusted host; purged, what it played is played again and right.

    It goes on taking matches, which come to nothing.
    """
    false = tmp_path / "false"
    false.mkdir()
    (false / "sitecustomize.py").write_text(FALSE)
    with (
        services(tmp_path, league.FEW, repeat_share=1.0, PYTHONPATH=str(false)) as stage,
        stage.arena.client() as client,
    ):
        eventually(lambda: hosts.NAME in (each.name for each in client.workers()))
        eventually(lambda: client.worker(hosts.NAME).repeats.different >= ENOUGH)
        shown = client.worker(hosts.NAME).repeats
        assert {(each.tournament, each.counts) for each in shown.telling} == {(stage.name, True)}
        stage.arena.command("worker", "purge", hosts.NAME, "--reason", "plays false", "--yes")
        assert {each.counts for each in client.worker(hosts.NAME).repeats.telling} == {False}
        stage.comes_to_its_end()
