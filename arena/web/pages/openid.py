"""Signing in at a school's OpenID provider: the way there from three forms, and the one way back.

Between the question and what comes of the answer no connection to the database is held, as the provider
may be slow.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, TypeVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from arena.core.errors import (
    ArenaError,
    AuthRequiredError,
    ConflictError,
    ForbiddenError,
    InvalidError,
    NotFoundError,
    TooManyError,
)
from arena.core.terms import SignedInBy
from arena.people import attempts, classes, identities, sessions
from arena.people.identities import Errand, StrayAnswerError
from arena.people.provider import AuthorizationResponse, Person, Provider, ProviderDownError, Question
from arena.store.models import OpenIdRequest, User, WebSession
from arena.web.http.dependencies import InServices, InSession, Services, address_of, read
from arena.web.http.openid_place import (
    BROWSER,
    CALLBACK,
    InProvider,
    get_provider,
    redirect_uri,
)
from arena.web.http.problems import RETRY_SECONDS
from arena.web.http.web_sessions import SESSION, Visitor
from arena.web.pages.account import HOME, Number, account_page
from arena.web.pages.forms import Field, fault_of, local, refused, see
from arena.web.pages.rendering import render
from arena.web.pages.sign_in import begin, join_page, sign_in_page

T = TypeVar("T")
Parameter = Annotated[str, Query(max_length=4096)]
router = APIRouter(default_response_class=HTMLResponse)


FAULTY = (
    *(AuthRequiredError, ConflictError, ForbiddenError, InvalidError, NotFoundError),
    *(ProviderDownError, TooManyError),
)
"""What is told on the page that somebody came from."""


@router.post("/sign-in/openid")
async def sign_in(
    request: Request, services: InServices, provider: InProvider, onward: Field = HOME
) -> Response:
    """Send somebody to the provider to sign in."""
    return await _send(request, services, provider, Errand(onward=local(onward, HOME)))


@router.post("/join/openid")
async def join(
    *,
    request: Request,
    services: InServices,
    provider: InProvider,
    code: Field = "",
    name: Field = "",
    team: Field = "",
) -> Response:
    """Send somebody who has a code to the provider, to join and sign in by it from then on."""
    errand = Errand(HOME, code=classes.read_code(code), member=name, team=team)

    def check(session: Session) -> None:
        identities.check_joining(session, errand, address_of(request))

    try:
        await _transacted(services, check)
    except FAULTY as error:
        return _join_refused(request, errand, error)
    return await _send(request, services, provider, errand)


@router.post("/account/openid")
async def link(request: Request, services: InServices) -> Response:
    """Send who is signed in to the provider, to link an account there."""

    def visitor(session: Session) -> User:
        return _here(request, session).user

    errand = Errand(HOME, user=await read(request, services, visitor))
    return await _send(request, services, get_provider(request), errand)


@router.post("/account/openid/{number}/unlink")
def unlink(request: Request, session: InSession, visitor: Visitor, number: Number) -> Response:
    """Let an account at the provider sign in no more."""
    try:
        identities.unlink(session, visitor, number)
    except identities.LastWayError as error:
        return account_page(request, session, _here(request, session), error.status, **fault_of(error))
    return see(HOME)


@router.get(CALLBACK)
async def come_back(
    *,
    request: Request,
    services: InServices,
    provider: InProvider,
    state: Parameter = "",
    code: Parameter = "",
    error: Parameter = "",
    iss: Parameter | None = None,
) -> Response:
    """Take what the provider says in, and begin a session, or say what was wrong."""
    browser, address = BROWSER.shown(request), address_of(request)
    asked: OpenIdRequest | None = None
    try:
        found, question = await _transacted(
            services, lambda session: identities.answered(session, provider.setup, state, browser, address)
        )
        asked = found
        person = await provider.who(question, AuthorizationResponse(code, error, iss))
        response = await _transacted(services, partial(_finish, request, found, person))
    except FAULTY as refusal:
        if isinstance(refusal, ProviderDownError):  # that is nobody's attempt to come in
            await _transacted(services, lambda session: attempts.succeeded(session, address))
        response = await _refuse(request, services, asked, refusal)
    BROWSER.forget(request, response)
    return response


def _finish(request: Request, asked: OpenIdRequest, person: Person, session: Session) -> Response:
    """Do what somebody was sent for, now that it is known who they are."""
    address = address_of(request)
    if asked.user_id is not None:
        user = _here(request, session).user
        if user.id != asked.user_id:
            raise StrayAnswerError("somebody else has signed in meanwhile; begin again")
        identities.link(session, user, person)
        response: Response = see(HOME)
    else:
        if asked.code is not None:
            user = identities.join(session, person, asked, address)
        else:
            user = identities.sign_in(session, person)
        response = begin(request, session, user, SignedInBy.OPENID, to=asked.onward)
    attempts.succeeded(session, address)
    return response


async def _send(request: Request, services: Services, provider: Provider, errand: Errand) -> Response:
    """A page that goes on to the provider by itself; a form may not lead there (`form-action`)."""
    place = redirect_uri(request)

    def keep(session: Session) -> tuple[str, Question]:
        return identities.send(session, provider.setup, errand, place)

    try:
        browser, question = await _transacted(services, keep)
        address = await provider.address(question)
    except ProviderDownError as error:
        asked = OpenIdRequest(
            onward=errand.onward,
            user_id=errand.user.id if errand.user else None,
            code=errand.code,
            member=errand.member,
            team=errand.team,
        )
        return await _refuse(request, services, asked, error)
    response = render(request, "to_provider.html", school=provider.setup.name, address=address)
    response.headers["Refresh"] = f"0; url={address}"
    BROWSER.keep(request, response, browser)
    return response


async def _refuse(
    request: Request, services: Services, asked: OpenIdRequest | None, error: ArenaError
) -> Response:
    """The page that somebody came from, with what was wrong; what they typed is there again."""
    if asked is not None and asked.code is not None:
        return _join_refused(request, Errand(code=asked.code, member=asked.member, team=asked.team), error)
    if asked is not None and asked.user_id is not None:

        def show(session: Session) -> HTMLResponse:
            return account_page(request, session, _here(request, session), error.status, **fault_of(error))

        try:
            return _later(await _transacted(services, show), error)
        except AuthRequiredError:  # who has signed out meanwhile
            pass
    onward = HOME if asked is None else asked.onward
    return _later(sign_in_page(request, onward, error.status, **fault_of(error)), error)


def _join_refused(request: Request, errand: Errand, error: ArenaError) -> Response:
    told = {"code": errand.code or "", "name": errand.member, "team": errand.team}
    return _later(join_page(request, error.status, **told, **fault_of(error)), error)


def _later(page: HTMLResponse, error: ArenaError) -> HTMLResponse:
    """With when to come again, where it is too early."""
    if isinstance(error, ProviderDownError):
        page.headers["Retry-After"] = str(RETRY_SECONDS)
    return refused(page, error)


def _here(request: Request, session: Session) -> WebSession:
    """The session that the browser shows.

    Raises:
        AuthRequiredError: it shows none that goes on.
    """
    found = sessions.find(session, SESSION.shown(request))
    if found is None:
        raise AuthRequiredError("sign in to link an account of the school")
    return found


async def _transacted(services: Services, work: Callable[[Session], T]) -> T:
    """What `work` makes in a transaction of its own, admitted among those who write."""

    def run() -> T:
        with services.database.transaction() as session:
            return work(session)

    async with services.writing.slot():
        return await run_in_threadpool(run)
