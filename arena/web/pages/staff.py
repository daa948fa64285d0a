"""The staff's pages of the arena's own work: the queue, what was lost, checks, worker hosts, storage."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import ValidationError
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.coordinator import enrolment, losses, purging, storage, workers
from arena.coordinator.queue import queue
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, InvalidError, NotFoundError
from arena.core.terms import USUAL_REPEAT_SHARE
from arena.events import announcements
from arena.experiments import lifecycle
from arena.planning import local_time
from arena.schemas.events import NewAnnouncement
from arena.schemas.staff import MAX_DRAIN_SECONDS, Draining
from arena.schemas.texts import MAX_TEXT_CHARS
from arena.store import news
from arena.store.models import User
from arena.submissions import checks, choosing, versions
from arena.tournaments import matches
from arena.web.answers.bots import environment_of
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
from arena.web.http.dependencies import InMatch, InServices, InSession, InTournament, Services, troubles
from arena.web.http.responses import Part, Window, page_of
from arena.web.http.web_sessions import AdminVisitor, StaffVisitor, VisitingRunner
from arena.web.pages.account import Number
from arena.web.pages.forms import Field, Text, moment_of, see, text_of
from arena.web.pages.managing import NOTHING_REFUSED, reason_of, refusal
from arena.web.pages.rendering import render

REFRESH_SECONDS = 5
USUAL_PART = Window(offset=0, limit=50)
ANNOUNCED = 10
"""So many of the last announcements to everybody are shown."""
MAX_BESIDE = 50
"""So many of what stands below the first list of a page are shown there."""
REFUSED = (ConflictError, NotFoundError)
router = APIRouter(default_response_class=HTMLResponse)


@dataclass(frozen=True)
class Asker:
    """Somebody of the staff asks for one of these pages."""

    request: Request
    services: Services
    session: Session
    visitor: User

    def show(self, template: str, status: int = 200, **context: Any) -> HTMLResponse:
        """A page, which asks for itself again at the beginning of a list, unless something was refused."""
        calm = status != 200 or self.request.query_params.get("offset", "0") != "0"
        told = {
            "admin": permissions.is_admin(self.visitor),
            "refresh": None if calm else REFRESH_SECONDS,
            **NOTHING_REFUSED,
        }
        return render(self.request, template, status, **told | context)


def get_asker(request: Request, services: InServices, session: InSession, visitor: StaffVisitor) -> Asker:
    """Whoever asks, if they are of the staff.

    Raises:
        ForbiddenError: they are not.
    """
    return Asker(request, services, session, visitor)


InAsker = Annotated[Asker, Depends(get_asker)]


@router.get("/staff")
def show_queue(asker: InAsker) -> HTMLResponse:
    """What waits, what nobody can do, and what stands still."""
    found = queue(asker.session, asker.services.settings, asker.visitor)
    return asker.show(
        "staff_queue.html",
        queue=queue_of(found, troubles(asker.request)),
        why={name: why for name, _, why in found.stuck},
    )


@router.get("/staff/errors")
def show_errors(asker: InAsker, part: Part) -> HTMLResponse:
    """The matches that wait for the staff, and what else came to nothing."""
    return _errors(asker, part)


def _errors(asker: Asker, part: Window, status: int = 200, **told: object) -> HTMLResponse:
    session, visitor = asker.session, asker.visitor
    parked, total = losses.parked(session, visitor, part.offset, part.limit)
    lost, lost_total = losses.lost(session, visitor, 0, MAX_BESIDE)
    admin = permissions.is_admin(visitor)
    failed = losses.failed_experiments(session, visitor, 0, MAX_BESIDE)[0] if admin else ()
    aside = losses.set_aside(session, visitor, 0, MAX_BESIDE)[0] if admin else ()
    unsolved, _ = losses.analyses(session, visitor, 0, MAX_BESIDE)
    given_up, _ = losses.checks(session, visitor, losses.GIVEN_UP, 0, MAX_BESIDE)
    return asker.show(
        "staff_errors.html",
        status,
        page=page_of([loss_of(each) for each in parked], total, part),
        tournaments=losses.parked_by_tournament(session, visitor),
        lost=[loss_of(each) for each in lost],
        lost_total=lost_total,
        checks=[check_of(each) for each in given_up],
        analyses=[given_up_of(each) for each in unsolved],
        experiments=[failed_of(each) for each in failed],
        set_aside=[set_aside_of(each) for each in aside],
        **told,
    )


@router.post("/staff/errors/{name}/retry")
def retry_all(asker: InAsker, visitor: VisitingRunner, tournament: InTournament) -> Response:
    """Give all parked matches of a tournament another chance."""
    return _mend(asker, lambda: matches.retry_all(asker.session, visitor, tournament))


@router.post("/staff/errors/{name}/{number}/retry")
def retry_match(asker: InAsker, visitor: VisitingRunner, match: InMatch) -> Response:
    """Give a parked match another chance."""
    return _mend(asker, lambda: matches.retry(asker.session, visitor, match))


@router.post("/staff/experiments/{number}/retry")
def retry_experiment(asker: InAsker, admin: AdminVisitor, number: Number) -> Response:
    """Have an experiment that was given up go on."""

    def act() -> None:
        losses.retry_experiment(asker.session, admin, lifecycle.get(asker.session, number))

    return _mend(asker, act)


def _mend(asker: Asker, act: Callable[[], object]) -> Response:
    try:
        act()
    except REFUSED as error:
        asker.session.rollback()
        return _errors(asker, USUAL_PART, error.status, **refusal(error))
    return see("/staff/errors")


@router.get("/staff/checks")
def show_checks(asker: InAsker, part: Part, *, over: Annotated[bool, Query()] = False) -> HTMLResponse:
    """The checks that wait or are being done, or those that are over."""
    return _checks(asker, part, over=over)


def _checks(
    asker: Asker, part: Window, status: int = 200, *, over: bool = False, **told: object
) -> HTMLResponse:
    states = losses.OVER_CHECKS if over else losses.OPEN_CHECKS
    rows, total = losses.checks(asker.session, asker.visitor, states, part.offset, part.limit)
    page = page_of([check_of(each) for each in rows], total, part)
    return asker.show("staff_checks.html", status, page=page, over=over, **told)


@router.post("/staff/checks/{name}/{number}/again")
def check_again(asker: InAsker, name: str, number: Number) -> Response:
    """Have a version checked once more."""
    version = versions.get_version(asker.session, versions.get(asker.session, name), number)
    return _checked(asker, lambda: checks.again(asker.session, asker.visitor, version))


@router.post("/staff/checks/{name}/{number}/cancel")
def cancel_check(asker: InAsker, name: str, number: Number) -> Response:
    """Call a check off."""
    version = versions.get_version(asker.session, versions.get(asker.session, name), number)
    return _checked(asker, lambda: checks.cancel(asker.session, asker.visitor, version))


def _checked(asker: Asker, act: Callable[[], object]) -> Response:
    try:
        act()
    except REFUSED as error:
        asker.session.rollback()
        return _checks(asker, USUAL_PART, error.status, **refusal(error))
    return see("/staff/checks")


@router.get("/staff/workers")
def show_workers(asker: InAsker, _admin: AdminVisitor, part: Part) -> HTMLResponse:
    """The worker hosts: what each has in hand, runs and can do."""
    return _workers(asker, part)


def _workers(asker: Asker, part: Window, status: int = 200, **told: object) -> HTMLResponse:
    session, settings = asker.session, asker.services.settings
    rows, total = workers.list_hosts(session, settings, part.offset, part.limit)
    page = page_of([host_of(each) for each in rows], total, part)
    environments = [environment_of(each) for each in choosing.list_all(session, settings)]
    shown: dict[str, Any] = {
        "page": page,
        "environments": environments,
        "most_seconds": MAX_DRAIN_SECONDS,
        "usual_percent": 100 * USUAL_REPEAT_SHARE,
        "zone": local_time.told(local_time.zone_of(settings), utc_now()),
    }
    return asker.show("staff_workers.html", status, **shown | told)


@router.post("/staff/workers/{host}/drain")
def drain(asker: InAsker, admin: AdminVisitor, host: str, within: Field = "") -> Response:
    """Have a host finish what it has in hand and take nothing new; with a limit the rest goes to others."""

    def act() -> None:
        seconds = _seconds(within)
        workers.drain(asker.session, asker.services.broker, admin, host, within_seconds=seconds)

    return _worked(asker, act, f"drain-{host}", within=within)


def _seconds(text: str) -> float | None:
    """How long a host may take, as it was typed; None where nothing was.

    Raises:
        InvalidError: it is no such number.
    """
    try:
        return Draining.model_validate({"within_seconds": text.strip() or None}).within_seconds
    except ValidationError:
        raise InvalidError("write a number of seconds from 0 to %(most)s", most=MAX_DRAIN_SECONDS) from None


@router.post("/staff/workers/{host}/resume")
def resume(asker: InAsker, admin: AdminVisitor, host: str) -> Response:
    """Have a host take work again."""
    return _worked(asker, lambda: workers.resume(asker.session, asker.services.broker, admin, host))


@router.post("/staff/workers/{host}/forget")
def forget(asker: InAsker, admin: AdminVisitor, host: str) -> Response:
    """List a host no more that is gone."""
    services = asker.services
    return _worked(
        asker, lambda: workers.forget(asker.session, services.settings, services.broker, admin, host)
    )


@router.post("/staff/workers/{host}/trust")
def trust(asker: InAsker, admin: AdminVisitor, host: str) -> Response:
    """Trust a host: its matches are not played again elsewhere."""
    return _worked(asker, lambda: enrolment.set_trust(asker.session, admin, host, None))


@router.post("/staff/workers/{host}/distrust")
def distrust(asker: InAsker, admin: AdminVisitor, host: str, percent: Field = "") -> Response:
    """Have a share of a host's matches played again on trusted hosts."""

    def act() -> None:
        enrolment.set_trust(asker.session, admin, host, share_of(percent))

    return _worked(asker, act, f"distrust-{host}", percent=percent)


