"""What a worker host does for the arena: take a piece of work of any kind, do it, say how it went.

The host tells the trusted side three things, each with the attempt and the token that it was given: that
the match is alive (`arena.heartbeat`), how it ended (`arena.record`), or that it could not be played
through no fault of a bot (`arena.lost`); and likewise of the others. What is listened to no more
is broken off.
"""

from __future__ import annotations

import atexit
import contextlib
import math
import shlex
import socket
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import structlog
from celery import Task, current_task
from celery.signals import worker_ready
from structlog.contextvars import bound_contextvars

from bots.reference import UnknownBotError, command
from bots.reference.ready import make_ready
from engines.game import GameError
from engines.solvers.tables import tables_dir
from workers import app as names
from workers.app import app
from workers.checks.contract import CheckSpec
from workers.checks.runner import check_bot
from workers.core import tracing
from workers.core.contract import BotRef, MatchSpec, Seat
from workers.core.errors import (
    SpecError,
    StoppedError,
    UnwantedError,
    in_words,
)
from workers.core.halt import Halt
from workers.core.settings import get_settings
from workers.host.calibration import speed
from workers.host.cores import Cores, spare_cores
from workers.host.live import LiveMoves, LiveSteps
from workers.host.presence import PRESENCE
from workers.host.reporting import Reporter
from workers.host.requeueing import RequeueingTask, Spec, queue_of
from workers.host.simulating import blocks_of, recorded
from workers.host.stopping import in_hand
from workers.play.analysis import analyse
from workers.play.kept import Room, SessionPool
from workers.play.match import play_match
from workers.play.pool import cpu_count
from workers.play.referee import game_of
from workers.play.turn import hint_after, play_turn
from workers.programs.archive_cache import ArchiveCache
from workers.programs.archive_store import ArchiveStore
from workers.programs.builds import BuildCache
from workers.programs.serving import (
    CHECKS,
    MATCHES,
    MOVES,
    REPEATS,
    REVIEWS,
    SCRIMMAGES,
    SIMULATIONS,
    SOLVES,
    TRAININGS,
    environments_in,
    named,
)
from workers.sandbox.confinement import Program, Startable
from workers.sandbox.levels import ByTrust
from workers.sandbox.slots import SLOTS, can_move_bots
from workers.sandbox.spares import Spares
from workers.simulation.chunks import clock_of
from workers.simulation.contract import RowOf, SimulationSpec
from workers.solving.contract import LeafSpec
from workers.solving.leaves import Leaves
from workers.training.contract import TrainingSpec
from workers.training.learner import Learner

MAX_IDLE, IDLE_MB, IDLE_SECONDS = 16, 512, 60.0
"""So many processes of reusable bots a worker keeps at most, with so much memory together, for so long."""
TIDY_SECONDS = 5.0
GIVING_WAY_SECONDS = 2.0
"""So soon an analysis, a position that is searched, or what is learned gives way: a chunk takes no longer."""

log = structlog.get_logger()


@worker_ready.connect  # type: ignore[untyped-decorator]  # Celery ships no types
def _keep_tidy(sender: Any, **_: Any) -> None:
    """Have what waits too long for a match ended, in the thread of the tasks, between two of them.

    All of it ends with the worker, which by now has a folder that is removed after that.
    """
    atexit.register(_end)
    sender.timer.call_repeatedly(TIDY_SECONDS, _tidy)


def _tidy() -> None:
    _kept().tidy()
    _spares().tidy()
    _leaves().tidy()
    _learner().tidy()


def _end() -> None:
    _learner().close()
    _kept().close()
    _spares().close()


class _Kind(NamedTuple):
    """A kind of work, and the tasks that take word of it: that it is alive, how it ended, or did not.

    It says that it is alive every `most_seconds` at least, as it may hear only then that it is to give way.
    """

    name: str
    heartbeat: str
    done: str
    lost: str
    most_seconds: float = math.inf


def _task(name: str, asks: type[Spec]) -> Callable[[Callable[..., None]], Task]:
    """Make a function the task of that name, whose `spec` is of the type `asks`."""
    make: Callable[[Callable[..., None]], Task] = app.task(name=name, base=RequeueingTask, asks=asks)
    return make


@_task(names.PLAY, asks=MatchSpec)
def play(spec: dict[str, Any], attempt: int, token: str) -> None:
    """Play one match and report; never raises for anything that a bot or a spec can be."""
    about = {"match": str(spec.get("match", "")), "attempt": attempt, "token": token}
    _play(_Kind(MATCHES, names.HEARTBEAT, names.RECORD, names.LOST), spec, about)


@_task(names.SCRIMMAGE, asks=MatchSpec)
def scrimmage(spec: dict[str, Any], attempt: int, token: str) -> None:
    """The same of one game of a scrimmage."""
    about = {"game": str(spec.get("match", "")), "attempt": attempt, "token": token}
    _play(
        _Kind(SCRIMMAGES, names.SCRIMMAGE_HEARTBEAT, names.SCRIMMAGE_PLAYED, names.SCRIMMAGE_LOST),
        spec,
        about,
    )


