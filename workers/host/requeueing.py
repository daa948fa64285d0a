"""Work that this host cannot do goes back to its queue: another host may.

That is what asks for more than this host gives, games in columns where there is nowhere to record them, and
what a newer arena asks for that this host does not know.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, ClassVar, Final

import structlog
from celery import Task
from pydantic import BaseModel, ValidationError

from workers.app import send
from workers.core.contract import Limits
from workers.core.errors import SpecError
from workers.core.host_limits import excess
from workers.core.settings import get_settings
from workers.simulation.parts import MissingParquetError, require_parquet

PAUSE_SECONDS: Final = 1.0
"""How long a host keeps still after it gave work back, so that another one comes first."""
MAX_SECONDS: Final = 600.0
"""How long work is given back. Then it is taken, and comes to nothing but the reason, for the staff."""

KEPT: Final = 1000
"""Of so many pieces of work it is remembered since when they are given back."""

log = structlog.get_logger()
_now = time.monotonic
_since = OrderedDict[str, float]()
"""Since when this process gives a piece of work back, by its token: whoever writes to the broker says nothing
of it."""


class RequeueingTask(Task):  # type: ignore[misc]  # Celery ships no types
    """A task whose `spec` is of the type `asks`; not begun where that or `columns` is beyond this host."""

    Request = "workers.host.stopping:Stoppable"
    asks: ClassVar[type[BaseModel]]

    def __call__(self, *arguments: Any, **details: Any) -> Any:
        """Do the work, or give it back as the same message."""
        if not self._requeued(details):
            return super().__call__(*arguments, **details)
        return None

    def _requeued(self, details: Mapping[str, Any]) -> bool:
        queue = (self.request.delivery_info or {}).get("routing_key", "")
        reason = _unknown(self.asks, details["spec"]) or _beyond(details, queue)
        if reason is None or _given_back_for(self.request.id) > MAX_SECONDS:
            return False
        log.warning("work given back", task=self.name, token=self.request.id, reason=reason)
        again = {"task_id": self.request.id, "queue": queue}
        if signature := (self.request.properties or {}).get("signature"):
            again["signature"] = signature  # of the arena, or nobody else would do it
        send(self.app, self.name, details, again=True, **again)
        time.sleep(PAUSE_SECONDS)
        return True


def _given_back_for(token: str) -> float:
    """For how many seconds this process has given a piece of work back."""
    now = _now()
    since = _since.setdefault(token, now)
    while len(_since) > KEPT:
        _since.popitem(last=False)
    return now - since


def records_url() -> str:
    """Where this host records games in columns.

    Raises:
        SpecError, MissingParquetError: nowhere; the message says what is missing.
    """
    require_parquet()
    url = get_settings().records_url
    if url is None:
        raise SpecError("this host has nowhere to record games: give its workers ARENA_RECORDS_URL")
    return url


def _unknown(asks: type[BaseModel], spec: Mapping[str, Any]) -> str | None:
    """What a newer arena asks for that this host does not know; None where there is nothing."""
    try:
        asks.model_validate(spec)
    except ValidationError as error:
        new = [
            ".".join(map(str, each["loc"]))
            for each in error.errors(include_url=False)
            if each["type"] == "extra_forbidden" or each["loc"] == ("format",)
        ]
        if new:
            return f"the arena is newer than this host, which does not know {', '.join(new)}"
    return None  # of what is wrong otherwise whoever does the work will say so


def _beyond(details: Mapping[str, Any], queue: str) -> str | None:
    """Why this host cannot do the work that was in `queue`; None if it can."""
    if queue and details.get("columns") is not None:
        try:
            records_url()
        except (SpecError, MissingParquetError) as error:
            return str(error)
    return _excess(details["spec"]) if "." in queue else None  # other queues are of work without bots


def _excess(spec: Mapping[str, Any]) -> str | None:
    try:
        return excess(Limits.model_validate(spec.get("limits", {})))
    except ValidationError:  # whoever does the work will say so
        return None
