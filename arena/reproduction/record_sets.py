"""Playing the algorithms of circle Nim with many sets of records, for a set decides a good deal by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from arena.reproduction.effort import Effort
from engines.stream import derive
from workers.core.contract import GameSpec
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import SimulatedPlayer, SimulationSpec

RANDOM = "random"


class Cell(NamedTuple):
    """One cell of a table: who begins with how many rows, against random."""

    rows: int
    algorithm: int
    records: int

    @property
    def key(self) -> str:
        """The cell in a word."""
        return f"algo{self.algorithm}-{self.rows}-{self.records}"


class Sets(NamedTuple):
    """Games that the first player won, one number a record set, each of `games` games."""

    wins: tuple[int, ...]
    games: int


def first_wins(spec: SimulationSpec) -> int:
    """Games of a simulation that players[0] won, played in this process."""
    blocks = play_chunk(spec, 0, spec.games, cut=0)
    return sum(block.tally.wins_draws_losses[0] for block in blocks)


@dataclass(frozen=True)
class Where:
    """What decides all games, how many simulations run at a time, and where: `wins` plays one.

    `wins` gives the games that players[0] won. All ways to play give the same numbers.
    """

    seed: int
    jobs: int
    wins: Callable[[SimulationSpec], int] = first_wins


def play_sets(
    cells: Iterable[Cell], effort: Effort, where: Where, advance: Callable[[], None]
) -> dict[Cell, Sets]:
    """The record sets of every cell; `advance` is called once a cell. Equal seeds give equal numbers."""
    pool = ThreadPoolExecutor(where.jobs)
    try:
        return dict(_played(pool, cells, effort, where, advance))
    finally:
        pool.shutdown(cancel_futures=True)  # a Ctrl-C does not wait for what has not begun


def _played(
    pool: ThreadPoolExecutor, cells: Iterable[Cell], effort: Effort, where: Where, advance: Callable[[], None]
) -> Iterator[tuple[Cell, Sets]]:
    for cell in cells:
        specs = [
            _with_records(cell, number, effort.set_games, where.seed) for number in range(effort.record_sets)
        ]
        wins = tuple(pool.map(where.wins, specs))
        advance()
        yield cell, Sets(wins, effort.set_games)


def _with_records(cell: Cell, number: int, games: int, seed: int) -> SimulationSpec:
    records_seed = derive("reproduction records", seed, cell.key, number)
    player = f"algo{cell.algorithm}:{cell.records}:{records_seed}"
    return _simulation(cell.rows, player, games, derive("reproduction", seed, cell.key), number)


def random_runs(rows: int, games: int, runs: int, where: Where) -> tuple[int, ...]:
    """Games that the side that begins won in so many runs of random against random."""
    key = derive("reproduction", where.seed, f"random-{rows}-{games}")
    return tuple(where.wins(_simulation(rows, RANDOM, games, key, run)) for run in range(runs))


def _simulation(rows: int, first: str, games: int, seed: int, match: int) -> SimulationSpec:
    return SimulationSpec(
        game=GameSpec(name="circle_nim", params={"rows": rows}),
        players=(SimulatedPlayer(name=first, strategy=first), SimulatedPlayer(name=RANDOM, strategy=RANDOM)),
        games=games,
        seed=seed,
        match=match,
    )
