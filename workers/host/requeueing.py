"""Work that asks for more than this host gives goes back to its queue: another host may have it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

import structlog
from celery import Task
from pydantic import ValidationError

from workers.core.contract import Limits
from workers.core.host_limits import excess

PAUSE_SECONDS: Final = 1.0
"""How long a host keeps still after it gave work back, so that another one comes first."""
MAX_SECONDS: Final = 600.0
"""How long work is given back. Then it is taken, and comes to nothing but the reason, for the staff."""
SENDING: Final = {"max_retries": 30, "interval_start": 0.2, "interval_step": 0.5, "interval_max": 3}
SINCE: Final = "passed_on_since"

log = structlog.get_logger()


class RequeueingTask(Task):  # type: ignore[misc]  # Celery ships no types
    """A task whose `spec` has `limits`; it is not begun where they are above what this host gives."""

    Request = "workers.host.stopping:Stoppable"

    def __call__(self, *arguments: Any, **details: Any) -> Any:
        """Do the work, or give it back as the same message, with the time of the first time."""
        if not self._requeued(details):
            return super().__call__(*arguments, **details)
        return None

    def _requeued(self, details: Mapping[str, Any]) -> bool:
        queue = (self.request.delivery_info or {}).get("routing_key", "")
        too_much = _excess(details["spec"]) if "." in queue else None  # other queues are of work without bots
        since = self.request.get(SINCE) or time.time()
        if too_much is None or time.time() - since > MAX_SECONDS:
            return False
        log.warning("work given back", task=self.name, token=self.request.id, reason=too_much)
        self.app.send_task(
            self.name,
            kwargs=dict(details),
            task_id=self.request.id,
            queue=queue,
            headers={SINCE: since},
            retry=True,
            retry_policy=SENDING,
        )
        time.sleep(PAUSE_SECONDS)
        return True


def _excess(spec: Mapping[str, Any]) -> str | None:
    try:
        return excess(Limits.model_validate(spec.get("limits", {})))
    except ValidationError:  # whoever does the work will say so
        return None
