"""Any chunk of a simulation's games, played in the fastest way that there is for its players."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from engines.game import Game
from engines.games import find_row
from engines.kernels import Kernel, find_kernel
from engines.plugin import Compiled, load
from workers.core.halt import Halt
from workers.simulation.contract import CHECK_EVERY, Block, SimulationSpec
from workers.simulation.plain import PlainPath, game_of
from workers.simulation.refereed import Commands, RefereedPath, refuse_archives

RECORDED_CHUNK = 4_000
"""Games whose moves are kept: megabytes of them."""

REFEREED_CHUNK = 4


def suggested_chunk(spec: SimulationSpec) -> int:
    """A good number of games for a chunk, always even: at least about 0.1 s of work, at most some seconds.

    It is judged by the players' names alone, so that whoever only hands out chunks compiles nothing.
    """
    if any(player.strategy is None for player in spec.players):
        return REFEREED_CHUNK
    names = {str(player.strategy).partition(":")[0] for player in spec.players}
    row = find_row(spec.game.name)
    if spec.openings or row.kernel is None or not _are_compiled(spec, row.kernel, names):
        return row.plain
    if spec.record_games:
        return RECORDED_CHUNK
    return row.kernel.random if names == {"random"} else row.kernel.thinking


def _are_compiled(spec: SimulationSpec, kernel: Compiled, names: set[str]) -> bool:
    """Whether `kernel` has players of these `names` play, as far as names and parameters tell."""
    if names == {"random"}:
        return True
    together = any(names <= players for players in kernel.together)
    return together and (kernel.fits is None or bool(load(kernel.fits)(game_of(spec))))


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
) -> list[Block]:
    """The games from index `start` on, `count` of them, in order.

    The blocks end at the multiples of `cut`, so that a stopping rule can look there; 0 makes it one block.
    `commands` is asked for what starts a player that is an archive. With `plain` no kernel is used; nothing
    but the speed depends on it. `as_lines` has recorded games come as lines, in `Block.written`.

    Raises:
        ValueError: the games are not all in the simulation, or a pair of games would be torn apart.
        GameError, SpecError: the game, a player or an opening is impossible.
        LaunchError: a bot's process cannot be started.
        HaltError: `halt` broke games of bots off.
    """
    if start < 0 or count < 1 or start + count > spec.games:
        raise ValueError(f"games {start} to {start + count - 1} are not all among {spec.games}")
    if spec.swap and start % 2:
        raise ValueError(f"a chunk begins with an even index where seats are swapped, not with {start}")
    borders = [start, *_cuts(start, start + count, cut), start + count]
    if any(player.strategy is None for player in spec.players):
        with RefereedPath(spec, game_of(spec), commands, halt) as path:
            blocks = [path.block(first, last - first) for first, last in pairwise(borders)]
            return list(map(_written, blocks)) if as_lines else blocks
    return list(_in_process(spec, borders, plain=plain, as_lines=as_lines))


def _written(block: Block) -> Block:
    """The block with its games as lines."""
    lines = b"".join(line.model_dump_json().encode() + b"\n" for line in block.games)
    return block.model_copy(update={"games": (), "written": lines})


def _cuts(start: int, end: int, cut: int) -> range:
    return range((start // cut + 1) * cut, end, cut) if cut else range(0)


def _in_process(spec: SimulationSpec, borders: list[int], *, plain: bool, as_lines: bool) -> Iterator[Block]:
    game = game_of(spec)
    kernel = None if plain else kernel_of(spec, game)
    if kernel is not None:
        from workers.simulation.compiled import CompiledPath  # noqa: PLC0415 - where there is no kernel, no NumPy

        return CompiledPath(spec, game, kernel, as_lines=as_lines).blocks(borders)
    path = PlainPath(spec, game)
    blocks = (path.block(first, last - first) for first, last in pairwise(borders))
    return map(_written, blocks) if as_lines else blocks


def kernel_of(spec: SimulationSpec, game: Game[Any]) -> Kernel | None:
    """The kernel that plays the games of `spec`, None if there is none, or they have openings.

    Raises:
        StrategyError: one of the two is no player of this game.
    """
    first, second = (player.strategy for player in spec.players)
    if first is None or second is None or spec.openings:
        return None
    return find_kernel(game, first, second)
