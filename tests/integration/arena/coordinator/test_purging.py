"""A host that is not believed any more, and whose matches are played again."""

from __future__ import annotations

import datetime as dt

import pytest
from sqlalchemy import select

from arena.coordinator import enrolment, leases, pairing, purging
from arena.coordinator.leases import Verdict
from arena.coordinator.messages import Message
from arena.coordinator.purging import Purge
from arena.core.clock import utc_now
from arena.core.errors import ForbiddenError, NotFoundError
from arena.core.terms import MatchState, TournamentState
from arena.results import views
from arena.store import worker_keys
from arena.store.models import Analysis, Bot, Event, SupersededResult, User
from arena.submissions import versions
from arena.theory.pairing.contract import FormatName
from arena.theory.standings.table import Standing
from arena.tournaments import amendments, analyses, audit, freezing, lifecycle, matches, rounds
from tests.integration.arena.reviewing import give_out, judged, report
from tests.integration.arena.world import World, issue_matches, play

PC = "pc-7"


def _issue(world: World) -> list[Message]:
    with world.database.transaction() as session:
        return issue_matches(session, world.settings)


def _play(world: World, message: Message, host: str) -> None:
    assert world.heartbeat(message, host) == Verdict.TAKEN
    result = play(message.spec, seed=int(message.attempt))
    assert world.record(message, result.model_copy(update={"host": host})) == Verdict.TAKEN


def _purge(world: World, since: dt.datetime | None = None) -> Purge:
    with world.database.transaction() as session:
        return purging.purge(session, world.staff, PC, "it was changed", since)


def test_what_a_host_has_played_is_played_again(world: World) -> None:
    """Its results leave the standings at once and are kept; those of others stay; in hand is taken away."""
    world.enrol(PC)
    world.tournament()
    messages = _issue(world)
    for number, message in enumerate(messages[:5]):
        _play(world, message, PC if number < 3 else "test-host")
    assert world.heartbeat(messages[5], PC) == Verdict.TAKEN
    done = _purge(world)
    assert (done.again, done.left, done.withdrawn, done.kept_total) == (3, 0, 1, 0)
    states = [match.state for match in world.matches()]
    assert states == [MatchState.PENDING] * 3 + [MatchState.FINISHED] * 2 + [MatchState.PENDING]
    assert (_games(world), _unlike(world)) == (2, [])
    assert world.record(messages[5]) == Verdict.REFUSED
    with world.database.reading() as session:
        kept = session.scalars(select(SupersededResult)).all()
        kinds = [str(each.kind) for each in session.scalars(select(Event).order_by(Event.id))]
        assert {(each.host, each.why) for each in kept} == {(PC, "it was changed")}
        assert worker_keys.enrolled(session) == {}
    assert (kinds.count("match.rerun"), kinds.count("host.revoked"), kinds.count("host.purged")) == (3, 1, 1)
    assert (_purge(world).again, _events(world).count("host.purged")) == (0, 1)


def test_what_a_host_has_analysed_is_analysed_again(world: World) -> None:
    """What it found out is told no more, and others find it out; what others found stays."""
    world.enrol(PC)
    world.tournament(bots=3, game="heap_nim", params={"heaps": [1, 2, 3]})
    for message in _issue(world):
        _play(world, message, "test-host")
    for number, host in ((1, PC), (2, "test-host")):
        with world.database.transaction() as session:
            analyses.ask(session, world.staff, matches.get(session, world.get(session), number), 1)
        (review,) = give_out(world, world.settings)
        assert report(world, leases.heartbeat, review, host=host) == Verdict.TAKEN
        assert report(world, leases.record, review, report=judged(review)) == Verdict.TAKEN
    assert (_purge(world).again, _analysed(world)) == (0, {1: False, 2: True})
    (review,) = give_out(world, world.settings)
    assert report(world, leases.record, review, report=judged(review)) == Verdict.TAKEN
    assert _analysed(world) == {1: True, 2: True}
    assert (_purge(world).again, _analysed(world)) == (0, {1: True, 2: True})
    assert _events(world).count("host.purged") == 1


def _analysed(world: World) -> dict[int, bool]:
    """Of each match whether something is told of its game."""
    with world.database.reading() as session:
        rows = session.scalars(select(Analysis)).all()
        return {row.match.number: bool(row.answer and row.accuracy) for row in rows if row.match}


def _events(world: World) -> list[str]:
    with world.database.reading() as session:
        return [str(each.kind) for each in session.scalars(select(Event))]


