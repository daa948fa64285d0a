"""Asking for scrimmages: who may play whom, with what, and what is kept."""

from __future__ import annotations

import datetime as dt

import pytest
from sqlalchemy import func, select, update

from arena.core.clock import utc_now
from arena.core.errors import ArenaError, ConflictError, ForbiddenError, InvalidError, NotFoundError
from arena.core.terms import MatchState, Role, Side, VersionState
from arena.people import classes, users
from arena.scrimmages import asking, opponents
from arena.store.models import BotVersion, Event, Scrimmage, ScrimmageGame, ScrimmageResult
from tests.integration.arena.sparring import Ring
from tests.integration.arena.world import World


@pytest.fixture
def ring(world: World) -> Ring:
    """Teams that ask for scrimmages."""
    return Ring(world)


def test_one_plays_as_in_a_tournament(ring: Ring, monkeypatch: pytest.MonkeyPatch) -> None:
    """Game, parameters, time and limits are the tournament's; openings are those of a seed of its own."""
    monkeypatch.setattr("arena.scrimmages.asking.secrets.randbelow", lambda _: 1)
    time = {"move_ms": 1234, "extensions": 0}
    ring.world.tournament("cup", bots=2, openings=1, opening_plies=3, time=time)
    found = ring.get(ring.ask(opponent="@greedy", tournament="cup", game=None, games=4))
    assert (found.params["size"], found.time["move_ms"], found.reference) == (4, 1234, "greedy")
    openings = [game.opening for game in found.games]
    assert openings[0] == openings[1] != openings[2] == openings[3]
    assert {len(each) for each in openings} == {3}
    with ring.world.database.reading() as session:
        assert openings[0] not in ring.world.get(session).opening_moves


def test_without_openings_only_the_first_games_begin_at_the_beginning(ring: Ring) -> None:
    """Bots that draw no lots would play the same two games again and again."""
    openings = [game.opening for game in ring.get(ring.ask(games=5)).games]
    assert openings[0] == openings[1] == []
    assert openings[2] == openings[3] != openings[4] != []


def test_an_own_version_plays_another(ring: Ring) -> None:
    """The newest plays the one before, or which ones are named; none plays itself."""
    found = ring.get(ring.ask(opponent="red"))
    assert found.opponent is not None
    assert (found.version.number, found.opponent.number) == (2, 1)
    other = ring.get(ring.ask(opponent="red", version=1, opponent_version=2))
    assert other.opponent is not None
    assert (other.version.number, other.opponent.number) == (1, 2)
    with pytest.raises(ConflictError, match="would play itself"):
        ring.ask(opponent="red", version=1, opponent_version=1)
    with pytest.raises(NotFoundError, match="no version 9"):
        ring.ask(opponent="red", opponent_version=9)


def test_a_version_has_to_have_passed(ring: Ring) -> None:
    """Named, it is refused with the reason; else the newest plays that has passed."""
    with ring.world.database.transaction() as session:
        newest = select(BotVersion.id).where(BotVersion.number == 2)
        session.execute(update(BotVersion).where(BotVersion.id.in_(newest)).values(state=VersionState.FAILED))
    assert ring.get(ring.ask()).version.number == 1
    with pytest.raises(ConflictError, match="failed its check"):
        ring.ask(version=2)
    with pytest.raises(ConflictError, match="no other version"):
        ring.ask(opponent="red")
    ring.let("blue")
    found = ring.get(ring.ask(opponent="blue"))
    assert found.opponent is not None
    assert found.opponent.number == 1


