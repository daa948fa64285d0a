"""What a follower of the feed may not: read too slowly, for too long, or as one too many."""

from __future__ import annotations

import asyncio

import pytest

from arena.core.errors import UnavailableError
from arena.events import channels, feed
from arena.events.channels import TooSlowError
from arena.events.feed import Feed
from arena.store import events
from arena.store.models.account_events import TokenRevoked
from tests.integration.arena.events.following import (
    ARENA,
    Announce,
    Follower,
    Run,
)
from tests.integration.arena.world import World


@pytest.mark.parametrize("after", [None, 0])
def test_a_stream_ends_in_time_whatever_there_is_to_read(
    run: Run,
    announce: Announce,
    monkeypatch: pytest.MonkeyPatch,
    after: int | None,
) -> None:
    """Whoever is trusted for a while is told no more afterwards, even where much waits to be told."""
    monkeypatch.setattr(feed, "BATCH", 1)
    monkeypatch.setattr(channels, "CHUNK_BYTES", 1)
    announce("a", "b", "c")

    async def scenario(made: Feed) -> None:
        loop = asyncio.get_running_loop()
        slow, quick = made.follow(ARENA, after, loop.time() + 1000), Follower(made.follow(ARENA, None))
        await anext(slow)
        await quick.present()
        announce("d", "e", "f")
        if after is None:
            await anext(slow)
        assert [(await quick.next())[2]["data"]["text"] for _ in range(3)] == ["d", "e", "f"]
        with monkeypatch.context() as patch:
            now = loop.time
            patch.setattr(loop, "time", lambda: now() + 1001)
            assert [piece async for piece in slow] == []
        await quick.close()

    run(scenario)


def test_who_reads_too_slowly_is_sent_away(
    run: Run, announce: Announce, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader who falls out of what is kept is sent away, and finds all of it by its number."""
    monkeypatch.setattr(channels, "MAX_FRAMES", 2)

    async def scenario(made: Feed) -> None:
        slow, quick = made.follow(ARENA, None), Follower(made.follow(ARENA, None))
        await anext(slow)
        await quick.present()
        announce("0")
        number, _, _ = await quick.next()
        for text in "1234":
            announce(text)
            await quick.next()
        with pytest.raises(TooSlowError):
            await anext(slow)
        back = Follower(made.follow(ARENA, number))
        assert [(await back.next())[2]["data"]["text"] for _ in range(4)] == list("1234")
        await quick.close()
        await back.close()

    run(scenario)


def test_no_more_follow_than_can_be_served(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """One too many is refused, in all or from one address, and let in when another one goes."""
    monkeypatch.setattr(feed, "MAX_FOLLOWERS", 3)
    monkeypatch.setattr(feed, "MAX_OF_ONE", 2)

    async def scenario(made: Feed) -> None:
        with made.follower("school"), made.follower("school"):
            with pytest.raises(UnavailableError, match="from your address"), made.follower("school"):
                pass
            full = pytest.raises(UnavailableError, match="can serve")
            with made.follower("home"), full, made.follower("elsewhere"):
                pass
            with made.follower("elsewhere"):
                pass
        with made.follower("school"), made.follower("school"), made.follower("home"):
            pass

    run(scenario)


@pytest.mark.parametrize("after", [None, 10**6])
def test_who_sees_more_is_asked_again_when_a_right_was_taken(
    world: World, run: Run, announce: Announce, after: int | None
) -> None:
    """Streams of the staff end, also one that waits, and lose nothing when they come back; others go on."""
    staff = ARENA._replace(staff=True)

    async def scenario(made: Feed) -> None:
        public, one = Follower(made.follow(ARENA, None)), Follower(made.follow(staff, after))
        number = await one.present()
        await public.present()
        with world.database.transaction() as session:
            events.log(session, TokenRevoked("ann", 1))
        announce("after")
        assert (await public.next())[1] == "announcement"
        with pytest.raises(StopAsyncIteration):
            await one.of_kind("token.revoked")
        again = Follower(made.follow(staff, number))
        assert [(await again.next())[1] for _ in range(2)] == ["token.revoked", "announcement"]
        await again.present()
        for each in (public, again):
            await each.close()

    run(scenario)
