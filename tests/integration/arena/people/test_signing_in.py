"""What people sign in with, on both databases and with many at once."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from arena.core.clock import utc_now
from arena.core.errors import AuthRequiredError, NotFoundError, TooManyError
from arena.core.terms import SignedInBy
from arena.people import attempts, classes, links, sessions, users
from arena.people.attempts import NAME
from arena.people.classes import WorthlessCodeError
from arena.people.sessions import Visit
from tests.integration.arena.world import World

PASSWORD = "blue horse 7 lamps"
HERE = "192.0.2.7"


def _code(world: World, uses: int) -> str:
    with world.database.transaction() as session:
        class_ = classes.create(session, world.staff, "7a")
        return classes.make_class_code(session, world.staff, class_, uses=uses, days=1).text


def _join(world: World, code: str, name: str) -> None:
    with world.database.transaction() as session:
        classes.join(session, code, member=name, team=f"team-{name}", address=HERE)


def _try(world: World, name: str, password: str) -> None:
    with world.database.transaction() as session:
        sessions.by_password(session, name, password, HERE)


def test_from_a_code_to_a_session(world: World) -> None:
    """A code makes an account, whose password begins a session, which a change of the password ends."""
    _join(world, _code(world, 1), "amy")
    with world.database.transaction() as session:
        amy = users.get(session, "amy")
        sessions.set_password(session, amy, PASSWORD, current="", address=HERE)
    with world.database.transaction() as session:
        user = sessions.by_password(session, "amy", PASSWORD, HERE)
        secret = sessions.begin(session, user, SignedInBy.PASSWORD, Visit(HERE))
    with world.database.reading() as session:
        found, glimpse = sessions.find(session, secret), sessions.glimpse(session, secret)
        assert found is not None
        assert glimpse is not None
        assert (found.user.name, glimpse.name, glimpse.id) == ("amy", "amy", found.id)
    with world.database.transaction() as session:
        amy = users.get(session, "amy")
        sessions.set_password(session, amy, "another good one", current=PASSWORD, address=HERE)
    with world.database.reading() as session:
        assert sessions.find(session, secret) is None
        assert sessions.glimpse(session, secret) is None


def test_a_link_is_used_by_one_of_many(world: World) -> None:
    """Of all who use a link at the same time, one is signed in."""
    _join(world, _code(world, 1), "amy")
    with world.database.transaction() as session:
        secret, _ = links.make(session, world.staff, users.get(session, "amy"))

    def use(_: int) -> str:
        try:
            with world.database.transaction() as session:
                return links.use(session, secret).name
        except NotFoundError:
            return "nobody"

    with ThreadPoolExecutor(4) as pool:
        assert Counter(pool.map(use, range(4))) == {"amy": 1, "nobody": 3}


def test_a_code_is_used_so_often_and_no_more(world: World) -> None:
    """Of all who join at the same time, as many get in as the code lets in."""
    code = _code(world, 3)
    _join(world, code, "first")

    def join(number: int) -> bool:
        try:
            _join(world, code, f"m{number}")
        except WorthlessCodeError:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(join, range(6))) == 2


def test_many_guesses_at_once_are_no_way_around_waiting(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many try a name's password at the same time, no more are looked at than are free."""
    now = utc_now()
    monkeypatch.setattr(attempts, "utc_now", lambda: now)
    _join(world, _code(world, 1), "amy")
    with pytest.raises(AuthRequiredError):
        _try(world, "amy", "wrong")

    def guess(_: int) -> type[Exception]:
        try:
            _try(world, "amy", "wrong")
        except (AuthRequiredError, TooManyError) as error:
            return type(error)
        raise AssertionError

    with ThreadPoolExecutor(4) as pool:
        told = Counter(pool.map(guess, range(10)))
    assert told == {AuthRequiredError: NAME.free - 1, TooManyError: 10 - (NAME.free - 1)}


@pytest.mark.parametrize("failures", [1, NAME.free])
def test_a_clock_that_was_set_back_keeps_nobody_out(
    world: World, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    """Who has signed in, or failed to, while the clock was a day ahead does not wait for that day."""
    _join(world, _code(world, 1), "amy")
    with world.database.transaction() as session:
        sessions.give_password(session, users.get(session, "amy"), PASSWORD)
    ahead = utc_now() + dt.timedelta(days=1)
    with monkeypatch.context() as patch:
        patch.setattr(attempts, "utc_now", lambda: ahead)
        for _ in range(failures):
            with world.database.transaction() as session:
                attempts.admit(session, HERE, "amy")
    _try(world, "amy", PASSWORD)
    for _ in range(NAME.free):
        with world.database.transaction() as session:
            attempts.admit(session, HERE, "amy")
    with world.database.transaction() as session, pytest.raises(TooManyError):
        attempts.admit(session, HERE, "amy")
