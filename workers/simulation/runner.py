"""A whole simulation on this machine: chunks on all cores, put together in the order of the games.

Kernels release the interpreter, so they play in threads; whatever else there is plays in processes.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from functools import partial
from typing import Final, NamedTuple

from workers.core.errors import WorkerError
from workers.play.pool import breakable, cpu_count, interrupts, processes, threads
from workers.simulation.chunks import games_in_part, kernel_of, play_chunk
from workers.simulation.contract import CHECK_EVERY, Block, SimulationSpec, Tally
from workers.simulation.journal import Journal
from workers.simulation.parts import Parts
from workers.simulation.plain import PlainPath, game_of
from workers.simulation.plan import LARGEST_CHUNK, Plan
from workers.simulation.prefix import Prefix, Stop

AHEAD: Final = 2
"""Chunks given to the pool for each of its members, so that none waits for work."""

CUTS_IN_CHUNK: Final = 200
"""Blocks of a chunk, where a stopping rule looks at each of them."""

LOOK_SECONDS: Final = 0.1
"""How often it is looked whether the run was interrupted."""


class BrokenOffError(WorkerError):
    """A process that played was killed; whatever had come in before is in the journal."""


class Totals(NamedTuple):
    """What a simulation came to. `stopped` says that its stopping rule ended it before the last game."""

    tally: Tally
    stopped: bool


Watch = Callable[[Tally, int], None]
"""Told, when a chunk has come in, of the games without a gap and of the number of all that were played."""

OnLines = Callable[[bytes], None]
"""Given the games in order, where the spec asks for them: lines of JSON, a `GameLine` each."""

Timed = tuple[list[Block], float]
"""A chunk's blocks, and the seconds that they took."""


def simulate(
    spec: SimulationSpec,
    *,
    jobs: int | None = None,
    chunk: int | None = None,
    stop: Stop | None = None,
    every: int = CHECK_EVERY,
    journal: Journal | None = None,
    watch: Watch | None = None,
    on_lines: OnLines | None = None,
    parts: Parts | None = None,
    plain: bool = False,
) -> Totals:
    """Play the games of `spec`, at most `jobs` chunks at once (default: one a core).

    `chunk` is the number of games in one (default: what takes about half a second). The outcome depends on
    neither, nor on `plain`, which forgoes kernels. With `stop` it ends early, after the first multiple of
    `every` games that is enough; with `journal` it goes on from there. With `parts` each chunk is one of
    them, which have a size of their own; where it ends early, the last has games beyond the end.

    Raises:
        ValueError, GameError, SpecError: `chunk` beside `parts`; an impossible game, player or opening.
        LaunchError, BrokenOffError, OSError: a bot cannot be started, or was killed; a file is not written.
        KeyboardInterrupt: on Ctrl-C and SIGTERM, once nothing plays any more and the journal is written.
    """
    prefix = journal.load(stop, every) if journal else Prefix(stop=stop, every=every)
    members, size = jobs or cpu_count(), _size(spec, chunk, parts)
    plan = Plan(spec, prefix, members, size, CUTS_IN_CHUNK * every if stop else LARGEST_CHUNK)
    play = partial(_timed_chunk, spec, cut=every if stop else 0, plain=plain, parts=parts)
    handed_on = prefix.tally
    try:
        with _pool(spec, members, plain=plain) as pool, interrupts() as interrupted:
            for blocks in _results(pool, play, plan, AHEAD * members, interrupted):
                for block in blocks:
                    _hand_on(prefix.add(block), on_lines, journal)
                    handed_on = prefix.tally
                if watch:
                    watch(prefix.tally, prefix.games + sum(each.count for each in prefix.waiting.values()))
                if journal:
                    journal.save(prefix)
                if prefix.stopped:
                    break
    except BrokenProcessPool:
        raise BrokenOffError("a process that played was killed, by a bot or from outside") from None
    finally:
        if journal:  # games that nobody could write down are played again
            journal.save(prefix if prefix.tally is handed_on else Prefix(handed_on), now=True)
    if journal:
        journal.finish()
    return Totals(prefix.tally, prefix.stopped and prefix.games < spec.games)


def _size(spec: SimulationSpec, chunk: int | None, parts: Parts | None) -> int | None:
    """How many games a chunk has, if that is fixed."""
    if chunk and parts:
        raise ValueError("parts have a size of their own: give no chunk with them")
    return games_in_part(spec) if parts else chunk


def _pool(spec: SimulationSpec, members: int, *, plain: bool) -> AbstractContextManager[Executor]:
    """The pool that suits; what can be known to be wrong beforehand is raised here."""
    game = game_of(spec)
    if any(player.strategy is None for player in spec.players):
        return processes(members)
    if not plain and kernel_of(spec, game) is not None:
        play_chunk(spec, 0, min(2, spec.games))  # compiles, and prepares players, once for all threads
        return threads(members)
    PlainPath(spec, game)
    return threads(members) if members == 1 else processes(members)


def _results(
    pool: Executor, play: Callable[[int, int], Timed], plan: Plan, ahead: int, interrupted: threading.Event
) -> Iterator[list[Block]]:
    """The blocks of every chunk as it comes in, at most `ahead` of them being played or about to be."""
    playing: set[Future[Timed]] = set()
    while True:
        while len(playing) < ahead and (chunk := plan.next()) is not None:
            playing.add(pool.submit(play, *chunk))
        if not playing:
            return
        done, playing = wait(playing, LOOK_SECONDS, FIRST_COMPLETED)
        for future in done:
            blocks, seconds = future.result()
            plan.took(sum(block.count for block in blocks), seconds)
            yield blocks
        if interrupted.is_set():
            raise KeyboardInterrupt


def _hand_on(joined: list[Block], on_lines: OnLines | None, journal: Journal | None) -> None:
    if on_lines is not None:
        for block in joined:
            on_lines(block.written)
    if journal is not None:
        journal.hand_on(joined)


def _timed_chunk(
    spec: SimulationSpec, start: int, count: int, *, cut: int, plain: bool, parts: Parts | None
) -> Timed:
    began = time.perf_counter()
    with breakable():
        blocks = play_chunk(spec, start, count, cut=cut, plain=plain, as_lines=parts is None, parts=parts)
    return blocks, time.perf_counter() - began