def share_of(percent: str) -> float:
    """The share that was typed in percent, of matches that are played again; the usual one where none was.

    Raises:
        InvalidError: it is none.
    """
    try:
        number = float(percent) if percent.strip() else 100 * USUAL_REPEAT_SHARE
    except ValueError:
        number = math.nan
    if not 0 <= number <= 100:
        raise InvalidError("write a share from 0 to 100 percent")
    return number / 100


@router.post("/staff/workers/{host}/purge")
def purge(asker: InAsker, admin: AdminVisitor, host: str, reason: Field = "", since: Field = "") -> Response:
    """Believe a host no more, and have its matches played again; the page says what is left to be done.

    What was typed stays in the form while something is left: it is sent once more, as it was.
    """
    typed = {"reason": reason, "since": since}
    try:
        moment = moment_of(since.strip(), local_time.zone_of(asker.services.settings))
        done = purging.purge(asker.session, admin, host, reason_of(reason), moment)
    except (InvalidError, *REFUSED) as error:
        asker.session.rollback()
        return _workers(asker, USUAL_PART, error.status, **refusal(error, f"purge-{host}", **typed))
    told = {"act": f"purge-{host}", "typed": typed} if done.left else {}
    return _workers(asker, USUAL_PART, 200, purged=purged_of(done), refresh=None, **told)


