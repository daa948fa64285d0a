"""Passkeys on the pages: made and removed in "my account", and shown to sign in.

What a browser needs is asked for by `static/passkeys.js`; what it made or showed comes in a form.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from arena.core.errors import AuthRequiredError, ConflictError, InvalidError, TooManyError
from arena.core.terms import SignedInBy
from arena.people import passkeys
from arena.web.http.dependencies import InSession, address_of
from arena.web.http.passkey_place import place_of
from arena.web.http.web_sessions import InWebSession, Visitor
from arena.web.pages.account import HOME, Number, account_page
from arena.web.pages.forms import Field, fault_of, refused, see
from arena.web.pages.sign_in import begin, sign_in_page

Credential = Annotated[str, Form(max_length=20_000)]
router = APIRouter()


@router.post("/account/passkeys/options")
def new_passkey_options(request: Request, session: InSession, visitor: Visitor) -> dict[str, Any]:
    """What the browser needs to make a passkey."""
    return passkeys.registration_options(session, visitor, place_of(request))


@router.post("/account/passkeys", response_class=HTMLResponse)
def add_passkey(
    request: Request, session: InSession, here: InWebSession, credential: Credential = "", name: Field = ""
) -> Response:
    """Keep a passkey that the browser has made."""
    try:
        passkeys.register(session, here.user, place_of(request), credential, name)
    except (InvalidError, ConflictError) as error:
        return account_page(request, session, here, error.status, **fault_of(error))
    return see(HOME)


@router.post("/account/passkeys/{number}/remove")
def remove_passkey(session: InSession, visitor: Visitor, number: Number) -> Response:
    """Let a passkey sign in no more."""
    passkeys.remove(session, visitor, number)
    return see(HOME)


@router.post("/sign-in/passkey/options")
def shown_passkey_options(request: Request, session: InSession) -> dict[str, Any]:
    """What the browser needs to show a passkey."""
    return passkeys.sign_in_options(session, place_of(request))


@router.post("/sign-in/passkey", response_class=HTMLResponse)
def sign_in_by_passkey(
    request: Request, session: InSession, credential: Credential = "", onward: Field = HOME
) -> Response:
    """Sign in by a passkey that the browser shows."""
    try:
        user = passkeys.sign_in(session, place_of(request), credential, address_of(request))
    except (InvalidError, AuthRequiredError, TooManyError) as error:
        return refused(sign_in_page(request, onward, error.status, **fault_of(error)), error)
    return begin(request, session, user, SignedInBy.PASSKEY, to=onward)
