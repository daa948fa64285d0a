"""The staff's pages of classes: codes to join by, and links to sign in by, as a sheet to print and cut."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import ConflictError, InvalidError, NotFoundError
from arena.events import announcements
from arena.people import classes, links, users
from arena.schemas.account import MAX_DAYS
from arena.schemas.texts import MAX_TEXT_CHARS
from arena.store import classes as store
from arena.store.models import SchoolClass, User
from arena.web.answers.people import class_of, code_of, user_of
from arena.web.http.dependencies import InSession
from arena.web.http.responses import Part, page_of
from arena.web.http.web_sessions import StaffVisitor, VisitedClass
from arena.web.pages.account import Number
from arena.web.pages.forms import NO_FAULT, Field, Text, base_url, fault_of, see, text_of
from arena.web.pages.managing import NOTHING_REFUSED, refusal
from arena.web.pages.rendering import render
from arena.web.pages.wording import ROLES

ANNOUNCED = 10
"""So many of the last announcements are shown."""
router = APIRouter(default_response_class=HTMLResponse)


@router.get("/classes")
def class_list(request: Request, session: InSession, visitor: StaffVisitor, part: Part) -> HTMLResponse:
    """The classes that one runs."""
    rows, total = classes.list_classes(session, visitor, part.offset, part.limit)
    page = page_of([class_of(each) for each in rows], total, part)
    return render(request, "classes.html", page=page, name="", **NO_FAULT)


@router.post("/classes")
def create_class(
    request: Request, session: InSession, visitor: StaffVisitor, part: Part, name: Field = ""
) -> Response:
    """Make a class."""
    try:
        school_class = classes.create(session, visitor, name)
    except (InvalidError, ConflictError) as error:
        rows, total = classes.list_classes(session, visitor, part.offset, part.limit)
        page = page_of([class_of(each) for each in rows], total, part)
        return render(request, "classes.html", error.status, page=page, name=name, **fault_of(error))
    return see(f"/classes/{school_class.name}")


@router.get("/classes/{name}")
def show_class(
    request: Request, session: InSession, visitor: StaffVisitor, school_class: VisitedClass
) -> HTMLResponse:
    """A class: its codes, who is in it, and what was announced to it."""
    return _class_page(request, session, visitor, school_class)


def _class_page(
    request: Request,
    session: Session,
    visitor: User,
    school_class: SchoolClass,
    *,
    status: int = 200,
    **told: Any,
) -> HTMLResponse:
    members = store.teams(session, school_class)
    announced, _ = announcements.listed_for(session, school_class, offset=0, limit=ANNOUNCED)
    return render(
        request,
        "class.html",
        status,
        announcements=announced,
        most_chars=MAX_TEXT_CHARS,
        school_class=class_of(school_class),
        codes=[code_of(code) for code in store.codes_of_class(session, school_class)],
        users=[user_of(user) for user in members],
        managed={user.name for user in members if permissions.manages(visitor, user)},
        roles=ROLES,
        base_url=base_url(request),
        oneself=visitor.name,
        **NOTHING_REFUSED | told,
    )


@router.post("/classes/{name}/announcements")
def announce_to_class(
    request: Request, session: InSession, visitor: StaffVisitor, school_class: VisitedClass, text: Text = ""
) -> Response:
    """Tell the teams of a class something."""
    try:
        announcements.make_for(session, visitor, school_class, text_of(text))
    except InvalidError as error:
        told = refusal(error, "announce", text=text)
        return _class_page(request, session, visitor, school_class, status=error.status, **told)
    return see(f"/classes/{school_class.name}#announcements")


@router.post("/classes/{name}/organisers")
def add_organiser(
    request: Request, session: InSession, visitor: StaffVisitor, school_class: VisitedClass, user: Field = ""
) -> Response:
    """Have an organiser run a class, too."""
    try:
        classes.add_organiser(session, visitor, school_class, users.get(session, user.strip()))
    except (ConflictError, NotFoundError) as error:
        told = refusal(error, "organiser", user=user)
        return _class_page(request, session, visitor, school_class, status=error.status, **told)
    return see(f"/classes/{school_class.name}#organisers")


@router.post("/classes/{name}/organisers/{user}/remove")
def remove_organiser(
    request: Request, session: InSession, visitor: StaffVisitor, school_class: VisitedClass, user: str
) -> Response:
    """Have an organiser run a class no more."""
    try:
        classes.remove_organiser(session, visitor, school_class, users.get(session, user))
    except NotFoundError as error:
        return _class_page(request, session, visitor, school_class, status=error.status, **refusal(error))
    if not permissions.runs_class(visitor, school_class):
        return see("/classes")
    return see(f"/classes/{school_class.name}#organisers")


@router.post("/classes/{name}/codes")
def make_code(
    session: InSession,
    visitor: StaffVisitor,
    school_class: VisitedClass,
    uses: Annotated[int, Form(ge=1, le=500)] = 40,
    days: Annotated[int, Form(ge=1, le=MAX_DAYS)] = 7,
) -> Response:
    """Make a code by which so many new teams join."""
    classes.make_class_code(session, visitor, school_class, uses=uses, days=days)
    return see(f"/classes/{school_class.name}")


@router.post("/classes/{name}/codes/{number}/revoke")
def revoke_code(
    session: InSession, visitor: StaffVisitor, school_class: VisitedClass, number: Number
) -> Response:
    """Make a code worthless."""
    classes.revoke_code(session, visitor, store.codes_of_class(session, school_class), number)
    return see(f"/classes/{school_class.name}")


@router.post("/classes/{name}/links")
def make_links(
    request: Request,
    session: InSession,
    visitor: StaffVisitor,
    school_class: VisitedClass,
    user: Annotated[list[str], Form()] = [],  # noqa: B006  (FastAPI copies it)
) -> HTMLResponse:
    """Make links for those who are ticked and may be managed, and show them, this once, as a sheet."""
    members, wanted = store.teams(session, school_class), set(user)
    rows = [each for each in members if each.name in wanted and permissions.manages(visitor, each)]
    made = [(each.name, *links.make(session, visitor, each)) for each in rows]
    return render(
        request, "links.html", school_class=class_of(school_class), links=made, base_url=base_url(request)
    )
