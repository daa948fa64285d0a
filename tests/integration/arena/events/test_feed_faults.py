"""The feed where something fails or goes away: nobody misses anything."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
import redis
from sqlalchemy.exc import OperationalError

from arena.coordinator.messages import Message
from arena.events import feed
from arena.events.channels import Scope
from arena.events.feed import Feed
from arena.store import event_log as store
from arena.store import freezes
from arena.store.event_log import LoggedEvent
from tests.integration.arena.events.following import (
    ARENA,
    PATIENCE_SECONDS,
    Announce,
    Follower,
    Run,
    Server,
    moves_of,
)
from tests.integration.arena.world import World, issue_matches
from workers.core.live import place


def test_a_lost_word_is_made_good(run: Run, announce: Announce, monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody rang for is told at the next look."""
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.1)

    async def scenario(made: Feed) -> None:
        follower = Follower(made.follow(ARENA, None))
        await follower.present()
        announce("unheard", quietly=True)
        assert (await follower.next())[2]["data"] == {"text": "unheard"}
        await follower.close()

    run(scenario)


class _SilentBell:
    """Never rings."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def heard(self, seconds: float) -> bool:
        del seconds
        self.asked.set()
        return await asyncio.Event().wait()

    async def close(self) -> None:
        """Nothing is open."""


def test_nobody_misses_what_was_read_as_another_one_went(
    run: Run, announce: Announce, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader who goes while the log is read on its account takes no event from the others."""

    async def scenario(made: Feed) -> None:
        monkeypatch.setattr(made, "_bell", bell := _SilentBell())
        witness = Follower(made.follow(ARENA, None))
        await witness.present()
        await asyncio.wait_for(bell.asked.wait(), PATIENCE_SECONDS)
        announce("one", quietly=True)
        reading, go_on, read = asyncio.Event(), threading.Event(), made._log.read
        loop = asyncio.get_running_loop()

        def slowly(limit: int) -> list[LoggedEvent]:
            found = read(limit)
            loop.call_soon_threadsafe(reading.set)
            assert go_on.wait(PATIENCE_SECONDS)
            return found

        monkeypatch.setattr(made._log, "read", slowly)
        rude = [asyncio.create_task(Follower(made.follow(ARENA, 10**9)).next()) for _ in range(3)]
        await asyncio.wait_for(reading.wait(), PATIENCE_SECONDS)
        for each in rude:
            each.cancel()
        await asyncio.wait(rude)
        go_on.set()
        assert (await witness.next())[2]["data"] == {"text": "one"}
        await witness.close()

    run(scenario)


@pytest.mark.parametrize("error", [OperationalError("progress", {}, Exception("gone away")), MemoryError()])
def test_nobody_misses_what_was_read_as_the_database_failed(
    run: Run, announce: Announce, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """What was read and not told, as the next question was not answered, is told at the next look."""
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.1)

    async def scenario(made: Feed) -> None:
        follower = Follower(made.follow(ARENA, None))
        begun = await follower.present()
        _fail_once(monkeypatch, "progress", lambda: made._log.position > begun, error=error)
        announce("one")
        assert (await follower.next())[2]["data"] == {"text": "one"}
        await follower.close()

    run(scenario)


def test_who_was_told_a_part_comes_back_for_the_rest(
    run: Run, announce: Announce, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is no memory to tell what was read, readers go, and find it when they come back."""
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.1)

    async def scenario(made: Feed) -> None:
        follower = Follower(made.follow(ARENA, None))
        begun = await follower.present()
        _fail_once(monkeypatch, "tell", lambda: True, of=feed, error=MemoryError())
        announce("one")
        with pytest.raises(StopAsyncIteration):
            await follower.next()
        again = Follower(made.follow(ARENA, begun))
        assert (await again.next())[2]["data"] == {"text": "one"}
        await again.present()
        announce("two")
        assert (await again.next())[2]["data"] == {"text": "two"}
        await again.close()

    run(scenario)


def _given_out(world: World) -> tuple[Message, Scope]:
    """A match that a worker may take, and what its spectators follow."""
    world.tournament(bots=2)
    with world.database.transaction() as session:
        (message,) = issue_matches(session, world.settings)
    return message, Scope(world.match().tournament_id, world.match().id, moves=True, staff=False)


def test_moves_are_told_although_the_database_failed(
    world: World, server: Server, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which matches are played is asked again until the database answers."""
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.1)
    message, scope = _given_out(world)

    async def scenario(made: Feed) -> None:
        follower = Follower(made.follow(scope, None))
        await follower.present()
        _fail_once(monkeypatch, "running", lambda: True)
        world.heartbeat(message)
        with redis.Redis(unix_socket_path=str(server[0])) as broker:
            broker.set(place(message.token), moves_of("a1"))
        assert [move["move"] for move in (await follower.of_kind("moves"))["moves"]] == ["a1"]
        await follower.close()

    run(scenario)


@pytest.mark.parametrize("error", [OperationalError("hiding", {}, Exception("gone away")), MemoryError()])
def test_no_moves_are_lost_as_the_database_failed(
    world: World, server: Server, run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Moves that were read as the database did not say whether they are hidden are told when it does."""
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.1)
    message, scope = _given_out(world)
    world.heartbeat(message)

    async def scenario(made: Feed) -> None:
        follower = Follower(made.follow(scope, None))
        await follower.present()
        _fail_once(monkeypatch, "hiding", lambda: True, of=freezes, error=error)
        with redis.Redis(unix_socket_path=str(server[0])) as broker:
            broker.set(place(message.token), moves_of("a1"))
        told = await follower.of_kind("moves")
        assert [(move["ply"], move["move"]) for move in told["moves"]] == [(0, "a1")]
        await follower.close()

    run(scenario)


def _fail_once(
    monkeypatch: pytest.MonkeyPatch,
    question: str,
    when: Callable[[], bool],
    of: ModuleType = store,
    error: Exception | None = None,
) -> None:
    """Have what answers a question of the feed's fail once, when it is time, as the database is away say."""
    answer, failed = getattr(of, question), threading.Event()

    def ask(*arguments: Any) -> Any:
        if when() and not failed.is_set():
            failed.set()
            raise error or OperationalError(question, {}, Exception("gone away"))
        return answer(*arguments)

    monkeypatch.setattr(of, question, ask)
