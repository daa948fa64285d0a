"""Tells the trusted side what this worker took from a queue that is no message, for the staff."""

from __future__ import annotations

import socket
from typing import Any

import structlog

from workers import app as names
from workers.app import app
from workers.core.transport import set_aside

log = structlog.get_logger()


@set_aside.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _tell(queue: str, why: str, detail: str, size: int, head: str, **_: Any) -> None:
    told = {"queue": queue, "why": str(why), "detail": detail, "size": size, "head": head}
    try:
        names.send(app, names.SET_ASIDE, {"host": socket.gethostname(), **told})
    except Exception as error:  # noqa: BLE001  (whatever befell the broker, it is in the log)
        log.warning("the arena is not told", error=str(error))
