"""Somebody of every role, around a class with a team, its member and a tournament, and what each may do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from arena.core.terms import Role, SignedInBy
from arena.people import classes, sessions, users
from arena.people.sessions import Visit
from arena.results import seasons
from arena.schemas.seasons import NewSeason
from arena.store.models import User
from arena.tournaments import lists
from tests.integration.arena.site import Site

PUBLIC, READER, TEAM, MEMBER, OWNER, STRANGER, ORGANISER, ADMIN = (
    *("public", "reader", "team", "member", "owner", "stranger", "organiser", "admin"),
)
WHO: dict[str, str | None] = {
    PUBLIC: None,
    READER: "looker",
    TEAM: "blue",
    MEMBER: "ruby",
    OWNER: "red",
    STRANGER: "elsewhere",
    ORGANISER: "teacher",
    ADMIN: "staff",
}
"""Who has a role here. `ruby` is a member of `red`, whose class and tournament `teacher` runs."""
QUICK = frozenset({PUBLIC, TEAM})
"""Whose walks through all addresses are no long tests."""
CLASS = "7a"
SEASON = "spring"

EVERYBODY = frozenset(WHO)
SIGNED_IN = EVERYBODY - {PUBLIC}
PLAYERS = SIGNED_IN - {READER}
OWNERS = frozenset({MEMBER, OWNER, ORGANISER, ADMIN})
LEADERS = frozenset({TEAM, OWNER})
STAFF = frozenset({STRANGER, ORGANISER, ADMIN})
RUNNERS = frozenset({ORGANISER, ADMIN})
ADMINS = frozenset({ADMIN})


def each_role(among: Iterable[str] = WHO) -> list[Any]:
    """A parameter for each role; those that are not `QUICK` are long."""
    return [pytest.param(role, marks=() if role in QUICK else pytest.mark.long) for role in among]


def settle(site: Site) -> None:
    """Let everybody in. A tournament `cup`, where there is one, is the class's, and in a season."""
    world = site.world
    with world.database.transaction() as session:
        class_ = classes.create(session, world.staff, CLASS)
        for name, role in (
            ("teacher", Role.ORGANISER),
            ("elsewhere", Role.ORGANISER),
            ("looker", Role.READER),
        ):
            user, site.tokens[name] = users.create_user(session, name, role)
            if name == "teacher":
                classes.add_organiser(session, world.staff, class_, user)
        red = users.get(session, "red")
        red.class_id = class_.id
        ruby, site.tokens["ruby"] = users.create_user(session, "ruby", Role.TEAM)
        ruby.team_id, ruby.class_id = red.id, class_.id
        cups = lists.list_tournaments(session, 0, 10)[0]
        for cup in cups:
            cup.class_id = class_.id
        if cups:
            new = NewSeason(name=SEASON, class_name=CLASS, tournaments=[cup.name for cup in cups])
            seasons.create(session, world.staff, new)


def sign_in(site: Site, name: str | None) -> dict[str, str]:
    """The headers by which a browser shows that somebody is signed in, on a page of the same origin."""
    headers = {"Origin": "http://testserver"}
    if name is None:
        return headers
    with site.world.database.transaction() as session:
        user: User = users.get(session, name)
        secret = sessions.begin(session, user, SignedInBy.TOKEN, Visit("192.0.2.7", "Firefox/1 Windows"))
    return headers | {"Cookie": f"arena={secret}"}
