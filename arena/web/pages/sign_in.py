"""The pages by which somebody signs in, out, and joins."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from arena.core.errors import (
    AuthRequiredError,
    ConflictError,
    ForbiddenError,
    InvalidError,
    NotFoundError,
    TooManyError,
)
from arena.core.terms import SignedInBy
from arena.people import classes, links, sessions
from arena.store.models import User
from arena.web.http.dependencies import InSession, address_of, is_secret, require_secrecy
from arena.web.http.openid_place import school_of
from arena.web.http.passkey_place import has_passkeys
from arena.web.http.web_sessions import SESSION, visit_of
from arena.web.pages.forms import NO_FAULT, Field, fault_of, local, refused, see
from arena.web.pages.rendering import render

HOME = "/account"
router = APIRouter(default_response_class=HTMLResponse)


def begin(
    request: Request,
    session: InSession,
    user: User,
    by: SignedInBy,
    *,
    to: str = HOME,
    token_id: int | None = None,
) -> Response:
    """Sign somebody in: the session that the browser showed before is over, and it shows a new one."""
    sessions.end(session, SESSION.shown(request))
    response = see(local(to, HOME))
    secret = sessions.begin(session, user, by, visit_of(request), token_id=token_id)
    SESSION.keep(request, response, secret)
    return response


def sign_in_page(request: Request, onward: str, status: int = 200, **told: object) -> HTMLResponse:
    """The ways to sign in, and what was wrong with the one that was tried."""
    values = {"name": "", "secret": is_secret(request), "passkeys": has_passkeys(request), **NO_FAULT, **told}
    school = school_of(request)
    return render(request, "sign_in.html", status, next=local(onward, HOME), school=school, **values)


def join_page(request: Request, status: int = 200, **told: object) -> HTMLResponse:
    """The form for whoever has a code, and what was wrong with what was tried."""
    values = {"code": "", "name": "", "team": "", "school": school_of(request), **NO_FAULT, **told}
    return render(request, "join.html", status, **values)


@router.get("/sign-in")
def sign_in(request: Request, onward: Annotated[str, Query(alias="next")] = HOME) -> HTMLResponse:
    """The ways to sign in."""
    return sign_in_page(request, onward)


@router.post("/sign-in/password")
def sign_in_by_password(
    request: Request, session: InSession, name: Field = "", password: Field = "", onward: Field = HOME
) -> Response:
    """Sign in by name and password."""
    require_secrecy(request)
    try:
        user = sessions.by_password(session, name, password, address_of(request))
    except (AuthRequiredError, TooManyError) as error:
        return refused(sign_in_page(request, onward, error.status, name=name, **fault_of(error)), error)
    return begin(request, session, user, SignedInBy.PASSWORD, to=onward)


@router.post("/sign-in/token")
def sign_in_by_token(
    request: Request, session: InSession, token: Field = "", onward: Field = HOME
) -> Response:
    """Sign in by an API token."""
    try:
        user, token_id = sessions.by_token(session, token.strip())
    except (AuthRequiredError, ForbiddenError) as error:
        return sign_in_page(request, onward, error.status, **fault_of(error))
    return begin(request, session, user, SignedInBy.TOKEN, to=onward, token_id=token_id)


@router.post("/sign-out")
def sign_out(request: Request, session: InSession) -> Response:
    """End the session that the browser shows."""
    sessions.end(session, SESSION.shown(request))
    response = see("/")
    SESSION.forget(request, response)
    return response


@router.get("/sign-in/link/{secret}")
def follow_link(request: Request, session: InSession, secret: str) -> HTMLResponse:
    """Whom a link signs in; it is used by the button, not by whoever only looks at it beforehand."""
    try:
        name = links.whose(session, secret).name
    except NotFoundError:
        return render(request, "link.html", 404, name="")
    return render(request, "link.html", name=name)


@router.post("/sign-in/link/{secret}")
def use_link(request: Request, session: InSession, secret: str) -> Response:
    """Sign in by a link, which is good no more then."""
    try:
        user = links.use(session, secret)
    except NotFoundError:
        return render(request, "link.html", 404, name="")
    return begin(request, session, user, SignedInBy.LINK)


@router.get("/join")
def show_join(request: Request, code: Annotated[str, Query()] = "") -> HTMLResponse:
    """The form for whoever has a code."""
    return join_page(request, code=code)


@router.post("/join")
def join(
    request: Request, session: InSession, code: Field = "", name: Field = "", team: Field = ""
) -> Response:
    """Join by a code, and be signed in."""
    try:
        user = classes.join(session, code, member=name, team=team, address=address_of(request))
    except (NotFoundError, InvalidError, ConflictError, TooManyError) as error:
        session.rollback()
        page = join_page(request, error.status, code=code, name=name, team=team, **fault_of(error))
        return refused(page, error)
    return begin(request, session, user, SignedInBy.CODE)
