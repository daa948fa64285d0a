"""Checks that take long on an arena with one worker."""

from __future__ import annotations

import pytest

from arena.client.http import ArenaClient
from engines.games import GAMES
from tests.acceptance.conftest import Arena, MakeArena, eventually
from tests.acceptance.queries import query
from tests.unit.workers.conftest import PRELUDE

pytestmark = pytest.mark.long

HONEST = PRELUDE + "ready(); serve()"
SLEEPER = PRELUDE + "ready(); serve(pause=10)"
"""Its check takes three minutes a game: in all games longer than anything is waited for here."""
GAME = "heap_nim"


def is_being_checked(arena: Arena, bot: str) -> bool:
    """Whether a worker is at a check of the bot."""
    return bool(
        query(
            arena,
            "SELECT 1 FROM checks JOIN bot_versions v ON v.id = version_id JOIN bots b ON b.id = v.bot_id"
            " WHERE b.name = ? AND checks.state = 'running'",
            bot,
        )
    )


def play(client: ArenaClient, name: str) -> None:
    """A tournament of the two honest bots from its start to its end."""
    client.create_tournament({"name": name, "game": GAME, "format": "double_round_robin"})
    client.change(name, "open")
    for bot in ("honest", "other"):
        client.enter(name, bot)
    client.change(name, "start")
    eventually(lambda: client.tournament(name).state == "finished")


def test_sleeping_bots_hold_up_no_match_and_can_be_called_off(make_arena: MakeArena) -> None:
    """The only worker plays a tournament meanwhile; a cancel and a newer version free the checker."""
    arena = make_arena(1)
    client = arena.client()
    for bot in ("honest", "other"):
        client.submit(bot, "bot.py", HONEST.encode(), games=[GAME])
        assert client.await_check(bot, 1).state == "passed"
    for bot in ("first", "second", "third"):
        client.submit(bot, "bot.py", (f"# {bot}\n" + SLEEPER).encode(), games=list(GAMES))
    eventually(lambda: is_being_checked(arena, "first"))
    play(client, "beside")
    assert is_being_checked(arena, "first"), "the tournament did not wait for the check"
    assert client.cancel_check("first", 1).state == "unchecked"
    eventually(lambda: is_being_checked(arena, "second"))
    client.submit("second", "bot.py", HONEST.encode(), games=[GAME])
    superseded = client.check("second", 1)
    assert (superseded.state, superseded.trouble) == (
        "unchecked",
        "called off, for there is version 2",
    )
    eventually(lambda: is_being_checked(arena, "third"))
    arena.command("bot", "cancel", "third")
    assert client.await_check("second", 2).state == "passed"
    client.close()
