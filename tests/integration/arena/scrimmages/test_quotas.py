"""How many games of scrimmages a team may ask for, also at the same moment."""

from __future__ import annotations

import datetime as dt
import threading

import pytest
from sqlalchemy import func, select, update

from arena.core.clock import utc_now
from arena.core.errors import ConflictError, ForbiddenError, TooManyError
from arena.scrimmages import asking, quotas
from arena.store.models import Scrimmage, ScrimmageGame
from tests.integration.arena.locking import until_somebody_waits
from tests.integration.arena.sparring import Ring
from tests.integration.arena.world import World

HOUR = dt.timedelta(hours=1)


@pytest.fixture
def ring(world: World) -> Ring:
    """Teams that ask for scrimmages."""
    return Ring(world)


def test_a_day_has_so_many_games(ring: Ring) -> None:
    """Who asks for more is told when there are enough again; a day later there are."""
    ring.ask(games=2, most=5)
    first = ring.ask(games=2, most=5)
    ring.play_all()
    with ring.world.database.transaction() as session:
        for number, hours in ((first - 1, 23), (first, 20)):
            moment = utc_now() - hours * HOUR
            session.execute(update(Scrimmage).where(Scrimmage.id == number).values(created_at=moment))
    with pytest.raises(TooManyError, match="of which 1 are left") as refused:
        ring.ask(games=2, most=5)
    assert 3000 < refused.value.retry_seconds <= 3600
    with pytest.raises(TooManyError) as refused:
        ring.ask(games=4, most=5)
    assert 3 * 3600 < refused.value.retry_seconds <= 4 * 3600
    with pytest.raises(TooManyError, match="at most 5 at once"):
        ring.ask(games=6, most=5)
    with ring.world.database.reading() as session:
        told = quotas.allowance(session, ring.user("red"), 5)
    assert (told.most, told.left) == (5, 1)
    assert told.again_at is not None
    assert told.again_at < utc_now() + HOUR
    ring.ask(games=1, most=5)
    ring.ask("blue", games=5, most=5)


def test_who_may_not_costs_nothing(ring: Ring, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose games are used up is told so before a reference bot is packed or an opening drawn."""
    ring.ask(games=2, most=2)
    for work in ("_reference", "_draw"):
        monkeypatch.setattr(asking, work, pytest.fail)
    with pytest.raises(TooManyError, match="of which 0 are left"):
        ring.ask(games=2, most=2)


def test_what_was_never_played_does_not_count(ring: Ring) -> None:
    """What was called off before it began, and what the workers lost; but not what had begun."""
    number = ring.ask(games=2, most=2)
    with ring.world.database.transaction() as session:
        asking.cancel(session, ring.user("red"), asking.get(session, ring.user("red"), number))
    number = ring.ask(games=1, most=2)
    for _ in range(ring.world.settings.max_lost + 1):
        (message,) = ring.issue()
        ring.lose(message)
    number = ring.ask(games=2, most=2)
    (message,) = ring.issue()
    ring.heartbeat(message)
    with ring.world.database.transaction() as session:
        asking.cancel(session, ring.user("red"), asking.get(session, ring.user("red"), number))
    with pytest.raises(TooManyError, match="of which 1 are left"):
        ring.ask(games=2, most=2)


def test_few_are_under_way_at_a_time(ring: Ring) -> None:
    """So nobody fills the queue; administrators may."""
    for _ in range(quotas.MAX_OPEN):
        ring.ask(games=1)
    with pytest.raises(ConflictError, match="are not over"):
        ring.ask(games=1)
    ring.play_all()
    ring.ask(games=1)


def test_an_arena_may_have_none(ring: Ring) -> None:
    """With a quota of 0 only administrators have scrimmages."""
    with pytest.raises(ForbiddenError, match="have no scrimmages on this arena"):
        ring.ask(most=0)
    with ring.world.database.transaction() as session:
        ring.world.bot(session, "staff", ring.world.staff)
    for _ in range(quotas.MAX_OPEN + 1):
        ring.ask("staff", most=0)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_two_members_who_ask_at_once_share_the_quota(ring: Ring) -> None:
    """The second waits for the first, and is refused what is used up then."""
    told: list[str] = []

    def ask() -> None:
        try:
            ring.ask(games=2, most=3)
        except TooManyError as error:
            told.append(str(error))

    second = threading.Thread(target=ask)
    with ring.world.database.transaction() as session:
        quotas.require(session, ring.user("red"), 2, 3)
        moment = utc_now()
        version = ring.bot(session, "red").versions[0]
        scrimmage = Scrimmage(
            owner_id=ring.user("red").id,
            asked_by=ring.user("red").id,
            version=version,
            reference="random",
            archive="0" * 64,
            game="heap_nim",
            params={},
            game_version=1,
            time={},
            limits={},
            seed=1,
            created_at=moment,
        )
        scrimmage.games = [
            ScrimmageGame(
                owner_id=scrimmage.owner_id, number=each, seat=0, opening=[], needs="python", state="pending"
            )
            for each in (1, 2)
        ]
        session.add(scrimmage)
        second.start()
        until_somebody_waits(ring.world.database)
    second.join()
    assert len(told) == 1
    assert "of which 1 are left" in told[0]
    with ring.world.database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Scrimmage)) == 1
