"""The staff's page by which a whole class is let in: a roster is read, looked at, and then imported."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Request, UploadFile
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session

from arena.core.errors import ArenaError, ForbiddenError, InvalidError
from arena.interchange.errors import FileFormatError
from arena.interchange.roster import WIDE_BOMS, Encoding, Roster, read_roster
from arena.people import links, rosters, users
from arena.people.rosters import Admission, RosterError
from arena.store.models import SchoolClass, User
from arena.web.answers.people import class_of
from arena.web.http.dependencies import InSession
from arena.web.http.web_sessions import StaffVisitor, VisitedClass
from arena.web.pages.forms import base_url
from arena.web.pages.rendering import render
from arena.web.pages.wording import N_, ROLES

REFUSED = (FileFormatError, InvalidError, ForbiddenError)
COLUMNS = {
    "user": N_("the name of who signs in"),
    "team": N_("the team that it is a member of"),
    "role": N_("the role"),
    "bot": N_("a name kept for a bot"),
}
"""What the columns of a roster are taken as."""
MAX_CHARS = 1_000_000
Text = Annotated[str, Form(max_length=MAX_CHARS)]

router = APIRouter(default_response_class=HTMLResponse)


@router.get("/classes/{name}/roster")
def ask_for_roster(request: Request, school_class: VisitedClass) -> HTMLResponse:
    """The form that takes a roster, as a file or as text."""
    return _page(request, school_class)


def _page(
    request: Request,
    school_class: SchoolClass,
    status: int = 200,
    error: ArenaError | None = None,
    **told: Any,
) -> HTMLResponse:
    context: dict[str, Any] = {
        "school_class": class_of(school_class),
        "text": "",
        "roster": None,
        "admitted": [],
        "roles": ROLES,
        "columns": COLUMNS,
        "refused": error,
        "faults": error.lines if isinstance(error, RosterError) else [],
    }
    return render(request, "roster.html", status, **context | told)


@router.post("/classes/{name}/roster")
def look_at_roster(
    *,
    request: Request,
    session: InSession,
    visitor: StaffVisitor,
    school_class: VisitedClass,
    file: UploadFile | None = None,
    text: Text = "",
) -> HTMLResponse:
    """Say what was understood of a roster and what its import would do; nothing is made."""
    data = file.file.read() if file is not None else b""
    typed = _text_of(data) if data.strip() else text
    try:
        roster, admitted = _admit(session, visitor, school_class, typed, dry_run=True)
    except REFUSED as error:
        return _page(request, school_class, error.status, error, text=typed)
    return _page(request, school_class, text=typed, roster=roster, admitted=admitted)


@router.post("/classes/{name}/roster/import")
def import_roster(
    *,
    request: Request,
    session: InSession,
    visitor: StaffVisitor,
    school_class: VisitedClass,
    text: Text = "",
    sheet: Annotated[Literal["links", "tokens"], Form()] = "links",
) -> HTMLResponse:
    """Let everybody in, and show what the new ones sign in by, this once, as a sheet to print and cut."""
    try:
        _, admitted = _admit(session, visitor, school_class, text, dry_run=False)
    except REFUSED as error:
        session.rollback()
        return _page(request, school_class, error.status, error, text=text)
    new = [each for each in admitted if each.created]
    return render(
        request,
        "roster_sheet.html",
        school_class=class_of(school_class),
        there=len(admitted) - len(new),
        tokens=[(each.name, each.team, each.token) for each in new] if sheet == "tokens" else [],
        links=[_link(session, visitor, each) for each in new] if sheet == "links" else [],
        base_url=base_url(request),
    )


def _admit(
    session: Session, visitor: User, school_class: SchoolClass, text: str, *, dry_run: bool
) -> tuple[Roster, list[Admission]]:
    roster = read_roster(text.encode())
    return roster, rosters.admit(session, visitor, roster, dry_run=dry_run, school_class=school_class)


def _link(session: Session, visitor: User, admission: Admission) -> tuple[Any, ...]:
    return admission.name, admission.team, *links.make(session, visitor, users.get(session, admission.name))


def _text_of(data: bytes) -> str:
    """The text of a file, whose writing is recognised: UTF-16 by its mark, UTF-8, else spreadsheets' Big5.

    What is none of these is left to `read_roster` to refuse.
    """
    for encoding in ("utf-16",) if data.startswith(WIDE_BOMS) else ("utf-8-sig", Encoding.CP950):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("utf-8", "replace")