@_task(names.REPEAT, asks=MatchSpec)
def repeat(spec: dict[str, Any], attempt: int, token: str) -> None:
    """The same of a match that another host has played."""
    about = {"repeat": str(spec.get("match", "")), "attempt": attempt, "token": token}
    _play(_Kind(REPEATS, names.REPEAT_HEARTBEAT, names.REPEATED, names.REPEAT_LOST), spec, about)


def _play(kind: _Kind, spec: dict[str, Any], about: dict[str, Any]) -> None:
    def work(halt: Halt) -> dict[str, Any]:
        checked = MatchSpec.model_validate(spec)
        programs = _program(checked.bots[0], halt), _program(checked.bots[1], halt)
        kept = _kept()  # before this thread is kept on one core
        pool = kept if checked.reuse and can_move_bots() else None
        live = _live_moves()  # likewise: the thread that tells moves
        with live.of(about["token"]) as moves, _on_a_core(halt):
            result = play_match(checked, programs, pool=pool, confinement=kept, halt=halt, moves=moves)
        return {"result": result.model_copy(update={"host_speed": speed()}).model_dump(mode="json")}

    _do(kind, about, work)
    with spare_cores(get_settings().match_cores):
        _spares().replenish()


@_task(names.MOVE, asks=MatchSpec)
def move(spec: dict[str, Any], seat: Seat | None, attempt: int, token: str) -> None:
    """Have the bot at `seat` play its turn against a person and report; or find out what is best there."""

    def work(halt: Halt) -> dict[str, Any]:
        checked = MatchSpec.model_validate(spec)
        program, kept = None if seat is None else _player(checked, seat, halt), _kept()
        reuse = checked.reuse and can_move_bots()
        with _on_a_core(halt):
            if seat is None or program is None:
                return {"result": {"hint": hint_after(checked, halt=halt)}}
            result = play_turn(checked.model_copy(update={"reuse": reuse}), seat, program, kept, halt)
        return {"result": {"turn": result.model_dump(mode="json")}}

    about = {"turn": str(spec.get("match", "")), "attempt": attempt, "token": token}
    _do(_Kind(MOVES, names.MOVE_HEARTBEAT, names.MOVED, names.MOVE_LOST), about, work)


@_task(names.REVIEW, asks=MatchSpec)
def review(spec: dict[str, Any], attempt: int, token: str) -> None:
    """Judge the game that is the opening of a spec by exact solutions, and report."""

    def work(halt: Halt) -> dict[str, Any]:
        checked = MatchSpec.model_validate(spec)
        with _on_a_core(halt):
            found = analyse(checked, halt)
        return {"result": found.model_dump(mode="json")}

    about = {"analysis": str(spec.get("match", "")), "attempt": attempt, "token": token}
    kind = _Kind(REVIEWS, names.REVIEW_HEARTBEAT, names.REVIEWED, names.REVIEW_LOST, GIVING_WAY_SECONDS)
    _do(kind, about, work)


@_task(names.CHECK, asks=CheckSpec)
def check(spec: dict[str, Any], attempt: int, token: str) -> None:
    """Check one bot and report; never raises for anything that a bot or a spec can be."""

    def work(halt: Halt) -> dict[str, Any]:
        checked = CheckSpec.model_validate(spec)
        settings = get_settings()
        with (
            spare_cores(settings.match_cores),
            contextlib.closing(LiveSteps(settings.broker_url, token)) as live,
        ):
            exactly = environments_in(queue_of(current_task))
            report = check_bot(checked, _build_cache(), told=live.tell, halt=halt, exactly=exactly)
        return {"report": report.model_dump(mode="json")}

    about = {"check": str(spec.get("check", "")), "attempt": attempt, "token": token}
    _do(_Kind(CHECKS, names.CHECK_HEARTBEAT, names.CHECKED, names.CHECK_LOST), about, work)


@_task(names.SIMULATE, asks=SimulationSpec)
def simulate(
    *, spec: dict[str, Any], start: int, count: int, cut: int, columns: str | None = None, **attempt: Any
) -> None:
    """Play one chunk of an experiment and report; never raises for anything that a spec can be.

    The blocks end at multiples of `cut`, 0 for one block; `attempt` names the experiment, the attempt and its
    token. With `columns` the games are recorded, a row a game or a ply.
    """

    def work(halt: Halt) -> dict[str, Any]:
        checked = SimulationSpec.model_validate(spec)
        clock = clock_of(checked)
        began = clock()
        games = range(start, start + count)
        if columns is None:
            blocks = blocks_of(checked, games, _program, cut=cut, halt=halt)
        else:
            blocks = recorded(checked, games, RowOf(columns), attempt["experiment"], cut=cut, halt=halt)
        told = [block.model_dump(mode="json") for block in blocks]
        return {"blocks": told, "elapsed_ns": clock() - began}

    kind = _Kind(SIMULATIONS, names.CHUNK_HEARTBEAT, names.CHUNK, names.CHUNK_LOST)
    _do(kind, {"start": start, **attempt}, work)


