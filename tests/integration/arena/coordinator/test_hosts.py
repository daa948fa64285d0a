"""Work that only some hosts can do."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import delete, select

from arena.coordinator import checks as coordinator
from arena.coordinator import chunks, leases, matches
from arena.core.terms import MatchState
from arena.planning.observed import capacity
from arena.store.models import Host, Match, WorkerProcess
from arena.submissions import checks as service
from arena.submissions import hosts
from tests.integration.arena.coordinator.test_checks import begin, issue, version
from tests.integration.arena.world import World, issue_matches
from workers.programs.serving import CHECKS, MATCHES


def test_work_waits_for_a_host_that_can_do_it(world: World) -> None:
    """A check is not given out while no host runs its language, and says what it waits for."""
    begin(world, language="rust")
    with world.database.reading() as session:
        assert not coordinator.WORK.publishable(session, world.settings)
        check = version(world).check
        assert check is not None
        assert "runs Rust" in str(service.waiting_for(session, world.settings, check))
    with world.database.transaction() as session:
        hosts.register(session, "second", {"rust": "rustc 1.80"}, None)
        assert service.waiting_for(session, world.settings, check) is None
        assert hosts.versions(session, world.settings)["rust"] == ["rustc 1.80"]
    assert [message.needs for message in issue(world)] == ["rust"]


def test_a_check_waits_for_a_process_that_checks(world: World) -> None:
    """A host whose processes only play does no checks, and one that only checks plays nothing."""
    begin(world, language="java")
    tools = {"java": "21", "python": "3.11"}
    with world.database.transaction() as session:
        session.execute(delete(Host))
        hosts.register(session, "far", tools, 1.0, process="worker@far", takes=["matches", "simulations"])
        check = version(world).check
        assert check is not None
        waiting = service.waiting_for(session, world.settings, check)
        assert waiting == "waiting for a worker host that runs Java and checks bots; none is there now"
        assert not coordinator.WORK.publishable(session, world.settings)
        assert leases.issue(coordinator.WORK, session, world.settings) == []
        session.execute(delete(WorkerProcess))
        session.execute(delete(Host))
        hosts.register(session, "near", tools, None, process="checker@near", takes=["checks"])
        assert service.waiting_for(session, world.settings, check) is None
        assert hosts.served(session, world.settings, MATCHES) == set()
        assert hosts.slots(session, world.settings) == {}
    assert [message.needs for message in issue(world)] == ["java"]


def test_work_waits_for_a_process_that_runs_its_language(world: World) -> None:
    """Another process of the same host that has found the language does other work."""
    begin(world, language="java")
    plain, tools = {"python": "3.11"}, {"java": "21", "python": "3.11"}
    with world.database.transaction() as session:
        session.execute(delete(Host))
        hosts.register(session, "far", plain, None, process="checker@far", takes=["checks"])
        hosts.register(session, "far", tools, 1.0, process="worker@far", takes=["matches"])
        assert "java" in hosts.served(session, world.settings, MATCHES)
        assert not coordinator.WORK.publishable(session, world.settings)
        check = version(world).check
        assert check is not None
        assert "runs Java and checks bots" in str(service.waiting_for(session, world.settings, check))
        hosts.register(session, "far", tools, 1.0, process="another@far", takes=["matches"])
        assert [*hosts.slots(session, world.settings).values()] == [2]
        hosts.register(session, "far", tools, None, process="checker@far", takes=["checks"])
        assert service.waiting_for(session, world.settings, check) is None
    assert [message.needs for message in issue(world)] == ["java"]


def test_a_bot_that_an_adapter_starts_waits_for_a_host_that_lets_it(world: World) -> None:
    """A container that only runs its language gets neither its check nor its matches, and it is said why."""
    begin(world, language="c!")
    plain = {"c": "gcc", "python": "3.11"}
    with world.database.transaction() as session:
        session.execute(delete(Host))
        hosts.register(session, "container", plain, 1.0)
        check = version(world).check
        assert check is not None
        waiting = service.waiting_for(session, world.settings, check) or ""
        assert "a worker host that runs C, starts bots by adapters and checks bots; none is" in waiting
        assert hosts.lacking(MATCHES, "c+python!") == (
            "waiting for a worker host that runs C and Python and starts bots by adapters; none is there now"
        )
        assert leases.issue(coordinator.WORK, session, world.settings) == []
        assert capacity(session, world.settings, ["c!", "python"]).lacking == (
            "c+adapters",
            "c+python+adapters",
        )
        hosts.register(session, "server", plain | {"adapters": "gtp"}, 1.0)
        assert service.waiting_for(session, world.settings, check) is None
        assert capacity(session, world.settings, ["c!", "python"]).lacking == ()
    assert [message.needs for message in issue(world)] == ["c!"]


def test_a_match_goes_to_hosts_that_can_run_both_bots(world: World) -> None:
    """Two hosts with a language each cannot play it; those that can be played are not kept waiting."""
    world.tournament("cup", bots=3)
    with world.database.transaction() as session:
        hosts.register(session, "second", {"rust": "rustc 1.80"}, None)
        first, second, _ = session.scalars(select(Match).order_by(Match.number)).all()
        first.needs, second.needs = "c+rust", "c+python"
        messages = issue_matches(session, world.settings)
    assert [message.needs for message in messages] == ["c+python", "python"]
    with world.database.transaction() as session:
        assert not matches.WORK.publishable(session, world.settings)
        hosts.register(session, "third", {"rust": "rustc 1.80", "c": "gcc"}, None)
        assert [each.needs for each in issue_matches(session, world.settings)] == ["c+rust"]


def test_what_no_host_can_play_any_more_is_taken_back(world: World, now: dt.datetime) -> None:
    """A host that left frees the place in the window that its matches took."""
    world.tournament("cup", bots=2)
    with world.database.transaction() as session:
        (message,) = issue_matches(session, world.settings)
        session.execute(delete(Host))
        late = now + dt.timedelta(seconds=world.settings.pickup_seconds + 1)
        assert leases.reap(matches.WORK, session, late, world.settings, lambda: {message.token}) == 1
    assert world.match().state == MatchState.PENDING
    with world.database.reading() as session:
        assert not matches.WORK.publishable(session, world.settings)
        assert not chunks.WORK.publishable(session, world.settings)


def test_a_silent_host_is_gone(world: World) -> None:
    """What a host said of itself counts for a while only."""
    with world.database.transaction() as session:
        assert hosts.served(session, world.settings, CHECKS) == {"", "python", "c", "c+python"}
        host = session.scalars(select(Host)).one()
        host.seen_at -= dt.timedelta(seconds=world.settings.host_seconds + 1)
        session.flush()
        assert hosts.served(session, world.settings, CHECKS) == set()
        hosts.register(session, host.name, {"go": "go 1.22"}, 0.5)
        assert hosts.served(session, world.settings, CHECKS) == {"", "go"}
