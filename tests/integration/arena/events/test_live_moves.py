"""The moves of matches that are being played, as followers of the feed are told."""

from __future__ import annotations

import asyncio

import pytest
import redis

from arena.events import feed, live
from arena.events.channels import Scope
from arena.events.feed import Feed
from arena.events.live import LiveReader
from arena.store.event_log import Running
from tests.integration.arena.events.following import (
    PATIENCE_SECONDS,
    Follower,
    Run,
    Server,
    moves_of,
)
from tests.integration.arena.world import World, issue_matches
from workers.core.live import place


def test_moves_are_told_while_a_match_is_played(
    world: World, server: Server, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those under the present token are told in order, also to who comes later; all others are not."""
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.1)
    name = world.tournament(bots=2)
    with world.database.transaction() as session:
        (message,) = issue_matches(session, world.settings)
    match, tournament = world.match().id, world.match().tournament_id
    broker = redis.Redis(unix_socket_path=str(server[0]))
    broker.set(place(message.token), moves_of("a1"))
    scope = Scope(tournament, match, moves=True, staff=False)

    async def scenario(made: Feed) -> None:
        follower = Follower(made.follow(scope, None))
        await follower.present()
        assert not made._live  # nobody has said that it is played
        world.heartbeat(message)
        broker.set(place("f" * 32), moves_of("z9"))
        told = await follower.of_kind("moves")
        assert (told["tournament"], told["match"], told["attempt"], told["provisional"]) == (name, 1, 1, True)
        broker.append(place(message.token), moves_of("b2", "c3")[:-3])
        assert [move["move"] for move in (await follower.of_kind("moves"))["moves"]] == ["b2"]
        broker.append(place(message.token), moves_of("b2", "c3")[-3:])
        assert [(move["ply"], move["move"]) for move in (await follower.of_kind("moves"))["moves"]] == [
            (2, "c3")
        ]
        late = Follower(made.follow(Scope(tournament, None, moves=True, staff=False), None))
        assert [move["move"] for move in (await late.of_kind("moves"))["moves"]] == ["a1", "b2", "c3"]
        broker.append(place(message.token), b"forged\n" + moves_of("d4"))
        world.record(message)
        while (told := await follower.next())[1] != "match.recorded":
            assert told[1] != "moves"
        await follower.close()
        await late.close()

    run(scenario)
    broker.close()


def test_of_many_long_matches_each_is_told_an_equal_part(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept of all together is bounded, and when one of them is over the other goes on."""
    monkeypatch.setattr(live, "MAX_TOTAL_BYTES", 2 * len(moves_of("a1", "b2", "c3")) + 4)
    matches = [Running(number, number, 1, "cup", 1, f"{number}" * 32) for number in (1, 2)]

    async def told(reader: LiveReader) -> list[list[str]]:
        await reader.news()
        await reader.news()
        return [[move.move for move in moves.moves] for _, moves in reader.so_far()]

    async def scenario() -> None:
        reader = LiveReader(f"redis+socket://{server[0]}")
        reader.watch(matches)
        assert await told(reader) == [["a1", "b2", "c3"], ["d4"]]
        reader.watch(matches[:1])
        assert await told(reader) == [["a1", "b2", "c3", "d4", "e5"]]
        await reader.close()

    with redis.Redis(unix_socket_path=str(server[0])) as broker:
        broker.set(place(matches[0].token), moves_of("a1", "b2", "c3", "d4", "e5"))
        broker.set(place(matches[1].token), moves_of("d4"))
    asyncio.run(scenario())


class _HandBell:
    """Rings when a test says so."""

    def __init__(self) -> None:
        self.awaited, self._rung = asyncio.Event(), asyncio.Event()

    async def heard(self, seconds: float) -> bool:
        del seconds
        self.awaited.set()
        await self._rung.wait()
        self._rung.clear()
        return True

    def ring(self) -> None:
        self._rung.set()

    async def close(self) -> None:
        """Nothing is open."""


def test_moves_are_told_from_the_word_on_that_a_match_is_played(
    world: World, server: Server, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever followed the match before need not wait until something else happens."""
    world.tournament(bots=2)
    with world.database.transaction() as session:
        (message,) = issue_matches(session, world.settings)
    scope = Scope(world.match().tournament_id, world.match().id, moves=True, staff=False)

    async def scenario(made: Feed) -> None:
        monkeypatch.setattr(made, "_bell", bell := _HandBell())
        follower = Follower(made.follow(scope, None))
        await follower.present()
        await asyncio.wait_for(bell.awaited.wait(), PATIENCE_SECONDS)
        with redis.Redis(unix_socket_path=str(server[0])) as broker:
            broker.set(place(message.token), moves_of("a1"))
        world.heartbeat(message)
        bell.ring()
        assert [move["move"] for move in (await follower.of_kind("moves"))["moves"]] == ["a1"]
        await follower.close()

    run(scenario)