@pytest.mark.parametrize(
    ("wish", "error", "told"),
    [
        ({"opponent": "@nobody"}, InvalidError, "no reference bot"),
        ({"opponent": "@algo3"}, InvalidError, "no reference bot"),
        ({"opponent": "@perfect"}, InvalidError, "no reference bot"),
        ({"opponent": "@random:1"}, InvalidError, "random"),
        ({"opponent": "@random", "opponent_version": 1}, InvalidError, "has no versions"),
        ({"game": "chess"}, InvalidError, "chess"),
        ({"tournament": "cup", "game": "heap_nim"}, InvalidError, "leave the game out"),
        ({"tournament": "nowhere", "game": None}, NotFoundError, "no tournament"),
        ({"bot": "blue"}, ForbiddenError, "belongs to 'blue'"),
        ({"bot": "nobody"}, NotFoundError, "no bot"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(
    ring: Ring, wish: dict[str, str], error: type[ArenaError], told: str
) -> None:
    """A scrimmage that is refused says why and leaves no row in the database."""
    ring.world.tournament("cup", bots=2)
    with pytest.raises(error, match=told):
        ring.ask(**wish)  # type: ignore[arg-type]
    with ring.world.database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Scrimmage)) == 0


def test_a_tournament_of_another_class_is_not_played_in(ring: Ring) -> None:
    """Its time and limits are that class's business."""
    ring.world.tournament("cup", bots=2)
    with ring.world.database.transaction() as session:
        ring.world.get(session).class_id = classes.get(session, "7b").id
    with pytest.raises(ForbiddenError, match="for a class that your team is not in"):
        ring.ask(tournament="cup", game=None)
    ring.ask("green", tournament="cup", game=None)


def test_who_lets_others_play(ring: Ring) -> None:
    """Only bots of the same class, of its organisers and of administrators, whose owners let them.

    A bot that may not be played against is not told apart from one that is not there.
    """
    for name in ("blue", "green", "grey"):
        ring.let(name)
    with ring.world.database.transaction() as session:
        teacher, _ = users.create_user(session, "teacher", Role.ORGANISER)
        classes.add_organiser(session, ring.world.staff, classes.get(session, "7a"), teacher)
        for name, owner in (("teachers", teacher), ("admins", ring.world.staff), ("shy", ring.world.staff)):
            ring.world.bot(session, name, owner).takes_scrimmages = name != "shy"

    def named(team: str) -> list[str]:
        with ring.world.database.reading() as session:
            return [bot.name for bot in opponents.others(session, ring.user(team))]

    assert named("red") == ["admins", "blue", "teachers"]
    assert named("green") == ["admins"]
    assert named("grey") == ["admins"]
    for name in ("blue", "teachers", "admins"):
        found = ring.get(ring.ask(opponent=name))
        assert found.opponent is not None
        assert found.opponent.bot.name == name
        ring.play_all()
    refusals = set()
    for name in ("green", "grey", "shy", "nobody"):
        with pytest.raises(NotFoundError) as refused:
            ring.ask(opponent=name)
        refusals.add(str(refused.value).replace(name, "X"))
    assert len(refusals) == 1
    with pytest.raises(InvalidError, match="newest version plays"):
        ring.ask(opponent="blue", opponent_version=1)


def test_both_teams_see_it_and_nobody_else(ring: Ring) -> None:
    """The opponent's owner finds it among those against them; others are told that there is none."""
    ring.let("blue")
    number = ring.ask(opponent="blue")
    ring.ask(opponent="@random")

    def listed(team: str, side: Side) -> list[int]:
        with ring.world.database.reading() as session:
            return [each.id for each in opponents.listed(session, ring.user(team), side, 0, 10)[0]]

    assert listed("red", Side.ASKED) == [number + 1, number]
    assert (listed("red", Side.AGAINST), listed("blue", Side.ASKED)) == ([], [])
    assert listed("blue", Side.AGAINST) == [number]
    assert listed("green", Side.AGAINST) == []
    with ring.world.database.reading() as session:
        assert asking.get(session, ring.user("blue"), number).id == number
        for team, other in (("green", number), ("grey", number), ("blue", number + 1), ("red", 99)):
            with pytest.raises(NotFoundError, match="of yours"):
                asking.get(session, ring.user(team), other)


def test_only_who_asked_calls_it_off_and_once(ring: Ring) -> None:
    """What was played stays as it is."""
    ring.let("blue")
    number = ring.ask(opponent="blue", games=2)
    (message,) = ring.issue()
    ring.record(message)
    with ring.world.database.transaction() as session:
        found = asking.get(session, ring.user("blue"), number)
        with pytest.raises(ForbiddenError, match="only who asked"):
            asking.cancel(session, ring.user("blue"), found)
        asking.cancel(session, ring.user("red"), found)
        with pytest.raises(ConflictError, match="is over"):
            asking.cancel(session, ring.user("red"), found)
    assert ring.states(number) == [MatchState.FINISHED, MatchState.CANCELLED]


def test_the_oldest_are_forgotten(ring: Ring, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest stay, those of the last day, those that are not over, and all of other teams."""
    monkeypatch.setattr(asking, "KEPT", 2)
    old = [ring.ask(games=1) for _ in range(2)] + [ring.ask("blue", games=1)]
    ring.play_all()
    waits = ring.ask(games=1)
    with ring.world.database.transaction() as session:
        session.execute(update(Scrimmage).values(created_at=utc_now() - dt.timedelta(days=2)))
    lately = [ring.ask(games=1), ring.ask(games=1)]
    with ring.world.database.reading() as session:
        assert list(session.scalars(select(Scrimmage.id).order_by(Scrimmage.id))) == [old[2], waits, *lately]
        assert session.scalar(select(func.count()).select_from(ScrimmageGame)) == 4
        assert list(session.scalars(select(ScrimmageResult.game_id))) == [old[2]]


def test_nothing_of_it_is_told_in_the_log(ring: Ring) -> None:
    """A scrimmage that is asked for, given out and played leaves the audit log as it was."""

    def count() -> int | None:
        with ring.world.database.reading() as session:
            return session.scalar(select(func.count()).select_from(Event))

    before = count()
    ring.ask(games=2)
    assert ring.play_all() == 2
    assert count() == before
