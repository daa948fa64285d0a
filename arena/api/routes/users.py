"""Users and tokens: the staff lets people in."""

from __future__ import annotations

from fastapi import APIRouter

from arena import users
from arena.api.dependencies import Actor, InSession, Staff
from arena.api.problems import documented
from arena.api.responses import Page, Part, page_of
from arena.api.schemas.users import NewUser, UserOut, UserWithToken

router = APIRouter(tags=["users"], responses=documented(401, 422))


@router.get("/me")
def who_am_i(actor: Actor) -> UserOut:
    """The user whose token was sent."""
    return UserOut.of(actor)


@router.get("/users", responses=documented(403))
def list_users(session: InSession, _staff: Staff, part: Part) -> Page[UserOut]:
    """Everybody who has been let in."""
    rows, total = users.list_users(session, part.offset, part.limit)
    return page_of([UserOut.of(user) for user in rows], total, part)


@router.post("/users", status_code=201, responses=documented(400, 403, 409, 413))
def create_user(session: InSession, staff: Staff, new: NewUser) -> UserWithToken:
    """Let somebody in and give them a token."""
    user, token = users.create_user(session, new.name, new.role, actor=staff)
    return UserWithToken(user=UserOut.of(user), token=token)


@router.post("/users/{name}/tokens", status_code=201, responses=documented(403, 404))
def issue_token(session: InSession, staff: Staff, name: str) -> UserWithToken:
    """Give a user another token; the earlier ones stay valid."""
    user = users.get(session, name)
    return UserWithToken(user=UserOut.of(user), token=users.issue_token(session, user, actor=staff))
