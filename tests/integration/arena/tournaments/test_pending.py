"""Bots that enter by themselves: when they pass, and not before; reference bots with their tournament."""

from __future__ import annotations

import datetime as dt

import pytest

from arena.core.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from arena.core.terms import Act, VersionState
from arena.schemas.plans import TournamentPlan
from arena.store import freezes
from arena.store import pending as store
from arena.submissions import versions
from arena.tournaments import freezing, lifecycle, pending, timetables
from tests.integration.arena.ticking import Later, coordinator_of
from tests.integration.arena.world import GAME, PARAMS, World
from workers.programs.archive_store import ArchiveStore


def _checking(world: World, name: str) -> None:
    """The newest version of a bot is being checked."""
    with world.database.transaction() as session:
        versions.get_version(session, versions.get(session, name)).state = VersionState.CHECKING


def _judge(world: World, name: str, state: VersionState) -> None:
    with world.database.transaction() as session:
        versions.get_version(session, versions.get(session, name)).state = state


def _entered(world: World) -> list[str]:
    with world.database.reading() as session:
        return [each.version.bot.name for each in lifecycle.entries(session, world.get(session))]


def _awaited(world: World) -> list[str]:
    with world.database.reading() as session:
        return [each.pending.bot.name for each in pending.awaited(session, world.get(session))]


@pytest.fixture
def cup(world: World) -> World:
    """A cup that is open and empty, and a team whose bot is being checked."""
    world.tournament(bots=0, start=False)
    team = world.team("green")
    with world.database.transaction() as session:
        world.bot(session, "green", team)
    _checking(world, "green")
    return world


def _ask(world: World, team: str = "green") -> None:
    with world.database.transaction() as session:
        bot = versions.get(session, "green")
        actor = bot.owner if team == "green" else world.staff
        assert pending.enter(session, actor, world.get(session), bot) is None


def test_a_bot_enters_when_it_has_passed(cup: World) -> None:
    """It waits through a fault for a version that passes, and is entered then by the coordinator, once."""
    coordinator = coordinator_of(cup)
    _ask(cup)
    _ask(cup)
    coordinator.tick()
    assert (_entered(cup), _awaited(cup)) == ([], ["green"])
    _judge(cup, "green", VersionState.FAILED)
    coordinator.tick()
    assert (_entered(cup), _awaited(cup)) == ([], ["green"])
    _judge(cup, "green", VersionState.PASSED)
    coordinator.tick()
    assert (_entered(cup), _awaited(cup)) == (["green"], [])


def test_who_has_passed_is_entered_at_once(cup: World) -> None:
    """Nothing is waited for then."""
    _judge(cup, "green", VersionState.PASSED)
    with cup.database.transaction() as session:
        bot = versions.get(session, "green")
        entry = pending.enter(session, bot.owner, cup.get(session), bot)
        assert entry is not None
    assert (_entered(cup), _awaited(cup)) == (["green"], [])


def test_what_cannot_be_entered_any_more_is_given_up(cup: World) -> None:
    """A team that is let out of the class meanwhile is not entered, and not tried for ever."""
    _ask(cup)
    _judge(cup, "green", VersionState.PASSED)
    with cup.database.transaction() as session:
        cup.get(session).class_id = 99
    coordinator_of(cup).tick()
    with cup.database.reading() as session:
        assert store.in_tournament(session, cup.get(session)) == []
    assert _entered(cup) == []


