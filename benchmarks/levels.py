"""How far apart the levels of a game are: `python -m benchmarks.levels [GAME ...]`.

Each level plays those up to three above it, in both seats. The strengths are those of
`arena.theory.rating.fit`, in Elo, level 1 at 0. `--candidates random,mcts:2,mcts:4` measures those instead,
to choose levels from.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Sequence
from typing import NamedTuple

from arena.theory.rating.counts import Counts, Pair
from arena.theory.rating.fit import fit
from engines.games import GAMES, find_game, find_row
from engines.strategies import find_strategy
from workers.core.contract import GameSpec, Policy
from workers.play.policy import policy_of
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import SimulatedPlayer, SimulationSpec, Tally

ABOVE = 3
ELO = 400 / math.log(10)


class Measured(NamedTuple):
    """A player's strength and its standard error, in Elo, and the processor time of a move of its games."""

    player: str
    elo: float
    error: float
    seconds: float


def played(game: GameSpec, players: tuple[str, str], games: int, seed: int) -> Tally:
    """So many games between two players, seats exchanged after each."""
    rules = find_game(game.name, game.params)
    first, second = (SimulatedPlayer(name=f"{at}", strategy=each) for at, each in enumerate(players))
    spec = SimulationSpec(
        game=game,
        players=(first, second),
        games=games,
        seed=seed,
        swap=True,
        policy=policy_of(rules, Policy()),
    )
    (block,) = play_chunk(spec, 0, games, cut=0)
    return block.tally


def measured(game: GameSpec, players: Sequence[str], games: int, seed: int) -> list[Measured]:
    """The strengths of players, the first one's at 0."""
    pairs, seconds = [], [[0.0, 0] for _ in players]
    for one in range(len(players)):
        for other in range(one + 1, min(one + 1 + ABOVE, len(players))):
            begun = time.process_time()
            tally = played(game, (players[one], players[other]), games, seed)
            cost = time.process_time() - begun
            pairs += [Pair(one, other, *tally.results[0]), Pair(other, one, *tally.results[1])]
            for each in (one, other):
                seconds[each][0] += cost
                seconds[each][1] += tally.plies
    found = fit(Counts.of(len(players), pairs))
    return [
        Measured(
            player,
            ELO * float(found.strengths[at] - found.strengths[0]),
            ELO * math.sqrt(float(_variance(found.covariance, at))),
            seconds[at][0] / max(seconds[at][1], 1),
        )
        for at, player in enumerate(players)
    ]


def _variance(covariance: object, at: int) -> float:
    """That of the difference to the first."""
    table = [list(row) for row in covariance]  # type: ignore[attr-defined]  # an array
    return float(table[at][at] + table[0][0] - 2 * table[at][0])


def main() -> None:
    """Print a table for each game."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.levels", description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], default=[*GAMES])
    parser.add_argument("--rounds", type=int, default=100, help="games of each pair, an even number")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--candidates", help="players to measure instead of the levels, divided by commas")
    parser.add_argument("--params", type=json.loads, default={}, help="parameters, as JSON")
    asked = parser.parse_args()
    for name in asked.games:
        game = find_game(name, asked.params)
        spec = GameSpec(name=name, params=game.params, version=game.version)
        players = asked.candidates.split(",") if asked.candidates else find_row(name).levels
        players = [find_strategy(each, game).name for each in players]
        print(f"{name} {game.params}, {asked.rounds} games a pair")
        print("  level  player              Elo   error  to the one below  ms a ply")
        rows = measured(spec, players, asked.rounds, asked.seed)
        for level, row in enumerate(rows, start=1):
            below = row.elo - rows[level - 2].elo if level > 1 else 0.0
            numbers = f"{row.elo:7.0f} {row.error:7.0f} {below:17.0f} {1e3 * row.seconds:9.2f}"
            print(f"  {level:5d}  {row.player:16s} {numbers}", flush=True)


if __name__ == "__main__":
    main()
