"""The administrators' page of the keys by which worker hosts are believed, and of codes for further hosts."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import HTMLResponse, Response

from arena.coordinator import enrolment
from arena.core.errors import InvalidError, NotFoundError
from arena.core.terms import USUAL_REPEAT_SHARE
from arena.web.answers.staff import worker_key_of
from arena.web.http.responses import Part, Window, page_of
from arena.web.http.web_sessions import AdminVisitor
from arena.web.pages.forms import Field, base_url, see
from arena.web.pages.managing import refusal
from arena.web.pages.staff import USUAL_PART, Asker, InAsker, share_of

HOME = "/staff/workers/keys"
router = APIRouter(default_response_class=HTMLResponse)


@router.get("/staff/workers/keys")
def show_keys(asker: InAsker, _admin: AdminVisitor, part: Part) -> HTMLResponse:
    """The keys of worker hosts, also those that were revoked, and the form for a code."""
    return _keys(asker, part)


def _keys(asker: Asker, part: Window, status: int = 200, **told: object) -> HTMLResponse:
    rows, total = enrolment.list_keys(asker.session, asker.visitor, part.offset, part.limit)
    shown = {
        "page": page_of([worker_key_of(each) for each in rows], total, part),
        "usual_percent": 100 * USUAL_REPEAT_SHARE,
        "code": None,
        "address": base_url(asker.request),
        "refresh": None,
    }
    return asker.show("staff_worker_keys.html", status, **shown | told)


@router.post("/staff/workers/codes")
def make_code(
    *,
    asker: InAsker,
    admin: AdminVisitor,
    laboratory: Annotated[bool, Form()] = False,
    percent: Field = "",
) -> HTMLResponse:
    """Make a code with which one host joins; the page that answers shows it, this once."""
    try:
        share = share_of(percent) if laboratory else None
    except InvalidError as error:
        told = refusal(error, "code", percent=percent, laboratory=laboratory)
        return _keys(asker, USUAL_PART, error.status, **told)
    code, kept = enrolment.make_code(asker.session, admin, share)
    return _keys(asker, USUAL_PART, code=code, expires_at=kept.expires_at)


@router.post("/staff/workers/keys/{host}/revoke")
def revoke(asker: InAsker, admin: AdminVisitor, host: str) -> Response:
    """Believe a host no more."""
    try:
        enrolment.revoke(asker.session, admin, host)
    except NotFoundError as error:
        asker.session.rollback()
        return _keys(asker, USUAL_PART, error.status, **refusal(error))
    return see(HOME)
