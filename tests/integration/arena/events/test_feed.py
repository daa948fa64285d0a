"""The feed of a process: what its followers are told, over a Valkey server of the test's own."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from arena.events import feed
from arena.events.feed import Feed
from arena.people.erasing import erase
from arena.store import copying, events
from arena.store import event_log as store
from arena.store.database import Database
from arena.store.models import Bot
from arena.store.models.account_events import TokenIssued
from tests.integration.arena.events.following import (
    ARENA,
    Announce,
    Follower,
    Run,
)
from tests.integration.arena.world import World, issue_matches


def test_everybody_is_told_what_happens_and_goes_on_from_any_number(
    world: World, run: Run, announce: Announce
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


def test_long_histories_come_in_pieces(run: Run, announce: Announce, monkeypatch: pytest.MonkeyPatch) -> None:
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
    world: World, run: Run, announce: Announce
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


def test_a_number_of_another_database_begins_anew(run: Run, announce: Announce) -> None:
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


def test_a_number_that_was_lost_with_a_restore_begins_anew(
    world: World, run: Run, announce: Announce
) -> None:
    """Whoever has one of after the backup is told to look at everything again; others read on."""
    announce("old")
    with world.database.transaction() as session:
        last = store.last_number(session)
        tables = copying.tables(session.connection())
        copying.log_restoring(session.connection(), tables["events"], "2030-01-01T00:00:00+00:00")
    announce("new")

    async def scenario(made: Feed) -> None:
        for after, wanted in ((last, "announcement"), (last + 1, "reset"), (last + 999_999, "reset")):
            follower = Follower(made.follow(ARENA, after))
            number, kind, told = await follower.next()
            assert (kind, number is not None and number > last + 1_000_000) == (wanted, True)
            if kind == "announcement":
                assert told["data"]["text"] == "new"
            await follower.close()

    run(scenario)


def test_what_is_kept_has_no_name_of_who_was_erased(world: World, run: Run, announce: Announce) -> None:
    """After somebody was erased, whoever comes back is told of their bots by the names that they have."""
    world.tournament(bots=2)
    team = world.team("red")
    with world.database.transaction() as session:
        session.execute(update(Bot).where(Bot.name == "cup-bot1").values(owner_id=team.id))
        (message,) = issue_matches(session, world.settings)
    world.heartbeat(message)

    async def scenario(made: Feed) -> None:
        follower = Follower(made.follow(ARENA, None))
        number = await follower.present()
        world.record(message)
        assert (await follower.of_kind("match.recorded"))["bots"] == ["cup-bot1", "cup-bot2"]
        with world.database.transaction() as session:
            erase(session, "red", sources=False)
        announce("gone")
        await follower.of_kind("announcement")
        back = Follower(made.follow(ARENA, number))
        assert (await back.of_kind("match.recorded"))["bots"] == [f"erased-{team.id}-bot-1", "cup-bot2"]
        for each in (follower, back):
            await each.close()

    run(scenario)


def test_who_is_ahead_of_a_process_is_waited_for(
    run: Run, announce: Announce, monkeypatch: pytest.MonkeyPatch
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
