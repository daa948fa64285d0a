"""The administrators' pages of webhooks: addresses that are told of events, and what became of that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Form, Query
from fastapi.responses import HTMLResponse, Response
from pydantic import ValidationError

from arena.core.errors import ConflictError, InvalidError, NotFoundError
from arena.core.names import MAX_CHARS
from arena.core.terms import DeliveryState
from arena.events import webhooks
from arena.schemas.webhooks import NewWebhook
from arena.store.models import Webhook
from arena.store.models.event_types import EventKind
from arena.web.http.dependencies import InServices, InSession
from arena.web.http.responses import Part, Window, page_of
from arena.web.http.web_sessions import AdminVisitor
from arena.web.pages.account import Number
from arena.web.pages.forms import Field, see, words
from arena.web.pages.managing import refusal
from arena.web.pages.staff import USUAL_PART, Asker, InAsker

HOME = "/staff/webhooks"
FAULTS = {
    "url": InvalidError("write the address that is told, at most 2000 characters"),
    "kinds": InvalidError("choose what it is told of: 1 to 50 kinds of events, as they are listed below"),
    "tournament": InvalidError("a tournament's name has at most %(most)s characters", most=MAX_CHARS),
}
"""What is wrong with a field that makes no webhook."""
NOTHING_TYPED: dict[str, object] = {"url": "", "kinds": (), "more": "", "tournament": ""}
Kinds = Annotated[list[str], Form(max_length=200)]
router = APIRouter(default_response_class=HTMLResponse)


def get_webhook(session: InSession, _admin: AdminVisitor, number: Number) -> Webhook:
    """The webhook that the path names, for an administrator."""
    return webhooks.get(session, number)


InWebhook = Annotated[Webhook, Depends(get_webhook)]


@router.get("/staff/webhooks")
def show_webhooks(asker: InAsker, _admin: AdminVisitor, part: Part) -> HTMLResponse:
    """All webhooks and how they do, and the form for another one."""
    return _webhooks(asker, part)


def _webhooks(asker: Asker, part: Window, status: int = 200, **told: object) -> HTMLResponse:
    rows, total = webhooks.listed(asker.session, offset=part.offset, limit=part.limit)
    shown = {
        "page": page_of(rows, total, part),
        "families": [*(kind for kind in EventKind if "." not in kind), *sorted(webhooks.FAMILIES)],
        "kinds": sorted(EventKind),
        "made": None,
        "refresh": None,
        "typed": NOTHING_TYPED,
    }
    return asker.show("staff_webhooks.html", status, **shown | told)


@router.post("/staff/webhooks")
def create(
    *,
    asker: InAsker,
    admin: AdminVisitor,
    services: InServices,
    url: Annotated[str, Form(max_length=4000)] = "",
    kind: Kinds = [],  # noqa: B006  (FastAPI copies it)
    more: Field = "",
    tournament: Field = "",
) -> HTMLResponse:
    """Have an address told of what happens from now on; the page that answers shows the secret, this once."""
    try:
        new = _wish(url.strip(), [*kind, *words(more)], tournament.strip())
        made = webhooks.create(asker.session, admin, new, private=services.settings.webhook_private)
    except (ConflictError, InvalidError, NotFoundError) as error:
        asker.session.rollback()
        typed = {"url": url, "kinds": kind, "more": more, "tournament": tournament}
        return _webhooks(asker, USUAL_PART, error.status, **refusal(error, "create", **typed))
    return _webhooks(asker, USUAL_PART, made=made)


def _wish(url: str, kinds: Sequence[str], tournament: str) -> NewWebhook:
    """What is asked for.

    Raises:
        InvalidError: a field makes no webhook.
    """
    try:
        return NewWebhook(url=url, kinds=list(kinds), tournament=tournament or None)
    except ValidationError as error:
        raise FAULTS[str(error.errors()[0]["loc"][0])] from None


@router.get("/staff/webhooks/{number}")
def show_webhook(
    asker: InAsker,
    webhook: InWebhook,
    part: Part,
    state: Annotated[DeliveryState | Literal[""], Query()] = "",
) -> HTMLResponse:
    """A webhook, and what it is or was told."""
    return _webhook(asker, webhook, part, state=state or None)


def _webhook(
    asker: Asker,
    webhook: Webhook,
    part: Window,
    status: int = 200,
    *,
    state: DeliveryState | None = None,
    **told: object,
) -> HTMLResponse:
    rows, total = webhooks.deliveries(asker.session, webhook, state, offset=part.offset, limit=part.limit)
    (shown,) = webhooks.shown(asker.session, [webhook])
    page = page_of(rows, total, part)
    return asker.show("staff_webhook.html", status, webhook=shown, page=page, state=state, **told)


@router.post("/staff/webhooks/{number}/stop")
def stop(asker: InAsker, admin: AdminVisitor, webhook: InWebhook) -> Response:
    """Send nothing until it is started again."""
    why = f"stopped by {admin.name}"
    return _done(asker, webhook, lambda: webhooks.stop(asker.session, webhook, why, admin))


@router.post("/staff/webhooks/{number}/start")
def start(asker: InAsker, webhook: InWebhook) -> Response:
    """Send again: what waited when it was stopped, and what happens from now on."""
    return _done(asker, webhook, lambda: webhooks.start(asker.session, webhook))


@router.post("/staff/webhooks/{number}/deliveries/{delivery}/retry")
def retry(asker: InAsker, webhook: InWebhook, delivery: Number) -> Response:
    """Have a delivery that was given up tried anew."""
    return _done(asker, webhook, lambda: webhooks.retry(asker.session, webhook, delivery))


@router.post("/staff/webhooks/{number}/remove")
def remove(session: InSession, admin: AdminVisitor, webhook: InWebhook) -> Response:
    """Tell an address nothing any more, and forget what it was told."""
    webhooks.remove(session, admin, webhook)
    return see(HOME)


def _done(asker: Asker, webhook: Webhook, act: Callable[[], object]) -> Response:
    number = webhook.id
    try:
        act()
    except (ConflictError, NotFoundError) as error:
        asker.session.rollback()
        found = webhooks.get(asker.session, number)
        return _webhook(asker, found, USUAL_PART, error.status, **refusal(error))
    return see(f"{HOME}/{number}")
