"""Work that this host cannot do goes back to its queue: another host may.

That is what asks for more than this host gives, and games in columns where there is nowhere to record them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

import structlog
from celery import Task
from pydantic import ValidationError

from workers.app import send
from workers.core.contract import Limits
from workers.core.errors import SpecError
from workers.core.host_limits import excess
from workers.core.settings import get_settings
from workers.core.transport import SINCE
from workers.simulation.parts import MissingParquetError, require_parquet

PAUSE_SECONDS: Final = 1.0
"""How long a host keeps still after it gave work back, so that another one comes first."""
MAX_SECONDS: Final = 600.0
"""How long work is given back. Then it is taken, and comes to nothing but the reason, for the staff."""

log = structlog.get_logger()


class RequeueingTask(Task):  # type: ignore[misc]  # Celery ships no types
    """A task whose `spec` has `limits`; not begun where they, or its `columns`, are beyond this host."""

    Request = "workers.host.stopping:Stoppable"

    def __call__(self, *arguments: Any, **details: Any) -> Any:
        """Do the work, or give it back as the same message, with the time of the first time."""
        if not self._requeued(details):
            return super().__call__(*arguments, **details)
        return None

    def _requeued(self, details: Mapping[str, Any]) -> bool:
        queue = (self.request.delivery_info or {}).get("routing_key", "")
        reason = _beyond(details, queue)
        since = self.request.get(SINCE) or time.time()
        if reason is None or time.time() - since > MAX_SECONDS:
            return False
        log.warning("work given back", task=self.name, token=self.request.id, reason=reason)
        again = {"task_id": self.request.id, "queue": queue, "headers": {SINCE: since}}
        if signature := (self.request.properties or {}).get("signature"):
            again["signature"] = signature  # of the arena, or nobody else would do it
        send(self.app, self.name, details, again=True, **again)
        time.sleep(PAUSE_SECONDS)
        return True


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
