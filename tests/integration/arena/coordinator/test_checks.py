"""Submission checks: given out, taken in once, lost."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from arena.coordinator import checks as coordinator
from arena.coordinator import leases
from arena.coordinator.leases import Attempt, Verdict
from arena.coordinator.messages import CheckMessage
from arena.core.errors import ConflictError, ForbiddenError, InvalidError
from arena.core.terms import MatchState, VersionState
from arena.store.models import BotVersion
from arena.submissions import checks as service
from arena.submissions import versions
from arena.tournaments import lifecycle
from tests.integration.arena.ticking import coordinator_of
from tests.integration.arena.world import GAME, World, taken
from workers.checks.contract import CheckReport, Step, StepReport


def begin(world: World, name: str = "comet", language: str = "python") -> None:
    """A new bot whose only version is to be checked."""
    with world.database.transaction() as session:
        bot = world.bot(session, name)
        version = versions.get_version(session, bot)
        version.language, version.games = language, [GAME]
        service.begin(session, version)


def issue(world: World) -> list[CheckMessage]:
    """Give out what can be given out."""
    with world.database.transaction() as session:
        return leases.issue(coordinator.WORK, session, world.settings)


def version(world: World, name: str = "comet") -> BotVersion:
    """The version with its check, as it is in the database now."""
    with world.database.reading() as session:
        found = versions.get_version(session, versions.get(session, name))
        assert found.check is not None
        return found


def report(message: CheckMessage, **changes: Any) -> dict[str, Any]:
    """A verdict that fits: passed, unless something else is asked for."""
    steps = [StepReport(step=Step.BUILD, passed=True, took_ms=1)]
    steps += [
        StepReport(step=step, game=game, passed=True, took_ms=1)
        for game in message.spec.games
        for step in Step
        if step is not Step.BUILD
    ]
    made = CheckReport(
        check=message.spec.check, passed=True, language="python", steps=tuple(steps), reproduce="again"
    )
    return made.model_dump(mode="json") | changes


def about(message: CheckMessage) -> Attempt:
    """What a report of the check is about."""
    return Attempt((int(message.spec.check),), message.attempt, message.token)


def record(world: World, message: CheckMessage, **changes: Any) -> Verdict:
    """Report a verdict."""
    with world.database.transaction() as session:
        told = report(message, **changes)
        return taken(
            leases.record, coordinator.WORK, session, about(message), report=told, settings=world.settings
        )


def test_a_version_passes_by_its_report(world: World) -> None:
    """The message says what to check; the verdict is recorded once, and late ones change nothing."""
    begin(world)
    (message,) = issue(world)
    assert issue(world) == []
    assert (message.spec.bot.name, message.spec.games, message.needs) == ("comet", (GAME,), "python")
    assert heartbeat(world, message) == Verdict.TAKEN
    assert record(world, message) == Verdict.TAKEN
    assert record(world, message, passed=False, code="crash") == Verdict.DUPLICATE
    assert record(world, replace(message, attempt=2)) == Verdict.REFUSED
    found = version(world)
    assert found.state == VersionState.PASSED
    service.require_playable(found, GAME)
    with pytest.raises(ConflictError, match=f"was checked in {GAME} only"):
        service.require_playable(found, "heap_nim")


def test_a_version_that_failed_may_not_play_until_it_passes(world: World) -> None:
    """Its code is public; a new check begins anew, and the old token is worth nothing any more."""
    begin(world)
    (message,) = issue(world)
    assert record(world, message, passed=False, code="crash", steps=[]) == Verdict.TAKEN
    failed = version(world)
    assert (failed.state, service.code_of(failed)) == (VersionState.FAILED, "crash")
    with pytest.raises(ConflictError, match="failed its check"):
        service.require_playable(failed, GAME)
    with world.database.transaction() as session:
        again = versions.get_version(session, versions.get(session, "comet"))
        with pytest.raises(InvalidError, match="no game"):
            service.again(session, world.staff, again, ["chess"])
        service.again(session, world.staff, again, [GAME, "heap_nim"])
        with pytest.raises(ConflictError, match="is being checked"):
            service.again(session, world.staff, again)
    assert record(world, message) == Verdict.REFUSED
    (fresh,) = issue(world)
    assert (fresh.spec.games, fresh.attempt) == ((GAME, "heap_nim"), 2)
    assert record(world, fresh) == Verdict.TAKEN
    service.require_playable(version(world), "heap_nim")


def test_a_further_game_takes_none_away(world: World) -> None:
    """A version is checked in it besides those that it passed in, and where it fails it keeps them."""
    begin(world)
    (message,) = issue(world)
    record(world, message)
    with world.database.transaction() as session:
        found = versions.get_version(session, versions.get(session, "comet"))
        service.again(session, world.staff, found, ["heap_nim"])
    (both,) = issue(world)
    assert both.spec.games == (GAME, "heap_nim")
    done = report(both)["steps"][:-1]
    wrong = [done[0], *done[5:]]
    assert record(world, both, passed=False, code="crash", steps=wrong) == Verdict.UNFIT
    (both,) = issue(world)
    assert record(world, both, passed=False, code="crash", steps=done) == Verdict.TAKEN
    failed = version(world)
    assert (failed.state, service.passed_in(failed)) == (VersionState.FAILED, [GAME])
    service.require_playable(failed, GAME)
    with pytest.raises(ConflictError, match="failed its check"):
        service.require_playable(failed, "heap_nim")


def test_only_the_owner_and_the_staff_have_a_bot_checked_again(world: World) -> None:
    """Nobody takes another's bot out of play."""
    stranger = world.team("stranger")
    begin(world)
    with world.database.transaction() as session:
        found = versions.get_version(session, versions.get(session, "comet"))
        with pytest.raises(ForbiddenError, match="belongs to"):
            service.again(session, stranger, found)


