"""What a worker host says of itself: which languages it runs, when it starts and every so often after that.

Each of its processes says so, with its name and the kinds of work that it takes: those that play are together
what the host can play at once. One that only checks bots is none of them, and gives way to them. Each also
says what it has in hand, and whether it takes nothing new (`workers.host.draining`).

What it takes from the broker follows from the same: every queue of work that it can do, and no other.
"""

from __future__ import annotations

import os
import shlex
import socket
import sys
import threading
from collections.abc import Collection
from functools import cache
from importlib.metadata import version
from itertools import takewhile
from typing import Any

import structlog
from celery.signals import celeryd_after_setup, worker_ready

from bots.adapters import PROTOCOLS
from workers import app as names
from workers.app import app
from workers.core.attempts import attempts
from workers.core.errors import LaunchError, NoConfinementError
from workers.core.settings import get_settings
from workers.host.calibration import speed
from workers.host.cores import match_cores
from workers.host.presence import PRESENCE
from workers.programs.adapting import starts_processes
from workers.programs.environments import environments, offered
from workers.programs.runtimes.languages import ADAPTERS, PYTHON, exact
from workers.programs.runtimes.toolchains import find_toolchains
from workers.programs.serving import CHECKS, KINDS, SOLVES, TRAININGS, queue_names
from workers.sandbox.levels import LEVELS, ByTrust, level_in_use, trouble_with
from workers.solving.leaves import can_search
from workers.training.learner import can_learn

PLAYED = {*KINDS} - {CHECKS}
ASKING_PAUSES_SECONDS = 2.0, 5.0, 15.0
"""Before it is asked again what this host runs, where that could not be found out."""
GIVING_WAY = 5
"""How nice a process is that only checks, and its bots: beside a match they have a quarter of a core."""

log = structlog.get_logger()


@cache
def toolchains() -> dict[str, str]:
    """The languages that this host runs, with the versions of their tools; found out once.

    With each environment that bots can use Python is one more, with what is in that; and adapters are, where
    bots may start processes.
    """
    _tell_level()
    confinement, python = ByTrust(), tuple(shlex.split(get_settings().bot_python))
    found = find_toolchains(confinement, python)
    if PYTHON.name not in found:
        return found
    if starts_processes(confinement):
        told = ", ".join(name for name, protocol in PROTOCOLS.items() if not protocol.imported)
        found = {**found, ADAPTERS: told}
    return found | offered(confinement, python)


def _tell_level() -> None:
    """Write to the log at which level bots are confined here, and what was wrong with any stronger one."""
    try:
        level = level_in_use()
    except NoConfinementError as error:
        log.warning("bots are not confined, so none but reference bots run", reason=str(error))
        return
    if get_settings().confinement:
        log.info("bots are confined as was asked for", level=level)
        return
    stronger = {name: trouble_with(name) for name in takewhile(lambda name: name != level, LEVELS)}
    if stronger:
        log.warning("bots are confined at a weaker level", level=level, **stronger)
    else:
        log.info("bots are confined", level=level)


def still_here() -> dict[str, str]:
    """The same, without environments that were removed since."""
    built = {each.word for each in environments()}
    return {word: told for word, told in toolchains().items() if exact(word)[1] is None or word in built}


def expand(queues: Any) -> None:
    """Take, for each kind of work that was asked for (`-Q matches`), what this host can do of it."""
    for kind in KINDS:
        if kind in queues.consume_from:
            queues.deselect([kind])
            for name in _served(kind):
                queues.select_add(queues[name])


def _served(kind: str) -> list[str]:
    """The queues of a kind of work from which this host takes."""
    if kind == SOLVES:
        return [SOLVES] if can_search() else []
    if kind == TRAININGS:
        return [TRAININGS] if can_learn() else []
    return queue_names(kind, toolchains())


def taken(queues: Any) -> set[str]:
    """The kinds of work that a process with these queues takes."""
    return {name.partition(".")[0] for name in queues.consume_from} & set(KINDS)


def register(process: str, kinds: Collection[str]) -> None:
    """Tell the trusted side once what this host runs, in the name of one of its processes that takes `kinds`.

    Only one that plays says how fast the host is: another gives way to it.
    """
    told = {
        "host": socket.gethostname(),
        "languages": still_here(),
        "speed": speed() if PLAYED.intersection(kinds) else None,
        "cores": len(match_cores(get_settings().match_cores)) or None,
        "process": process,
        "takes": sorted(kinds),
        "version": version("bot-arena"),
        "draining": PRESENCE.draining,
        "doing": doing.told() if (doing := PRESENCE.doing) else None,
    }
    names.send(app, names.HOST, told)


def _require_toolchains() -> None:
    """Find out what this host runs, or end this process: Celery would go on after any other failure.

    With the queues that it was told of, which nobody fills, it would take nothing for as long as it runs.
    """
    trouble = ""
    for _ in attempts(*ASKING_PAUSES_SECONDS):
        try:
            toolchains()
        except (LaunchError, OSError) as error:
            trouble = str(error)
            log.warning("it cannot be found out now what runs here", reason=trouble)
        else:
            return
    log.error("this worker does not start", reason=trouble)
    sys.exit(trouble)


@celeryd_after_setup.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _choose_queues(instance: Any, **_: Any) -> None:
    queues = instance.app.amqp.queues
    if not taken(queues) & PLAYED:
        os.nice(GIVING_WAY)
    _require_toolchains()
    expand(queues)
    log.info("languages found", **toolchains())


@worker_ready.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _keep_registered(sender: Any, **_: Any) -> None:
    if kinds := taken(sender.app.amqp.queues):
        told = sender.hostname, kinds
        threading.Thread(target=_register_again_and_again, args=told, daemon=True).start()


def _register_again_and_again(process: str, kinds: Collection[str]) -> None:
    while True:
        try:
            register(process, kinds)
        except Exception as error:  # noqa: BLE001  (whatever befell the broker, the next time may get through)
            log.warning("not registered", error=str(error))
        PRESENCE.wait(get_settings().register_seconds)
