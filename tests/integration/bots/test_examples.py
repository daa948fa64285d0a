"""The example bots: single files that play whole games on every size without a fault."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import bots
from bots.reference import command
from tests.unit.workers.conftest import AMPLE
from workers.core.contract import BotRef, GameSpec, MatchSpec
from workers.play.match import play_match

EXAMPLES = sorted((Path(bots.__file__).parent / "examples").glob("[!_]*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.stem))
@pytest.mark.parametrize("size", [4, 10])
def test_an_example_plays_a_whole_game(path: Path, size: int) -> None:
    """On the smallest and the largest board no example forfeits against a random bot."""
    spec = MatchSpec(
        match="example",
        game=GameSpec(name="reversed_reversi", params={"size": size}),
        bots=(BotRef(name=path.stem), BotRef(name="random")),
        seeds=(1, 2),
        time=AMPLE,
    )
    result = play_match(spec, ((sys.executable, str(path)), command("random")))
    assert not result.forfeits
    assert result.seats[0].bot_name == path.stem.replace("_", "-")
