"""Logs of all processes that stay: one line an event, on stderr, for people or as JSON for programs.

What the libraries log (Celery's worker, the server of the API) is written in the same form where it is JSON.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog
from structlog.typing import Processor

from workers.core.setting_types import LogFormat

Event = MutableMapping[str, Any]


def configure_logs(process: str, form: LogFormat) -> None:
    """Write logs as ``time level event key=value`` to stderr, or as JSON that names the process as well."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            *_endings(process, form),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def _endings(process: str, form: LogFormat) -> list[Processor]:
    if form is LogFormat.TEXT:
        order = structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"])
        return [structlog.processors.TimeStamper(fmt="iso", utc=True), order]

    def named(_logger: object, _method: str, event: Event) -> Event:
        message = event.pop("event", "")
        return {"time": event.pop("time"), "level": event.pop("level"), "process": process, **event} | {
            "message": message
        }

    stamp = structlog.processors.TimeStamper(fmt="iso", utc=True, key="time")
    return [stamp, named, structlog.processors.JSONRenderer(ensure_ascii=False)]


class JsonLines(logging.Formatter):
    """Writes what is logged by the standard library as the same JSON."""

    def __init__(self, process: str) -> None:
        super().__init__()
        self._processors = _endings(process, LogFormat.JSON)

    def format(self, record: logging.LogRecord) -> str:
        """One line; a traceback is a part of it."""
        event: Any = {"event": record.getMessage(), "level": record.levelname.lower(), "logger": record.name}
        event |= structlog.contextvars.get_contextvars()
        if record.exc_info:
            event["exception"] = self.formatException(record.exc_info)
        for each in self._processors:
            event = each(None, record.levelname, event)
        return str(event)


def write_as(process: str, form: LogFormat, *loggers: logging.Logger) -> None:
    """Have what these loggers of libraries write be JSON too, where that is the form."""
    if form is LogFormat.JSON:
        for handler in {handler for logger in loggers for handler in logger.handlers}:
            handler.setFormatter(JsonLines(process))
