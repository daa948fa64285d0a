"""The staff's pages of users: finding them, how they sign in, and what is changed about that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query
from fastapi.responses import HTMLResponse, Response

from arena.access import permissions
from arena.core.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from arena.core.names import MAX_CHARS
from arena.core.terms import Role
from arena.people import administering, classes, links, users
from arena.store.models import User
from arena.store.users import Wanted
from arena.web.answers.people import state_of
from arena.web.http.responses import MAX_LIMIT, Part, Window, page_of
from arena.web.http.web_sessions import AdminVisitor
from arena.web.pages.forms import Field, base_url, see
from arena.web.pages.managing import refusal
from arena.web.pages.staff import USUAL_PART, Asker, InAsker
from arena.web.pages.wording import ROLES

Text = Annotated[str, Query(max_length=MAX_CHARS)]
ALL = {"name": "", "role": "", "class_name": "", "state": ""}
REFUSED = (ConflictError, NotFoundError)
router = APIRouter(default_response_class=HTMLResponse)


@router.get("/staff/users")
def show_users(
    *,
    asker: InAsker,
    part: Part,
    name: Text = "",
    role: Annotated[Role | Literal[""], Query()] = "",
    class_name: Text = "",
    state: Annotated[Literal["", "in", "out"], Query()] = "",
) -> HTMLResponse:
    """The users that one manages, by name, role and class."""
    return _users(asker, part, {"name": name, "role": role, "class_name": class_name, "state": state})


def _users(
    asker: Asker, part: Window, wanted: dict[str, str], status: int = 200, **told: object
) -> HTMLResponse:
    asked = Wanted(
        wanted["name"].strip(),
        Role(wanted["role"]) if wanted["role"] else None,
        wanted["class_name"].strip(),
        {"": None, "in": False, "out": True}[wanted["state"]],
    )
    rows, total = administering.list_accounts(asker.session, asker.visitor, asked, part.offset, part.limit)
    own, _ = classes.list_classes(asker.session, asker.visitor, 0, MAX_LIMIT)
    is_admin = permissions.is_admin(asker.visitor)
    shown = {
        "page": page_of([state_of(each) for each in rows], total, part),
        "wanted": wanted,
        "roles": ROLES,
        "admits": [role for role in ROLES if is_admin or role not in permissions.STAFF],
        "classes": [each.name for each in own],
        "refresh": None,
    }
    return asker.show("staff_users.html", status, **shown | told)


@router.post("/staff/users")
def let_in(
    asker: InAsker, name: Field = "", role: Annotated[Role, Form()] = Role.TEAM, class_name: Field = ""
) -> Response:
    """Let somebody in; the page that answers shows the link that signs them in, this once."""
    try:
        user = _admitted(asker, name.strip(), role, class_name)
    except (*REFUSED, ForbiddenError, InvalidError) as error:
        asker.session.rollback()
        told = refusal(error, "admit", name=name, role=role, class_name=class_name)
        return _users(asker, USUAL_PART, ALL, error.status, **told)
    return _with_link(asker, user)


def _admitted(asker: Asker, name: str, role: Role, class_name: str) -> User:
    if class_name and role in permissions.STAFF:
        raise InvalidError(
            "organisers and administrators belong to no class; choose none, and name an organiser on the "
            "pages of the classes that they run"
        )
    school_class = classes.chosen(asker.session, asker.visitor, class_name or None)
    return users.admit(asker.session, name, role, actor=asker.visitor, school_class=school_class)


def _with_link(asker: Asker, user: User) -> HTMLResponse:
    secret, _ = links.make(asker.session, asker.visitor, user)
    return _user(asker, user.name, link=f"{base_url(asker.request)}/sign-in/link/{secret}")


@router.get("/staff/users/{name}")
def show_user(asker: InAsker, name: str) -> HTMLResponse:
    """A user: how they sign in, and what can be done about it."""
    return _user(asker, name)


def _user(asker: Asker, name: str, status: int = 200, **told: object) -> HTMLResponse:
    found = administering.account(asker.session, asker.visitor, name)
    shown = {
        "user": state_of(found),
        "roles": ROLES,
        "oneself": found.user.id == asker.visitor.id,
        "link": "",
        "refresh": None,
    }
    return asker.show("staff_user.html", status, **shown | told)


@router.post("/staff/users/{name}/role")
def set_role(asker: InAsker, admin: AdminVisitor, name: str, role: Annotated[Role, Form()]) -> Response:
    """Give a user another role."""
    return _done(asker, name, "role", lambda: administering.set_role(asker.session, admin, name, role))


@router.post("/staff/users/{name}/disable")
def disable(asker: InAsker, name: str) -> Response:
    """Let a user out."""
    return _done(asker, name, "disable", lambda: administering.disable(asker.session, asker.visitor, name))


@router.post("/staff/users/{name}/enable")
def enable(asker: InAsker, name: str) -> Response:
    """Let a user in again."""
    return _done(asker, name, "enable", lambda: administering.enable(asker.session, asker.visitor, name))


@router.post("/staff/users/{name}/revoke")
def revoke(asker: InAsker, name: str) -> Response:
    """Make all that somebody else signs in with worthless."""

    def act() -> None:
        user = users.get(asker.session, name)
        permissions.require_manager(asker.visitor, user)
        if user.id == asker.visitor.id:
            raise ConflictError("end your own sessions and tokens under 'My account', so that one is left")
        users.revoke_tokens(asker.session, user, actor=asker.visitor)

    return _done(asker, name, "revoke", act)


@router.post("/staff/users/{name}/link")
def make_link(asker: InAsker, name: str) -> Response:
    """Make a link that signs a user in once; the page that answers shows it, this once."""
    user = users.get(asker.session, name)
    try:
        return _with_link(asker, user)
    except NotFoundError as error:
        asker.session.rollback()
        return _user(asker, name, error.status, **refusal(error, "link"))


def _done(asker: Asker, name: str, what: str, act: Callable[[], object]) -> Response:
    try:
        act()
    except REFUSED as error:
        asker.session.rollback()
        return _user(asker, name, error.status, **refusal(error, what))
    return see(f"/staff/users/{name}")
