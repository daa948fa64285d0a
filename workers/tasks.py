"""What a worker host does for the arena: take a match, a check or a chunk, do it, say how it went.

The host tells the trusted side three things, each with the attempt and the token that it was given: that
the match is alive (`arena.heartbeat`), how it ended (`arena.record`), or that it could not be played
through no fault of a bot (`arena.lost`); and likewise of a check and of a chunk.
"""

from __future__ import annotations

import contextlib
import shlex
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import structlog
from celery.signals import worker_init

from workers import app as names
from workers.app import app
from workers.archives import ArchiveCache, ArchiveStore
from workers.builds import Workshop
from workers.calibration import check_speed, speed
from workers.check_contract import CheckSpec
from workers.checks import check_bot
from workers.confinement import Program
from workers.contract import BotRef, MatchSpec
from workers.cores import reserved_core
from workers.errors import SpecError, TooSlowError
from workers.logs import configure_logs
from workers.match import play_match
from workers.maxima import check_limits
from workers.passing import SENDING, Passing
from workers.sandbox.levels import ByTrust
from workers.sandbox.slots import sweep_slots
from workers.settings import get_settings
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import Block, SimulatedPlayer, SimulationSpec

log = structlog.get_logger()


@worker_init.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _begin(**_: Any) -> None:
    configure_logs()
    try:
        found = check_speed(get_settings().least_speed)
    except TooSlowError as error:
        log.error("this worker does not start", reason=str(error))  # noqa: TRY400  (the message says all)
        sys.exit(str(error))
    log.info("speed measured", speed=found)
    sweep_slots()


@app.task(name=names.PLAY, base=Passing)  # type: ignore[untyped-decorator]  # Celery ships no types
def play(spec: dict[str, Any], attempt: int, token: str) -> None:
    """Play one match and report; never raises for anything that a bot or a spec can be."""
    match = str(spec.get("match", ""))
    about = {"match": match, "attempt": attempt, "token": token}
    with _Reporter(names.HEARTBEAT, about).beating() as report:
        try:
            checked = MatchSpec.model_validate(spec)
            programs = _program(checked.bots[0]), _program(checked.bots[1])
            with reserved_core(get_settings().cores_dir, get_settings().match_cores):
                result = play_match(checked, programs)
        except Exception as error:
            log.exception("match lost", match=match, attempt=attempt)
            report.send(names.LOST, trouble=f"{type(error).__name__}: {error}")
        else:
            told = result.model_copy(update={"host_speed": speed()})
            report.send(names.RECORD, result=told.model_dump(mode="json"))


@app.task(name=names.CHECK, base=Passing)  # type: ignore[untyped-decorator]  # Celery ships no types
def check(spec: dict[str, Any], attempt: int, token: str) -> None:
    """Check one bot and report; never raises for anything that a bot or a spec can be."""
    about = {"check": str(spec.get("check", "")), "attempt": attempt, "token": token}
    with _Reporter(names.CHECK_HEARTBEAT, about).beating() as report:
        try:
            checked = CheckSpec.model_validate(spec)
            with reserved_core(get_settings().cores_dir, get_settings().match_cores):
                verdict = check_bot(checked, _workshop())
        except Exception as error:
            log.exception("check lost", **about)
            report.send(names.CHECK_LOST, trouble=f"{type(error).__name__}: {error}")
        else:
            report.send(names.CHECKED, report=verdict.model_dump(mode="json"))


@app.task(name=names.SIMULATE, base=Passing)  # type: ignore[untyped-decorator]  # Celery ships no types
def simulate(*, spec: dict[str, Any], start: int, count: int, cut: int, **attempt: Any) -> None:
    """Play one chunk of an experiment and report; never raises for anything that a spec can be.

    The blocks end at multiples of `cut`, 0 for one block; `attempt` names the experiment, the attempt and its
    token.
    """
    about = {"start": start, **attempt}
    with _Reporter(names.CHUNK_HEARTBEAT, about).beating() as report:
        try:
            checked = SimulationSpec.model_validate(spec)
            clock = _clock_of(checked)
            began = clock()
            blocks = _blocks(checked, range(start, start + count), cut=cut)
            told = [block.model_dump(mode="json") for block in blocks]
            elapsed = clock() - began
        except Exception as error:
            log.exception("chunk lost", **about)
            report.send(names.CHUNK_LOST, trouble=f"{type(error).__name__}: {error}")
        else:
            report.send(names.CHUNK, blocks=told, elapsed_ns=elapsed)


def _clock_of(spec: SimulationSpec) -> Callable[[], int]:
    """What measures a chunk in nanoseconds: processor time, or the clock where bots' processes play.

    So a busy machine does not make chunks shorter, whose messages cost as much as those of long ones.
    """
    in_process = all(player.strategy for player in spec.players)
    return time.thread_time_ns if in_process else time.monotonic_ns


def _blocks(spec: SimulationSpec, games: range, *, cut: int) -> list[Block]:
    """What these games come to: one block, or with `cut` as many as a stopping rule may look at."""
    if any(player.command for player in spec.players):
        raise SpecError("a command of another machine cannot be played by a worker, only stored bots can")
    if any(player.archive for player in spec.players):
        check_limits(spec.limits)
    return play_chunk(spec, games.start, len(games), cut=cut, commands=_program_of)


def _program_of(player: SimulatedPlayer) -> Program:
    return _program(BotRef(name=player.name, archive=player.archive))


def _program(bot: BotRef) -> Program:
    """What starts the bot on this host."""
    if bot.archive is None:
        raise SpecError(f"{bot.name} has no archive; only stored bots can be played by a worker")
    return _workshop().program(bot.archive)


@cache
def _workshop() -> Workshop:
    settings = get_settings()
    cache = ArchiveCache(ArchiveStore(settings.archive_url), settings.cache_dir)
    return Workshop(cache, settings.cache_dir / "builds", ByTrust, tuple(shlex.split(settings.bot_python)))


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
