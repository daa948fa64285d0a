"""Following teams: what a follower's news tells of them, and what it does not."""

from __future__ import annotations

import datetime as dt

import pytest

from arena.core.clock import utc_now
from arena.core.errors import ConflictError, NotFoundError
from arena.core.terms import NewsKind, Role
from arena.events import news
from arena.people import following, users
from arena.schemas.news import NewsOut
from arena.schemas.plans import TournamentPlan
from arena.store.models import Bot
from arena.submissions import versions
from arena.tournaments import freezing, lifecycle
from tests.integration.arena.asking import asked
from tests.integration.arena.world import GAME, PARAMS, World, issue_matches, play


@pytest.fixture
def cup(world: World) -> World:
    """A running `cup` of `red`'s and `blue`'s bots, eight games; `green` has none and follows nobody yet."""
    with world.database.transaction() as session:
        for name in ("red", "blue"):
            world.bot(session, name, users.create_user(session, name, Role.TEAM)[0])
        users.create_user(session, "green", Role.TEAM)
        plan = TournamentPlan(
            name="cup", game=GAME, params=PARAMS, format="double_round_robin", openings=2, opening_plies=2
        )
        made = lifecycle.create(session, world.staff, plan)
        lifecycle.open_(session, world.staff, made)
        for bot in ("red", "blue"):
            lifecycle.enter(session, world.staff, made, versions.get(session, bot))
    with world.database.transaction() as session:
        lifecycle.start(session, world.staff, world.get(session))
    return world


def _follow(world: World, who: str, *teams: str) -> None:
    with world.database.transaction() as session:
        for team in teams:
            following.follow(session, users.get(session, who), team)


def _play(world: World, number: int) -> None:
    settings = world.settings.model_copy(update={"window": number})
    with world.database.transaction() as session:
        messages = issue_matches(session, settings)
    for message in messages[:number]:
        world.record(message, play(message.spec, seed=int(message.spec.match)))


def _told(world: World, who: str, *kinds: NewsKind) -> list[NewsOut]:
    with world.database.reading() as session:
        return [each for each in news.listed(session, users.get(session, who)) if each.kind in kinds]


def _games(item: NewsOut) -> int:
    return (item.won or 0) + (item.drawn or 0) + (item.lost or 0)


def test_results_and_versions_of_a_followed_team(cup: World) -> None:
    """A follower is told both, with the team; new is what came after their mark, and nobody else is told."""
    _follow(cup, "green", "red")
    _play(cup, 3)
    (result,) = _told(cup, "green", NewsKind.RESULTS)
    assert (result.tournament, result.bot, result.team, _games(result)) == ("cup", "red", "red", 3)
    (version,) = _told(cup, "green", NewsKind.VERSION)
    assert (version.bot, version.team, version.version, version.is_new) == ("red", "red", 1, False)
    with cup.database.transaction() as session:
        news.see(session, users.get(session, "green"))
        cup.version(session, versions.get(session, "red"))
    _play(cup, 2)
    assert [(each.is_new, _games(each)) for each in _told(cup, "green", NewsKind.RESULTS)] == [
        (True, 2),
        (False, 3),
    ]
    assert [(each.version, each.is_new) for each in _told(cup, "green", NewsKind.VERSION)] == [
        (2, True),
        (1, False),
    ]
    with cup.database.reading() as session:
        assert news.count_new(session, users.get(session, "green")) == 2
        told = news.for_feed(session, users.get(session, "green"))
        assert [_games(each) for each in told if each.kind is NewsKind.RESULTS] == [5]
    assert [each.team for each in _told(cup, "blue", NewsKind.RESULTS, NewsKind.VERSION)] == [None]


def test_a_follower_learns_no_verdict(cup: World) -> None:
    """Of a check nothing is told but to the own team, and what a version is said of is that it is there."""
    _follow(cup, "green", "red")
    assert _told(cup, "green", NewsKind.CHECK) == []
    (version,) = _told(cup, "green", NewsKind.VERSION)
    assert (version.state, version.text, version.won) == (None, None, None)


@pytest.mark.parametrize("own", [True, False])
def test_a_freeze_hides_results_from_followers(cup: World, *, own: bool) -> None:
    """Also where teams see their own games, followers do not; the reveal tells all, as new."""
    _follow(cup, "green", "red")
    _play(cup, 3)
    with cup.database.transaction() as session:
        freezing.freeze(session, cup.staff, cup.get(session), own=own)
    before = _told(cup, "green", NewsKind.RESULTS)
    assert [_games(each) for each in before] == [3]
    _play(cup, 4)
    assert _told(cup, "green", NewsKind.RESULTS) == before
    with cup.database.transaction() as session:
        freezing.reveal(session, cup.staff, cup.get(session))
    assert [_games(each) for each in _told(cup, "green", NewsKind.RESULTS)] == [7]


def test_who_may_be_followed(cup: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Teams with bots, so many; not one's own, no staff, no member, and nobody of whom nothing is public."""
    monkeypatch.setattr(following, "MOST", 1)
    with cup.database.transaction() as session:
        green = users.get(session, "green")
        member, _ = users.create_user(session, "ruby", Role.TEAM)
        member.team_id = users.get(session, "red").id
        cup.bot(session, "staffs")
        session.add(Bot(owner_id=member.id, name="stray", created_at=utc_now()))
        session.flush()
        for name in ("nobody", "staff", "ruby", "green", "\x00"):
            with pytest.raises(NotFoundError, match="no team"):
                following.follow(session, green, name)
        for who in (member, users.get(session, "red")):
            with pytest.raises(ConflictError, match="your own team"):
                following.follow(session, who, "red")
        first = following.follow(session, green, "red")
        assert following.follow(session, green, "red") == first
        with pytest.raises(ConflictError, match="you follow 1 teams"):
            following.follow(session, green, "blue")
        assert [(each.team, each.bots) for each in following.listed(session, green)] == [("red", ("red",))]
        assert utc_now() - first.since < dt.timedelta(hours=1)
        following.unfollow(session, green, "red")
        assert following.listed(session, green) == []
        for name in ("red", "nobody"):
            with pytest.raises(NotFoundError, match="do not follow"):
                following.unfollow(session, green, name)
        following.follow(session, green, "blue")


def test_more_followed_teams_need_no_more_statements(cup: World) -> None:
    """The news of a follower asks as many questions of one team as of many."""

    def count() -> int:
        with asked("SELECT") as found, cup.database.reading() as session:
            user = users.get(session, "green")
            news.listed(session, user)
            following.listed(session, user)
        return len(found)

    _play(cup, 8)
    _follow(cup, "green", "red")
    few = count()
    with cup.database.transaction() as session:
        for number in range(5):
            team, _ = users.create_user(session, f"team-{number}", Role.TEAM)
            cup.bot(session, f"bot-{number}", team, versions=3)
    _follow(cup, "green", "blue", *(f"team-{number}" for number in range(5)))
    assert count() == few
    assert len(_told(cup, "green", NewsKind.RESULTS)) == 2
