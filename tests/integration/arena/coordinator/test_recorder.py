"""The recorder: many reports at once, in any batches, and a database that is away for a moment."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any, cast

import pytest
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError, InternalError, OperationalError
from sqlalchemy.orm import Session
from structlog.testing import capture_logs

from arena.coordinator import matches, recorder
from arena.coordinator.inbox import Delivery, Inbox
from arena.coordinator.messages import Message
from arena.store.models import Event, Match
from arena.tournaments import audit
from tests.integration.arena.coordinator.reporting import about_match, delivery, recorder_of, result_of
from tests.integration.arena.late import late
from tests.integration.arena.world import World, issue_matches
from workers.app import HEARTBEAT, LOST, RECORD
from workers.core.contract import MatchResult


class Flaky:
    """A database that is away for the first `times` transactions."""

    def __init__(self, world: World, times: int, kind: type[DBAPIError] = OperationalError) -> None:
        self.world = world
        self.times = times
        self.kind = kind

    def transaction(self) -> AbstractContextManager[Session]:
        """Fail, or begin."""
        self.times -= 1
        if self.times >= 0:
            raise self.kind("BEGIN", {}, RuntimeError("the database is away"))
        return self.world.database.transaction()

    def reading(self) -> AbstractContextManager[Session]:
        """Begin."""
        return self.world.database.reading()


class FakeInbox:
    """Deliveries in memory; whoever finds none is told to stop."""

    def __init__(self, stop: threading.Event, *deliveries: Delivery) -> None:
        self.stop, self.deliveries = stop, list(deliveries)

    def wait(self) -> None:
        """Nothing more comes."""
        self.stop.set()

    def oldest(self, most: int) -> list[Delivery]:
        """The deliveries that are left."""
        return self.deliveries[:most]

    def remove(self, deliveries: Sequence[Delivery], held: Sequence[Delivery]) -> None:
        """Forget these, but put by what is held."""
        self.deliveries = [each for each in self.deliveries if each not in deliveries] + [*held]


@pytest.mark.parametrize("kind", [OperationalError, InternalError], ids=["away", "read-only"])
def test_reports_stay_until_they_are_taken_in(
    world: World, message: Message, monkeypatch: pytest.MonkeyPatch, kind: type[DBAPIError]
) -> None:
    """A result that arrives while the database is away, or takes no writes, is recorded when it is back."""
    monkeypatch.setattr(recorder, "PAUSE_SECONDS", 0)
    stop = threading.Event()
    inbox = FakeInbox(stop, result_of(message))
    recorder_of(world, database=Flaky(world, 2, kind)).run(cast("Inbox", inbox), stop)
    assert (world.match().state, inbox.deliveries) == ("finished", [])


def test_reports_that_cannot_be_taken_in_spoil_no_others(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one of many fails in a way that nobody foresaw, it is logged and the others are recorded."""
    messages = _published(world)
    fit, bad = matches.WORK.fit, int(messages[1].spec.match)

    def fails(row: Match, report: dict[str, Any]) -> MatchResult:
        if row.id == bad:
            raise ZeroDivisionError
        return fit(row, report)

    monkeypatch.setattr(matches.WORK, "fit", fails)
    with capture_logs() as logs:
        recorder_of(world).take_in(map(result_of, messages))
    assert [each["match"] for each in logs if each["event"] == "a report cannot be taken in"] == [bad]
    states = {match.id: str(match.state) for match in world.matches()}
    assert states == {id_: "published" if id_ == bad else "finished" for id_ in states}
    assert _verified(world)


def _published(world: World, bots: int = 4) -> list[Message]:
    """All matches of two tournaments."""
    for name in ("cup", "other"):
        world.tournament(name, bots=bots)
    with world.database.transaction() as session:
        return issue_matches(session, world.settings.model_copy(update={"window": 1000}))


def _verified(world: World) -> bool:
    with world.database.reading() as session:
        return not any(audit.verify(session, world.get(session, name)) for name in ("cup", "other"))


def test_many_reports_at_once_are_taken_in_as_one_by_one(sqlite_world: Callable[[], World]) -> None:
    """Results that fit, come twice, are late, void or unfit come to the same tables in any batches."""
    told = []
    for size in (1, 7, 1000):
        world = sqlite_world()
        messages = _published(world)
        deliveries = [delivery(HEARTBEAT, **about_match(each)) for each in messages]
        deliveries += [result_of(each) for each in messages[5:]] * 2
        deliveries += [result_of(messages[0], token=messages[1].token), result_of(messages[1])]
        deliveries += [result_of(messages[2], late(messages[2].spec)), result_of(messages[3], match=99)]
        deliveries += [
            delivery(RECORD, **about_match(messages[4]), result={"winner": 0}),
            delivery("arena.unknown"),
        ]
        deliveries += [delivery(LOST, **about_match(messages[3]), trouble="no room")]
        for at in range(0, len(deliveries), size):
            recorder_of(world).take_in(deliveries[at : at + size])
        assert _verified(world)
        told.append(_everything(world))
    assert told[0] == told[1] == told[2]


def _everything(world: World) -> list[Any]:
    """The state of all matches, what was counted, and how often everything happened."""
    states = [(each.id, each.state, each.attempt, each.lost, each.refused) for each in world.matches()]
    with world.database.reading() as session:
        kinds = Counter((row.kind, row.match_id) for row in session.scalars(select(Event)))
        cups = [world.get(session, name) for name in ("cup", "other")]
        counts = [(each.matches_total, each.matches_finished, each.revision) for each in cups]
    return [states, kinds, counts, world.leaderboard(), world.leaderboard("other")]


def test_two_recorders_do_no_harm(world: World) -> None:
    """The same reports, taken in by two at once and in different orders, count once."""
    deliveries = [result_of(each) for each in _published(world)]
    barrier = threading.Barrier(2)

    def take(order: int) -> None:
        barrier.wait()
        for at in range(0, len(deliveries), 4):
            left = deliveries[at : at + 4][::order]
            while left:
                left = recorder_of(world).take_in(left)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(take, (1, -1)))
    assert {str(match.state) for match in world.matches()} == {"finished"}
    assert {match.refused for match in world.matches()} == {0}
    assert _verified(world)
