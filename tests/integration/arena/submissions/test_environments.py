"""What the name of an environment means in an arena, and which hosts get work for it."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from arena.coordinator import checks as coordinator
from arena.coordinator import leases, repeats
from arena.coordinator.leases import Verdict
from arena.core.errors import ConflictError, ForbiddenError, NotFoundError
from arena.core.terms import Role
from arena.people import users
from arena.planning.observed import capacity
from arena.store.models import BotVersion, Environment, Event, Match, Repeat
from arena.submissions import checks, choosing, environments, hosts
from tests.integration.arena.world import World, issue_matches, play
from workers.programs.serving import CHECKS, MATCHES, environments_in, queue_name

ONE, TWO = "1" * 16, "2" * 16
NEEDS = "python:numpy"
TOLD = "CPython 3.11, numpy==2.1.3"
OTHER = "CPython 3.11, numpy==1.26.4"


def offer(world: World, host: str, *digests: str, told: str = TOLD) -> None:
    """Have a host that runs Python say that it has built these."""
    words = {f"{NEEDS}@{digest}": told for digest in digests}
    with world.database.transaction() as session:
        hosts.register(session, host, {"python": "3.11"} | words, 1.0, process="a")


def served(world: World, kind: str = MATCHES) -> set[str]:
    """What hosts that are there now can do."""
    with world.database.reading() as session:
        return hosts.served(session, world.settings, kind)


def need(world: World) -> None:
    """Have all bots that there are, and all their matches, need the environment."""
    with world.database.transaction() as session:
        session.execute(update(BotVersion).values(language=NEEDS))
        session.execute(update(Match).values(needs=NEEDS))


def issue(world: World) -> str:
    """Give out the next match; the queue that it is put in."""
    with world.database.transaction() as session:
        message = issue_matches(session, world.settings)[0]
    return queue_name(message.kind, message.needs)


def test_a_name_means_what_a_trusted_host_offers_first(world: World) -> None:
    """A laboratory's PC cannot say it; whoever has something else is given no work for it, and it is told."""
    world.enrol("pc-7", share=0.2)
    offer(world, "pc-7", TWO, told=OTHER)
    assert NEEDS not in served(world)
    offer(world, "server", ONE)
    offer(world, "late", TWO, told=OTHER)
    with world.database.reading() as session:
        (choice,) = choosing.list_all(session, world.settings)
        assert (choice.chosen.digest, choice.chosen.told, choice.hosts) == (ONE, TOLD, 1)
        assert choice.others == {TWO: (OTHER, ["late", "pc-7"])}
        assert environments.ever(session) == [f"{NEEDS}@{ONE}"]
        assert hosts.versions(session, world.settings)[NEEDS] == [TOLD]
        assert capacity(session, world.settings, [NEEDS]).hosts == 1
    assert {NEEDS, f"python+{NEEDS}"} < served(world)


def test_nobody_offers_what_is_no_environment(world: World) -> None:
    """Whatever else a host says, of other languages or with names that cannot be, means nothing."""
    long = "n" * 13
    strange = [f"{each}@{ONE}" for each in ("c:numpy", "python:NUMPY", f"python:{long}", "python:")]
    strange += [f"{NEEDS}@x", f"{NEEDS}@", NEEDS]
    with world.database.transaction() as session:
        hosts.register(session, "server", dict.fromkeys(strange, "?"), 1.0)
        assert session.scalars(select(Environment)).all() == []
    assert served(world) == {"", "python", "c", "c+python"}


def test_work_says_exactly_what_it_is_to_be_done_with(world: World) -> None:
    """Its queue is that of the hosts with these very packages, also after a name means others."""
    world.tournament(bots=3)
    need(world)
    offer(world, "server", ONE, TWO)
    queue = issue(world)
    assert (queue, environments_in(queue)) == (f"matches.{NEEDS}@{ONE}", {"numpy": ONE})
    with world.database.transaction() as session:
        assert choosing.choose(session, world.settings, world.staff, "numpy", TWO).chosen.digest == TWO
        assert choosing.choose(session, world.settings, world.staff, "numpy", TWO).chosen.digest == TWO
        told = [each.kind for each in session.scalars(select(Event)) if each.kind.startswith("environment")]
        assert told == ["environment.chosen"]
        assert sorted(environments.ever(session)) == [f"{NEEDS}@{ONE}", f"{NEEDS}@{TWO}"]
        session.execute(update(Match).values(state="pending"))
    assert issue(world) == f"matches.{NEEDS}@{TWO}"


