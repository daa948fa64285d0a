"""Addresses that are told of events, and what was told to each."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.core.terms import DeliveryState, WebhookState
from arena.store.models.base import Base
from arena.store.models.events import Event
from arena.store.models.tournaments import Tournament
from arena.store.types import EnumText


class Webhook(Base):
    """An address that is told of events of these kinds, all or those of one tournament.

    Events up to the number `position` were looked at. The `secret` signs what is sent. `trouble` is why it
    was stopped.
    """

    __tablename__ = "webhooks"

    id: Mapped[int] = mapped_column(primary_key=True)
    url: Mapped[str] = mapped_column(String(2000))
    secret: Mapped[str] = mapped_column(String(100))
    kinds: Mapped[list[str]]
    tournament_id: Mapped[int | None] = mapped_column(ForeignKey("tournaments.id"))
    state: Mapped[WebhookState] = mapped_column(EnumText(WebhookState, 10))
    trouble: Mapped[str | None] = mapped_column(String(500))
    position: Mapped[int]
    created_at: Mapped[dt.datetime]

    tournament: Mapped[Tournament | None] = relationship(lazy="joined")


class Delivery(Base):
    """An event that a webhook is to be told of.

    It was tried `attempts` times, and is tried again at `next_at`; `status` and `trouble` are what came of
    the last attempt.
    """

    __tablename__ = "deliveries"
    __table_args__ = (
        UniqueConstraint("webhook_id", "event_id"),
        Index("ix_deliveries_state_next_at", "state", "next_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    webhook_id: Mapped[int] = mapped_column(ForeignKey("webhooks.id", ondelete="CASCADE"))
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    state: Mapped[DeliveryState] = mapped_column(EnumText(DeliveryState, 10))
    attempts: Mapped[int] = mapped_column(default=0)
    next_at: Mapped[dt.datetime | None]
    status: Mapped[int | None]
    trouble: Mapped[str | None] = mapped_column(String(500))
    created_at: Mapped[dt.datetime]
    done_at: Mapped[dt.datetime | None]

    event: Mapped[Event] = relationship(lazy="joined")
