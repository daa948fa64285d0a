"""Who is signed in on the pages: the cookie, the session behind it, and the answers that it begins and ends.

The API does not look at cookies, so that no other site can have a browser use it.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import AuthRequiredError
from arena.people import sessions
from arena.people.sessions import LONGEST, Visit
from arena.store.models import Bot, SchoolClass, User, WebSession
from arena.submissions import versions
from arena.web.http.cookies import SecretCookie
from arena.web.http.dependencies import (
    InSession,
    InTournament,
    address_of,
    get_admin,
    get_class,
    get_player,
    get_runner,
    get_staff,
)
from arena.web.http.strangers import looked_at_by

SESSION = SecretCookie("arena", LONGEST)


def visit_of(request: Request) -> Visit:
    """Where a sign-in comes from."""
    return Visit(address_of(request), request.headers.get("user-agent", ""))


def _shown_session(request: Request, session: Session) -> WebSession:
    found = sessions.find(session, SESSION.shown(request))
    if found is None:
        raise AuthRequiredError("sign in to see this page")
    return found


@looked_at_by(_shown_session)
def get_web_session(request: Request, session: InSession) -> WebSession:
    """The session of whoever asks for a page.

    Raises:
        AuthRequiredError: nobody is signed in.
    """
    return _shown_session(request, session)


def get_maybe_visitor(request: Request, session: InSession) -> User | None:
    """Who is signed in, if anybody is."""
    found = sessions.find(session, SESSION.shown(request))
    return None if found is None else found.user


MaybeVisitor = Annotated[User | None, Depends(get_maybe_visitor)]


InWebSession = Annotated[WebSession, Depends(get_web_session)]


def get_visitor(web_session: InWebSession) -> User:
    """Who is signed in."""
    return web_session.user


Visitor = Annotated[User, Depends(get_visitor)]


def get_staff_visitor(visitor: Visitor) -> User:
    """The member of the staff who is signed in.

    Raises:
        ForbiddenError: somebody else is.
    """
    return get_staff(visitor)


def get_admin_visitor(visitor: Visitor) -> User:
    """The administrator who is signed in.

    Raises:
        ForbiddenError: somebody else is.
    """
    return get_admin(visitor)


AdminVisitor = Annotated[User, Depends(get_admin_visitor)]


def get_player_visitor(visitor: Visitor) -> User:
    """Who is signed in, who may have bots.

    Raises:
        ForbiddenError: a reader is.
    """
    return get_player(visitor)


PlayerVisitor = Annotated[User, Depends(get_player_visitor)]


def get_visited_bot(session: InSession, visitor: PlayerVisitor, name: str) -> Bot:
    """The bot that the path names, for those who open it.

    Raises:
        ForbiddenError: somebody else is signed in.
    """
    bot = versions.get(session, name)
    permissions.require_owner(visitor, bot)
    return bot


VisitedBot = Annotated[Bot, Depends(get_visited_bot)]


StaffVisitor = Annotated[User, Depends(get_staff_visitor)]


def get_visited_class(session: InSession, visitor: StaffVisitor, name: str) -> SchoolClass:
    """The class that the path names, for those who run it.

    Raises:
        ForbiddenError: somebody else is signed in.
    """
    return get_class(session, visitor, name)


VisitedClass = Annotated[SchoolClass, Depends(get_visited_class)]


def get_visiting_runner(visitor: StaffVisitor, tournament: InTournament) -> User:
    """The member of the staff who is signed in, and runs the tournament that the path names.

    Raises:
        ForbiddenError: somebody else is signed in.
    """
    return get_runner(visitor, tournament)


VisitingRunner = Annotated[User, Depends(get_visiting_runner)]
