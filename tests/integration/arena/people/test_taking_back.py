"""What an organiser who runs a class no more can still come in by: nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy.orm import Session

from arena.core.errors import AuthRequiredError
from arena.core.terms import Role
from arena.people import administering, classes, links, users
from arena.store import classes as class_store
from arena.store.models import User
from tests.integration.arena.world import World

ENDS: dict[str, Callable[[Session, User], object]] = {
    "taken off": lambda session, admin: classes.remove_organiser(
        session, admin, classes.get(session, "7a"), users.get(session, "teacher")
    ),
    "another role": lambda session, admin: administering.set_role(session, admin, "teacher", Role.READER),
    "let out": lambda session, admin: administering.disable(session, admin, "teacher"),
}


@pytest.fixture
def tokens(world: World) -> dict[str, str]:
    """Of teams of a class that two organisers run: red's was made by the one who leaves."""
    made = {}
    with world.database.transaction() as session:
        teacher, other = (
            users.create_user(session, each, Role.ORGANISER)[0] for each in ("teacher", "other")
        )
        school_class = classes.create(session, world.staff, "7a")
        for each in (teacher, other):
            classes.add_organiser(session, world.staff, school_class, each)
        for name, by in (("red", teacher), ("blue", other), ("linked", other)):
            user, made[name] = users.create_user(
                session, name, Role.TEAM, actor=by, school_class=school_class
            )
            user.password_hash = "chosen"
        links.make(session, teacher, users.get(session, "linked"))
        links.make(session, other, users.get(session, "blue"))
        classes.make_class_code(session, teacher, school_class, uses=30, days=2)
    return made


@pytest.mark.parametrize("end", ENDS)
def test_nothing_of_a_class_is_left_in_hand(world: World, tokens: dict[str, str], end: str) -> None:
    """Tokens that they made, unused links of theirs and the class's codes end; others' stay as they are."""
    with world.database.transaction() as session:
        ENDS[end](session, world.staff)
    with world.database.reading() as session:
        with pytest.raises(AuthRequiredError, match="revoked"):
            users.authenticate(session, tokens["red"])
        assert users.get(session, "red").password_hash is None
        for name in ("blue", "linked"):
            assert users.authenticate(session, tokens[name]).password_hash == "chosen"
        ways = {name: administering.account(session, world.staff, name).ways for name in tokens}
        assert {name: each.links for name, each in ways.items()} == {"red": 0, "blue": 1, "linked": 0}
        assert class_store.codes_of_class(session, classes.get(session, "7a")) == []


def test_who_becomes_an_administrator_has_nothing_taken_back(world: World, tokens: dict[str, str]) -> None:
    """They manage these teams as before, which are not put out."""
    with world.database.transaction() as session:
        administering.set_role(session, world.staff, "teacher", Role.ADMIN)
    with world.database.reading() as session:
        assert users.authenticate(session, tokens["red"]).name == "red"
