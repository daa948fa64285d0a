"""Hosts that are to take nothing new: what is in hand there is finished, and then they can be switched off.

The trusted side says so through the broker, where it stays: a worker that is started anew on such a host
takes nothing either. Should the broker forget, the trusted side says it again when the host is heard of.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import Any

import redis
import structlog
from celery.signals import worker_ready

from workers.core.settings import get_settings
from workers.host.drains import Drains
from workers.host.presence import PRESENCE

LOOKING_SECONDS = 2.0
"""So often a process that has nothing in hand asks; one that has, when it is done."""

log = structlog.get_logger()


class Tap:
    """The queues that a process takes from, as Celery's consumer has them; closed, it takes from none.

    `closed` is None after a turn that broke off, as some are then open and some not.
    """

    def __init__(self, consumer: Any) -> None:
        self._consumer = consumer
        self._queues: Mapping[str, Any] = dict(consumer.app.amqp.queues.consume_from)
        self.closed: bool | None = False

    def turn(self, *, closed: bool) -> None:
        """Take from no queue any more, or from all of them again."""
        if closed == self.closed:
            return
        self.closed = None
        for name in self._queues:
            if closed:
                self._consumer.cancel_task_queue(name)
            else:
                self._consumer.add_task_queue(name)
        self.closed = closed
        PRESENCE.drain(draining=closed)
        log.info("takes nothing new" if closed else "takes work again")


def look(tap: Tap, drains: Drains, host: str) -> None:
    """Do as the trusted side wants; while the broker does not say, all stays as it is."""
    try:
        wanted = drains.asked(host)
    except redis.RedisError as error:
        log.warning("the broker does not say whether this host is to take work", error=str(error))
        return
    tap.turn(closed=wanted)


@worker_ready.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _keep_looking(sender: Any, **_: Any) -> None:
    """Look before the first message is taken, and again in the thread of the tasks, between two of them.

    The first look may fail with the connection, and Celery says only once that it is ready.
    """
    tap, drains = Tap(sender), Drains(get_settings().broker_url)
    told = tap, drains, socket.gethostname()
    sender.timer.call_repeatedly(LOOKING_SECONDS, look, told)
    look(*told)