@pytest.mark.parametrize(
    "changes",
    [
        {"check": "77"},
        {"language": "c"},
        {"code": "crash"},
        {"passed": False},
        {"steps": []},
        {"detail": "x" * 1_000_000},
        {"detail": "a\0b"},
        {"surprise": 1},
    ],
)
def test_a_verdict_that_does_not_fit_is_a_lost_attempt(world: World, changes: dict[str, Any]) -> None:
    """What a host says of a check is not believed where it contradicts itself."""
    begin(world)
    (message,) = issue(world)
    assert record(world, message, **changes) == Verdict.UNFIT
    found = version(world)
    assert found.check is not None
    assert (found.state, found.check.state, found.check.lost) == ("checking", MatchState.PENDING, 1)


def test_a_check_that_is_lost_too_often_leaves_its_version_unchecked(world: World) -> None:
    """That is no fault of the bot, and it may not play either."""
    begin(world)
    for _ in range(world.settings.max_lost + 1):
        (message,) = issue(world)
        with world.database.transaction() as session:
            told: dict[str, Any] = {"host": "h", "trouble": "no room"}
            taken(leases.lost, coordinator.WORK, session, about(message), **told, settings=world.settings)
    assert issue(world) == []
    found = version(world)
    assert found.check is not None
    assert (found.state, found.check.trouble) == (VersionState.UNCHECKED, "h: no room")
    with pytest.raises(ConflictError, match="no fault of its own"):
        service.require_playable(found, GAME)


def test_the_loop_gives_out_checks_and_gives_up_silent_ones(world: World, now: dt.datetime) -> None:
    """A check goes to the broker with the rest, and again when its message is gone."""
    begin(world)
    loop = coordinator_of(world)
    loop.tick()
    (message,) = world.broker.checks
    world.broker.checks.clear()
    with world.database.transaction() as session:
        late = now + dt.timedelta(seconds=world.settings.pickup_seconds + 1)
        assert leases.reap(coordinator.WORK, session, late, world.settings, world.broker.waiting_ids) == 1
    loop.tick()
    assert [again.attempt for again in world.broker.checks] == [message.attempt + 1]


def test_a_check_is_called_off(world: World) -> None:
    """Waiting or being done, by its owner or the staff: its token is worth nothing; it can be done anew."""
    owner, stranger = world.team("owner"), world.team("stranger")
    with world.database.transaction() as session:
        bot = world.bot(session, "comet", owner)
        found = versions.get_version(session, bot)
        with pytest.raises(ConflictError, match="is not being checked"):
            service.cancel(session, owner, found)
        found.games = [GAME]
        service.begin(session, found)
    (message,) = issue(world)
    with world.database.transaction() as session:
        found = versions.get_version(session, versions.get(session, "comet"))
        with pytest.raises(ForbiddenError, match="belongs to"):
            service.cancel(session, stranger, found)
        service.cancel(session, owner, found)
        with pytest.raises(ConflictError, match="is not being checked"):
            service.cancel(session, world.staff, found)
    assert record(world, message) == Verdict.REFUSED
    assert issue(world) == []
    called_off = version(world)
    assert called_off.check is not None
    assert (called_off.state, called_off.check.trouble) == (VersionState.UNCHECKED, "called off by owner")
    with pytest.raises(ConflictError, match="is unchecked"):
        service.require_playable(called_off, GAME)
    with world.database.transaction() as session:
        found = versions.get_version(session, versions.get(session, "comet"))
        service.again(session, owner, found)
        service.cancel(session, world.staff, found)
        service.again(session, owner, found)
    (again,) = issue(world)
    assert record(world, again) == Verdict.TAKEN
    assert version(world).state == VersionState.PASSED


def test_a_newer_version_calls_the_checks_of_older_ones_off(world: World) -> None:
    """Those that are over stay as they are, and so do those of other bots."""
    begin(world, "other")
    with world.database.transaction() as session:
        bot = world.bot(session, "comet", versions=3)
        first, second, third = bot.versions
        for each in (first, third):
            service.begin(session, each)
        service.supersede(session, third)
        assert [each.state for each in (first, second, third)] == ["unchecked", "passed", "checking"]
        assert first.check is not None
        assert first.check.trouble == "called off, for there is version 3"
    assert {message.spec.bot.name for message in issue(world)} == {"other", "comet"}


