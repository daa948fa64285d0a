"""Users and tokens."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from arena.core.errors import AuthRequiredError, ConflictError, InvalidError, NotFoundError
from arena.core.terms import Role
from arena.people import administering, classes, links, users
from arena.store.models import Event, Token
from arena.store.users import Wanted, Ways
from tests.integration.arena.world import World


def test_a_token_says_who_it_is(world: World) -> None:
    """Every token that was issued authenticates its user, and its text is nowhere in the database."""
    with world.database.transaction() as session:
        user, first = users.create_user(session, "第三組", Role.TEAM, actor=world.staff)
        second = users.issue_token(session, user)
    with world.database.reading() as session:
        assert [users.authenticate(session, text).name for text in (first, second)] == ["第三組"] * 2
        assert not {first, second} & set(session.scalars(select(Token.hash)))


def test_a_revoked_token_is_worthless(world: World) -> None:
    """Revoking takes all tokens of one user and nobody else's."""
    with world.database.transaction() as session:
        user, text = users.create_user(session, "team", Role.TEAM)
        assert users.revoke_tokens(session, user, actor=world.staff) == 1
        assert users.revoke_tokens(session, user) == 0
    with world.database.reading() as session:
        assert users.authenticate(session, world.staff_token).name == "staff"
        with pytest.raises(AuthRequiredError, match="revoked"):
            users.authenticate(session, text)


@pytest.mark.parametrize("text", ["", "arena_", "nonsense", "\0", "\ud800"])
def test_nonsense_is_nobodys_token(world: World, text: str) -> None:
    """Whatever is shown as a token, what is not known is refused."""
    with world.database.reading() as session, pytest.raises(AuthRequiredError):
        users.authenticate(session, text)


@pytest.mark.parametrize("name", ["", "a b", "../x", "x" * 61, "a\0", "-a", "a/b", "a\n"])
def test_names_that_cannot_be_are_refused(world: World, name: str) -> None:
    """Names that would not fit an address are refused with the rule."""
    with world.database.transaction() as session, pytest.raises(InvalidError, match="letters, digits"):
        users.create_user(session, name, Role.TEAM)


def test_a_name_is_taken_once(world: World) -> None:
    """A second user of a name is refused, and the transaction can go on."""
    with world.database.transaction() as session:
        with pytest.raises(ConflictError, match="already"):
            users.create_user(session, "staff", Role.TEAM)
        users.create_user(session, "other", Role.TEAM)
    with world.database.reading() as session:
        found, total = administering.list_accounts(session, world.staff, Wanted(), 0, 1)
        assert ([each.user.name for each in found], total) == (["other"], 2)


@pytest.mark.parametrize("name", ["nobody", "\0", "\ud800"])
def test_asking_for_nobody_is_not_found(world: World, name: str) -> None:
    """An unknown name is not found, also one that no database can be asked for."""
    with world.database.reading() as session, pytest.raises(NotFoundError):
        users.get(session, name)


def test_events_say_who_did_it(world: World) -> None:
    """Creating a user is an event of the acting user's."""
    with world.database.transaction() as session:
        users.create_user(session, "team", Role.TEAM, actor=world.staff)
    with world.database.reading() as session:
        event = session.scalars(
            select(Event).where(Event.kind == "user.created").order_by(Event.id.desc())
        ).first()
        assert event is not None
        assert (event.user_id, event.data) == (world.staff.id, {"user": "team", "role": "team"})


def test_what_was_kept_of_a_user_brings_no_rights_of_the_staff(world: World) -> None:
    """Tokens, links and a password of before are gone with each step up, and stay with a step down."""
    with world.database.transaction() as session:
        teacher, _ = users.create_user(session, "teacher", Role.ORGANISER)
        school_class = classes.create(session, world.staff, "7a")
        classes.add_organiser(session, world.staff, school_class, teacher)
        _, kept = users.create_user(session, "amy", Role.READER, actor=teacher, school_class=school_class)
    for role in (Role.ORGANISER, Role.ADMIN):
        with world.database.transaction() as session:
            links.make(session, teacher if role is Role.ORGANISER else world.staff, users.get(session, "amy"))
            users.get(session, "amy").password_hash = "chosen by another"
            administering.set_role(session, world.staff, "amy", role)
        with world.database.transaction() as session:
            with pytest.raises(AuthRequiredError, match="revoked"):
                users.authenticate(session, kept)
            user, ways = administering.account(session, world.staff, "amy")
            assert (user.role, user.password_hash, ways) == (role, None, Ways())
            kept = users.issue_token(session, user, actor=world.staff)
    with world.database.transaction() as session:
        administering.set_role(session, users.get(session, "amy"), "amy", Role.TEAM)
    with world.database.reading() as session:
        assert users.authenticate(session, kept).role == Role.TEAM
