"""Streams and webhooks of a frozen tournament: who does not run it hears nothing of what is hidden."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import redis

from arena.events import feed
from arena.events.channels import Scope
from arena.events.feed import Feed
from arena.store import events
from arena.store.models.event_types import Announced
from arena.tournaments import freezing
from tests.integration.arena.events.following import Follower, Run, Server, moves_of
from tests.integration.arena.events.office import Office, office
from tests.integration.arena.world import World, issue_matches
from workers.core.live import place

__all__ = ["office"]


def _freeze(world: World) -> None:
    with world.database.transaction() as session:
        freezing.freeze(session, world.staff, world.get(session), own=True)


def _issue(world: World) -> list[Any]:
    with world.database.transaction() as session:
        return issue_matches(session, world.settings)


def _say_end(world: World) -> None:
    with world.database.transaction() as session:
        events.log(session, Announced("end"), tournament=world.get(session))


async def _until(follower: Follower, text: str) -> list[tuple[str, Any]]:
    """What somebody is told up to an announcement."""
    told: list[tuple[str, Any]] = []
    while True:
        _, kind, data = await follower.next()
        if kind == "announcement" and data["data"]["text"] == text:
            return told
        told.append((kind, data))


def test_a_stream_is_silent_behind_a_freeze(
    world: World,
    server: Server,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The public hears neither results nor moves, now or looking back; the staff hears all."""
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.1)
    world.tournament(bots=3)
    first, second, third = _issue(world)
    world.heartbeat(second)
    world.record(first)
    broker = redis.Redis(unix_socket_path=str(server[0]))
    broker.set(place(second.token), moves_of("a1"))
    tournament, match = world.match().tournament_id, int(second.spec.match)

    async def scenario(made: Feed) -> None:
        scopes = [Scope(None, None, moves=False, staff=False)]
        scopes += [Scope(tournament, None, moves=True, staff=staff) for staff in (False, True)]
        scopes += [Scope(tournament, match, moves=True, staff=False)]
        arena, public, staff, one = (Follower(made.follow(scope, None)) for scope in scopes)
        waiting = [asyncio.create_task(each.of_kind("moves")) for each in (public, staff, one)]
        everything = asyncio.create_task(_until(arena, "end"))
        assert [each["match"] for each in await asyncio.gather(*waiting)] == [2, 2, 2]
        _freeze(world)
        assert (await public.of_kind("tournament.frozen"))["data"].keys() == {"since"}
        broker.append(place(second.token), moves_of("b2"))
        await staff.of_kind("moves")
        world.record(second)
        world.record(third)
        _say_end(world)
        heard = await _until(public, "end")
        assert [kind for kind, _ in heard if kind != "progress"] == []
        assert all(data["finished"] == 1 for kind, data in heard if kind == "progress")
        kinds = [kind for kind, _ in await everything]
        assert (kinds.count("match.recorded"), "tournament.frozen" in kinds) == (0, True)
        told = [kind for kind, _ in await _until(staff, "end")]
        assert told.count("match.recorded") == 2
        back = Follower(made.follow(scopes[1], 0))
        looked_back = [kind for kind, _ in await _until(back, "end")]
        assert looked_back.count("match.recorded") == 1
        with world.database.transaction() as session:
            freezing.reveal(session, world.staff, world.get(session))
        await public.of_kind("tournament.revealed")
        again = Follower(made.follow(scopes[1], 0))
        seen = [kind for kind, _ in await _until(again, "end")]
        assert seen.count("match.recorded") == 3
        for each in (arena, public, staff, one, back, again):
            await each.close()

    run(scenario)
    broker.close()


def test_after_the_reveal_who_follows_a_match_is_told_how_it_ended(world: World, run: Run) -> None:
    """The stream ends, and who comes back with its number is told what was hidden; the staff's goes on."""
    world.tournament(bots=2)
    (message,) = _issue(world)
    world.heartbeat(message)
    scope = Scope(world.match().tournament_id, world.match().id, moves=True, staff=False)

    async def scenario(made: Feed) -> None:
        follower = Follower(made.follow(scope, None))
        staff = Follower(made.follow(scope._replace(staff=True), None))
        number = await follower.present()
        await staff.present()
        _freeze(world)
        world.record(message)
        with world.database.transaction() as session:
            freezing.reveal(session, world.staff, world.get(session))
        with pytest.raises(StopAsyncIteration):
            await follower.next()
        back = Follower(made.follow(scope, number))
        assert await back.of_kind("match.recorded")
        assert await staff.of_kind("match.recorded")
        for each in (back, staff):
            await each.close()

    run(scenario)


def test_webhooks_are_told_nothing_that_is_hidden(office: Office) -> None:
    """Of a frozen tournament an address hears that it is frozen and revealed, and no result in between."""
    world = office.world
    world.tournament(bots=3)
    office.hook("match.recorded", "tournament.*")
    first, *others = _issue(world)
    world.record(first)
    _freeze(world)
    for message in others:
        world.record(message)
    office.work(10)
    kinds = [each.kind for each in office.deliveries()]
    assert kinds == ["match.recorded", "tournament.frozen"]
    with world.database.transaction() as session:
        freezing.reveal(session, world.staff, world.get(session))
    office.work(10)
    assert [each.kind for each in office.deliveries()] == [*kinds, "tournament.revealed"]
