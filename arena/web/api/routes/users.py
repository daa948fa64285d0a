"""Users and tokens: the staff lets people in."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.security import HTTPAuthorizationCredentials

from arena.people import users
from arena.schemas.paging import Page
from arena.schemas.users import NewUser, Revoked, UserOut, UserWithToken
from arena.web.answers.copying import copied
from arena.web.http.dependencies import Actor, InSession, Staff, bearer
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of

router = APIRouter(tags=["users"], responses=documented(401, 422))


@router.get("/me")
def who_am_i(actor: Actor) -> UserOut:
    """The user whose token was sent."""
    return copied(UserOut, actor)


@router.get("/users", response_model=Page[UserOut], responses={**NOT_MODIFIED, **documented(403)})
def list_users(request: Request, session: InSession, _staff: Staff, part: Part) -> Response:
    """Everybody who has been let in."""
    rows, total = users.list_users(session, part.offset, part.limit)
    return conditional(request, page_of([copied(UserOut, user) for user in rows], total, part))


@router.post("/users", status_code=201, responses=documented(400, 403, 409, 413))
def create_user(session: InSession, staff: Staff, new: NewUser) -> UserWithToken:
    """Let somebody in and give them a token."""
    user, token = users.create_user(session, new.name, new.role, actor=staff)
    return UserWithToken(user=copied(UserOut, user), token=token)


@router.post("/users/{name}/tokens", status_code=201, responses=documented(403, 404))
def issue_token(session: InSession, staff: Staff, name: str) -> UserWithToken:
    """Give a user another token; the earlier ones stay valid."""
    user = users.get(session, name)
    return UserWithToken(user=copied(UserOut, user), token=users.issue_token(session, user, actor=staff))


@router.delete("/users/{name}/tokens", responses=documented(403, 404))
def revoke_tokens(
    session: InSession,
    staff: Staff,
    credentials: Annotated[HTTPAuthorizationCredentials, Depends(bearer)],
    name: str,
) -> Revoked:
    """Make all tokens of a user worthless, except the one that this request shows.

    So nobody locks the staff out; to be rid of a token of one's own, issue another and revoke with that.
    """
    user = users.get(session, name)
    count = users.revoke_tokens(session, user, actor=staff, keep=credentials.credentials)
    return Revoked(revoked=count)
