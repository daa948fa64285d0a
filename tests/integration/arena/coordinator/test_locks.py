"""Staff and workers at the same time: nobody waits for another tournament, and nobody is turned away."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from arena.coordinator import leases, matches
from arena.coordinator.inbox import Delivery
from arena.coordinator.messages import Message
from arena.core.terms import MatchState
from arena.store import matches as match_store
from arena.store import tournaments as store
from arena.store.database import Database
from arena.tournaments import audit, lifecycle
from tests.integration.arena.coordinator.reporting import delivery, recorder_of
from tests.integration.arena.world import World, issue_matches, play
from workers.app import HEARTBEAT, RECORD

ROUNDS = 6


def _published(world: World, *names: str, bots: int = 4) -> list[Message]:
    """All matches of new tournaments of these names."""
    for name in names:
        world.tournament(name, bots=bots)
    with world.database.transaction() as session:
        return issue_matches(session, world.settings.model_copy(update={"window": 1000}))


def _reports(messages: Sequence[Message]) -> list[Delivery]:
    """A sign of life and a result of each."""
    told = []
    for message in messages:
        about = {"match": message.spec.match, "attempt": message.attempt, "token": message.token}
        result = play(message.spec).model_dump(mode="json")
        told += [
            delivery(HEARTBEAT, **about, host="pc-7"),
            delivery(RECORD, **about, host="pc-7", result=result),
        ]
    return told


def _states(world: World, messages: Sequence[Message]) -> set[str]:
    about = {int(message.spec.match) for message in messages}
    return {str(match.state) for match in world.matches() if match.id in about}


def test_a_tournament_that_staff_have_locked_keeps_no_other_waiting(world: World) -> None:
    """Other tournaments' results are recorded meanwhile; its own are given back, and taken in later."""
    if world.database.engine.dialect.name == "sqlite":
        pytest.skip("there one writes at a time")
    cup, other = _published(world, "cup"), _published(world, "other")
    recorder, told = recorder_of(world), _reports([*cup, *other])
    with world.database.transaction() as session:
        store.lock(session, world.get(session, "cup").id)
        held = recorder.take_in(told)
        assert [(each.task, each.told["match"]) for each in held] == [
            (RECORD, message.spec.match) for message in cup
        ]
        assert (_states(world, cup), _states(world, other)) == ({"running"}, {"finished"})
        cup_now = world.get(session)
        match_store.lock_of_entry(session, cup_now, store.entries(session, cup_now)[0])
        assert recorder.take_in(held) == held
    assert recorder.take_in(held) == []
    assert _states(world, cup) == {"finished"}
    with world.database.reading() as session:
        assert not audit.verify(session, world.get(session, "cup"))


def test_signs_of_life_do_not_wait_for_staff_who_wait_for_them(world: World) -> None:
    """Where staff have a tournament, a sign of life that locks its match first is written with its event."""
    if world.database.engine.dialect.name == "sqlite":
        pytest.skip("there one writes at a time")
    told = _reports(_published(world, "cup"))[::2]
    impatient = Database(world.database.engine.url.render_as_string(hide_password=False), patience_seconds=2)
    with world.database.transaction() as session:
        tournament = store.lock(session, world.get(session).id)
        assert recorder_of(world, database=impatient).take_in(told) == []
        assert {str(each.state) for each in world.matches()} == {"running"}
        lifecycle.cancel(session, world.staff, tournament)
    impatient.close()
    assert {str(each.state) for each in world.matches()} == {"cancelled"}


@pytest.mark.parametrize("act", ["cancel", "pause"])
def test_staff_get_through_beside_reports(world: World, act: str) -> None:
    """Acts on tournaments whose matches report all the while succeed, and their tables stay true."""
    names = [f"cup{number}" for number in range(ROUNDS)]
    messages = _published(world, *names, bots=5)
    start, over = threading.Barrier(3), threading.Event()

    def report(order: int) -> None:
        left, recorder = _reports(messages)[::order], recorder_of(world)
        start.wait()
        while left:
            left = [*left[16:], *recorder.take_in(left[:16])]

    def recall() -> None:
        while not over.is_set():
            with world.database.transaction() as session:
                states = (MatchState.PUBLISHED, MatchState.RUNNING)
                leases.recall(
                    matches.WORK, session, {messages[-1].token, messages[0].token}, states, "a test"
                )

    with ThreadPoolExecutor(3) as pool:
        told = [pool.submit(report, order) for order in (1, -1)]
        told.append(pool.submit(recall))
        start.wait()
        for name in names:
            with world.database.transaction() as session:
                change = lifecycle.cancel if act == "cancel" else lifecycle.pause
                change(session, world.staff, world.get(session, name))
        for each in told[:2]:
            each.result()
        over.set()
        told[2].result()
    with world.database.reading() as session:
        for name in names:
            assert not audit.verify(session, world.get(session, name))
            assert world.get(session, name).state == ("cancelled" if act == "cancel" else "paused")
