"""Webhooks: addresses that the staff has told of events. What is delivered, and how, is in `courier`."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Sequence
from urllib.parse import urlsplit

from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.errors import ConflictError, InvalidError, NotFoundError
from arena.core.terms import DeliveryState, WebhookState
from arena.events.addresses import check_literal
from arena.events.visible import is_hidden
from arena.schemas.webhooks import DeliveryOut, NewWebhook, WebhookOut
from arena.store import event_log, events, tournaments
from arena.store import webhooks as store
from arena.store.database import has_news
from arena.store.models import Delivery, User, Webhook
from arena.store.models.event_types import EventKind
from arena.store.models.webhook_events import WebhookCreated, WebhookRemoved, WebhookStopped
from arena.store.paging import page

MAX_WEBHOOKS = 50
SECRET_BYTES = 32
PREFIX = "whsec_"
FAMILIES = {kind.partition(".")[0] + ".*" for kind in EventKind if "." in kind}


def create(session: Session, staff: User, new: NewWebhook, *, private: bool) -> Webhook:
    """Have an address told of what happens from now on; `private` ones too where that is allowed.

    Raises:
        InvalidError: the address or a kind cannot be used.
        NotFoundError: there is no such tournament.
        ConflictError: there are as many as there may be.
    """
    _check_url(new.url, private=private)
    unknown = [kind for kind in new.kinds if kind not in FAMILIES and kind not in set(EventKind)]
    if unknown:
        raise InvalidError(
            "there are no events of kind %(kind)r; docs/events.md lists the kinds", kind=unknown[0]
        )
    tournament = tournaments.by_name(session, new.tournament) if new.tournament is not None else None
    if new.tournament is not None and tournament is None:
        raise NotFoundError("there is no tournament %(name)r", name=new.tournament)
    if store.count(session) >= MAX_WEBHOOKS:
        raise ConflictError("there are %(most)s webhooks already; remove one first", most=MAX_WEBHOOKS)
    webhook = Webhook(
        url=new.url,
        secret=PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode(),
        kinds=list(dict.fromkeys(new.kinds)),
        tournament=tournament,
        state=WebhookState.ACTIVE,
        position=event_log.last_number(session),
        created_at=utc_now(),
    )
    session.add(webhook)
    session.flush()
    events.log(session, WebhookCreated(webhook.id, _origin(new.url)), actor=staff)
    return webhook


def _check_url(url: str, *, private: bool) -> None:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        (parts.hostname or "").encode("idna")  # as whoever looks it up will: no label is empty or too long
    except ValueError:
        usable = False
    if not usable or not url.isascii() or not url.isprintable() or " " in url:
        raise InvalidError(
            "%(url)r is no address to POST to; it looks like https://hooks.example.org/arena", url=url
        )
    if parts.username or parts.password or parts.fragment:
        raise InvalidError("the address has a user, a password or a fragment; leave these out")
    check_literal(parts.hostname or "", private=private)


def _origin(url: str) -> str:
    """The address without its path, which may be a secret."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def get(session: Session, number: int) -> Webhook:
    """The webhook of that number.

    Raises:
        NotFoundError: there is none.
    """
    webhook = store.by_number(session, number)
    if webhook is None:
        raise NotFoundError("there is no webhook %(number)s", number=number)
    return webhook


def remove(session: Session, staff: User, webhook: Webhook) -> None:
    """Tell an address nothing any more, and forget what it was told."""
    events.log(session, WebhookRemoved(webhook.id, _origin(webhook.url)), actor=staff)
    session.flush()
    store.remove(session, webhook)


def stop(session: Session, webhook: Webhook, why: str, staff: User | None = None) -> None:
    """Send nothing until it is started again.

    Raises:
        ConflictError: it is stopped already.
    """
    if webhook.state == WebhookState.STOPPED:
        raise ConflictError("webhook %(number)s is stopped already", number=webhook.id)
    webhook.state, webhook.trouble = WebhookState.STOPPED, why
    events.log(session, WebhookStopped(webhook.id, why), actor=staff)


def start(session: Session, webhook: Webhook) -> None:
    """Send again: what waited when it was stopped, at once, and what happens from now on.

    Raises:
        ConflictError: it is active.
    """
    if webhook.state == WebhookState.ACTIVE:
        raise ConflictError("webhook %(number)s is active", number=webhook.id)
    webhook.state, webhook.trouble = WebhookState.ACTIVE, None
    webhook.position = event_log.last_number(session)
    store.renew(session, webhook, utc_now())
    has_news(session)


def retry(session: Session, webhook: Webhook, number: int) -> Delivery:
    """Have a delivery that was given up tried anew, as often as a new one.

    Raises:
        NotFoundError: the webhook has none of that number.
        ConflictError: it was not given up.
    """
    delivery = store.delivery(session, webhook, number)
    if delivery is None:
        raise NotFoundError(
            "webhook %(webhook)s has no delivery %(number)s", webhook=webhook.id, number=number
        )
    if delivery.state != DeliveryState.FAILED:
        raise ConflictError(
            "delivery %(number)s was not given up: it is %(state)s", number=number, state=delivery.state
        )
    delivery.state, delivery.attempts, delivery.done_at = DeliveryState.WAITING, 0, None
    delivery.next_at = utc_now()
    has_news(session)
    return delivery


def shown(session: Session, webhooks: Sequence[Webhook]) -> list[WebhookOut]:
    """Webhooks as the staff sees them."""
    counts = store.counts(session, [each.id for each in webhooks])
    return [
        WebhookOut(
            number=each.id,
            url=each.url,
            kinds=each.kinds,
            tournament=each.tournament.name if each.tournament else None,
            state=each.state,
            trouble=each.trouble,
            waiting=counts.get((each.id, DeliveryState.WAITING), 0),
            failed=counts.get((each.id, DeliveryState.FAILED), 0),
            created_at=each.created_at,
        )
        for each in webhooks
    ]


def listed(session: Session, *, offset: int, limit: int) -> tuple[list[WebhookOut], int]:
    """A part of all webhooks, and how many there are."""
    rows, total = page(session, store.listed(), offset, limit)
    return shown(session, rows), total


def deliveries(
    session: Session, webhook: Webhook, state: DeliveryState | None, *, offset: int, limit: int
) -> tuple[list[DeliveryOut], int]:
    """A part of what a webhook is or was told, newest first, and how much that is."""
    rows, total = page(session, store.deliveries(webhook, state), offset, limit)
    return [delivery_of(each) for each in rows], total


def delivery_of(row: Delivery) -> DeliveryOut:
    """A delivery as the staff sees it."""
    return DeliveryOut(
        number=row.id,
        event=row.event_id,
        kind=row.event.kind,
        state=row.state,
        attempts=row.attempts,
        next_at=row.next_at if row.state == DeliveryState.WAITING else None,
        status=row.status,
        trouble=row.trouble,
        created_at=row.created_at,
        done_at=row.done_at,
    )


def wants(webhook: Webhook, line: event_log.LoggedEvent) -> bool:
    """Whether a webhook is told of an event. Who reads there is not known: what is hidden is hidden there."""
    if is_hidden(line):
        return False
    if webhook.tournament_id is not None and webhook.tournament_id != line.tournament_id:
        return False
    return line.kind in webhook.kinds or f"{line.kind.partition('.')[0]}.*" in webhook.kinds
