"""Submission checks: given out, taken in once, lost; and work that only some hosts can do."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from sqlalchemy import delete, select

from arena import checks as service
from arena import hosts, submissions
from arena.coordinator import checks as coordinator
from arena.coordinator import chunks, leases, publishing, verdicts
from arena.coordinator.broker import CheckMessage
from arena.coordinator.loop import Coordinator
from arena.coordinator.recording import Verdict
from arena.errors import ConflictError, ForbiddenError, InvalidError
from arena.moments import utc_now
from arena.store.models import BotVersion, Host, Match, MatchState, VersionState
from tests.unit.arena.world import GAME, World
from workers.check_contract import CheckReport, Step, StepReport


def begin(world: World, name: str = "comet", language: str = "python") -> None:
    """A new bot whose only version is to be checked."""
    with world.database.transaction() as session:
        bot = world.bot(session, name)
        version = submissions.get_version(session, bot)
        version.language, version.games = language, [GAME]
        service.begin(session, version)


def issue(world: World) -> list[CheckMessage]:
    """Give out what can be given out."""
    with world.database.transaction() as session:
        return coordinator.issue(session, world.settings)


def version(world: World, name: str = "comet") -> BotVersion:
    """The version with its check, as it is in the database now."""
    with world.database.reading() as session:
        found = submissions.get_version(session, submissions.get(session, name))
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


def record(world: World, message: CheckMessage, **changes: Any) -> Verdict:
    """Report a verdict."""
    with world.database.transaction() as session:
        return verdicts.record(
            session,
            int(message.spec.check),
            message.attempt,
            message.token,
            report=report(message, **changes),
            settings=world.settings,
        )


def test_a_version_passes_by_its_report(world: World) -> None:
    """The message says what to check; the verdict is recorded once, and late ones change nothing."""
    begin(world)
    (message,) = issue(world)
    assert issue(world) == []
    assert (message.spec.bot.name, message.spec.games, message.needs) == ("comet", (GAME,), "python")
    about = int(message.spec.check), message.attempt, message.token
    with world.database.transaction() as session:
        taken = verdicts.heartbeat(session, *about, host="h", settings=world.settings)
    assert taken == Verdict.TAKEN
    assert record(world, message) == Verdict.TAKEN
    assert record(world, message, passed=False, code="crash") == Verdict.DUPLICATE
    assert record(world, message._replace(attempt=2)) == Verdict.REFUSED
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
        again = submissions.get_version(session, submissions.get(session, "comet"))
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
        found = submissions.get_version(session, submissions.get(session, "comet"))
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
        found = submissions.get_version(session, submissions.get(session, "comet"))
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
            about = int(message.spec.check), message.attempt, message.token
            verdicts.lost(session, *about, host="h", trouble="no room", settings=world.settings)
    assert issue(world) == []
    found = version(world)
    assert found.check is not None
    assert (found.state, found.check.trouble) == (VersionState.UNCHECKED, "h: no room")
    with pytest.raises(ConflictError, match="no fault of its own"):
        service.require_playable(found, GAME)


def test_the_loop_gives_out_checks_and_gives_up_silent_ones(world: World) -> None:
    """A check goes to the broker with the rest, and again when its message is gone."""
    begin(world)
    now = [utc_now()]
    loop = Coordinator(world.database, world.broker, world.settings, lambda: now[0], lambda: 0.0)
    loop.tick()
    (message,) = world.broker.checks
    world.broker.checks.clear()
    with world.database.transaction() as session:
        late = now[0] + dt.timedelta(seconds=world.settings.pickup_seconds + 1)
        assert coordinator.reap(session, late, world.settings, world.broker.waiting_ids) == 1
    loop.tick()
    assert [again.attempt for again in world.broker.checks] == [message.attempt + 1]


def test_a_check_whose_message_is_not_taken_is_pending_again(world: World) -> None:
    """Nothing is lost when the broker refuses what was committed."""
    begin(world)
    messages = issue(world)
    with world.database.transaction() as session:
        coordinator.take_back(session, messages)
    assert [again.attempt for again in issue(world)] == [2]


def test_work_waits_for_a_host_that_can_do_it(world: World) -> None:
    """A check is not given out while no host runs its language, and says what it waits for."""
    begin(world, language="rust")
    with world.database.reading() as session:
        assert not coordinator.publishable(session, world.settings)
        check = version(world).check
        assert check is not None
        assert "runs Rust" in str(service.waiting_for(session, world.settings, check))
    with world.database.transaction() as session:
        hosts.register(session, "second", {"rust": "rustc 1.80"}, None)
        assert service.waiting_for(session, world.settings, check) is None
        assert hosts.versions(session, world.settings)["rust"] == ["rustc 1.80"]
    assert [message.needs for message in issue(world)] == ["rust"]


def test_a_match_goes_to_hosts_that_can_run_both_bots(world: World) -> None:
    """Two hosts with a language each cannot play it; those that can be played are not kept waiting."""
    world.tournament("cup", bots=3)
    with world.database.transaction() as session:
        hosts.register(session, "second", {"rust": "rustc 1.80"}, None)
        first, second, _ = session.scalars(select(Match).order_by(Match.number)).all()
        first.needs, second.needs = "c+rust", "c+python"
        messages = publishing.issue(session, world.settings)
    assert [message.needs for message in messages] == ["c+python", "python"]
    with world.database.transaction() as session:
        assert not publishing.publishable(session, world.settings)
        hosts.register(session, "third", {"rust": "rustc 1.80", "c": "gcc"}, None)
        assert [each.needs for each in publishing.issue(session, world.settings)] == ["c+rust"]


def test_what_no_host_can_play_any_more_is_taken_back(world: World) -> None:
    """A host that left frees the place in the window that its matches took."""
    world.tournament("cup", bots=2)
    with world.database.transaction() as session:
        (message,) = publishing.issue(session, world.settings)
        session.execute(delete(Host))
        late = utc_now() + dt.timedelta(seconds=world.settings.pickup_seconds + 1)
        assert leases.reap(session, late, world.settings, lambda: {message.token}) == 1
    assert world.match().state == MatchState.PENDING
    with world.database.reading() as session:
        assert not publishing.publishable(session, world.settings)
        assert not chunks.publishable(session, world.settings)


def test_a_silent_host_is_gone(world: World) -> None:
    """What a host said of itself counts for a while only."""
    with world.database.transaction() as session:
        assert hosts.served(session, world.settings) == {"", "python", "c", "c+python"}
        host = session.scalars(select(Host)).one()
        host.seen_at -= dt.timedelta(seconds=world.settings.host_seconds + 1)
        session.flush()
        assert hosts.served(session, world.settings) == set()
        hosts.register(session, host.name, {"go": "go 1.22"}, 0.5)
        assert hosts.served(session, world.settings) == {"", "go"}