def test_the_key_that_is_good_is_revoked(world: World) -> None:
    """Also where the host has a later one that is not, as after a machine was renamed to it."""
    world.enrol("old")
    world.enrol(PC)
    with world.database.transaction() as session:
        enrolment.revoke(session, world.staff, PC)
        first = worker_keys.good_key(session, "old")
        assert first is not None
        first.host = PC
    _purge(world)
    with world.database.reading() as session:
        assert worker_keys.trusted(session) == set()


def test_games_of_who_was_erased_go_on_counting(world: World) -> None:
    """Their bots may be gone, and a tournament that is over would never end again."""
    world.enrol(PC)
    red = world.team("red")
    world.tournament(bots=2)
    (message, *_) = _issue(world)
    _play(world, message, PC)
    with world.database.transaction() as session:
        session.get_one(Bot, world.match(1).first.bot_id).owner_id = red.id
        session.get_one(User, red.id).erased_at = utc_now()
    done = _purge(world)
    assert (done.again, [each.number for each in done.kept]) == (0, [1])


def test_a_purge_goes_on_where_it_was_broken_off(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call does a part and says what is left; in the end nothing of the host counts."""
    monkeypatch.setattr(purging, "AT_ONCE", 4)
    world.enrol(PC)
    world.tournament()
    for message in _issue(world):
        _play(world, message, PC)
    assert [(done.again, done.left) for done in (_purge(world), _purge(world), _purge(world))] == [
        (4, 2),
        (2, 0),
        (0, 0),
    ]
    assert {match.state for match in world.matches()} == {MatchState.PENDING}
    assert (_games(world), _unlike(world)) == (0, [])


def test_a_purge_goes_back_to_a_moment(world: World) -> None:
    """What the host has reported before that stays."""
    world.enrol(PC)
    world.tournament()
    messages = _issue(world)
    _play(world, messages[0], PC)
    moment = utc_now()
    _play(world, messages[1], PC)
    assert (_purge(world, moment).again, world.match(1).state) == (1, MatchState.FINISHED)


def test_what_cannot_be_played_again_is_named(world: World) -> None:
    """Results by which a later round was paired stand, and those of bots that have left."""
    world.enrol(PC)
    world.tournament(format=FormatName.SWISS, options={"rounds": 2})
    world.tournament("other", 2)
    first = _issue(world)
    for message in first:
        _play(world, message, PC)
    with world.database.transaction() as session:
        bot = versions.get(session, "other-bot1")
        amendments.disqualify(session, world.staff, world.get(session, "other"), bot, "cheated")
    _advance(world)
    done = _purge(world)
    assert (done.again, done.kept_total) == (0, len(first))
    assert {each.tournament for each in done.kept} == {"cup", "other"}


def _advance(world: World) -> None:
    due = True
    while due:
        with world.database.transaction() as session:
            answer = pairing.answer(rounds.ask(session, world.get(session)))
            assert isinstance(answer, rounds.Proposal)
            lifecycle.advance(session, answer)
        with world.database.reading() as session:
            cup = world.get(session)
            due = cup.state == TournamentState.RUNNING and rounds.due(session, cup)


def test_a_finished_and_frozen_tournament_goes_on(world: World) -> None:
    """It runs again until its matches are played again; its public sees the same as before."""
    world.enrol(PC)
    world.tournament()
    for message in _issue(world):
        _play(world, message, PC)
    with world.database.transaction() as session:
        freezing.freeze(session, world.staff, world.get(session), own=False)
    before = _public(world)
    _advance(world)
    assert _state(world) == TournamentState.FINISHED
    assert _purge(world).again == 6
    assert (_state(world), _games(world), _unlike(world)) == (TournamentState.RUNNING, 0, [])
    for message in _issue(world):
        _play(world, message, "test-host")
    _advance(world)
    assert (_state(world), _games(world), _unlike(world)) == (TournamentState.FINISHED, 6, [])
    assert _public(world) == before


def _state(world: World) -> TournamentState:
    with world.database.reading() as session:
        return world.get(session).state


def _games(world: World) -> int:
    return sum(each.games for each in world.leaderboard()) // 2


def _unlike(world: World) -> list[str]:
    with world.database.reading() as session:
        return audit.verify(session, world.get(session))


def _public(world: World) -> list[Standing]:
    with world.database.frozen() as session:
        return views.leaderboard(session, world.get(session))


def test_nobody_else_purges(world: World) -> None:
    """A team may not, and a host that was never enrolled is none."""
    team = world.team("red")
    with world.database.transaction() as session:
        with pytest.raises(ForbiddenError):
            purging.purge(session, team, PC, "no")
        for name in (PC, "\0"):
            with pytest.raises(NotFoundError):
                purging.purge(session, world.staff, name, "no")
