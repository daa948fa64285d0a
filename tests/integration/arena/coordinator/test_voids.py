"""An overrun that the host explains does not count, the first time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from arena.coordinator.leases import Verdict
from arena.coordinator.messages import Message
from arena.core.terms import MatchState
from arena.results import views
from arena.store import events
from arena.store.models.event_types import EventKind
from arena.tournaments import amendments, matches
from tests.integration.arena.late import WAITED, late
from tests.integration.arena.world import World, issue_matches, play
from workers.core.contract import MatchRecord


def _issue(world: World) -> Message:
    with world.database.transaction() as session:
        return issue_matches(session, world.settings)[0]


def _record(world: World) -> MatchRecord:
    with world.database.reading() as session:
        return views.match_record(session, session.merge(world.match(), load=False))


def test_a_void_match_is_published_again(world: World) -> None:
    """It counts for nobody, is no loss, gets a new token, and the evidence goes with its final result."""
    world.tournament(bots=2)
    first = _issue(world)
    assert world.record(first, late(first.spec)) == Verdict.VOID
    match = world.match()
    assert (match.state, match.lost, match.token) == (MatchState.PENDING, 0, None)
    assert [row.games for row in world.leaderboard()] == [0, 0]
    assert world.record(first, late(first.spec)) == Verdict.REFUSED
    again = _issue(world)
    assert (again.spec, again.attempt) == (first.spec, 2)
    told = play(again.spec)
    assert world.record(again, told) == Verdict.TAKEN
    assert [row.games for row in world.leaderboard()] == [1, 1]
    record = _record(world)
    assert record.result.model_copy(update={"voided": ()}) == told
    (forfeit,) = record.result.voided
    assert forfeit == late(first.spec).forfeits[0]
    assert forfeit.strain == WAITED
    with world.database.reading() as session:
        kinds = [each.kind for each in events.of_tournament(session, world.get(session))]
    assert kinds.count(EventKind.MATCH_VOID) == 1


def test_the_second_overrun_counts(world: World) -> None:
    """Excused or not, who is late again has lost."""
    world.tournament(bots=2)
    first = _issue(world)
    world.record(first, late(first.spec))
    second = _issue(world)
    assert world.record(second, late(second.spec)) == Verdict.TAKEN
    assert world.match().state == MatchState.FINISHED
    assert _record(world).result.reason == "timeout"


def test_a_match_that_is_played_again_may_be_void_again(world: World) -> None:
    """Once for every result: what the host spoilt before the replay was asked for takes nothing from it."""
    world.tournament(bots=2)
    for verdict in (Verdict.VOID, Verdict.TAKEN):
        message = _issue(world)
        assert world.record(message, late(message.spec)) == verdict
    with world.database.transaction() as session:
        amendments.rerun(session, world.staff, matches.get(session, world.get(session), 1), "a loud host")
    for verdict in (Verdict.VOID, Verdict.TAKEN):
        message = _issue(world)
        assert world.record(message, late(message.spec)) == verdict


def test_an_unexplained_overrun_counts_at_once(world: World) -> None:
    """A bot that is late on an idle host has lost."""
    world.tournament(bots=2)
    message = _issue(world)
    assert world.record(message, late(message.spec, excused=False)) == Verdict.TAKEN
    assert [row.forfeits for row in world.leaderboard()] == [0, 1]


def _changed(told: dict[str, Any], **changes: Any) -> dict[str, Any]:
    (forfeit,) = told["forfeits"]
    reason = {"reason": changes["code"]} if "code" in changes else {}
    return told | reason | {"forfeits": [forfeit | changes]}


@pytest.mark.parametrize(
    "change",
    [
        {"forfeit": {"code": "crash"}},
        {"forfeit": {"strain": {"lost_ns": 2**70}}},
        {"forfeit": {"cpu_ns": 2**70}},
        {"voided": True},
    ],
)
def test_excuses_that_cannot_be_are_no_result(world: World, change: Mapping[str, Any]) -> None:
    """Only being late is excused, in times that can be, and a worker knows of no attempt but its own."""
    world.tournament(bots=2)
    message = _issue(world)
    told = _changed(late(message.spec).model_dump(mode="json"), **change.get("forfeit", {}))
    if "voided" in change:
        told["voided"] = told["forfeits"]
    assert world.record(message, told) == Verdict.UNFIT
