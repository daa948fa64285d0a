"""Which worker hosts are believed, and how one is enrolled."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from arena.coordinator import enrolment
from arena.schemas.paging import Page
from arena.schemas.staff import Enrolled, Enrolling, EnrolmentCodeOut, WorkerKeyOut
from arena.web.answers.staff import worker_key_of
from arena.web.http.dependencies import Admin, InServices, InSession
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of
from workers.core.signing import read_or_make_key

HostName = Annotated[str, Path(min_length=1, max_length=enrolment.MOST_NAME_CHARS, examples=["pc-7"])]

router = APIRouter(tags=["staff"], responses=documented(422))


@router.post("/worker-codes", status_code=201, responses=documented(401, 403))
def make_worker_code(session: InSession, admin: Admin) -> EnrolmentCodeOut:
    """Make a code with which one worker host can be enrolled within a day; shown this once."""
    text, code = enrolment.make_code(session, admin)
    return EnrolmentCodeOut(code=text, expires_at=code.expires_at)


@router.post("/worker-keys", status_code=201, responses=documented(400, 404, 409, 413))
def enrol_worker(session: InSession, services: InServices, new: Enrolling) -> Enrolled:
    """Enrol a worker host by a code: what it signs with its key is believed from now on."""
    told = enrolment.told(services.settings)
    key = enrolment.enrol(session, new.code, new.host, new.key)
    public = read_or_make_key(services.settings.signing_key_file).public
    return Enrolled(host=key.host, arena_key=public, settings=told)


@router.get(
    "/worker-keys", response_model=Page[WorkerKeyOut], responses={**NOT_MODIFIED, **documented(401, 403)}
)
def list_worker_keys(request: Request, session: InSession, admin: Admin, part: Part) -> Response:
    """The keys of worker hosts, also those that were revoked, the good ones first."""
    rows, total = enrolment.list_keys(session, admin, part.offset, part.limit)
    return conditional(request, page_of([worker_key_of(each) for each in rows], total, part))


@router.delete("/worker-keys/{host}", responses=documented(401, 403, 404))
def revoke_worker_key(session: InSession, admin: Admin, host: HostName) -> WorkerKeyOut:
    """Believe a host no more; what it has in hand is played again when its lease has run out."""
    return worker_key_of(enrolment.revoke(session, admin, host))
