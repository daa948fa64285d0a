"""The feed of a process: what its followers are told, over a Valkey server of the test's own."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import redis
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from arena.core.errors import UnavailableError
from arena.events import channels, feed
from arena.events.bell import Bell
from arena.events.channels import Scope, TooSlowError
from arena.events.feed import Feed
from arena.store import event_log as store
from arena.store import events
from arena.store.database import Database
from arena.store.event_log import Line
from arena.store.models.account_events import TokenIssued
from arena.store.models.event_types import Announced
from tests.integration.arena.world import World, issue_matches
from workers.core.contract import MoveRecord
from workers.core.live import line_of, place

Server = tuple[Path, subprocess.Popen[bytes]]
ARENA = Scope(None, None, moves=False, staff=False)
PATIENCE_SECONDS = 300.0
BEGINS = re.compile(rb"^id: ([0-9]+)\n: here begins the present\n\n", re.MULTILINE)


class Follower:
    """Reads a stream, piece by piece, into events."""

    def __init__(self, pieces: AsyncIterator[bytes]) -> None:
        self._pieces = pieces
        self._events: list[tuple[int | None, str, Any]] = []

    async def _read(self) -> bytes:
        piece = await asyncio.wait_for(anext(self._pieces), PATIENCE_SECONDS)
        self._events += _events(piece)
        return piece

    async def present(self) -> int:
        """Wait until what happens from now on is told; the number after which that is."""
        while not (begins := BEGINS.search(await self._read())):
            pass
        return int(begins[1])

    async def next(self) -> tuple[int | None, str, Any]:
        """The next event: its number, its kind and its data."""
        while not self._events:
            await self._read()
        return self._events.pop(0)

    async def of_kind(self, kind: str) -> Any:
        """The data of the next event of a kind."""
        while True:
            _, found, data = await self.next()
            if found == kind:
                return data

    async def close(self) -> None:
        """Go away."""
        await self._pieces.aclose()  # type: ignore[attr-defined]  # it is a generator


def _events(piece: bytes) -> list[tuple[int | None, str, Any]]:
    found = []
    for block in piece.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":") and line)
        if "data" in fields:
            number = int(fields["id"]) if "id" in fields else None
            found.append((number, fields["event"], json.loads(fields["data"])))
    return found


Scenario = Callable[[Feed], Awaitable[None]]


@pytest.fixture
def run(world: World, server: Server) -> Callable[[Scenario], None]:
    """Runs a scenario with a feed of the world's database."""

    def run(scenario: Scenario) -> None:
        async def whole() -> None:
            database = Database(world.database.engine.url.render_as_string(hide_password=False))
            made = Feed(database, f"redis+socket://{server[0]}")
            try:
                await scenario(made)
            finally:
                await made.close()

        asyncio.run(whole())

    return run


@pytest.fixture
def announce(world: World, server: Server) -> Callable[..., None]:
    """Announces texts, and rings."""

    def announce(*texts: str, quietly: bool = False) -> None:
        with world.database.transaction() as session:
            for text in texts:
                events.log(session, Announced(text))
        bell = Bell(f"redis+socket://{server[0]}")
        if not quietly:
            bell.ring()
        bell.close()

    return announce


def test_everybody_is_told_what_happens_and_goes_on_from_any_number(
    world: World, run: Callable[[Scenario], None], announce: Callable[..., None]
) -> None:
    """New events reach all; who comes back, also to another feed, misses none and has none twice."""

    async def scenario(first: Feed) -> None:
        announce("before")
        followers = [Follower(first.follow(ARENA, None)) for _ in range(3)]
        begun = {await each.present() for each in followers}
        announce("one", "two")
        (number, kind, data), *others = [await each.next() for each in followers]
        assert (kind, data["data"]) == ("announcement", {"text": "one"})
        assert begun == {(number or 0) - 1}
        assert others == [(number, kind, data)] * 2
        announce("three")
        other = Feed(
            Database(world.database.engine.url.render_as_string(hide_password=False)), "redis://localhost:1"
        )
        back, elsewhere = Follower(first.follow(ARENA, number)), Follower(other.follow(ARENA, number))
        for follower in (followers[0], back, elsewhere):
            found = [await follower.next() for _ in range(2)]
            assert [each[2]["data"]["text"] for each in found] == ["two", "three"]
        for follower in (*followers, back, elsewhere):
            await follower.close()
        await other.close()

    run(scenario)


