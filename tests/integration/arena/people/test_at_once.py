"""What two do at the same moment: the one waits for the other, and neither finds half of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.orm import Session

from arena.core.errors import ChangedError, NotFoundError
from arena.core.terms import Role, SignedInBy
from arena.people import administering, classes, erasing, following, links, sessions, users
from arena.people.sessions import Visit
from arena.play import quotas
from arena.results import seasons
from arena.schemas.seasons import NewSeason, SeasonChange
from arena.store import classes as class_store
from arena.store import follows
from arena.store import play as play_store
from arena.store import seasons as season_store
from arena.store import sessions as session_store
from arena.store import users as user_store
from arena.store.database import Database
from arena.store.models import JoinCode, User
from tests.integration.arena.world import World

PLAYER = "guest:0"


@pytest.fixture
def impatient(world: World) -> Iterator[Database]:
    """The same database for somebody who waits for nobody."""
    url = world.database.engine.url.render_as_string(hide_password=False)
    database = Database(url, patience_seconds=0.05)
    yield database
    database.close()


def _after(monkeypatch: pytest.MonkeyPatch, module: object, name: str, then: Callable[[], None]) -> list[str]:
    """Have something done right after the first call of a function; its name once that is so."""
    real, done = getattr(module, name), list[str]()

    def call(*args: object, **more: object) -> object:
        found = real(*args, **more)
        if not done:
            done.append(name)
            then()
        return found

    monkeypatch.setattr(module, name, call)
    return done


def _team(world: World, name: str) -> None:
    team = world.team(name)
    with world.database.transaction() as session:
        world.bot(session, name, team)


def test_who_follows_a_team_and_leaves_it_at_once(
    world: World, impatient: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who begins to follow is told of the team, as to leave it waits for that."""
    _team(world, "red")
    with world.database.transaction() as session:
        following.follow(session, world.staff, "red")

    def leave() -> None:
        with pytest.raises(DBAPIError), impatient.transaction() as session:
            following.unfollow(session, users.get(session, "staff"), "red")

    done = _after(monkeypatch, follows, "find", leave)
    with world.database.transaction() as session:
        told = following.follow(session, users.get(session, "staff"), "red")
    assert (told.team, done) == ("red", ["find"])


def test_turns_of_bots_are_counted_one_after_the_other(
    world: World, impatient: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has more than their quota by asking for many at once, with or without an account."""

    def ask(session: Session) -> None:
        quotas.require(session, None, PLAYER, 1)

    def ask_again() -> None:
        with pytest.raises(DBAPIError), impatient.transaction() as session:
            ask(session)

    done = _after(monkeypatch, play_store, "asked_since", ask_again)
    with world.database.transaction() as session:
        ask(session)
    assert done == ["asked_since"]


def _codes(session: Session) -> Sequence[JoinCode]:
    return class_store.codes_of_class(session, classes.get(session, "7a"))


def test_a_code_is_revoked_once(world: World) -> None:
    """Who revokes it after somebody else, and had seen it before, is told that it is not good any more."""
    with world.database.transaction() as session:
        school_class = classes.create(session, world.staff, "7a")
        made = classes.make_class_code(session, world.staff, school_class, uses=1, days=1)
    with world.database.reading() as session:
        seen = _codes(session)
    with world.database.transaction() as session:
        classes.revoke_code(session, world.staff, _codes(session), made.id)
    with world.database.transaction() as session, pytest.raises(NotFoundError):
        classes.revoke_code(session, world.staff, seen, made.id)


def test_a_season_that_somebody_else_has_removed_is_not_there(world: World) -> None:
    """Who removes or changes it, and had seen it before, is told so."""
    with world.database.transaction() as session:
        seasons.create(session, world.staff, NewSeason(name="spring"))
    with world.database.reading() as session:
        seen = seasons.get(session, "spring")
    with world.database.transaction() as session:
        seasons.remove(session, world.staff, seasons.get(session, "spring"))
    with world.database.transaction() as session:
        assert season_store.lock(session, seen.id) is None
        with pytest.raises(NotFoundError):
            seasons.remove(session, world.staff, seen)
        with pytest.raises(NotFoundError):
            seasons.change(session, world.staff, seen, SeasonChange())


def _sign_in(session: Session, _world: World, user: User) -> None:
    sessions.begin(session, user, SignedInBy.PASSWORD, Visit("192.0.2.7"))


def _token(session: Session, _world: World, user: User) -> None:
    users.new_token(session, user, actor=user)


def _link(session: Session, world: World, user: User) -> None:
    links.make(session, world.staff, user)


@pytest.mark.parametrize(("state", "times"), [("40P01", 1), ("40P01", 9), ("40P01", 10), ("55P03", 1)])
def test_erasing_goes_on_after_a_deadlock(
    world: World, monkeypatch: pytest.MonkeyPatch, state: str, times: int
) -> None:
    """PostgreSQL breaks it off where the person uses what is renamed; no other trouble is tried again."""
    _team(world, "red")
    erase, left = erasing.erase, [times]

    class BrokenOffError(Exception):
        sqlstate = state

    def erase_or_not(session: Session, name: str, *, sources: bool) -> erasing.Erased:
        erased = erase(session, name, sources=sources)
        if left[0]:
            left[0] -= 1
            raise OperationalError("", {}, BrokenOffError())
        return erased

    monkeypatch.setattr(erasing, "erase", erase_or_not)
    if state != "40P01" or times == erasing.ATTEMPTS:
        with pytest.raises(OperationalError):
            erasing.erase_with_retries(world.database, "red", sources=False)
        return
    erased = erasing.erase_with_retries(world.database, "red", sources=False)
    with world.database.reading() as session:
        assert users.find(session, "red") is None
        assert users.get(session, erased.name).erased_at is not None


WAYS: dict[str, tuple[Callable[[Session, World, User], None], object, str]] = {
    "session": (_sign_in, session_store, "of_user"),
    "token": (_token, user_store, "tokens"),
    "link": (_link, session_store, "forget_links"),
}
"""What is made, and what is called before it is written."""


@pytest.mark.parametrize("way", WAYS)
def test_nothing_signs_in_a_user_who_was_promoted_meanwhile(
    world: World,
    impatient: Database,
    monkeypatch: pytest.MonkeyPatch,
    way: str,
) -> None:
    """Either it is made worthless with all else that others may have of the user, or it is not made."""
    _team(world, "red")

    def promote() -> None:
        with impatient.transaction() as session:
            administering.set_role(session, users.get(session, "staff"), "red", Role.ORGANISER)

    promoted, (make, module, name) = [], WAYS[way]

    def try_to() -> None:
        try:
            promote()
        except DBAPIError:
            return
        promoted.append("meanwhile")

    _after(monkeypatch, module, name, try_to)
    try:
        with world.database.transaction() as session:
            make(session, world, users.get(session, "red"))
    except ChangedError:
        assert promoted
    else:
        assert not promoted
        promote()
    with world.database.reading() as session:
        (account,) = administering._accounts(session, [users.get(session, "red")])
    assert not any(account.ways)
