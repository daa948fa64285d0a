"""Users and tokens: the staff lets people in."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.security import HTTPAuthorizationCredentials

from arena.access import permissions
from arena.core.names import MAX_CHARS
from arena.core.terms import Role
from arena.people import administering, classes, users
from arena.schemas.paging import Page
from arena.schemas.users import NewRole, NewUser, Revoked, UserState, UserWithToken
from arena.store.users import Wanted
from arena.web.answers.people import state_of, user_of
from arena.web.http.dependencies import Admin, InSession, Staff, bearer
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of

router = APIRouter(tags=["users"], responses=documented(401, 422))


@router.get("/users", response_model=Page[UserState], responses={**NOT_MODIFIED, **documented(403)})
def list_users(
    *,
    request: Request,
    session: InSession,
    staff: Staff,
    part: Part,
    name: Annotated[str, Query(max_length=MAX_CHARS, description="A part of their names.")] = "",
    role: Annotated[Role | None, Query(description="Only those with this role.")] = None,
    class_name: Annotated[str, Query(max_length=MAX_CHARS, description="Only those of this class.")] = "",
    disabled: Annotated[bool | None, Query(description="Only those who are out, or who are in.")] = None,
) -> Response:
    """Everybody who has been let in, and how they sign in; an organiser sees those of their classes."""
    wanted = Wanted(name, role, class_name, disabled)
    rows, total = administering.list_accounts(session, staff, wanted, part.offset, part.limit)
    return conditional(request, page_of([state_of(each) for each in rows], total, part))


@router.get("/users/{name}", response_model=UserState, responses={**NOT_MODIFIED, **documented(403, 404)})
def get_user(request: Request, session: InSession, staff: Staff, name: str) -> Response:
    """One user, and how they sign in."""
    return conditional(request, state_of(administering.account(session, staff, name)))


@router.put("/users/{name}/role", responses=documented(400, 403, 404, 409, 413))
def set_role(session: InSession, admin: Admin, name: str, new: NewRole) -> UserState:
    """Give a user another role; there is always an administrator left.

    Who becomes an organiser or administrator, and was less, has to sign in anew: tokens, sessions, links and
    the password of before are worthless, as others may have them. A new link or token lets the user in.
    """
    administering.set_role(session, admin, name, new.role)
    return state_of(administering.account(session, admin, name))


@router.post("/users/{name}/disable", responses=documented(403, 404, 409))
def disable_user(session: InSession, staff: Staff, name: str) -> UserState:
    """Let a user out: they sign in no more, and nothing that they sign in with is left; their bots stay."""
    administering.disable(session, staff, name)
    return state_of(administering.account(session, staff, name))


@router.post("/users/{name}/enable", responses=documented(403, 404, 409))
def enable_user(session: InSession, staff: Staff, name: str) -> UserState:
    """Let a user in again; a new link or token signs them in."""
    administering.enable(session, staff, name)
    return state_of(administering.account(session, staff, name))


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
