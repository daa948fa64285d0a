"""Which worker hosts are believed, and how one is enrolled."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Depends, Path, Request, Response

from arena.coordinator import enrolment
from arena.core.errors import ForbiddenError
from arena.core.terms import MAX_HOST_CHARS
from arena.schemas.paging import Page
from arena.schemas.staff import Enrolled, Enrolling, EnrolmentCodeOut, Trust, WorkerKeyOut
from arena.web.answers.staff import worker_key_of
from arena.web.http.dependencies import Admin, InServices, InSession, admitted, is_secret
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of

HostName = Annotated[str, Path(min_length=1, max_length=MAX_HOST_CHARS, examples=["pc-7"])]

router = APIRouter(tags=["staff"], responses=documented(422))


@router.post("/worker-codes", status_code=201, responses=documented(400, 401, 403, 413))
def make_worker_code(
    session: InSession, admin: Admin, trust: Annotated[Trust, Body(default_factory=Trust)]
) -> EnrolmentCodeOut:
    """Make a code with which one worker host can be enrolled within a day; shown this once."""
    text, code = enrolment.make_code(session, admin, trust.repeat_share)
    return EnrolmentCodeOut(code=text, expires_at=code.expires_at, repeat_share=code.repeat_share)


@router.post("/worker-keys", status_code=201, responses=documented(400, 403, 404, 409, 413, 503))
def enrol_worker(
    request: Request,
    services: InServices,
    new: Enrolling,
    _admitted: Annotated[None, Depends(admitted, scope="function")],
) -> Enrolled:
    """Enrol a worker host by a code: what it signs with its key is believed from now on.

    Where workers are told settings it is done by https or on the arena's own machine only.
    """
    told = enrolment.told(services.settings)
    with services.database.reading() as session:
        enrolment.require_code(session, new.code)
    if told and not is_secret(request):
        with services.database.transaction() as session:
            enrolment.spoil_code(session, new.code)
        raise ForbiddenError(
            "what workers are told has passwords in it, and others can read by http what passes, this code"
            " too, which is good no more: make another one, and join by the arena's https address"
        )
    with services.database.transaction() as session:
        key = enrolment.enrol(session, new.code, new.host, new.key)
        host, trusted = key.host, key.repeat_share is None
        arena_key = enrolment.arena_key(services.settings).public
    return Enrolled(host=host, arena_key=arena_key, trusted=trusted, settings=told)


@router.get(
    "/worker-keys", response_model=Page[WorkerKeyOut], responses={**NOT_MODIFIED, **documented(401, 403)}
)
def list_worker_keys(request: Request, session: InSession, admin: Admin, part: Part) -> Response:
    """The keys of worker hosts, also those that were revoked, the good ones first."""
    rows, total = enrolment.list_keys(session, admin, part.offset, part.limit)
    return conditional(request, page_of([worker_key_of(each) for each in rows], total, part))


@router.put("/worker-keys/{host}/trust", responses=documented(400, 401, 403, 404, 413))
def set_worker_trust(session: InSession, admin: Admin, host: HostName, trust: Trust) -> WorkerKeyOut:
    """Trust a host, or have a share of its matches played again on hosts that are trusted."""
    return worker_key_of(enrolment.set_trust(session, admin, host, trust.repeat_share))


@router.delete("/worker-keys/{host}", responses=documented(401, 403, 404))
def revoke_worker_key(session: InSession, admin: Admin, host: HostName) -> WorkerKeyOut:
    """Believe a host no more; what it has in hand is played again when its lease has run out."""
    return worker_key_of(enrolment.revoke(session, admin, host))