@_task(names.SOLVE, asks=LeafSpec)
def solve(*, spec: dict[str, Any], **attempt: Any) -> None:
    """Search a position of a game that is being solved and report; `attempt` says of which solve and leaf."""

    def work(halt: Halt) -> dict[str, Any]:
        checked = LeafSpec.model_validate(spec)
        with _on_a_core(halt):
            found = _leaves().search(checked, attempt["solve"], halt)
        return {"answer": found.model_dump(mode="json")}

    _do(_Kind(SOLVES, names.LEAF_HEARTBEAT, names.LEAF, names.LEAF_LOST, GIVING_WAY_SECONDS), attempt, work)


@_task(names.TRAIN, asks=TrainingSpec)
def train(*, spec: dict[str, Any], **attempt: Any) -> None:
    """Play, fit or compare for a player that is learned and report; `attempt` says of which training."""

    def work(halt: Halt) -> dict[str, Any]:
        checked = TrainingSpec.model_validate(spec)
        with _on_a_core(halt):
            found = _learner().learn(checked, halt)
        return {"answer": found.model_dump(mode="json")}

    kind = _Kind(TRAININGS, names.TRAINING_HEARTBEAT, names.TRAINED, names.TRAINING_LOST, GIVING_WAY_SECONDS)
    _do(kind, attempt, work)


@contextlib.contextmanager
def _on_a_core(halt: Halt) -> Iterator[None]:
    """Keep this thread on a core of its own, and tell which that is."""
    with _cores().reserved(halt) as core:
        if PRESENCE.doing:
            PRESENCE.doing.core = core
        yield


def _do(kind: _Kind, about: dict[str, Any], work: Callable[[Halt], dict[str, Any]]) -> None:
    """Do a piece of work and report what came of it, or why nothing did.

    Where nobody wants it any more nothing is reported: it would be refused. What waits for a match is tidied
    first, since no timer of the worker's goes off while it is at work.
    """
    _tidy()
    names, attempt = named(kind.name, about), about["attempt"]
    name, what = next(iter(names.items()))
    at_work, bound = (
        PRESENCE.at_work(kind.name, what, attempt),
        bound_contextvars(attempt=attempt, **{name: what}),
    )
    with (
        at_work,
        bound,
        in_hand() as halt,
        Reporter(kind.heartbeat, about, halt, kind.most_seconds).beating() as report,
    ):
        try:
            told_of = {**names, "attempt": attempt, "host": socket.gethostname()}
            place = tracing.Place(about["token"], parts=kind.name != SIMULATIONS)  # or a part for every game
            with tracing.span(f"do {name}", told_of, place):
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


def _player(spec: MatchSpec, seat: Seat, halt: Halt) -> Startable:
    """The program at `seat`: a stored bot, or a reference bot of this installation by its name (`@perfect`).

    A table that the latter looks its moves up in is made now, where it is not there yet.
    """
    bot = spec.bots[seat]
    if bot.archive is not None:
        return _program(bot, halt)
    text, game = bot.name.removeprefix("@"), game_of(spec)
    try:
        make_ready(text, game)
        return command(text, tables_dir())
    except (GameError, UnknownBotError) as error:
        raise SpecError(str(error)) from error


def _program(bot: BotRef, halt: Halt) -> Program:
    """What starts the bot on this host."""
    if bot.archive is None:
        raise SpecError(f"{bot.name} has no archive; only stored bots can be played by a worker")
    with tracing.span("build"):
        return _build_cache().program(bot.archive, halt, environments_in(queue_of(current_task)))


@cache
def _cores() -> Cores:
    settings = get_settings()
    return Cores(settings.cache_dir / "cores", settings.cores_dir, settings.match_cores)


@cache
def _spares() -> Spares:
    """The sandboxes that wait for the bots that have played here."""
    return Spares(ByTrust(), _most_idle(), IDLE_SECONDS)


@cache
def _kept() -> SessionPool:
    """The processes of reusable bots that wait for their next match."""
    return SessionPool(_spares(), Room(_most_idle(), IDLE_MB, IDLE_SECONDS))


def _most_idle() -> int:
    """So many of each that with a worker for each core at most half of the host's slots go to them.

    On a host with more cores than that none waits.
    """
    return min(MAX_IDLE, SLOTS // (4 * cpu_count()))


@cache
def _build_cache() -> BuildCache:
    settings = get_settings()
    cache = ArchiveCache(ArchiveStore(settings.archive_url), settings.cache_dir)
    return BuildCache(cache, settings.cache_dir / "builds", ByTrust, tuple(shlex.split(settings.bot_python)))


@cache
def _leaves() -> Leaves:
    """The table in which positions of the last solve are known."""
    return Leaves()


@cache
def _learner() -> Learner:
    """The process that learns, and what it was given."""
    return Learner(lambda: ArchiveStore(get_settings().archive_url))


@cache
def _live_moves() -> LiveMoves:
    return LiveMoves(get_settings().broker_url)
