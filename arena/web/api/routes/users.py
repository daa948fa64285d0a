"""Users and tokens: the staff lets people in."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.security import HTTPAuthorizationCredentials

from arena.access import permissions
from arena.people import classes, users
from arena.schemas.paging import Page
from arena.schemas.users import NewUser, Revoked, UserOut, UserWithToken
from arena.web.answers.people import user_of
from arena.web.http.dependencies import InSession, Staff, bearer
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of

router = APIRouter(tags=["users"], responses=documented(401, 422))


@router.get("/users", response_model=Page[UserOut], responses={**NOT_MODIFIED, **documented(403)})
def list_users(request: Request, session: InSession, staff: Staff, part: Part) -> Response:
    """Everybody who has been let in; an organiser sees those of their classes."""
    rows, total = users.list_users(session, part.offset, part.limit, actor=staff)
    return conditional(request, page_of([user_of(user) for user in rows], total, part))


@router.post("/users", status_code=201, responses=documented(400, 403, 404, 409, 413))
def create_user(session: InSession, staff: Staff, new: NewUser) -> UserWithToken:
    """Let somebody in and give them a token; an organiser lets teams and readers into their classes."""
    school_class = classes.chosen(session, staff, new.class_name)
    user, token = users.create_user(session, new.name, new.role, actor=staff, school_class=school_class)
    return UserWithToken(user=user_of(user), token=token)


@router.post("/users/{name}/tokens", status_code=201, responses=documented(403, 404, 409))
def issue_token(session: InSession, staff: Staff, name: str) -> UserWithToken:
    """Give a user another token; the earlier ones stay valid."""
    user = users.get(session, name)
    permissions.require_manager(staff, user)
    return UserWithToken(user=user_of(user), token=users.issue_token(session, user, actor=staff))


@router.delete("/users/{name}/tokens", responses=documented(403, 404))
def revoke_tokens(
    session: InSession,
    staff: Staff,
    credentials: Annotated[HTTPAuthorizationCredentials, Depends(bearer)],
    name: str,
) -> Revoked:
    """Make all tokens of a user worthless, except the one that this request shows.

    The user's sessions on the pages end as well, links to sign in are worthless, and the password of somebody
    else is forgotten: whoever found a token may have chosen it. A new link or token lets the user in again.
    So nobody locks the staff out; to be rid of a token of one's own, issue another and revoke with that.
    """
    user = users.get(session, name)
    permissions.require_manager(staff, user)
    count = users.revoke_tokens(session, user, actor=staff, keep=credentials.credentials)
    return Revoked(revoked=count)