@router.post("/staff/environments/{name}/{digest}/choose")
def choose_environment(asker: InAsker, admin: AdminVisitor, name: str, digest: str) -> Response:
    """Let the name of an environment mean what a host has under it."""
    settings = asker.services.settings
    return _worked(asker, lambda: choosing.choose(asker.session, settings, admin, name, digest))


def _worked(asker: Asker, act: Callable[[], object], form: str = "", **typed: str) -> Response:
    try:
        act()
    except (InvalidError, *REFUSED) as error:
        asker.session.rollback()
        return _workers(asker, USUAL_PART, error.status, **refusal(error, form, **typed))
    return see("/staff/workers")


@router.get("/staff/storage")
def show_storage(asker: InAsker, admin: AdminVisitor) -> HTMLResponse:
    """What takes up room, how much is free, and what can be done about it."""
    found = storage_of(storage.storage(asker.session, asker.services.settings, admin))
    return asker.show("staff_storage.html", storage=found, refresh=None)


@router.get("/staff/announcements")
def show_announcements(asker: InAsker, _admin: AdminVisitor) -> HTMLResponse:
    """What was announced to everybody, and the form for something else."""
    return _announcements(asker)


def _announcements(asker: Asker, status: int = 200, **told: object) -> HTMLResponse:
    return asker.show(
        "staff_announcements.html",
        status,
        announcements=news.announced(asker.session, None, ANNOUNCED),
        most_chars=MAX_TEXT_CHARS,
        refresh=None,
        **told,
    )


@router.post("/staff/announcements")
def announce(asker: InAsker, admin: AdminVisitor, text: Text = "") -> Response:
    """Tell everybody something."""
    try:
        announcements.make(asker.session, admin, NewAnnouncement(text=text_of(text)))
    except InvalidError as error:
        return _announcements(asker, error.status, **refusal(error, "announce", text=text))
    return see("/staff/announcements#announcements")
