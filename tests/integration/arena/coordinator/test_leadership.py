"""One coordinator leads; others take over where it is silent or gone; who was passed over acts no more."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from unittest.mock import Mock

import pytest
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from arena.coordinator.leadership import (
    COORDINATOR,
    LEASE_SECONDS,
    RENEW_SECONDS,
    Leadership,
    NotLeadingError,
    is_gone,
    this_process,
)
from arena.coordinator.loop import IDLE_SECONDS
from arena.core.processes import start_time
from arena.store import hosts, leaders
from arena.store.models import Host
from arena.submissions.hosts import register
from tests.integration.arena.world import World
from tests.waiting import Clock


class Two:
    """Two processes of other machines, of which nobody here knows whether they are there."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.clock = Clock()
        self.first = Leadership(world.database, self.clock, "here|1|0")
        self.second = Leadership(world.database, self.clock, "there|1|0")

    def row(self) -> leaders.Seen:
        """What stands in the database."""
        with self.world.database.reading() as session:
            return leaders.seen(session, COORDINATOR)


@pytest.fixture
def two(world: World) -> Two:
    """Two of which the first leads."""
    both = Two(world)
    assert both.first.holds()
    assert not both.second.holds()
    return both


def _name_a_host(leadership: Leadership, name: str) -> None:
    with leadership.transaction() as session:
        register(session, name, {}, None)


def _hosts(world: World) -> list[str]:
    with world.database.reading() as session:
        return [host.name for host in session.scalars(hosts.all_hosts())]


def test_who_gives_signs_of_life_leads_on(two: Two) -> None:
    """However long it takes, nobody takes over from a leader that is heard of in time."""
    for _ in range(20):
        two.clock.now += RENEW_SECONDS
        assert two.first.holds()
        assert not two.second.holds()
    assert two.row().fence == 1


def test_another_takes_over_within_fifteen_seconds(two: Two) -> None:
    """So is promised of one that looks as often as an idle coordinator, where the leader is silent."""
    silent = two.clock.now
    while not two.second.holds():
        two.clock.now += IDLE_SECONDS
    assert two.clock.now - silent <= 15.0


def test_a_transaction_is_a_sign_of_life(two: Two) -> None:
    """A leader that is busy in one tick for longer than its lease leads on, as what it writes shows."""
    for number in range(5):
        two.clock.now += LEASE_SECONDS - 1
        _name_a_host(two.first, f"pc-{number}")
        assert not two.second.holds()


def test_what_is_taken_back_is_no_sign_of_life(two: Two) -> None:
    """A leader none of whose transactions comes to its end leads on by the signs of life beside them."""
    for _ in range(20):
        two.clock.now += LEASE_SECONDS / 8
        with suppress(ZeroDivisionError), two.first.transaction() as session:
            session.connection()
            raise ZeroDivisionError
        assert two.first.holds()
        assert not two.second.holds()


def test_who_could_not_commit_does_not_lead(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever takes over after it, under the number that it would have had, leads alone."""
    two.clock.now += LEASE_SECONDS
    with monkeypatch.context() as patch:
        patch.setattr(Session, "commit", Mock(side_effect=OperationalError("COMMIT", {}, RuntimeError())))
        with pytest.raises(OperationalError):
            two.second.holds()
    third = Leadership(two.world.database, two.clock, "elsewhere|1|0")
    assert not third.holds()
    two.clock.now += LEASE_SECONDS
    assert third.holds()
    assert not two.second.holds()


def test_who_was_passed_over_changes_nothing(two: Two) -> None:
    """A leader that was stopped past its lease and goes on within a tick has its changes taken back."""
    two.clock.now += LEASE_SECONDS
    assert two.second.holds()
    with pytest.raises(NotLeadingError):
        _name_a_host(two.first, "late")
    _name_a_host(two.second, "new")
    assert _hosts(two.world) == ["new", "test-host"]
    assert not two.first.holds()
    assert two.row() == ("there|1|0", 2, two.row().beat)


def test_only_one_of_several_takes_over(two: Two) -> None:
    """Who saw the same silence too late finds another number in the database, and waits again."""
    third = Leadership(two.world.database, two.clock, "elsewhere|1|0")
    assert not third.holds()
    two.clock.now += LEASE_SECONDS
    assert (two.second.holds(), third.holds(), two.first.holds()) == (True, False, False)


def test_who_stops_leaves_the_place_to_others(two: Two) -> None:
    """Nobody waits for a lease that was given back; who does not lead gives nothing back."""
    two.second.resign()
    assert two.first.holds()
    two.first.resign()
    assert two.row().holder is None
    assert two.second.holds()


def test_nobody_is_silent_while_the_database_is_away(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who could not look counts the silence from the next look on: the leader could not write either."""
    two.clock.now += LEASE_SECONDS / 2

    def away() -> None:
        raise OperationalError("", None, Exception("away"))

    with monkeypatch.context() as patch:
        patch.setattr(two.world.database, "reading", away)
        with pytest.raises(OperationalError):
            two.second.holds()
    two.clock.now += LEASE_SECONDS / 2
    assert not two.second.holds()
    two.clock.now += LEASE_SECONDS
    assert two.second.holds()


def test_nobody_waits_for_a_process_that_is_gone(two: Two) -> None:
    """A leader of this machine that was killed is followed at once; of another machine nobody knows."""
    place = this_process().rpartition("|")[0].rpartition("|")[0]
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        holder = f"{place}|{process.pid}|{start_time(process.pid):.2f}"
        two.first.resign()
        leader = Leadership(two.world.database, two.clock, holder)
        assert leader.holds()
        assert not is_gone(holder)
        assert not two.second.holds()
        process.kill()
        process.wait()
    assert is_gone(holder)
    assert not is_gone("elsewhere|1|1|1|0")
    assert two.second.holds()


def test_a_transaction_is_one_beat(two: Two) -> None:
    """Who leads is looked at once in each, and what it does stands in the database."""
    before = two.row().beat
    _name_a_host(two.first, "pc")
    assert two.row().beat == before + 1
    with two.world.database.reading() as session:
        assert session.get(Host, "pc") is not None