def test_a_lost_word_is_made_good(
    run: Callable[[Scenario], None], announce: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
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
    run: Callable[[Scenario], None], announce: Callable[..., None], monkeypatch: pytest.MonkeyPatch
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

        def slowly(limit: int) -> list[Line]:
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


def test_nobody_misses_what_was_read_as_the_database_failed(
    run: Callable[[Scenario], None], announce: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read and not told, as the next question was not answered, is told at the next look."""
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.1)

    async def scenario(made: Feed) -> None:
        follower = Follower(made.follow(ARENA, None))
        begun = await follower.present()
        _fail_once(monkeypatch, "progress", lambda: made._log.position > begun)
        announce("one")
        assert (await follower.next())[2]["data"] == {"text": "one"}
        await follower.close()

    run(scenario)


def _fail_once(monkeypatch: pytest.MonkeyPatch, question: str, when: Callable[[], bool]) -> None:
    """Have the database fail once, at that question of the feed's, when it is time."""
    answer, failed = getattr(store, question), threading.Event()

    def ask(*arguments: Any) -> Any:
        if when() and not failed.is_set():
            failed.set()
            raise OperationalError(question, {}, Exception("gone away"))
        return answer(*arguments)

    monkeypatch.setattr(store, question, ask)


def test_long_histories_come_in_pieces(
    run: Callable[[Scenario], None], announce: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks for all that ever was gets it in order, and then what comes."""
    monkeypatch.setattr(feed, "BATCH", 3)
    announce(*map(str, range(10)))

    async def scenario(made: Feed) -> None:
        follower = Follower(made.follow(ARENA, 0))
        told = [(await follower.of_kind("announcement"))["data"]["text"] for _ in range(10)]
        announce("new")
        assert told == list(map(str, range(10)))
        assert (await follower.of_kind("announcement"))["data"]["text"] == "new"
        await follower.close()

    run(scenario)


def test_what_only_the_staff_may_see_reaches_only_the_staff(
    world: World, run: Callable[[Scenario], None], announce: Callable[..., None]
) -> None:
    """The public hears of the announcement after it, the staff of both."""

    async def scenario(made: Feed) -> None:
        public, staff = (
            Follower(made.follow(ARENA, None)),
            Follower(made.follow(ARENA._replace(staff=True), None)),
        )
        await public.present()
        await staff.present()
        with world.database.transaction() as session:
            events.log(session, TokenIssued("ann"))
        announce("hello")
        kinds = [(await each.next())[1] for each in (public, staff)]
        assert kinds == ["announcement", "token.issued"]
        await public.close()
        await staff.close()

    run(scenario)


def test_a_number_of_another_database_begins_anew(
    run: Callable[[Scenario], None], announce: Callable[..., None]
) -> None:
    """Whoever has a number that there is not yet is told to look at everything again, and misses nothing."""

    async def scenario(made: Feed) -> None:
        announce("old")
        follower = Follower(made.follow(ARENA, 10**9))
        number, kind, _ = await follower.next()
        assert kind == "reset"
        announce("new")
        told = await follower.next()
        assert (told[0], told[2]["data"]["text"]) == ((number or 0) + 1, "new")
        await follower.close()

    run(scenario)


def test_who_is_ahead_of_a_process_is_waited_for(
    run: Callable[[Scenario], None], announce: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number that another process told already is no other database's, and nothing is told twice."""
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.1)

    async def scenario(made: Feed) -> None:
        witness = Follower(made.follow(ARENA, None))
        number = await witness.present() + 1
        read, newest = made._log.read, store.last_number
        monkeypatch.setattr(made._log, "read", lambda _: [])
        await made._looked()  # a look of before may still be reading
        announce("one")
        judged, loop = asyncio.Event(), asyncio.get_running_loop()

        def judge(session: Session) -> int:
            loop.call_soon_threadsafe(judged.set)
            return newest(session)

        monkeypatch.setattr(store, "last_number", judge)
        ahead = Follower(made.follow(ARENA, number))
        waiting = [asyncio.create_task(ahead.next()), asyncio.create_task(judged.wait())]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        monkeypatch.setattr(made._log, "read", read)
        announce("two")
        told = await waiting[0]
        assert isinstance(told, tuple)
        assert told[2]["data"] == {"text": "two"}
        await waiting[1]
        await witness.close()
        await ahead.close()

    run(scenario)


@pytest.mark.parametrize("after", [None, 0])
def test_a_stream_ends_in_time_whatever_there_is_to_read(
    run: Callable[[Scenario], None],
    announce: Callable[..., None],
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
    run: Callable[[Scenario], None], announce: Callable[..., None], monkeypatch: pytest.MonkeyPatch
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


def test_no_more_follow_than_can_be_served(
    run: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_moves_are_told_although_the_database_failed(
    world: World, server: Server, run: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which matches are played is asked again until the database answers."""
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.1)
    world.tournament(bots=2)
    with world.database.transaction() as session:
        (message,) = issue_matches(session, world.settings)
    scope = Scope(world.match().tournament_id, world.match().id, moves=True, staff=False)

    async def scenario(made: Feed) -> None:
        follower = Follower(made.follow(scope, None))
        await follower.present()
        _fail_once(monkeypatch, "running", lambda: True)
        world.heartbeat(message)
        with redis.Redis(unix_socket_path=str(server[0])) as broker:
            broker.set(place(message.token), _moves("a1"))
        assert [move["move"] for move in (await follower.of_kind("moves"))["moves"]] == ["a1"]
        await follower.close()

    run(scenario)


def _moves(*texts: str) -> bytes:
    return b"".join(line_of(MoveRecord(ply=ply, seat=0, move=text)) for ply, text in enumerate(texts))


def test_moves_are_told_while_a_match_is_played(
    world: World, server: Server, run: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those under the present token are told in order, also to who comes later; all others are not."""
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.1)
    name = world.tournament(bots=2)
    with world.database.transaction() as session:
        (message,) = issue_matches(session, world.settings)
    match, tournament = world.match().id, world.match().tournament_id
    broker = redis.Redis(unix_socket_path=str(server[0]))
    broker.set(place(message.token), _moves("a1"))
    scope = Scope(tournament, match, moves=True, staff=False)

    async def scenario(made: Feed) -> None:
        follower = Follower(made.follow(scope, None))
        await follower.present()
        assert not made._live  # nobody has said that it is played
        world.heartbeat(message)
        broker.set(place("f" * 32), _moves("z9"))
        told = await follower.of_kind("moves")
        assert (told["tournament"], told["match"], told["attempt"], told["provisional"]) == (name, 1, 1, True)
        broker.append(place(message.token), _moves("b2", "c3")[:-3])
        assert [move["move"] for move in (await follower.of_kind("moves"))["moves"]] == ["b2"]
        broker.append(place(message.token), _moves("b2", "c3")[-3:])
        assert [(move["ply"], move["move"]) for move in (await follower.of_kind("moves"))["moves"]] == [
            (2, "c3")
        ]
        late = Follower(made.follow(Scope(tournament, None, moves=True, staff=False), None))
        assert [move["move"] for move in (await late.of_kind("moves"))["moves"]] == ["a1", "b2", "c3"]
        broker.append(place(message.token), b"forged\n" + _moves("d4"))
        world.record(message)
        while (told := await follower.next())[1] != "match.recorded":
            assert told[1] != "moves"
        await follower.close()
        await late.close()

    run(scenario)
    broker.close()