@pytest.mark.parametrize("ending", ["cancel", "newer version", "lost"])
def test_a_verdict_stands_until_there_is_another(world: World, ending: str) -> None:
    """A check that is repeated and comes to nothing takes no pass away, and holds up no tournament."""
    cup, owner = world.tournament(start=False), world.team("owner")
    with world.database.transaction() as session:
        first = versions.get_version(session, world.bot(session, "comet", owner))
        first.games = [GAME]
        service.begin(session, first)
    (message,) = issue(world)
    record(world, message)
    with world.database.transaction() as session:
        first = versions.get_version(session, versions.get(session, "comet"))
        lifecycle.enter(session, world.staff, world.get(session, cup), first.bot)
        service.again(session, owner, first, ["heap_nim"])
        assert service.report_of(first) is None
        service.require_playable(first, GAME)
        with pytest.raises(ConflictError, match="still being checked"):
            service.require_playable(first, "heap_nim")
        if ending == "cancel":
            service.cancel(session, owner, first)
        elif ending == "newer version":
            service.supersede(session, world.version(session, first.bot))
        else:
            assert first.check is not None
            leases.lose(coordinator.WORK, session, first.check, "no room", max_lost=0)
        assert (first.state, first.games) == (VersionState.PASSED, [GAME])
        assert service.report_of(first) is not None
    with world.database.transaction() as session:
        lifecycle.start(session, world.staff, world.get(session, cup))


def test_a_fault_stands_until_there_is_another_verdict(world: World) -> None:
    """Calling the next check off does not make a failed version one of which nothing is known."""
    begin(world)
    (message,) = issue(world)
    record(world, message, passed=False, code="crash", steps=[])
    with world.database.transaction() as session:
        found = versions.get_version(session, versions.get(session, "comet"))
        service.again(session, world.staff, found)
        assert service.code_of(found) is None
        service.cancel(session, world.staff, found)
        assert (found.state, service.code_of(found)) == (VersionState.FAILED, "crash")


def heartbeat(world: World, message: CheckMessage) -> Verdict:
    """Report that a check is alive."""
    with world.database.transaction() as session:
        return taken(
            leases.heartbeat, coordinator.WORK, session, about(message), host="h", settings=world.settings
        )


def test_the_lease_of_a_check_ends_whatever_its_worker_says(world: World, now: dt.datetime) -> None:
    """Signs of life renew it up to the longest that a check may take; then it is given up for good."""
    begin(world)
    (message,) = issue(world)
    assert heartbeat(world, message) == Verdict.TAKEN
    longest = dt.timedelta(seconds=message.spec.most_seconds)
    check = version(world).check
    assert check is not None
    assert check.ends_at == now + longest
    with world.database.transaction() as session:
        row = session.merge(check)
        row.ends_at = now + dt.timedelta(seconds=1)
    heartbeat(world, message)
    check = version(world).check
    assert check is not None
    assert check.lease_until == check.ends_at
    with world.database.transaction() as session:
        late = now + dt.timedelta(seconds=2)
        assert leases.reap(coordinator.WORK, session, late, world.settings, world.broker.waiting_ids) == 1
    found = version(world)
    assert found.check is not None
    assert (found.state, found.check.state) == (VersionState.UNCHECKED, MatchState.PARKED)
    assert (
        found.check.trouble
        == f"the check was not over after {message.spec.most_seconds} s; have it checked again"
    )
    assert heartbeat(world, message) == Verdict.REFUSED


def test_a_stopped_worker_gives_its_check_back(world: World) -> None:
    """That is no loss, and the next attempt has a whole time again."""
    begin(world)
    (message,) = issue(world)
    heartbeat(world, message)
    with world.database.transaction() as session:
        told: dict[str, Any] = {"host": "h", "trouble": "the worker was stopped", "stopped": True}
        lost = taken(leases.lost, coordinator.WORK, session, about(message), **told, settings=world.settings)
        assert lost == Verdict.TAKEN
    check = version(world).check
    assert check is not None
    assert (check.state, check.lost, check.trouble, check.ends_at) == (MatchState.PENDING, 0, None, None)


def test_owners_take_turns(world: World) -> None:
    """Few checks wait in the queue, and somebody with many bots gets one in before others, not all."""
    many, one = world.team("many"), world.team("one")
    with world.database.transaction() as session:
        for name, owner in (("a", many), ("b", many), ("c", many), ("d", one)):
            found = versions.get_version(session, world.bot(session, name, owner))
            found.games = [GAME]
            service.begin(session, found)
    first = issue(world)
    assert [message.spec.bot.name for message in first] == ["a", "d"]
    assert len(first) == coordinator.WINDOW
    for message in first:
        record(world, message)
    assert [message.spec.bot.name for message in issue(world)] == ["b", "c"]


def test_a_check_whose_message_is_not_taken_is_pending_again(world: World) -> None:
    """Nothing is lost when the broker refuses what was committed."""
    begin(world)
    messages = issue(world)
    with world.database.transaction() as session:
        leases.unsend(coordinator.WORK, session, messages)
    assert [again.attempt for again in issue(world)] == [2]
