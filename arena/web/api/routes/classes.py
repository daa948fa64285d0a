"""Classes: who runs them, who is in them, and how they are joined."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.people import classes, links, users
from arena.schemas.account import CodeOut, NewCode
from arena.schemas.classes import ClassOut, NewClass
from arena.schemas.paging import Page
from arena.schemas.users import LinkOut, UserOut
from arena.store import classes as store
from arena.web.answers.people import class_of, code_of, user_of
from arena.web.api.routes.account import Number
from arena.web.http.dependencies import InClass, InSession, Staff
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of, part_of

CLASS = "/classes/{name}"
router = APIRouter(tags=["classes"], responses=documented(401, 403, 422))


@router.get("/classes", response_model=Page[ClassOut], responses=NOT_MODIFIED)
def list_classes(request: Request, session: InSession, staff: Staff, part: Part) -> Response:
    """The classes that one runs; an administrator runs all."""
    rows, total = classes.list_classes(session, staff, part.offset, part.limit)
    return conditional(request, page_of([class_of(each) for each in rows], total, part))


@router.post("/classes", status_code=201, responses=documented(400, 409, 413))
def create_class(session: InSession, staff: Staff, new: NewClass) -> ClassOut:
    """Make a class; an organiser who does runs it."""
    return class_of(classes.create(session, staff, new.name))


@router.get(CLASS + "/users", response_model=Page[UserOut], responses={**NOT_MODIFIED, **documented(404)})
def list_class_users(request: Request, session: InSession, school_class: InClass, part: Part) -> Response:
    """The teams of a class, their members, and readers."""
    rows = [user_of(user) for user in store.teams(session, school_class)]
    return conditional(request, part_of(rows, part))


@router.put(CLASS + "/organisers/{user}", responses=documented(404, 409))
def add_organiser(session: InSession, staff: Staff, school_class: InClass, user: str) -> ClassOut:
    """Have an organiser run a class, too."""
    classes.add_organiser(session, staff, school_class, users.get(session, user))
    return class_of(school_class)


@router.delete(CLASS + "/organisers/{user}", responses=documented(404))
def remove_organiser(session: InSession, staff: Staff, school_class: InClass, user: str) -> ClassOut:
    """Have an organiser run a class no more.

    The class's codes are worthless then, and so is what signs in the users whom they made a token for, and
    links that they made.
    """
    classes.remove_organiser(session, staff, school_class, users.get(session, user))
    return class_of(school_class)


@router.get(CLASS + "/codes", response_model=Page[CodeOut], responses={**NOT_MODIFIED, **documented(404)})
def list_class_codes(request: Request, session: InSession, school_class: InClass, part: Part) -> Response:
    """The codes by which teams can join a class now."""
    rows = [code_of(code) for code in store.codes_of_class(session, school_class)]
    return conditional(request, part_of(rows, part))


@router.post(CLASS + "/codes", status_code=201, responses=documented(400, 404, 413))
def make_class_code(session: InSession, staff: Staff, school_class: InClass, new: NewCode) -> CodeOut:
    """Make a code by which so many new teams join a class."""
    return code_of(classes.make_class_code(session, staff, school_class, uses=new.uses, days=new.days))


@router.delete(CLASS + "/codes/{number}", status_code=204, responses=documented(404))
def revoke_class_code(session: InSession, staff: Staff, school_class: InClass, number: Number) -> None:
    """Make a code of a class worthless."""
    classes.revoke_code(session, staff, store.codes_of_class(session, school_class), number)


@router.post("/users/{name}/link", status_code=201, responses=documented(404))
def make_link(request: Request, session: InSession, staff: Staff, name: str) -> LinkOut:
    """Make a link by which a user signs in once, also to choose another password."""
    secret, expires_at = links.make(session, staff, users.get(session, name))
    url = f"{request.base_url}sign-in/link/{secret}"
    return LinkOut(user=name, url=url, expires_at=expires_at)
