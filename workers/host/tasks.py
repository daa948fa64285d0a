"""What a worker host does for the arena: take a match, a check or a chunk, do it, say how it went.

The host tells the trusted side three things, each with the attempt and the token that it was given: that
the match is alive (`arena.heartbeat`), how it ended (`arena.record`), or that it could not be played
through no fault of a bot (`arena.lost`); and likewise of a check and of a chunk. What is listened to no more
is broken off.
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
from typing import Any, NamedTuple

import structlog
from celery.signals import worker_init

from workers import app as names
from workers.app import app
from workers.checks.contract import CheckSpec
from workers.checks.runner import check_bot
from workers.core.contract import BotRef, MatchSpec
from workers.core.errors import SpecError, StoppedError, TooSlowError, UnwantedError, in_words
from workers.core.halt import Halt
from workers.core.host_limits import check_limits
from workers.core.logs import configure_logs
from workers.core.settings import get_settings
from workers.host.calibration import check_speed, speed
from workers.host.cores import Cores, spare_cores
from workers.host.refusals import Refusals
from workers.host.requeueing import SENDING, RequeueingTask
from workers.host.stopping import in_hand
from workers.play.match import play_match
from workers.programs.archives import ArchiveCache, ArchiveStore
from workers.programs.builds import BuildCache
from workers.sandbox.confinement import Program
from workers.sandbox.levels import ByTrust
from workers.sandbox.slots import sweep_slots
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import Block, SimulatedPlayer, SimulationSpec

ANSWERED_WITHIN_SECONDS = 1.0
"""So soon after a sign of life it is known whether it was refused, unless the recorder is busy."""

log = structlog.get_logger()


@worker_init.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _begin(**_: Any) -> None:
    configure_logs()
    try:
        measured = check_speed(get_settings().least_speed)
    except TooSlowError as error:
        log.error("this worker does not start", reason=str(error))  # noqa: TRY400  (the message says all)
        sys.exit(str(error))
    log.info("speed measured", speed=measured)
    sweep_slots()


class _Kind(NamedTuple):
    """The tasks that take word of one kind of work: that it is alive, how it ended, or that it did not."""

    heartbeat: str
    done: str
    lost: str


@app.task(name=names.PLAY, base=RequeueingTask)  # type: ignore[untyped-decorator]  # Celery ships no types
def play(spec: dict[str, Any], attempt: int, token: str) -> None:
    """Play one match and report; never raises for anything that a bot or a spec can be."""

    def work(halt: Halt) -> dict[str, Any]:
        checked = MatchSpec.model_validate(spec)
        programs = _program(checked.bots[0], halt), _program(checked.bots[1], halt)
        with _cores().reserved(halt):
            result = play_match(checked, programs, halt=halt)
        return {"result": result.model_copy(update={"host_speed": speed()}).model_dump(mode="json")}

    about = {"match": str(spec.get("match", "")), "attempt": attempt, "token": token}
    _do(_Kind(names.HEARTBEAT, names.RECORD, names.LOST), about, work)


@app.task(name=names.CHECK, base=RequeueingTask)  # type: ignore[untyped-decorator]  # Celery ships no types
def check(spec: dict[str, Any], attempt: int, token: str) -> None:
    """Check one bot and report; never raises for anything that a bot or a spec can be."""

    def work(halt: Halt) -> dict[str, Any]:
        checked = CheckSpec.model_validate(spec)
        with spare_cores(get_settings().match_cores):
            return {"report": check_bot(checked, _workshop(), halt=halt).model_dump(mode="json")}

    about = {"check": str(spec.get("check", "")), "attempt": attempt, "token": token}
    _do(_Kind(names.CHECK_HEARTBEAT, names.CHECKED, names.CHECK_LOST), about, work)


@app.task(name=names.SIMULATE, base=RequeueingTask)  # type: ignore[untyped-decorator]  # Celery ships no types
def simulate(*, spec: dict[str, Any], start: int, count: int, cut: int, **attempt: Any) -> None:
    """Play one chunk of an experiment and report; never raises for anything that a spec can be.

    The blocks end at multiples of `cut`, 0 for one block; `attempt` names the experiment, the attempt and its
    token.
    """

    def work(halt: Halt) -> dict[str, Any]:
        checked = SimulationSpec.model_validate(spec)
        clock = _clock_of(checked)
        began = clock()
        blocks = _blocks(checked, range(start, start + count), cut=cut, halt=halt)
        told = [block.model_dump(mode="json") for block in blocks]
        return {"blocks": told, "elapsed_ns": clock() - began}

    _do(_Kind(names.CHUNK_HEARTBEAT, names.CHUNK, names.CHUNK_LOST), {"start": start, **attempt}, work)


def _do(kind: _Kind, about: dict[str, Any], work: Callable[[Halt], dict[str, Any]]) -> None:
    """Do a piece of work and report what came of it, or why nothing did.

    Where nobody wants it any more nothing is reported: it would be refused.
    """
    with in_hand() as halt, _Reporter(kind.heartbeat, about, halt).beating() as report:
        try:
            told = work(halt)
        except UnwantedError as error:
            log.info("broken off", reason=str(error), **about)
        except StoppedError as error:
            log.info("given back", reason=str(error), **about)
            report.send(kind.lost, trouble=str(error), stopped=True)
        except Exception as error:
            log.exception("lost", **about)
            report.send(kind.lost, trouble=in_words(error))
        else:
            report.send(kind.done, **told)


def _clock_of(spec: SimulationSpec) -> Callable[[], int]:
    """What measures a chunk in nanoseconds: processor time, or the clock where bots' processes play.

    So a busy machine does not make chunks shorter, whose messages cost as much as those of long ones.
    """
    in_process = all(player.strategy for player in spec.players)
    return time.thread_time_ns if in_process else time.monotonic_ns


def _blocks(spec: SimulationSpec, games: range, *, cut: int, halt: Halt) -> list[Block]:
    """What these games come to: one block, or with `cut` as many as a stopping rule may look at."""
    if any(player.command for player in spec.players):
        raise SpecError("a command of another machine cannot be played by a worker, only stored bots can")
    if any(player.archive for player in spec.players):
        check_limits(spec.limits)

    def program_of(player: SimulatedPlayer) -> Program:
        return _program(BotRef(name=player.name, archive=player.archive), halt)

    return play_chunk(spec, games.start, len(games), cut=cut, commands=program_of, halt=halt)


def _program(bot: BotRef, halt: Halt) -> Program:
    """What starts the bot on this host."""
    if bot.archive is None:
        raise SpecError(f"{bot.name} has no archive; only stored bots can be played by a worker")
    return _workshop().program(bot.archive, halt)


@cache
def _cores() -> Cores:
    settings = get_settings()
    return Cores(settings.cache_dir / "cores", settings.cores_dir, settings.match_cores)


@cache
def _workshop() -> BuildCache:
    settings = get_settings()
    cache = ArchiveCache(ArchiveStore(settings.archive_url), settings.cache_dir)
    return BuildCache(cache, settings.cache_dir / "builds", ByTrust, tuple(shlex.split(settings.bot_python)))


@cache
def _refusals() -> Refusals:
    return Refusals(get_settings().broker_url)


class _Reporter:
    """Sends word of one attempt to the trusted side; `heartbeat` is the task that takes its signs of life.

    When these are refused its `halt` is called.
    """

    def __init__(self, heartbeat: str, about: dict[str, Any], halt: Halt) -> None:
        self._heartbeat = heartbeat
        self._about = {**about, "host": socket.gethostname()}
        self._halt = halt
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
        """After each sign of life wait for its refusal, then for the time of the next one."""
        pause = get_settings().heartbeat_seconds
        for_answer = min(ANSWERED_WITHIN_SECONDS, pause)
        while not self._done.wait(for_answer):
            self._try(self._ask)
            if self._done.wait(pause - for_answer):
                return
            self._try(lambda: app.send_task(self._heartbeat, kwargs=self._about, retry=False))

    def _ask(self) -> None:
        if _refusals().refused(str(self._about["token"])):
            self._halt.call(UnwantedError("this attempt was cancelled or given out anew"))

    def _try(self, speak: Callable[[], object]) -> None:
        try:
            speak()
        except Exception as error:  # noqa: BLE001  (whatever befell the broker, the next time may get through)
            log.warning("the broker was not reached", error=str(error), **self._about)
