"""Passkeys are kept and taken only from whom they are, where they are for, once and in time."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update

from arena.core.clock import utc_now
from arena.core.errors import AuthRequiredError, NotFoundError, TooManyError
from arena.core.settings import Settings
from arena.core.terms import Role
from arena.people import passkeys, users
from arena.people.attempts import NAME
from arena.people.passkeys import (
    MOST,
    Place,
    TooManyPasskeysError,
    UnknownPasskeyError,
    UselessPasskeyError,
)
from arena.store.database import Database
from arena.store.models import Event, Passkey, PasskeyChallenge
from tests.integration.arena.people.authenticator import Authenticator
from tests.integration.arena.world import World

HERE = Place("https://teacher.local:8443", "teacher.local")
ADDRESS = "192.0.2.7"


class Desk:
    """Somebody with an account in front of a device."""

    def __init__(self, database: Database, name: str = "ann") -> None:
        self.database, self.name = database, name
        with database.transaction() as session:
            users.create_user(session, name, Role.TEAM)

    def options(self) -> dict[str, Any]:
        """What a browser is told to make a passkey."""
        with self.database.transaction() as session:
            return passkeys.registration_options(session, users.get(session, self.name), HERE)

    def keep(self, sent: str, name: str = "library") -> int:
        """Have a passkey kept; its number."""
        with self.database.transaction() as session:
            return passkeys.register(session, users.get(session, self.name), HERE, sent, name).id

    def made(self, **about: Any) -> Authenticator:
        """A device with a passkey that is kept."""
        device = Authenticator(**about)
        self.keep(device.make(self.options()))
        return device

    def asked(self) -> dict[str, Any]:
        """What a browser is told to show a passkey."""
        with self.database.transaction() as session:
            return passkeys.sign_in_options(session, HERE)

    def enter(self, sent: str) -> str:
        """Sign in by what a browser sends; who that is."""
        with self.database.transaction() as session:
            return passkeys.sign_in(session, HERE, sent, ADDRESS).name


@pytest.fixture
def desk(database: Database) -> Desk:
    """Somebody at a desk of a new arena."""
    World(database, Settings(data_dir=Path("unused")))
    return Desk(database)


def test_a_passkey_says_who_signs_in(desk: Desk) -> None:
    """It is kept with its name, host and counter, and when it was used is known."""
    other = Desk(desk.database, "bob")
    device, second = desk.made(), other.made()
    assert (desk.enter(device.show(desk.asked())), desk.enter(second.show(desk.asked()))) == ("ann", "bob")
    with desk.database.reading() as session:
        (row,) = passkeys.passkeys(session, users.get(session, "ann"))
        assert (row.name, row.host, row.sign_count) == ("library", "teacher.local", 1)
        assert row.used_at is not None
        kinds = set(session.scalars(select(Event.kind)))
        assert "passkey.added" in kinds


@pytest.mark.parametrize(("own", "left"), [(False, 0), (True, 1)])
def test_what_the_staff_revokes_is_worthless_with_the_tokens(desk: Desk, *, own: bool, left: int) -> None:
    """Whoever found a token may have made a passkey with it; who revokes their own keeps theirs."""
    desk.made()
    with desk.database.transaction() as session:
        user = users.get(session, "ann")
        users.revoke_tokens(session, user, actor=user if own else None)
    with desk.database.reading() as session:
        assert len(passkeys.passkeys(session, users.get(session, "ann"))) == left


def test_one_has_several_with_the_same_handle(desk: Desk) -> None:
    """Which devices that have one already are told of, so that they make no second one."""
    first, second = desk.made(), desk.made()
    assert first.handle == second.handle
    told = desk.options()["excludeCredentials"]
    assert len(told) == 2
    assert desk.enter(first.show(desk.asked())) == desk.enter(second.show(desk.asked())) == "ann"


@pytest.mark.parametrize(
    "wrong",
    [
        {"origin": "https://elsewhere.example"},
        {"origin": "http://teacher.local:8443"},
        {"verified": False},
    ],
)
def test_what_is_made_elsewhere_or_without_its_owner_is_not_kept(desk: Desk, wrong: dict[str, Any]) -> None:
    """The origin is that of the page, and the device has made sure who is in front of it."""
    with pytest.raises(UselessPasskeyError):
        desk.made(**wrong)
    with desk.database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Passkey)) == 0


@pytest.mark.parametrize(("field", "value"), [("origin", "https://elsewhere.example"), ("verified", False)])
def test_what_is_shown_elsewhere_or_without_its_owner_signs_nobody_in(
    desk: Desk, field: str, value: object
) -> None:
    """An answer with any one field of another place, or of no owner, signs nobody in."""
    device = desk.made()
    setattr(device, field, value)
    with pytest.raises(UnknownPasskeyError):
        desk.enter(device.show(desk.asked()))


def test_a_challenge_is_good_once(desk: Desk) -> None:
    """What was sent before does not sign in again, nor is it kept twice; not even after it failed."""
    device = Authenticator()
    options = desk.options()
    desk.keep(device.make(options))
    with pytest.raises(UselessPasskeyError):
        desk.keep(Authenticator().make(options))
    asked = desk.asked()
    device.verified = False
    with pytest.raises(UnknownPasskeyError):
        desk.enter(device.show(asked))
    device.verified = True
    with pytest.raises(UnknownPasskeyError):
        desk.enter(device.show(asked))
    assert desk.enter(device.show(desk.asked())) == "ann"


def test_a_challenge_is_good_for_minutes(desk: Desk) -> None:
    """And those that are too old are forgotten when another one is made."""
    device = desk.made()
    asked = desk.asked()
    with desk.database.transaction() as session:
        session.execute(update(PasskeyChallenge).values(expires_at=utc_now() - dt.timedelta(seconds=1)))
    with pytest.raises(UnknownPasskeyError):
        desk.enter(device.show(asked))
    desk.asked()
    with desk.database.reading() as session:
        assert session.scalar(select(func.count()).select_from(PasskeyChallenge)) == 1


def test_a_challenge_is_good_for_what_it_was_made_for(desk: Desk) -> None:
    """One to sign in keeps no passkey, one to keep a passkey signs nobody in, and nobody keeps another's."""
    device = desk.made()
    options, asked = desk.options(), desk.asked()
    with pytest.raises(UnknownPasskeyError):
        desk.enter(device.show(asked | {"challenge": options["challenge"]}))
    with pytest.raises(UselessPasskeyError):
        desk.keep(Authenticator().make(desk.options() | {"challenge": asked["challenge"]}))
    with pytest.raises(UselessPasskeyError):
        Desk(desk.database, "bob").keep(Authenticator().make(desk.options()))


