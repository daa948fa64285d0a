"""What a worker host says of itself: which languages it runs, when it starts and every so often after that.

Each of its processes says so, with its name: together they are what the host can play at once.

What it takes from the broker follows from the same: every queue of work that it can do, and no other.
"""

from __future__ import annotations

import shlex
import socket
import threading
from functools import cache
from typing import Any

import structlog
from celery.signals import celeryd_after_setup, worker_ready

from workers import app as names
from workers.app import app
from workers.calibration import speed
from workers.cores import match_cores
from workers.runtimes.toolchains import find_toolchains
from workers.sandbox.levels import ByTrust
from workers.serving import queue_names
from workers.settings import get_settings

KINDS = (names.CHECKS, names.MATCHES, names.SIMULATIONS)

log = structlog.get_logger()


@cache
def toolchains() -> dict[str, str]:
    """The languages that this host runs, with the versions of their tools; found out once."""
    return find_toolchains(ByTrust(), tuple(shlex.split(get_settings().bot_python)))


def expand(queues: Any) -> None:
    """Take, for each kind of work that was asked for (`-Q matches`), what this host can do of it."""
    for kind in KINDS:
        if kind in queues.consume_from:
            queues.deselect([kind])
            for name in queue_names(kind, toolchains()):
                queues.select_add(queues[name])


def register(process: str) -> None:
    """Tell the trusted side once what this host runs, in the name of one of its processes."""
    told = {
        "host": socket.gethostname(),
        "languages": toolchains(),
        "speed": speed(),
        "cores": len(match_cores(get_settings().match_cores)) or None,
        "process": process,
    }
    app.send_task(names.HOST, kwargs=told, retry=False)


@celeryd_after_setup.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _choose_queues(instance: Any, **_: Any) -> None:
    expand(instance.app.amqp.queues)
    log.info("languages found", **toolchains())


@worker_ready.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _keep_registered(sender: Any, **_: Any) -> None:
    threading.Thread(target=_register_again_and_again, args=(sender.hostname,), daemon=True).start()


def _register_again_and_again(process: str) -> None:
    pause = threading.Event()
    while True:
        try:
            register(process)
        except Exception as error:  # noqa: BLE001  (whatever befell the broker, the next time may get through)
            log.warning("not registered", error=str(error))
        pause.wait(get_settings().register_seconds)
