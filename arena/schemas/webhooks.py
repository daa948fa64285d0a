"""Addresses that are told of events."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from arena.core.terms import DeliveryState, WebhookState

KindPattern = Annotated[
    str, StringConstraints(min_length=1, max_length=40, pattern=r"^[a-z_]+(\.[a-z_*]+)?$")
]


class NewWebhook(BaseModel):
    """An address that is to be told of events."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "example": {"url": "https://hooks.example.org/arena", "kinds": ["tournament.*", "announcement"]}
        },
    )

    url: str = Field(min_length=1, max_length=2000, description="Where to POST; http or https.")
    kinds: list[KindPattern] = Field(
        min_length=1,
        max_length=50,
        description="Kinds of events, or families of them, as `match.*`; docs/events.md lists them.",
    )
    tournament: str | None = Field(default=None, max_length=60, description="Only events of that one.")


class WebhookOut(BaseModel):
    """An address that is told of events, and how that goes."""

    number: int
    url: str
    kinds: list[str]
    tournament: str | None
    state: WebhookState = Field(description="`active`, or `stopped`: then nothing is sent.")
    trouble: str | None = Field(description="Why it was stopped, or what failed last.")
    waiting: int = Field(description="How many deliveries are still to be made.")
    failed: int = Field(description="How many were given up.")
    created_at: dt.datetime


class WebhookWithSecret(BaseModel):
    """A new webhook and what its messages are signed with."""

    webhook: WebhookOut
    secret: str = Field(description="Shown this once; `whsec_…` as Standard Webhooks has it.")


class DeliveryOut(BaseModel):
    """What became of telling a webhook of an event."""

    number: int
    event: int = Field(description="The number of the event.")
    kind: str
    state: DeliveryState = Field(description="`waiting`, `delivered`, or `failed`: given up.")
    attempts: int
    next_at: dt.datetime | None = Field(description="When it is tried next.")
    status: int | None = Field(description="The HTTP status of the last answer.")
    trouble: str | None = Field(description="What was wrong with the last attempt.")
    created_at: dt.datetime
    done_at: dt.datetime | None


class Removed(BaseModel):
    """What was removed."""

    number: int
