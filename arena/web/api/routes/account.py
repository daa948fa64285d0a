"""One's own account: tokens, sessions of the pages, the password, the members of one's team; and joining."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from arena.people import classes, identities, passkeys, sessions, users
from arena.schemas.account import (
    CodeOut,
    EndedSessions,
    IdentityOut,
    Joining,
    MadeToken,
    NewCode,
    NewPassword,
    NewToken,
    PasskeyOut,
    SessionOut,
    TokenOut,
)
from arena.schemas.paging import Page
from arena.schemas.users import UserOut, UserWithToken
from arena.store import sessions as session_store
from arena.store import users as user_store
from arena.web.answers.people import code_of, identity_of, passkey_of, session_of, token_of, user_of
from arena.web.http.dependencies import Actor, InSession, address_of, require_secrecy
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, part_of

Number = Annotated[int, Path(ge=1, lt=2**31)]

router = APIRouter(tags=["account"], responses=documented(422))


@router.get("/me", responses=documented(401))
def who_am_i(actor: Actor) -> UserOut:
    """The user whose token was sent."""
    return user_of(actor)


@router.post("/join", status_code=201, responses=documented(400, 404, 409, 413, 429))
def join(request: Request, session: InSession, joining: Joining) -> UserWithToken:
    """Join by a code: as the leader of a new team, or as a member of one that is there.

    The answer holds a token, shown this once.
    """
    user = classes.join(
        session, joining.code, member=joining.name, team=joining.team, address=address_of(request)
    )
    return UserWithToken(user=user_of(user), token=users.issue_token(session, user, actor=user))


@router.get("/me/tokens", response_model=Page[TokenOut], responses={**NOT_MODIFIED, **documented(401)})
def list_own_tokens(request: Request, session: InSession, actor: Actor, part: Part) -> Response:
    """One's own tokens that are good now."""
    rows = [token_of(token) for token in users.tokens(session, actor)]
    return conditional(request, part_of(rows, part))


@router.post("/me/tokens", status_code=201, responses=documented(400, 401, 409, 413))
def make_own_token(session: InSession, actor: Actor, new: NewToken) -> MadeToken:
    """Make another token of one's own, with a name, a scope and an end if wanted."""
    text, token = users.new_token(session, actor, actor=actor, name=new.name, scope=new.scope, days=new.days)
    return MadeToken(**dict(token_of(token)), token=text)


@router.delete("/me/tokens/{number}", status_code=204, responses=documented(401, 404))
def revoke_own_token(session: InSession, actor: Actor, number: Number) -> None:
    """Make a token of one's own worthless; sessions that were begun with it end."""
    users.revoke_token(session, actor, number)


@router.get("/me/sessions", response_model=Page[SessionOut], responses={**NOT_MODIFIED, **documented(401)})
def list_own_sessions(request: Request, session: InSession, actor: Actor, part: Part) -> Response:
    """Where one is signed in on the pages, the last seen first."""
    rows = [session_of(each) for each in session_store.of_user(session, actor)]
    return conditional(request, part_of(rows, part))


@router.delete("/me/sessions", responses=documented(401))
def end_own_sessions(session: InSession, actor: Actor) -> EndedSessions:
    """Sign out on the pages everywhere."""
    return EndedSessions(ended=sessions.end_all(session, actor, actor=actor))


@router.delete("/me/sessions/{number}", status_code=204, responses=documented(401, 404))
def end_own_session(session: InSession, actor: Actor, number: Number) -> None:
    """Sign out of one session."""
    sessions.end_one(session, actor, number)


@router.get("/me/passkeys", response_model=Page[PasskeyOut], responses={**NOT_MODIFIED, **documented(401)})
def list_own_passkeys(request: Request, session: InSession, actor: Actor, part: Part) -> Response:
    """One's own passkeys, the oldest first. They are made on the pages, as only browsers can."""
    rows = [passkey_of(each) for each in passkeys.passkeys(session, actor)]
    return conditional(request, part_of(rows, part))


@router.delete("/me/passkeys/{number}", status_code=204, responses=documented(401, 404))
def remove_own_passkey(session: InSession, actor: Actor, number: Number) -> None:
    """Let a passkey of one's own sign in no more."""
    passkeys.remove(session, actor, number)


@router.get("/me/identities", response_model=Page[IdentityOut], responses={**NOT_MODIFIED, **documented(401)})
def list_own_identities(request: Request, session: InSession, actor: Actor, part: Part) -> Response:
    """One's own accounts at the school's OpenID provider, the oldest first. They are linked on the pages."""
    rows = [identity_of(each) for each in identities.identities(session, actor)]
    return conditional(request, part_of(rows, part))


@router.delete("/me/identities/{number}", status_code=204, responses=documented(401, 404, 409))
def unlink_own_identity(session: InSession, actor: Actor, number: Number) -> None:
    """Let an account at the provider sign in no more; not the last way in, but for tokens."""
    identities.unlink(session, actor, number)


@router.put(
    "/me/password",
    status_code=204,
    responses=documented(400, 401, 403, 413, 429),
    dependencies=[Depends(require_secrecy)],
)
def set_own_password(request: Request, session: InSession, actor: Actor, new: NewPassword) -> None:
    """Choose a password to sign in by on the pages; all sessions there end."""
    sessions.set_password(session, actor, new.password, current=new.current, address=address_of(request))


@router.get("/me/team/members", response_model=Page[UserOut], responses={**NOT_MODIFIED, **documented(401)})
def list_members(request: Request, session: InSession, actor: Actor, part: Part) -> Response:
    """The members of one's team."""
    rows = [user_of(each) for each in user_store.members(session, actor.team or actor)]
    return conditional(request, part_of(rows, part))


@router.delete("/me/team/members/{name}", status_code=204, responses=documented(401, 403, 404, 409))
def remove_member(session: InSession, actor: Actor, name: str) -> None:
    """Let a member out of one's team, who cannot sign in any more; by its leader.

    The team's codes, which the member may know, are worthless then.
    """
    classes.remove_member(session, actor, name)


@router.get(
    "/me/team/codes", response_model=Page[CodeOut], responses={**NOT_MODIFIED, **documented(401, 403)}
)
def list_team_codes(request: Request, session: InSession, actor: Actor, part: Part) -> Response:
    """The codes by which members can join one's team now; for its leader."""
    rows = [code_of(code) for code in classes.codes_of_team(session, actor)]
    return conditional(request, part_of(rows, part))


@router.post("/me/team/codes", status_code=201, responses=documented(400, 401, 403, 409, 413))
def make_team_code(session: InSession, actor: Actor, new: NewCode) -> CodeOut:
    """Make a code by which members join one's team; by its leader."""
    return code_of(classes.make_team_code(session, actor, uses=new.uses, days=new.days))


@router.delete("/me/team/codes/{number}", status_code=204, responses=documented(401, 403, 404))
def revoke_team_code(session: InSession, actor: Actor, number: Number) -> None:
    """Make a code of one's team worthless."""
    classes.revoke_code(session, actor, classes.codes_of_team(session, actor), number)