def test_only_administrators_choose_and_only_what_is_there(world: World) -> None:
    """A digest that no host has, or a name that nobody has offered, is no choice."""
    offer(world, "server", ONE)
    team = world.team("alpha")
    with world.database.transaction() as session:
        organiser, _ = users.create_user(session, "teacher", Role.ORGANISER)
        for actor in (team, organiser):
            with pytest.raises(ForbiddenError):
                choosing.choose(session, world.settings, actor, "numpy", ONE)
        for name, digest in (("numpy", TWO), ("scipy", ONE)):
            with pytest.raises(NotFoundError):
                choosing.choose(session, world.settings, world.staff, name, digest)


def test_a_check_waits_for_a_host_that_has_its_environment(world: World) -> None:
    """And says so; a bot whose environment nobody has ever offered is not taken."""
    offer(world, "server", ONE)
    with world.database.transaction() as session:
        environments.require_known(session, NEEDS)
        environments.require_known(session, "c")
        with pytest.raises(ConflictError, match="no environment 'scipy' for Python bots; it has numpy"):
            environments.require_known(session, "python:scipy")
        bot = world.bot(session, "comet")
        bot.versions[0].language = NEEDS
        check = checks.begin(session, bot.versions[0])
        hosts.register(session, "server", {"python": "3.11"}, 1.0, process="a")
        waiting = "waiting for a worker host that runs Python + numpy and checks bots; none is there now"
        assert checks.waiting_for(session, world.settings, check) == waiting
        assert leases.issue(coordinator.WORK, session, world.settings) == []
    offer(world, "server", ONE)
    assert NEEDS in served(world, CHECKS)
    with world.database.transaction() as session:
        (message,) = leases.issue(coordinator.WORK, session, world.settings)
        assert message.needs == f"{NEEDS}@{ONE}"


def test_a_match_is_repeated_with_the_packages_that_it_was_played_with(world: World) -> None:
    """On a trusted host that still has them; for a day after a name means others none is drawn."""
    world.enrol("pc-7", share=1.0)
    world.enrol("server")
    offer(world, "server", ONE)
    offer(world, "pc-7", ONE)
    world.tournament(bots=3)
    need(world)
    _play(world)
    with world.database.transaction() as session:
        (row,) = session.scalars(select(Repeat))
        assert row.needs == f"{NEEDS}@{ONE}"
    offer(world, "server", ONE, TWO)
    with world.database.transaction() as session:
        choosing.choose(session, world.settings, world.staff, "numpy", TWO)
        (message,) = leases.issue(repeats.WORK, session, world.settings)
        assert message.needs == f"{NEEDS}@{ONE}"
    offer(world, "pc-7", TWO)
    _play(world)
    with world.database.transaction() as session:
        assert len(session.scalars(select(Repeat)).all()) == 1
        for each in session.scalars(select(Environment)):
            each.chosen_at -= 2 * environments.SETTLED_AFTER
    _play(world)
    with world.database.transaction() as session:
        assert [row.needs for row in session.scalars(select(Repeat).order_by(Repeat.id))] == [
            f"{NEEDS}@{ONE}",
            f"{NEEDS}@{TWO}",
        ]


def _play(world: World) -> None:
    with world.database.transaction() as session:
        session.execute(update(Match).where(Match.state == "published").values(state="pending"))
    with world.database.transaction() as session:
        message = issue_matches(session, world.settings)[0]
    assert world.heartbeat(message, "pc-7") == Verdict.TAKEN
    result = play(message.spec, 1).model_copy(update={"host": "pc-7"})
    assert world.record(message, result) == Verdict.TAKEN
