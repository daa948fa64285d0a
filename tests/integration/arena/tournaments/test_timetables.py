"""Timetables: what can be planned, and that the coordinator does it in time and in order."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import partial

import pytest
from sqlalchemy import select

from arena.coordinator import leases
from arena.core.errors import ConflictError
from arena.core.terms import Act, TournamentState
from arena.schemas.plans import TournamentPlan
from arena.store import freezes
from arena.store import timetables as store
from arena.store.models import Event
from arena.store.models.event_types import EventKind
from arena.tournaments import freezing, lifecycle, timetables
from arena.tournaments.timetables import OrderError, PassedError
from arena.web.answers.timetables import timetable_of
from arena.web.http.visibility import Viewer
from tests.integration.arena.ticking import Later, coordinator_of, live
from tests.integration.arena.world import GAME, PARAMS, World

KINDS = (EventKind.TIMETABLE_SET, EventKind.TIMETABLE_DONE, EventKind.TIMETABLE_FAILED)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Later:
    """A clock that stands still unless it is turned, for all who look at one."""
    clock = Later()
    for module in (timetables, freezes, freezing, lifecycle, leases):
        monkeypatch.setattr(module, "utc_now", clock)
    return clock


def _plan(world: World, clock: Later, own: bool = False, **minutes: float | None) -> None:
    """A timetable of so many minutes after the beginning each."""
    wanted = {
        act: None if minutes.get(act) is None else clock.began + dt.timedelta(minutes=minutes[act] or 0)
        for act in Act
    }
    with world.database.transaction() as session:
        timetables.change(session, world.staff, world.get(session), wanted, own=own)


def _draft(world: World, bots: int = 3) -> None:
    with world.database.transaction() as session:
        plan = TournamentPlan(name="cup", game=GAME, params=PARAMS, format="round_robin")
        cup = lifecycle.create(session, world.staff, plan)
        for number in range(bots):
            lifecycle.enter(session, world.staff, cup, world.bot(session, f"bot{number}"))


def _state(world: World) -> tuple[str, bool]:
    with world.database.reading() as session:
        cup = world.get(session)
        return cup.state, cup.frozen_at is not None


def _failed(world: World) -> list[Act]:
    with world.database.reading() as session:
        return timetables.failed(session, world.get(session))


def _kinds(world: World) -> list[tuple[str, str | None]]:
    with world.database.reading() as session:
        rows = session.scalars(select(Event).where(Event.kind.in_(KINDS)).order_by(Event.id))
        return [(row.kind, row.data.get("act")) for row in rows]


def test_everything_happens_in_its_turn(world: World, clock: Later) -> None:
    """Open, closed, started, frozen: each at its moment, for which the coordinator wakes; each an event."""
    _draft(world)
    _plan(world, clock, own=True, open=1, close=2, start=3, freeze=4)
    coordinator = coordinator_of(world, clock)
    live(coordinator, clock, 58)
    assert _state(world) == (TournamentState.DRAFT, False)
    assert coordinator._patience_seconds == pytest.approx(2)
    live(coordinator, clock, 2)
    assert _state(world) == (TournamentState.OPEN, False)
    team = world.team("late")
    live(coordinator, clock, 60)
    with world.database.transaction() as session, pytest.raises(ConflictError, match="takes no entries"):
        lifecycle.enter(session, team, world.get(session), world.bot(session, "late", team))
    live(coordinator, clock, 60)
    assert _state(world) == (TournamentState.RUNNING, False)
    live(coordinator, clock, 60)
    assert _state(world) == (TournamentState.RUNNING, True)
    acts = ("open", "close", "start", "freeze")
    assert _kinds(world) == [("timetable.set", None), *(("timetable.done", act) for act in acts)]
    with world.database.reading() as session:
        assert world.get(session).shows_own
        done = session.scalars(select(Event).where(Event.kind == EventKind.TIMETABLE_DONE))
        assert [each.user_id for each in done] == [None] * 4


def test_what_came_while_the_host_was_away_is_made_up_for_in_order(world: World, clock: Later) -> None:
    """A coordinator that comes late, or anew, does all that is due, and the freeze hides what came after."""
    _draft(world)
    _plan(world, clock, open=1, start=2, freeze=600)
    clock.seconds = 3600
    coordinator_of(world, clock).tick()
    assert _state(world) == (TournamentState.RUNNING, False)
    clock.seconds = 40_000
    coordinator_of(world, clock).tick()
    assert _state(world) == (TournamentState.RUNNING, True)


def test_what_cannot_be_done_is_told_and_may_be_planned_anew(world: World, clock: Later) -> None:
    """With one entry it does not start: the timetable says why, goes on, and can be set again."""
    _draft(world, bots=1)
    _plan(world, clock, open=1, start=2, freeze=3)
    coordinator = coordinator_of(world, clock)
    live(coordinator, clock, 200)
    with world.database.reading() as session:
        moments = store.of_tournament(session, world.get(session))
    assert "has 1 of the 2 entries" in (moments[Act.START].trouble or "")
    assert "only a tournament that is being played" in (moments[Act.FREEZE].trouble or "")
    assert _kinds(world)[-2:] == [("timetable.failed", "start"), ("timetable.failed", "freeze")]
    assert _failed(world) == [Act.START, Act.FREEZE]
    with world.database.transaction() as session:
        lifecycle.enter(session, world.staff, world.get(session), world.bot(session, "second"))
    _plan(world, clock, open=1, start=5, freeze=6)
    live(coordinator, clock, 170)
    assert _state(world) == (TournamentState.RUNNING, True)
    assert _failed(world) == []


def test_what_was_done_by_hand_failed_no_more(world: World, clock: Later) -> None:
    """A start and a freeze that failed at their moments, and then were done, are nothing to look after."""
    _draft(world, bots=1)
    _plan(world, clock, open=1, start=2, freeze=3)
    live(coordinator_of(world, clock), clock, 200)
    with world.database.transaction() as session:
        cup = world.get(session)
        lifecycle.enter(session, world.staff, cup, world.bot(session, "second"))
        lifecycle.start(session, world.staff, cup)
    assert _failed(world) == [Act.FREEZE]
    with world.database.transaction() as session:
        freezing.freeze(session, world.staff, world.get(session), own=False)
    assert _failed(world) == []


def test_what_cannot_happen_any_more_is_not_told_as_still_to_come(world: World, clock: Later) -> None:
    """Everybody is told of no start of what was started by hand, and of no freeze of what is over."""
    _draft(world)
    _plan(world, clock, open=1, close=2, start=3, freeze=4, reveal=5)
    assert _ahead(world) == [Act.OPEN, Act.CLOSE, Act.START, Act.FREEZE, Act.REVEAL]
    _by_hand(world, lifecycle.open_)
    assert _ahead(world) == [Act.CLOSE, Act.START, Act.FREEZE, Act.REVEAL]
    _by_hand(world, lifecycle.start)
    assert _ahead(world) == [Act.FREEZE, Act.REVEAL]
    live(coordinator_of(world, clock), clock, 200)
    assert _kinds(world)[-1] == ("timetable.failed", "start")
    assert _ahead(world) == [Act.FREEZE, Act.REVEAL]
    _by_hand(world, partial(freezing.freeze, own=False))
    assert _ahead(world) == [Act.REVEAL]
    _by_hand(world, freezing.reveal)
    assert _ahead(world) == []
    _plan(world, clock, open=1, close=2, start=3, freeze=4.5, reveal=5)
    assert _ahead(world) == [Act.FREEZE, Act.REVEAL]
    _by_hand(world, lifecycle.cancel)
    assert _ahead(world) == []


def _ahead(world: World) -> list[Act]:
    """What everybody is told that is still to happen."""
    with world.database.reading() as session:
        told = timetable_of(session, Viewer(None), world.get(session))
        return [each.act for each in told.moments if each.done_at is None]


def _by_hand(world: World, act: Callable[..., object]) -> None:
    with world.database.transaction() as session:
        act(session, world.staff, world.get(session))


def test_it_is_not_revealed_by_itself_while_it_is_played(world: World, clock: Later) -> None:
    """At the moment of the reveal a tournament that is not over stays frozen, and the staff is told."""
    world.tournament()
    _plan(world, clock, freeze=1, reveal=2)
    live(coordinator_of(world, clock), clock, 130)
    assert _state(world) == (TournamentState.RUNNING, True)
    assert _kinds(world)[-1] == ("timetable.failed", "reveal")
    assert _failed(world) == [Act.REVEAL]
    with world.database.transaction() as session:
        lifecycle.cancel(session, world.staff, world.get(session))
    _plan(world, clock, freeze=1, reveal=5)
    live(coordinator_of(world, clock), clock, 180)
    assert _state(world) == (TournamentState.CANCELLED, False)


def test_moments_that_make_no_sense_are_refused(world: World, clock: Later) -> None:
    """They have to come in order and to be ahead; what has passed or is done cannot be changed."""
    _draft(world)
    with pytest.raises(OrderError, match="start has to come after that to close"):
        _plan(world, clock, close=5, start=4)
    with pytest.raises(OrderError, match="none to freeze"):
        _plan(world, clock, reveal=9)
    with pytest.raises(PassedError):
        _plan(world, clock, open=-1)
    _plan(world, clock, open=1, start=10)
    live(coordinator_of(world, clock), clock, 70)
    with pytest.raises(ConflictError, match="has passed"):
        _plan(world, clock, open=5, start=10)
    _plan(world, clock, open=1, start=20)
    _plan(world, clock, open=1)
    with world.database.reading() as session:
        assert set(store.of_tournament(session, world.get(session))) == {Act.OPEN}
