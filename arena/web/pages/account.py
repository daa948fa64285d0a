"""The page of one's own account: the password, tokens, where one is signed in, and one's team."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse, Response

from arena.access import permissions
from arena.core.errors import AuthRequiredError, TooManyError
from arena.core.terms import Scope
from arena.people import classes, identities, passkeys, sessions, users
from arena.people.passwords import WeakPasswordError
from arena.schemas.account import MAX_DAYS
from arena.store import classes as class_store
from arena.store import sessions as session_store
from arena.store import users as user_store
from arena.store.models import WebSession
from arena.web.answers.people import code_of, identity_of, passkey_of, session_of, token_of, user_of
from arena.web.http.dependencies import InSession, address_of, is_secret, require_secrecy
from arena.web.http.openid_place import issuer_of, school_of
from arena.web.http.passkey_place import has_passkeys
from arena.web.http.web_sessions import InWebSession, Visitor
from arena.web.pages.forms import NO_FAULT, Field, base_url, fault_of, see
from arena.web.pages.rendering import render
from arena.web.pages.wording import ROLES, SCOPES, SIGNED_IN_BY

HOME = "/account"
TEAM_CODE_USES, TEAM_CODE_DAYS = 5, 7
Number = Annotated[int, Path(ge=1, lt=2**31)]
router = APIRouter(default_response_class=HTMLResponse)


def account_page(
    request: Request, session: InSession, here: WebSession, status: int = 200, **told: object
) -> HTMLResponse:
    """One's own account, and what was wrong with what was tried there."""
    user = here.user
    leads = permissions.leads(user)
    members = user_store.members(session, user.team or user)
    school, linked = school_of(request), [identity_of(each) for each in identities.identities(session, user)]
    tokens = users.tokens(session, user)
    return render(
        request,
        "account.html",
        status,
        **{
            "user": user_of(user),
            "role": ROLES[user.role],
            "ways": SIGNED_IN_BY,
            "scopes": SCOPES,
            "here": here.id,
            "sessions": [session_of(each) for each in session_store.of_user(session, user)],
            "tokens": [token_of(token) for token in tokens if token.scope is not Scope.FEED],
            "feeds": [token_of(token) for token in tokens if token.scope is Scope.FEED],
            "passkeys": [passkey_of(each) for each in passkeys.passkeys(session, user)],
            "has_passkeys": has_passkeys(request),
            "identities": linked,
            "school": school,
            "may_link": school is not None and all(each.issuer != issuer_of(request) for each in linked),
            "members": [user_of(each) for each in members],
            "codes": [code_of(code) for code in class_store.codes_of_team(session, user.account_id)]
            if leads
            else [],
            "leads": leads,
            "staff": permissions.is_staff(user),
            "asks_current": not sessions.may_replace_password(user, here),
            "secret": is_secret(request),
            "base_url": base_url(request),
            "made": "",
            "made_feed": "",
            **NO_FAULT,
            **told,
        },
    )


@router.get("/account")
def account(request: Request, session: InSession, here: InWebSession) -> HTMLResponse:
    """One's own account."""
    return account_page(request, session, here)


@router.post("/account/password")
def choose_password(
    request: Request, session: InSession, here: InWebSession, password: Field = "", current: Field = ""
) -> Response:
    """Choose a password; all other sessions end."""
    require_secrecy(request)
    address = address_of(request)
    try:
        sessions.set_password(
            session, here.user, password, current=current, address=address, web_session=here
        )
    except (WeakPasswordError, AuthRequiredError, TooManyError) as error:
        return account_page(request, session, here, error.status, **fault_of(error))
    return see(HOME)


@router.post("/account/tokens")
def make_token(
    *,
    request: Request,
    session: InSession,
    here: InWebSession,
    name: Annotated[str, Form(max_length=60)] = "",
    scope: Annotated[Scope, Form()] = Scope.ALL,
    days: Annotated[int, Form(ge=1, le=MAX_DAYS)] = 90,
) -> HTMLResponse:
    """Make a token; the page that answers shows its text, this once."""
    text, _ = users.new_token(session, here.user, actor=here.user, name=name, scope=scope, days=days)
    return account_page(request, session, here, made=text)


@router.post("/account/feeds")
def make_feed(request: Request, session: InSession, here: InWebSession) -> HTMLResponse:
    """Make an address by which a program reads the news; the page that answers shows it, this once."""
    text, _ = users.new_token(session, here.user, actor=here.user, scope=Scope.FEED)
    return account_page(request, session, here, made_feed=text)


@router.post("/account/tokens/{number}/revoke")
def revoke_token(session: InSession, visitor: Visitor, number: Number) -> Response:
    """Make a token worthless."""
    users.revoke_token(session, visitor, number)
    return see(HOME)


@router.post("/account/sessions/end")
def end_other_sessions(session: InSession, here: InWebSession) -> Response:
    """Sign out everywhere else."""
    sessions.end_all(session, here.user, actor=here.user, but=here)
    return see(HOME)


@router.post("/account/sessions/{number}/end")
def end_session(session: InSession, visitor: Visitor, number: Number) -> Response:
    """Sign out of one session."""
    sessions.end_one(session, visitor, number)
    return see(HOME)


@router.post("/account/team/codes")
def make_team_code(session: InSession, visitor: Visitor) -> Response:
    """Make a code by which members join the team."""
    classes.make_team_code(session, visitor, uses=TEAM_CODE_USES, days=TEAM_CODE_DAYS)
    return see(HOME)


@router.post("/account/team/codes/{number}/revoke")
def revoke_team_code(session: InSession, visitor: Visitor, number: Number) -> Response:
    """Make a code of the team worthless."""
    classes.revoke_code(session, visitor, classes.codes_of_team(session, visitor), number)
    return see(HOME)


@router.post("/account/team/members/{name}/remove")
def remove_member(session: InSession, visitor: Visitor, name: str) -> Response:
    """Let a member out of the team."""
    classes.remove_member(session, visitor, name)
    return see(HOME)
