"""The example of a search on top of the rules, in each language: it beats `greedy`, and all play alike."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from arena.local.players import find_player
from bots.reference import command
from bots.sdk.libraries import library
from tests.unit.workers.conftest import AMPLE
from workers.core.contract import BotRef, GameSpec, MatchSpec
from workers.play.match import play_match
from workers.programs.runtimes.toolchains import tool_path
from workers.sandbox.confinement import Startable

EXAMPLES = Path(__file__).parents[5] / "docs" / "examples" / "search"
GAME = "reversed_reversi"
OPENING = ("e3", "f3")
DEEPEST = 3
"""So deep they search here, where time would decide otherwise."""
TOOLS = {"python": "python", "cpp": "g++", "javascript": "node"}


def _put_together(folder: Path, language: str) -> Startable:
    """The example with the rules beside it, as a student has it, and what starts it."""
    (source,) = (EXAMPLES / language).iterdir()
    text = source.read_text()
    assert text.count("DEEPEST = 60") == 1
    (folder / source.name).write_text(text.replace("DEEPEST = 60", f"DEEPEST = {DEEPEST}"))
    for name, data in library(GAME, language).items():
        (folder / name).write_bytes(data)
    return find_player(str(folder)).command


@cache
def _games(language: str) -> tuple[tuple[tuple[str, ...], int | None], ...]:
    """The moves of a game in either seat against `greedy`, and the seat that won."""
    played = []
    with TemporaryDirectory() as folder:
        searcher, greedy = _put_together(Path(folder), language), command("greedy")
        for seat in (0, 1):
            spec = MatchSpec(
                match="search",
                game=GameSpec(name=GAME),
                bots=(BotRef(name="one"), BotRef(name="two")),
                opening=OPENING,
                seeds=(1, 2),
                time=AMPLE,
            )
            result = play_match(spec, (searcher, greedy) if seat == 0 else (greedy, searcher))
            assert not result.forfeits
            played.append((tuple(each.move for each in result.moves), result.winner))
    return tuple(played)


@pytest.mark.parametrize("language", TOOLS)
def test_a_search_beats_greedy_alike_in_every_language(language: str) -> None:
    """It wins from either seat, and the three translations of it play the same moves."""
    if language != "python" and tool_path(TOOLS[language]) is None:
        pytest.skip(f"there is no {TOOLS[language]} here for bots")
    games = _games(language)
    assert [winner for _, winner in games] == [0, 1]
    assert games == _games("python")
