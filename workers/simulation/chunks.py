"""Any chunk of a simulation's games, played in the fastest way that there is for its players."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from engines.game import Game
from engines.games import find_row
from engines.kernels import Kernel, find_kernel
from engines.plugin import Compiled, load
from workers.core.halt import Halt
from workers.simulation.contract import CHECK_EVERY, Block, SimulationSpec, Tally
from workers.simulation.parts import Parts, PartWriter
from workers.simulation.plain import PlainPath, game_of
from workers.simulation.refereed import Commands, RefereedPath, refuse_archives

RECORDED_CHUNK = 4_000
"""Games whose moves are kept: megabytes of them."""

REFEREED_CHUNK = 4

COMPILED_PART, PLAIN_PART, REFEREED_PART = 1 << 18, 1 << 12, 1 << 8
"""Games of a part: some megabytes by kernel; elsewhere few enough to be shared out and to be played again."""


def suggested_chunk(spec: SimulationSpec) -> int:
    """A good number of games for a chunk, always even: at least about 0.1 s of work, at most some seconds.

    It is judged by the players' names alone, so that whoever only hands out chunks compiles nothing.
    """
    if any(player.strategy is None for player in spec.players):
        return REFEREED_CHUNK
    kernel = _foreseen_kernel(spec)
    if kernel is None:
        return find_row(spec.game.name).plain
    if spec.record_games:
        return RECORDED_CHUNK
    return kernel.random if _names(spec) == {"random"} else kernel.thinking


def games_in_part(spec: SimulationSpec) -> int:
    """How many games a part of a recording has: it follows from the spec, not from who plays it."""
    if any(player.strategy is None for player in spec.players):
        return REFEREED_PART
    return PLAIN_PART if _foreseen_kernel(spec) is None else COMPILED_PART


def _names(spec: SimulationSpec) -> set[str]:
    return {str(player.strategy).partition(":")[0] for player in spec.players}


def _foreseen_kernel(spec: SimulationSpec) -> Compiled | None:
    """The kernel that has both players by name, if there is one, as far as names and parameters tell."""
    names, kernel = _names(spec), find_row(spec.game.name).kernel
    if spec.openings or kernel is None:
        return None
    if names == {"random"}:
        return kernel
    together = any(names <= players for players in kernel.together)
    fits = together and (kernel.fits is None or bool(load(kernel.fits)(game_of(spec))))
    return kernel if fits else None


def play_chunk(
    spec: SimulationSpec,
    start: int,
    count: int,
    *,
    cut: int = CHECK_EVERY,
    commands: Commands = refuse_archives,
    plain: bool = False,
    halt: Halt | None = None,
    as_lines: bool = False,
    parts: Parts | None = None,
) -> list[Block]:
    """The games from index `start` on, `count` of them, in order.

    The blocks end at the multiples of `cut`, so that a stopping rule can look there; 0 makes it one block.
    `commands` is asked for what starts a player that is an archive. With `plain` no kernel is used; nothing
    but the speed depends on it. `as_lines` has recorded games come as lines, in `Block.written`; with `parts`
    they are written there instead, as the part that begins with `start`.

    Raises:
        ValueError: the games are not all in the simulation, or a pair of games would be torn apart.
        GameError, SpecError: the game, a player or an opening is impossible.
        LaunchError: a bot's process cannot be started.
        HaltError: `halt` broke games of bots off.
        MissingParquetError: `parts` are asked for, and pyarrow is not installed.
    """
    if start < 0 or count < 1 or start + count > spec.games:
        raise ValueError(f"games {start} to {start + count - 1} are not all among {spec.games}")
    if spec.swap and start % 2:
        raise ValueError(f"a chunk begins with an even index where seats are swapped, not with {start}")
    borders = [start, *_cuts(start, start + count, cut), start + count]
    way = _Way(commands, halt, plain, as_lines)
    if parts is None:
        return list(_played(spec, borders, way))
    with PartWriter(parts, spec, game_of(spec), start) as writer:
        return list(_played(spec, borders, way._replace(writer=writer)))


class _Way(NamedTuple):
    """How a chunk is played, and what becomes of its games where they are recorded."""

    commands: Commands
    halt: Halt | None
    plain: bool
    as_lines: bool
    writer: PartWriter | None = None


def _played(spec: SimulationSpec, borders: list[int], way: _Way) -> Iterator[Block]:
    """A block between each two of `borders`."""
    game = game_of(spec)
    if any(player.strategy is None for player in spec.players):
        with RefereedPath(spec, game, way.commands, way.halt) as path:
            yield from _one_by_one(path.block, borders, way)
        return
    kernel = None if way.plain else kernel_of(spec, game)
    if kernel is None:
        yield from _one_by_one(PlainPath(spec, game).block, borders, way)
        return
    from workers.simulation.compiled import CompiledPath  # noqa: PLC0415 - where there is no kernel, no NumPy

    yield from CompiledPath(spec, game, kernel, as_lines=way.as_lines, writer=way.writer).blocks(borders)


def _one_by_one(block_of: Callable[[int, int], Block], borders: list[int], way: _Way) -> Iterator[Block]:
    for first, last in pairwise(borders):
        if way.writer is not None:
            yield _added(block_of, first, last, way.writer)
        else:
            block = block_of(first, last - first)
            yield _written(block) if way.as_lines else block


def _added(block_of: Callable[[int, int], Block], first: int, last: int, writer: PartWriter) -> Block:
    """The block of these games, which go to `writer` as they are played: few of them are in memory."""
    tally = Tally()
    for start, end in pairwise([first, *_cuts(first, last, PLAIN_PART), last]):
        piece = block_of(start, end - start)
        writer.add_lines(piece.games)
        tally += piece.tally
    return Block(start=first, count=last - first, tally=tally)


def _written(block: Block) -> Block:
    """The block with its games as lines."""
    lines = b"".join(line.model_dump_json().encode() + b"\n" for line in block.games)
    return block.model_copy(update={"games": (), "written": lines})


def _cuts(start: int, end: int, cut: int) -> range:
    return range((start // cut + 1) * cut, end, cut) if cut else range(0)


def kernel_of(spec: SimulationSpec, game: Game[Any]) -> Kernel | None:
    """The kernel that plays the games of `spec`, None if there is none, or they have openings.

    Raises:
        StrategyError: one of the two is no player of this game.
    """
    first, second = (player.strategy for player in spec.players)
    if first is None or second is None or spec.openings:
        return None
    return find_kernel(game, first, second)


def clock_of(spec: SimulationSpec) -> Callable[[], int]:
    """What measures a chunk in nanoseconds: processor time, or the clock where bots' processes play.

    So a busy machine does not make chunks shorter, whose messages cost as much as those of long ones.
    """
    in_process = all(player.strategy for player in spec.players)
    return time.thread_time_ns if in_process else time.monotonic_ns
