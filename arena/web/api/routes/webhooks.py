"""Webhooks: administrators have addresses told of events, which are of all classes."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from arena.core.terms import DeliveryState
from arena.events import webhooks
from arena.schemas.paging import Page
from arena.schemas.webhooks import DeliveryOut, NewWebhook, Removed, WebhookOut, WebhookWithSecret
from arena.store.models import Webhook
from arena.web.http.dependencies import Admin, InServices, InSession
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, page_of

PATH = "/webhooks/{number}"
Number = Annotated[int, Path(description="The webhook's number.", ge=1, lt=2**31)]

router = APIRouter(tags=["webhooks"], responses=documented(401, 403, 422))


def _webhook(session: InSession, staff: Admin, number: Number) -> Webhook:
    del staff
    return webhooks.get(session, number)


InWebhook = Annotated[Webhook, Depends(_webhook)]


@router.get("/webhooks", response_model=Page[WebhookOut], responses=NOT_MODIFIED)
def list_webhooks(request: Request, session: InSession, staff: Admin, part: Part) -> Response:
    """All webhooks and how they do."""
    del staff
    rows, total = webhooks.listed(session, offset=part.offset, limit=part.limit)
    return conditional(request, page_of(rows, total, part))


@router.post("/webhooks", status_code=201, responses=documented(400, 404, 409, 413))
def create_webhook(
    services: InServices, session: InSession, staff: Admin, new: NewWebhook
) -> WebhookWithSecret:
    """Have an address told of what happens from now on; the answer has the secret, shown this once."""
    made = webhooks.create(session, staff, new, private=services.settings.webhook_private)
    (shown,) = webhooks.shown(session, [made])
    return WebhookWithSecret(webhook=shown, secret=made.secret)


@router.get(PATH, response_model=WebhookOut, responses={**NOT_MODIFIED, **documented(404)})
def get_webhook(request: Request, session: InSession, webhook: InWebhook) -> Response:
    """One webhook and how it does."""
    return conditional(request, _shown(session, webhook))


@router.delete(PATH, responses=documented(404))
def remove_webhook(session: InSession, staff: Admin, webhook: InWebhook) -> Removed:
    """Tell an address nothing any more, and forget what it was told."""
    number = webhook.id
    webhooks.remove(session, staff, webhook)
    return Removed(number=number)


@router.post(PATH + "/stop", responses=documented(404, 409))
def stop_webhook(session: InSession, staff: Admin, webhook: InWebhook) -> WebhookOut:
    """Send nothing until it is started again."""
    webhooks.stop(session, webhook, f"stopped by {staff.name}", staff)
    return _shown(session, webhook)


@router.post(PATH + "/start", responses=documented(404, 409))
def start_webhook(session: InSession, webhook: InWebhook) -> WebhookOut:
    """Send again: what waited when it was stopped, and what happens from now on."""
    webhooks.start(session, webhook)
    return _shown(session, webhook)


@router.get(
    PATH + "/deliveries",
    response_model=Page[DeliveryOut],
    responses={**NOT_MODIFIED, **documented(404)},
)
def list_deliveries(
    request: Request,
    session: InSession,
    webhook: InWebhook,
    part: Part,
    state: Annotated[DeliveryState | None, Query(description="Only those in this state.")] = None,
) -> Response:
    """What a webhook is or was told, newest first; what was delivered is kept for a week."""
    rows, total = webhooks.deliveries(session, webhook, state, offset=part.offset, limit=part.limit)
    return conditional(request, page_of(rows, total, part))


@router.post(PATH + "/deliveries/{delivery}/retry", responses=documented(404, 409))
def retry_delivery(
    session: InSession,
    webhook: InWebhook,
    delivery: Annotated[int, Path(description="The delivery's number.", ge=1, lt=2**31)],
) -> DeliveryOut:
    """Have a delivery that was given up tried anew."""
    return webhooks.delivery_of(webhooks.retry(session, webhook, delivery))


def _shown(session: InSession, webhook: Webhook) -> WebhookOut:
    return webhooks.shown(session, [webhook])[0]
