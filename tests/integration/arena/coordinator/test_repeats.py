"""Matches of laboratory PCs that are played again on trusted hosts, and what comes of that."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import pytest
from sqlalchemy import select

from arena.coordinator import enrolment, leases, matches, repeats, workers
from arena.coordinator.leases import Attempt, Step, Verdict
from arena.coordinator.messages import RepeatMessage
from arena.core.errors import ForbiddenError, NotFoundError
from arena.core.terms import MatchState, Repeated
from arena.store.models import Event, Repeat
from arena.submissions import hosts
from arena.tournaments.specs import match_spec
from tests.integration.arena.world import World, issue_matches, play, taken
from workers.core.contract import FaultCode, MatchResult

PC = "pc-7"
SEED = 1


def _late(result: MatchResult) -> MatchResult:
    forfeits = tuple(each.model_copy(update={"code": FaultCode.TIMEOUT}) for each in result.forfeits)
    return result.model_copy(update={"forfeits": forfeits, "reason": "timeout"})


@pytest.fixture
def reported(world: World) -> World:
    """A world in which a laboratory PC, all whose matches are repeated, has played a match."""
    world.enrol(PC, share=1.0)
    world.enrol("test-host")
    world.tournament(bots=2)
    _play(world)
    return world


def _play(world: World, host: str = PC, *, late: bool = False) -> None:
    with world.database.transaction() as session:
        message = issue_matches(session, world.settings)[0]
    assert world.heartbeat(message, host) == Verdict.TAKEN
    result = _late(play(message.spec, SEED, forfeits=[0])) if late else play(message.spec, SEED)
    assert world.record(message, result.model_copy(update={"host": host})) == Verdict.TAKEN


def _issue(world: World) -> list[RepeatMessage]:
    with world.database.transaction() as session:
        return leases.issue(repeats.WORK, session, world.settings)


def _repeat(world: World, seed: int, host: str = "test-host", *, late: bool = False) -> Verdict:
    (message,) = _issue(world)
    result = _late(play(message.spec, seed, forfeits=[0])) if late else play(message.spec, seed)
    about = Attempt((int(message.spec.match),), message.attempt, message.token, host)
    report = result.model_dump(mode="json")
    with world.database.transaction() as session:
        settings = world.settings
        return taken(leases.record, repeats.WORK, session, about, settings=settings, report=report)


def _rows(world: World) -> list[Repeat]:
    with world.database.reading() as session:
        return list(session.scalars(select(Repeat).order_by(Repeat.id)))


def _outcome(world: World) -> Repeated | None:
    (row,) = _rows(world)
    return row.outcome


def test_a_match_that_goes_the_same_way_agrees(reported: World) -> None:
    """It counts in no standing, and says nothing against its host."""
    before = reported.leaderboard()
    assert _repeat(reported, SEED) == Verdict.TAKEN
    (row,) = _rows(reported)
    assert (row.outcome, row.state, row.host) == (Repeated.SAME, MatchState.FINISHED, "test-host")
    assert (reported.leaderboard(), _issue(reported)) == (before, [])


def test_a_host_differs_where_two_trusted_games_are_the_same(reported: World) -> None:
    """One that goes another way is played once more; the host's view names the match and the ply."""
    assert _repeat(reported, 2) == Verdict.TAKEN
    assert (_outcome(reported), _rows(reported)[0].state) == (None, MatchState.PENDING)
    assert _repeat(reported, 2) == Verdict.TAKEN
    (row,) = _rows(reported)
    assert row.first is not None
    assert row.outcome == Repeated.DIFFERENT
    assert row.differs_at is not None
    assert row.told["moves"][: row.differs_at] == row.first["moves"][: row.differs_at]
    assert row.told["moves"][row.differs_at] != row.first["moves"][row.differs_at]
    with reported.database.transaction() as session:
        hosts.register(session, PC, {"python": "3.12"}, 1.0, process="a", takes=["matches"])
    with reported.database.reading() as session:
        view = workers.get(session, reported.settings, PC)
        assert [(each.match.number, each.outcome) for each in view.telling] == [(1, Repeated.DIFFERENT)]
        assert (view.comparison.counts[Repeated.DIFFERENT], view.comparison.p_different) == (1, None)


@pytest.mark.parametrize("second", [SEED, 3])
def test_bots_whose_games_vary_decide_nothing(reported: World, second: int) -> None:
    """Neither where the second game is the reported one, nor where it is a third."""
    for seed in (2, second):
        assert _repeat(reported, seed) == Verdict.TAKEN
    assert _outcome(reported) == Repeated.UNDECIDED


def test_a_bot_that_is_late_only_there_is_told_apart(world: World) -> None:
    """The moves up to then are the same; one that is late here decides nothing."""
    world.enrol(PC, share=1.0)
    world.enrol("test-host")
    world.tournament(bots=3)
    _play(world, late=True)
    assert _repeat(world, SEED) == Verdict.TAKEN
    assert _outcome(world) == Repeated.LATE
    _play_next(world)
    assert _repeat(world, 2, late=True) == Verdict.TAKEN
    assert [row.outcome for row in _rows(world)] == [Repeated.LATE, Repeated.UNDECIDED]


