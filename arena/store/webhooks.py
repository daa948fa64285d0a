"""Queries for webhooks and their deliveries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Select, delete, func, or_, select, update
from sqlalchemy.orm import Session

from arena.core.terms import DeliveryState, WebhookState
from arena.store.models import Delivery, Webhook


def by_number(session: Session, number: int) -> Webhook | None:
    """The webhook of that number."""
    return session.get(Webhook, number)


def count(session: Session) -> int:
    """How many there are."""
    return session.scalar(select(func.count()).select_from(Webhook)) or 0


def listed() -> Select[Webhook]:
    """All, oldest first."""
    return select(Webhook).order_by(Webhook.id)


def active(session: Session) -> Sequence[Webhook]:
    """Those that are told of events."""
    return session.scalars(_active()).all()


def lock_active(session: Session) -> Sequence[Webhook]:
    """Those that are told of events, as they are now; nobody else changes them."""
    query = _active().with_for_update(of=Webhook).execution_options(populate_existing=True)
    return session.scalars(query).all()


def _active() -> Select[Webhook]:
    return select(Webhook).where(Webhook.state == WebhookState.ACTIVE).order_by(Webhook.id)


def counts(session: Session, webhooks: Collection[int]) -> dict[tuple[int, DeliveryState], int]:
    """How many deliveries of these webhooks wait and have failed."""
    query = select(Delivery.webhook_id, Delivery.state, func.count())
    query = query.where(Delivery.webhook_id.in_(webhooks), Delivery.state != DeliveryState.DELIVERED)
    rows = session.execute(query.group_by(Delivery.webhook_id, Delivery.state))
    return {(webhook, state): number for webhook, state, number in rows}


def failing(session: Session, webhooks: Collection[int]) -> set[int]:
    """Those of these webhooks for which something waits that was not taken before."""
    query = select(Delivery.webhook_id).where(Delivery.webhook_id.in_(webhooks), Delivery.attempts > 0)
    return set(session.scalars(query.where(Delivery.state == DeliveryState.WAITING).distinct()))


def renew(session: Session, webhook: Webhook, now: dt.datetime) -> None:
    """Have all that waits for a webhook tried now, as often as what is new."""
    waiting = update(Delivery).where(Delivery.webhook_id == webhook.id)
    waiting = waiting.where(Delivery.state == DeliveryState.WAITING)
    session.execute(waiting.values(attempts=0, next_at=now))


def deliveries(webhook: Webhook, state: DeliveryState | None) -> Select[Delivery]:
    """What a webhook is or was told, newest first."""
    query = select(Delivery).where(Delivery.webhook_id == webhook.id).order_by(Delivery.id.desc())
    return query if state is None else query.where(Delivery.state == state)


def delivery(session: Session, webhook: Webhook, number: int) -> Delivery | None:
    """One of a webhook's deliveries."""
    query = select(Delivery).where(Delivery.webhook_id == webhook.id, Delivery.id == number)
    return session.scalar(query.with_for_update(of=Delivery))


class Due(NamedTuple):
    """A delivery that is to be tried, with the webhook that it is for."""

    delivery: int
    webhook: int
    url: str
    secret: str
    event: int
    attempts: int


def with_due(session: Session, now: dt.datetime, without: Collection[int]) -> Sequence[int]:
    """The webhooks, but for some, for which a delivery is due."""
    query = select(Delivery.webhook_id).join(Webhook, Webhook.id == Delivery.webhook_id).distinct()
    query = query.where(Delivery.state == DeliveryState.WAITING, Delivery.next_at <= now)
    query = query.where(Webhook.state == WebhookState.ACTIVE, Delivery.webhook_id.not_in(without))
    return session.scalars(query.order_by(Delivery.webhook_id)).all()


def claim_due(session: Session, now: dt.datetime, until: dt.datetime, webhook: int, limit: int) -> list[Due]:
    """A webhook's next deliveries that are due, oldest events first, which nobody else takes until then."""
    query = select(Delivery.id, Delivery.webhook_id, Webhook.url, Webhook.secret)
    query = query.add_columns(Delivery.event_id, Delivery.attempts)
    query = query.join(Webhook, Webhook.id == Delivery.webhook_id)
    query = query.where(Delivery.state == DeliveryState.WAITING, Delivery.next_at <= now)
    query = query.where(Webhook.state == WebhookState.ACTIVE, Delivery.webhook_id == webhook)
    query = query.order_by(Delivery.event_id).limit(limit)
    rows = session.execute(query.with_for_update(of=Delivery, skip_locked=True))
    due = [Due(*tuple[Any, ...](row)) for row in rows]
    claimed = update(Delivery).where(Delivery.id.in_([each.delivery for each in due]))
    session.execute(claimed.values(next_at=until), execution_options={"synchronize_session": False})
    return due


def next_due(session: Session, without: Collection[int]) -> dt.datetime | None:
    """When the next delivery is due."""
    query = select(func.min(Delivery.next_at)).join(Webhook, Webhook.id == Delivery.webhook_id)
    query = query.where(Delivery.state == DeliveryState.WAITING, Webhook.state == WebhookState.ACTIVE)
    return session.scalar(query.where(Delivery.webhook_id.not_in(without)))


def bring_forward(session: Session, now: dt.datetime, longest: Sequence[float]) -> None:
    """Let what waits for longer than ever after so many attempts be due: the clock was set back since."""
    after = (
        (Delivery.attempts == attempts) & (Delivery.next_at > now + dt.timedelta(seconds=seconds))
        for attempts, seconds in enumerate(longest)
    )
    late = update(Delivery).where(Delivery.state == DeliveryState.WAITING, or_(*after))
    session.execute(late.values(next_at=now), execution_options={"synchronize_session": False})


def lock(session: Session, delivery: int) -> Delivery | None:
    """A delivery as it is now."""
    query = select(Delivery).where(Delivery.id == delivery)
    return session.scalar(query.with_for_update(of=Delivery).execution_options(populate_existing=True))


def forget(session: Session, state: DeliveryState, before: dt.datetime) -> None:
    """Delete the deliveries that came to that before a moment."""
    session.execute(delete(Delivery).where(Delivery.state == state, Delivery.done_at < before))


def remove(session: Session, webhook: Webhook) -> None:
    """Delete a webhook and its deliveries."""
    session.execute(delete(Delivery).where(Delivery.webhook_id == webhook.id))
    session.execute(delete(Webhook).where(Webhook.id == webhook.id))
