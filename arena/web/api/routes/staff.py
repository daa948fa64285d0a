"""The arena's own work, for its staff: worker hosts, the queue, losses, checks, storage."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Path, Query, Request, Response

from arena.coordinator import losses, purging, workers
from arena.coordinator.queue import queue
from arena.coordinator.storage import storage
from arena.core.terms import MAX_HOST_CHARS
from arena.experiments import lifecycle
from arena.schemas.experiments import ExperimentOut
from arena.schemas.paging import Page
from arena.schemas.queue import QueueOut
from arena.schemas.staff import (
    Draining,
    FailedExperiment,
    GivenUpAnalysis,
    HostOut,
    LossOut,
    Purged,
    Purging,
    Retried,
    SetAsideOut,
    StaffCheck,
    StorageOut,
)
from arena.tournaments import matches
from arena.web.answers.experiments import experiment_of
from arena.web.answers.staff import (
    check_of,
    failed_of,
    given_up_of,
    host_of,
    loss_of,
    purged_of,
    queue_of,
    set_aside_of,
    storage_of,
)
from arena.web.http.dependencies import Admin, InServices, InSession, InTournament, Runner, Staff, troubles
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of
from arena.web.http.visibility import Viewer

router = APIRouter(tags=["staff"], responses=documented(401, 403, 422))
HostName = Annotated[str, Path(min_length=1, max_length=MAX_HOST_CHARS, examples=["pc-7"])]


@router.get("/workers", response_model=Page[HostOut], responses=NOT_MODIFIED)
def list_workers(
    request: Request, session: InSession, services: InServices, _admin: Admin, part: Part
) -> Response:
    """The worker hosts by name, also those that are gone: what each has in hand, runs and can do."""
    rows, total = workers.list_hosts(session, services.settings, part.offset, part.limit)
    return conditional(request, page_of([host_of(each) for each in rows], total, part))


@router.get("/workers/{host}", response_model=HostOut, responses={**NOT_MODIFIED, **documented(404)})
def get_worker(
    request: Request, session: InSession, services: InServices, _admin: Admin, host: HostName
) -> Response:
    """One worker host."""
    return conditional(request, host_of(workers.get(session, services.settings, host)))


@router.post("/workers/{host}/drain", responses=documented(400, 404, 409, 413))
def drain_worker(
    session: InSession,
    services: InServices,
    admin: Admin,
    host: HostName,
    how: Annotated[Draining, Body(default_factory=Draining)],
) -> HostOut:
    """Have a host finish what it has in hand and take nothing new, also when it is started anew.

    With a limit what it has in hand then is given to others; of a host that drains it may be set anew.
    """
    workers.drain(session, services.broker, admin, host, within_seconds=how.within_seconds)
    session.flush()
    return host_of(workers.get(session, services.settings, host))


@router.post("/workers/{host}/resume", responses=documented(404, 409))
def resume_worker(session: InSession, services: InServices, admin: Admin, host: HostName) -> HostOut:
    """Have a host that drains take work again."""
    workers.resume(session, services.broker, admin, host)
    session.flush()
    return host_of(workers.get(session, services.settings, host))


@router.post("/workers/{host}/purge", responses=documented(400, 404, 409, 413))
def purge_worker(session: InSession, admin: Admin, host: HostName, how: Purging) -> Purged:
    """Believe a host no more, and have its matches played again, 100 at a time: ask until nothing is done."""
    return purged_of(purging.purge(session, admin, host, how.reason, how.since))


@router.delete("/workers/{host}", responses=documented(404, 409))
def forget_worker(session: InSession, services: InServices, admin: Admin, host: HostName) -> HostOut:
    """List a host no more that is gone; the answer is what it was."""
    told = host_of(workers.get(session, services.settings, host))
    workers.forget(session, services.settings, services.broker, admin, host)
    return told


@router.get("/staff/queue", response_model=QueueOut, responses=NOT_MODIFIED)
def get_queue(request: Request, session: InSession, services: InServices, staff: Staff) -> Response:
    """What waits, what nobody can do, and how long it takes; an organiser sees what they run."""
    return conditional(request, queue_of(queue(session, services.settings, staff), troubles(request)))


@router.get("/staff/parked", response_model=Page[LossOut], responses=NOT_MODIFIED)
def list_parked(request: Request, session: InSession, staff: Staff, part: Part) -> Response:
    """The matches that wait for the staff, with what befell them; an organiser sees those they run."""
    rows, total = losses.parked(session, staff, part.offset, part.limit)
    return conditional(request, page_of([loss_of(each) for each in rows], total, part))


@router.get("/staff/lost", response_model=Page[LossOut], responses=NOT_MODIFIED)
def list_lost(request: Request, session: InSession, staff: Staff, part: Part) -> Response:
    """The matches of tournaments that go on which were lost once or more and are not parked."""
    rows, total = losses.lost(session, staff, part.offset, part.limit)
    return conditional(request, page_of([loss_of(each) for each in rows], total, part))


@router.post("/tournaments/{name}/retry", responses=documented(404, 409))
def retry_matches(session: InSession, staff: Runner, tournament: InTournament) -> Retried:
    """Give all parked matches of a tournament another chance, at most 1000 at a time."""
    return Retried(retried=matches.retry_all(session, staff, tournament))


@router.get("/staff/checks", response_model=Page[StaffCheck], responses=NOT_MODIFIED)
def list_checks(
    *,
    request: Request,
    session: InSession,
    staff: Staff,
    part: Part,
    over: Annotated[bool, Query(description="Those that are over, the latest first.")] = False,
) -> Response:
    """The checks that wait or are being done, oldest first; an organiser sees those of their classes."""
    states = losses.OVER_CHECKS if over else losses.OPEN_CHECKS
    rows, total = losses.checks(session, staff, states, part.offset, part.limit)
    return conditional(request, page_of([check_of(each) for each in rows], total, part))


@router.get("/staff/analyses", response_model=Page[GivenUpAnalysis], responses=NOT_MODIFIED)
def list_given_up_analyses(request: Request, session: InSession, staff: Staff, part: Part) -> Response:
    """The analyses that were given up; an organiser sees those of the tournaments they run."""
    rows, total = losses.analyses(session, staff, part.offset, part.limit)
    return conditional(request, page_of([given_up_of(each) for each in rows], total, part))


@router.get("/staff/experiments", response_model=Page[FailedExperiment], responses=NOT_MODIFIED)
def list_failed_experiments(request: Request, session: InSession, admin: Admin, part: Part) -> Response:
    """The experiments that were given up, the latest first."""
    rows, total = losses.failed_experiments(session, admin, part.offset, part.limit)
    return conditional(request, page_of([failed_of(each) for each in rows], total, part))


@router.get("/staff/set-aside", response_model=Page[SetAsideOut], responses=NOT_MODIFIED)
def list_set_aside(request: Request, session: InSession, admin: Admin, part: Part) -> Response:
    """What stood in the broker's queues and was no message, the newest first; of these 1000 are kept."""
    rows, total = losses.set_aside(session, admin, part.offset, part.limit)
    return conditional(request, page_of([set_aside_of(each) for each in rows], total, part))


@router.post("/experiments/{number}/retry", responses=documented(404, 409))
def retry_experiment(
    session: InSession, admin: Admin, number: Annotated[int, Path(examples=[1])]
) -> ExperimentOut:
    """Have an experiment that was given up go on from where it was."""
    experiment = lifecycle.get(session, number)
    losses.retry_experiment(session, admin, experiment)
    return experiment_of(Viewer(admin), experiment)


@router.get("/staff/storage")
def get_storage(session: InSession, services: InServices, admin: Admin) -> StorageOut:
    """What takes up room: the database, the archives, recordings, cache and logs; and what is free."""
    return storage_of(storage(session, services.settings, admin))