def _play_next(world: World) -> None:
    with world.database.transaction() as session:
        match = next(each for each in world.matches() if each.state == MatchState.PUBLISHED)
        message_of = leases.Attempt((match.id,), match.attempt, match.token or "", PC)
        report = play(match_spec(match), SEED).model_dump(mode="json")
        told = taken(leases.record, matches.WORK, session, message_of, settings=world.settings, report=report)
        assert told == Verdict.TAKEN


@pytest.mark.parametrize("host", [PC, "pc-8", "nobody"])
@pytest.mark.parametrize("step", [leases.heartbeat, leases.lost, leases.record])
def test_nobody_elses_word_counts(reported: World, host: str, step: Step) -> None:
    """Neither that of a laboratory PC, be it another, nor of a host without a key: nothing comes of it."""
    reported.enrol("pc-8", share=1.0)
    (message,) = _issue(reported)
    about = Attempt((int(message.spec.match),), message.attempt, message.token, host)
    details: dict[Step, dict[str, Any]] = {
        leases.heartbeat: {"host": host},
        leases.lost: {"host": host, "trouble": "no"},
        leases.record: {"report": play(message.spec, SEED).model_dump(mode="json")},
    }
    with reported.database.transaction() as session:
        verdict = taken(step, repeats.WORK, session, about, settings=reported.settings, **details[step])
    assert verdict == Verdict.NOT_THEIRS
    (row,) = _rows(reported)
    assert (row.state, row.outcome, row.lost, row.host, row.refused) == (
        MatchState.PUBLISHED,
        None,
        0,
        None,
        1,
    )


def test_only_trusted_hosts_are_given_any(reported: World) -> None:
    """Nor is one without a good key; where a host is alone, its own match waits for another one."""
    with reported.database.transaction() as session:
        enrolment.revoke(session, reported.staff, "test-host")
    assert _issue(reported) == []
    with reported.database.transaction() as session:
        hosts.register(session, PC, {"python": "3.12"}, 1.0, process="a", takes=["matches", "repeats"])
        enrolment.set_trust(session, reported.staff, PC, None)
    assert _issue(reported) == []
    reported.enrol("test-host")
    assert len(_issue(reported)) == 1


def test_what_is_lost_too_often_is_over(reported: World) -> None:
    """Nobody has to decide it, and it says nothing against its host."""
    settings = reported.settings.model_copy(update={"max_lost": 0})
    (message,) = _issue(reported)
    about = Attempt((int(message.spec.match),), message.attempt, message.token, "test-host")
    with reported.database.transaction() as session:
        told = {"host": "test-host", "trouble": "no"}
        assert taken(leases.lost, repeats.WORK, session, about, settings=settings, **told) == Verdict.TAKEN
    (row,) = _rows(reported)
    assert (row.state, row.outcome, row.told) == (MatchState.FINISHED, Repeated.GIVEN_UP, {})


def test_half_of_the_places_of_those_who_can(world: World) -> None:
    """However many laboratory PCs there are, half of the trusted host's processes play for others."""
    world.enrol(PC, share=1.0)
    world.enrol("test-host")
    world.tournament(bots=4)
    _play(world)
    for _ in range(3):
        _play_next(world)
    with world.database.transaction() as session:
        for number in range(6):
            takes = ["matches", "repeats"] if number < 4 else ["matches"]
            name = "test-host" if number < 4 else PC
            hosts.register(session, name, {"python": "3.12"}, 1.0, process=f"p{number}", takes=takes)
    assert (len(_rows(world)), len(_issue(world))) == (4, 2)


@pytest.mark.parametrize(("lot", "drawn"), [(0.29, 1), (0.3, 0)])
def test_a_share_is_drawn_by_lot(
    world: World, monkeypatch: pytest.MonkeyPatch, lot: float, drawn: int
) -> None:
    """So many of a host's matches as it says."""
    monkeypatch.setattr(repeats, "LOT", Mock(random=lambda: lot))
    world.enrol(PC, share=0.3)
    world.tournament(bots=2)
    _play(world)
    assert len(_rows(world)) == drawn


def test_no_more_are_drawn_than_somebody_plays(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody takes them the table does not grow."""
    monkeypatch.setattr(repeats, "MAX_OPEN", 2)
    world.enrol(PC, share=1.0)
    world.tournament(bots=4)
    _play(world)
    for _ in range(3):
        _play_next(world)
    assert len(_rows(world)) == 2


def test_matches_of_trusted_hosts_are_not_drawn(world: World) -> None:
    """Nor are those of which no share is to be; who may, trusts a host again."""
    world.tournament(bots=5)
    world.enrol(PC)
    _play(world)
    with world.database.transaction() as session:
        enrolment.set_trust(session, world.staff, PC, 0.0)
    _play_next(world)
    assert _rows(world) == []
    with world.database.transaction() as session:
        enrolment.set_trust(session, world.staff, PC, 1.0)
    _play_next(world)
    assert len(_rows(world)) == 1
    team = world.team("red")
    with world.database.transaction() as session:
        enrolment.set_trust(session, world.staff, PC, None)
        with pytest.raises(ForbiddenError):
            enrolment.set_trust(session, team, PC, None)
        with pytest.raises(NotFoundError):
            enrolment.set_trust(session, world.staff, "pc-9", None)
        told = [each.data["repeat_share"] for each in session.scalars(select(Event)) if "trust" in each.kind]
    assert told == [0.0, 1.0, None]
    _play_next(world)
    assert len(_rows(world)) == 1