def test_a_copied_passkey_is_found_by_its_counter(desk: Desk) -> None:
    """Whose counter did not go on does not sign in."""
    device = desk.made()
    desk.enter(device.show(desk.asked()))
    device.count = 0
    with pytest.raises(UnknownPasskeyError, match="sign count"):
        desk.enter(device.show(desk.asked()))


def test_another_s_handle_and_a_forged_signature_sign_nobody_in(desk: Desk) -> None:
    """The passkey is that of its user, and its key signs what is shown."""
    device = desk.made()
    device.handle = b"somebody else"
    with pytest.raises(UnknownPasskeyError, match="somebody else"):
        desk.enter(device.show(desk.asked()))
    forger = Authenticator(credential_id=device.credential_id)
    with pytest.raises(UnknownPasskeyError):
        desk.enter(forger.show(desk.asked()))


@pytest.mark.parametrize("sent", ["", "{}", "[]", "null", '{"id": 1}', "\x00", '{"id":"YQ","rawId":"YQ"}'])
def test_whatever_is_sent_is_refused_in_words(desk: Desk, sent: str) -> None:
    """No bytes of a stranger's are a failure of ours."""
    with pytest.raises(UselessPasskeyError):
        desk.keep(sent)
    with pytest.raises(UnknownPasskeyError):
        desk.enter(sent)


def test_failures_slow_what_follows(desk: Desk) -> None:
    """As with passwords: by passkey, whatever challenges were asked for."""
    device = desk.made()
    device.verified = False
    for _ in range(NAME.free):
        with pytest.raises(UnknownPasskeyError):
            desk.enter(device.show(desk.asked()))
    device.verified = True
    with pytest.raises(TooManyError):
        desk.enter(device.show(desk.asked()))


def test_a_removed_passkey_and_that_of_who_is_out_sign_nobody_in(desk: Desk) -> None:
    """Only one's own can be removed."""
    first, second = desk.made(), desk.made()
    with desk.database.transaction() as session:
        ann, bob = users.get(session, "ann"), users.create_user(session, "bob", Role.TEAM)[0]
        number = passkeys.passkeys(session, ann)[0].id
        with pytest.raises(NotFoundError):
            passkeys.remove(session, bob, number)
        passkeys.remove(session, ann, number)
    with pytest.raises(AuthRequiredError):
        desk.enter(first.show(desk.asked()))
    with desk.database.transaction() as session:
        users.get(session, "ann").left_at = utc_now()
    with pytest.raises(AuthRequiredError):
        desk.enter(second.show(desk.asked()))


def test_nobody_has_passkeys_without_end(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """And of challenges so many are kept, the newest."""
    for _ in range(MOST):
        desk.made()
    with pytest.raises(TooManyPasskeysError):
        desk.options()
    monkeypatch.setattr(passkeys, "MAX_CHALLENGES", 3)
    asked = [desk.asked() for _ in range(5)]
    with desk.database.reading() as session:
        assert session.scalar(select(func.count()).select_from(PasskeyChallenge)) == 3
    with desk.database.transaction() as session:
        device_row = passkeys.passkeys(session, users.get(session, "ann"))[0]
        session.delete(device_row)
    device = desk.made()
    assert desk.enter(device.show(asked[-1])) == "ann"