def test_what_was_handed_in_in_time_enters_however_long_its_check_takes(
    cup: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that passes after the entries were closed is entered, by the version that was there in time."""
    clock = Later()
    for module in (timetables, freezes, freezing):
        monkeypatch.setattr(module, "utc_now", clock)
    closes = clock() + dt.timedelta(minutes=1)
    with cup.database.transaction() as session:
        timetables.change(session, cup.staff, cup.get(session), {Act.CLOSE: closes}, own=False)
    _ask(cup)
    clock.seconds = 120
    with cup.database.transaction() as session:
        late = cup.version(session, versions.get(session, "green"))
        late.created_at = clock()
    coordinator = coordinator_of(cup, clock)
    coordinator.tick()
    assert (_entered(cup), _awaited(cup)) == ([], ["green"])
    with cup.database.transaction() as session:
        versions.get_version(session, versions.get(session, "green"), 1).state = VersionState.PASSED
    coordinator.tick()
    assert (_entered(cup), _awaited(cup)) == (["green"], [])
    with cup.database.transaction() as session:
        (entry,) = lifecycle.entries(session, cup.get(session))
        assert entry.version.number == 1
        with pytest.raises(ConflictError, match="takes no entries since"):
            pending.enter(session, entry.version.bot.owner, cup.get(session), entry.version.bot)


def test_it_is_taken_back_by_its_owner_or_the_staff(cup: World) -> None:
    """Others may neither ask nor take back; what is not there cannot be taken back."""
    other = cup.team("blue")
    _ask(cup)
    with cup.database.transaction() as session, pytest.raises(ForbiddenError):
        pending.withdraw(session, other, cup.get(session), versions.get(session, "green"))
    with cup.database.transaction() as session, pytest.raises(ForbiddenError):
        pending.enter(session, other, cup.get(session), versions.get(session, "green"))
    with cup.database.transaction() as session:
        pending.withdraw(session, cup.staff, cup.get(session), versions.get(session, "green"))
    with cup.database.transaction() as session, pytest.raises(NotFoundError):
        pending.withdraw(session, cup.staff, cup.get(session), versions.get(session, "green"))
    assert _awaited(cup) == []


def test_nothing_is_waited_for_in_a_tournament_that_is_played(world: World) -> None:
    """Who is still being checked when it runs is refused."""
    world.tournament()
    with world.database.transaction() as session:
        world.bot(session, "late")
    _checking(world, "late")
    with world.database.transaction() as session, pytest.raises(ConflictError, match="running"):
        pending.enter(session, world.staff, world.get(session), versions.get(session, "late"))


def test_reference_bots_come_with_their_tournament(world: World) -> None:
    """They are handed in and enter when they pass; the next tournament has those that have, at once."""
    plan = TournamentPlan(name="cup", game=GAME, params=PARAMS, reference_bots=("@random", "greedy"))
    archives = ArchiveStore(world.settings.archive_url)
    with world.database.transaction() as session:
        pending.create(session, archives, world.staff, plan)
    assert sorted(_awaited(world)) == ["greedy", "random"]
    for name in ("random", "greedy"):
        _judge(world, name, VersionState.PASSED)
    coordinator_of(world).tick()
    assert sorted(_entered(world)) == ["greedy", "random"]
    with world.database.transaction() as session:
        again = pending.create(session, archives, world.staff, plan.model_copy(update={"name": "two"}))
        assert len(lifecycle.entries(session, again)) == 2


def test_an_unknown_reference_bot_makes_nothing(world: World) -> None:
    """The refusal names those that there are, and no tournament is made."""
    plan = TournamentPlan(name="cup", game=GAME, params=PARAMS, reference_bots=("nobody",))
    with world.database.transaction() as session, pytest.raises(InvalidError, match="there are @"):
        pending.create(session, ArchiveStore(world.settings.archive_url), world.staff, plan)
    with world.database.reading() as session, pytest.raises(NotFoundError):
        lifecycle.get(session, "cup")


def test_reference_bots_of_a_game_that_there_cannot_be_make_nothing(world: World) -> None:
    """The game and its parameters are refused in words, as without reference bots."""
    plan = TournamentPlan(name="cup", game=GAME, params=PARAMS, reference_bots=("@random",))
    archives = ArchiveStore(world.settings.archive_url)
    for wrong, why in (({"game": "go"}, "no game"), ({"params": {"komi": 7}}, "no parameter 'komi'")):
        with world.database.transaction() as session, pytest.raises(InvalidError, match=why):
            pending.create(session, archives, world.staff, plan.model_copy(update=wrong))


def test_a_reference_bot_that_does_not_play_so_makes_nothing(world: World) -> None:
    """A board on which it does not play is refused before there is a tournament, not by a forfeit."""
    plan = TournamentPlan(name="cup", game=GAME, params={"size": 6, "rows": 7}, reference_bots=("strong",))
    with world.database.transaction() as session, pytest.raises(InvalidError, match="only without rows"):
        pending.create(session, ArchiveStore(world.settings.archive_url), world.staff, plan)
