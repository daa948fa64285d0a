"""Any chunk of a simulation's games, played in the fastest way that there is for its players."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from engines.game import Game
from engines.kernels import Kernel, find_kernel
from workers.simulation.contract import CHECK_EVERY, Block, SimulationSpec
from workers.simulation.plain import PlainPath, game_of
from workers.simulation.refereed import Commands, RefereedPath, refuse_archives

COMPILED_CHUNKS = {
    "circle_nim": 2_000_000,
    "heap_nim": 2_000_000,
    "l_game": 50_000,
    "reversed_reversi": 500_000,
    "rhombic_chess": 50_000,
}
"""Random games by kernel that take some tenths of a second, by game."""

PLAIN_CHUNKS = {"circle_nim": 10_000, "heap_nim": 20_000}
"""Games move by move that take some tenths of a second, by game; of the others, `PLAIN_CHUNK`."""

THINKING_CHUNK = 200_000
PLAIN_CHUNK = 200
RECORDED_CHUNK = 1_000
REFEREED_CHUNK = 4


def suggested_chunk(spec: SimulationSpec) -> int:
    """A good number of games for a chunk, always even: at least about 0.1 s of work, at most some seconds.

    It is judged by the players' names alone, so that whoever only hands out chunks compiles nothing.
    """
    if any(player.strategy is None for player in spec.players):
        return REFEREED_CHUNK
    names = {str(player.strategy).partition(":")[0] for player in spec.players}
    compiled = not spec.openings and (
        names == {"random"} or (spec.game.name == "circle_nim" and "perfect" not in names)
    )
    if not compiled:
        return PLAIN_CHUNKS.get(spec.game.name, PLAIN_CHUNK)
    if spec.record_games:
        return RECORDED_CHUNK
    return COMPILED_CHUNKS.get(spec.game.name, PLAIN_CHUNK) if names == {"random"} else THINKING_CHUNK


def play_chunk(
    spec: SimulationSpec,
    start: int,
    count: int,
    *,
    cut: int = CHECK_EVERY,
    commands: Commands = refuse_archives,
    plain: bool = False,
) -> list[Block]:
    """The games from index `start` on, `count` of them, in order.

    The blocks end at the multiples of `cut`, so that a stopping rule can look there; 0 makes it one block.
    `commands` is asked for what starts a player that is an archive. With `plain` no kernel is used; nothing
    but the speed depends on it.

    Raises:
        ValueError: the games are not all in the simulation, or a pair of games would be torn apart.
        GameError, SpecError: the game, a player or an opening is impossible.
        LaunchError: a bot's process cannot be started.
    """
    if start < 0 or count < 1 or start + count > spec.games:
        raise ValueError(f"games {start} to {start + count - 1} are not all among {spec.games}")
    if spec.swap and start % 2:
        raise ValueError(f"a chunk begins with an even index where seats are swapped, not with {start}")
    borders = [start, *_cuts(start, start + count, cut), start + count]
    if any(player.strategy is None for player in spec.players):
        with RefereedPath(spec, game_of(spec), commands) as path:
            return [path.block(first, last - first) for first, last in pairwise(borders)]
    return list(_in_process(spec, borders, plain=plain))


def _cuts(start: int, end: int, cut: int) -> range:
    return range((start // cut + 1) * cut, end, cut) if cut else range(0)


def _in_process(spec: SimulationSpec, borders: list[int], *, plain: bool) -> Iterator[Block]:
    game = game_of(spec)
    kernel = None if plain else kernel_of(spec, game)
    if kernel is not None:
        from workers.simulation.compiled import CompiledPath  # noqa: PLC0415 - where there is no kernel, no NumPy

        return CompiledPath(spec, game, kernel).blocks(borders)
    path = PlainPath(spec, game)
    return (path.block(first, last - first) for first, last in pairwise(borders))


def kernel_of(spec: SimulationSpec, game: Game[Any]) -> Kernel | None:
    """The kernel that plays the games of `spec`, None if there is none, or they have openings.

    Raises:
        StrategyError: one of the two is no player of this game.
    """
    first, second = (player.strategy for player in spec.players)
    if first is None or second is None or spec.openings:
        return None
    return find_kernel(game, first, second)
