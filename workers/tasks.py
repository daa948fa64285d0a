"""What a worker host does for the arena: take a match, play it, send back how it went.

The host tells the trusted side three things, each with the attempt and the token that it was given: that
the match is alive (`arena.heartbeat`), how it ended (`arena.record`), or that it could not be played
through no fault of a bot (`arena.lost`).
"""

from __future__ import annotations

import contextlib
import shlex
import socket
import threading
from collections.abc import Iterator
from functools import cache
from typing import Any

import structlog
from celery.signals import worker_init

from workers import app as names
from workers.app import app
from workers.archives import ENTRY, ArchiveCache, ArchiveStore
from workers.confinement import Command
from workers.contract import BotRef, MatchSpec
from workers.errors import SpecError
from workers.logs import configure_logs
from workers.match import play_match
from workers.settings import get_settings

SENDING = {"max_retries": 30, "interval_start": 0.2, "interval_step": 0.5, "interval_max": 3}

log = structlog.get_logger()


@worker_init.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _begin(**_: Any) -> None:
    configure_logs()


@app.task(name=names.PLAY)  # type: ignore[untyped-decorator]  # Celery ships no types
def play(spec: dict[str, Any], attempt: int, token: str) -> None:
    """Play one match and report; never raises for anything that a bot or a spec can be."""
    match = str(spec.get("match", ""))
    with _Reporter(match, attempt, token).beating() as report:
        try:
            checked = MatchSpec.model_validate(spec)
            result = play_match(checked, (_command(checked.bots[0]), _command(checked.bots[1])))
        except Exception as error:
            log.exception("match lost", match=match, attempt=attempt)
            report.send(names.LOST, trouble=f"{type(error).__name__}: {error}")
        else:
            report.send(names.RECORD, result=result.model_dump(mode="json"))


def _command(bot: BotRef) -> Command:
    """What starts the bot on this host."""
    if bot.archive is None:
        raise SpecError(f"{bot.name} has no archive; only stored bots can be played by a worker")
    folder = _cache().unpacked(bot.archive)
    return (*shlex.split(get_settings().bot_python), str(folder / ENTRY))


@cache
def _cache() -> ArchiveCache:
    settings = get_settings()
    return ArchiveCache(ArchiveStore(settings.archive_url), settings.cache_dir)


class _Reporter:
    """Sends word of one attempt at one match to the trusted side."""

    def __init__(self, match: str, attempt: int, token: str) -> None:
        self._about = {"match": match, "attempt": attempt, "token": token, "host": socket.gethostname()}
        self._done = threading.Event()

    def send(self, task: str, **details: Any) -> None:
        """Send one message, trying for a minute or so while the broker is away."""
        app.send_task(task, kwargs={**self._about, **details}, retry=True, retry_policy=SENDING)

    @contextlib.contextmanager
    def beating(self) -> Iterator[_Reporter]:
        """Say that the match is alive now and every few seconds until the block is left."""
        self.send(names.HEARTBEAT)
        thread = threading.Thread(target=self._beat, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._done.set()
            thread.join()

    def _beat(self) -> None:
        while not self._done.wait(get_settings().heartbeat_seconds):
            try:
                app.send_task(names.HEARTBEAT, kwargs=self._about, retry=False)
            except Exception as error:  # noqa: BLE001  (whatever befell the broker, the next beat may get through)
                log.warning("heartbeat not sent", error=str(error), **self._about)
