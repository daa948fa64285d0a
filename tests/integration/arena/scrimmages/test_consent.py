"""Who lets scrimmages be played, and takes it back."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import select

from arena.coordinator.leases import Verdict
from arena.core.errors import ConflictError, ForbiddenError, NotFoundError
from arena.core.terms import MatchState, Role, Unplayed
from arena.people import classes, users
from arena.scrimmages import consent
from arena.store.models import Event
from arena.store.models.event_types import EventKind
from tests.integration.arena.locking import until_somebody_waits
from tests.integration.arena.sparring import Ring
from tests.integration.arena.world import World


@pytest.fixture
def ring(world: World) -> Ring:
    """Teams that ask for scrimmages."""
    return Ring(world)


def test_withdrawn_consent_ends_what_is_not_over(ring: Ring) -> None:
    """What was played stays, what is in play is refused, and the owner's own scrimmages go on."""
    ring.let("blue")
    number = ring.ask(opponent="blue", games=3)
    (first,) = ring.issue()
    ring.heartbeat(first)
    own = ring.ask("blue", opponent="blue", games=1)
    ring.let("blue", takes=False)
    assert ring.heartbeat(first) == Verdict.REFUSED
    assert ring.states(number) == [MatchState.CANCELLED] * 3
    assert {game.unplayed for game in ring.get(number).games} == {Unplayed.CONSENT}
    assert ring.states(own) != [MatchState.CANCELLED]
    with pytest.raises(NotFoundError, match="that your team may play"):
        ring.ask(opponent="blue")


def test_only_its_owner_and_who_runs_their_class_open_a_bot(ring: Ring) -> None:
    """What is said twice is written down once, with who said it."""
    with ring.world.database.transaction() as session:
        blue = ring.bot(session, "blue")
        assert not blue.takes_scrimmages
        with pytest.raises(ForbiddenError, match="belongs to"):
            consent.set_bot(session, users.get(session, "red"), blue, takes=True)
        for _ in range(2):
            consent.set_bot(session, ring.world.staff, blue, takes=True)
    with ring.world.database.reading() as session:
        assert ring.bot(session, "blue").takes_scrimmages
        (event,) = session.scalars(select(Event).where(Event.kind == EventKind.BOT_SCRIMMAGES))
        assert event.user_id == ring.world.staff.id


def test_a_class_may_have_none(ring: Ring) -> None:
    """Its organisers say so; what its teams have asked for ends, and others go on."""
    mine, others = ring.ask("red", games=1), ring.ask("green", games=1)
    with ring.world.database.transaction() as session:
        teacher, _ = users.create_user(session, "teacher", Role.ORGANISER)
        school_class = classes.get(session, "7a")
        with pytest.raises(ForbiddenError, match="only an organiser of the class"):
            consent.set_class(session, teacher, school_class, has=False)
        classes.add_organiser(session, ring.world.staff, school_class, teacher)
        consent.set_class(session, users.get(session, "teacher"), school_class, has=False)
    assert (ring.states(mine), ring.states(others)) == ([MatchState.CANCELLED], [MatchState.PENDING])
    assert ring.game(mine).unplayed == Unplayed.CLASS
    with pytest.raises(ConflictError, match="has no scrimmages at the moment"):
        ring.ask("red")
    with ring.world.database.transaction() as session:
        consent.set_class(session, ring.world.staff, classes.get(session, "7a"), has=True)
    ring.ask("red")


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_bot_that_is_closed_meanwhile_is_not_played_against(ring: Ring) -> None:
    """Who asks while the owner takes their word back waits for it, and is refused."""
    ring.let("blue")
    refused: list[str] = []

    def ask() -> None:
        try:
            ring.ask(opponent="blue")
        except NotFoundError as error:
            refused.append(str(error))

    asking = threading.Thread(target=ask)
    with ring.world.database.transaction() as session:
        consent.set_bot(session, ring.world.staff, ring.bot(session, "blue"), takes=False)
        asking.start()
        until_somebody_waits(ring.world.database)
    asking.join()
    assert len(refused) == 1
