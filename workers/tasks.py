"""What a worker host does for the arena: take a match or a chunk of an experiment, play it, say how it went.

The host tells the trusted side three things, each with the attempt and the token that it was given: that
the match is alive (`arena.heartbeat`), how it ended (`arena.record`), or that it could not be played
through no fault of a bot (`arena.lost`); and likewise of a chunk.
"""

from __future__ import annotations

import contextlib
import shlex
import socket
import threading
import time
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
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import Block, SimulatedPlayer, SimulationSpec, Tally

AT_ONCE = 1_000_000
"""Games that are kept in memory before they are counted."""

SENDING = {"max_retries": 30, "interval_start": 0.2, "interval_step": 0.5, "interval_max": 3}

log = structlog.get_logger()


@worker_init.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _begin(**_: Any) -> None:
    configure_logs()


@app.task(name=names.PLAY)  # type: ignore[untyped-decorator]  # Celery ships no types
def play(spec: dict[str, Any], attempt: int, token: str) -> None:
    """Play one match and report; never raises for anything that a bot or a spec can be."""
    match = str(spec.get("match", ""))
    about = {"match": match, "attempt": attempt, "token": token}
    with _Reporter(names.HEARTBEAT, about).beating() as report:
        try:
            checked = MatchSpec.model_validate(spec)
            result = play_match(checked, (_command(checked.bots[0]), _command(checked.bots[1])))
        except Exception as error:
            log.exception("match lost", match=match, attempt=attempt)
            report.send(names.LOST, trouble=f"{type(error).__name__}: {error}")
        else:
            report.send(names.RECORD, result=result.model_dump(mode="json"))


@app.task(name=names.SIMULATE)  # type: ignore[untyped-decorator]  # Celery ships no types
def simulate(*, spec: dict[str, Any], start: int, count: int, cut: int, **attempt: Any) -> None:
    """Play one chunk of an experiment and report; never raises for anything that a spec can be.

    The blocks end at multiples of `cut`, 0 for one block; `attempt` names the experiment, the attempt and its
    token.
    """
    about = {"start": start, **attempt}
    with _Reporter(names.CHUNK_HEARTBEAT, about).beating() as report:
        try:
            began = time.monotonic_ns()
            checked = SimulationSpec.model_validate(spec)
            blocks = _blocks(checked, range(start, start + count), cut=cut)
            told = [block.model_dump(mode="json") for block in blocks]
            elapsed = time.monotonic_ns() - began
        except Exception as error:
            log.exception("chunk lost", **about)
            report.send(names.CHUNK_LOST, trouble=f"{type(error).__name__}: {error}")
        else:
            report.send(names.CHUNK, blocks=told, elapsed_ns=elapsed)


def _blocks(spec: SimulationSpec, games: range, *, cut: int) -> list[Block]:
    """What these games come to: one block, or with `cut` as many as a stopping rule may look at."""
    if any(player.command for player in spec.players):
        raise SpecError("a command of another machine cannot be played by a worker, only stored bots can")
    blocks: list[Block] = []
    for first in games[::AT_ONCE]:
        count = min(AT_ONCE, games.stop - first)
        blocks += play_chunk(spec, first, count, cut=cut, commands=_command_of)
    if cut or len(blocks) == 1:
        return blocks
    lines = tuple(line for block in blocks for line in block.games)
    tally = sum((block.tally for block in blocks), Tally())
    return [Block(start=games.start, count=len(games), tally=tally, games=lines)]


def _command_of(player: SimulatedPlayer) -> Command:
    return _command(BotRef(name=player.name, archive=player.archive))


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
    """Sends word of one attempt to the trusted side; `heartbeat` is the task that takes its signs of life."""

    def __init__(self, heartbeat: str, about: dict[str, Any]) -> None:
        self._heartbeat = heartbeat
        self._about = {**about, "host": socket.gethostname()}
        self._done = threading.Event()

    def send(self, task: str, **details: Any) -> None:
        """Send one message, trying for a minute or so while the broker is away."""
        app.send_task(task, kwargs={**self._about, **details}, retry=True, retry_policy=SENDING)

    @contextlib.contextmanager
    def beating(self) -> Iterator[_Reporter]:
        """Say that the work is alive now and every few seconds until the block is left."""
        self.send(self._heartbeat)
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
                app.send_task(self._heartbeat, kwargs=self._about, retry=False)
            except Exception as error:  # noqa: BLE001  (whatever befell the broker, the next beat may get through)
                log.warning("heartbeat not sent", error=str(error), **self._about)
