"""Random games a second on one core: the arena's, compiled and plain, beside those of its peers.

    python -m benchmarks.playouts [--rounds N] [--game NAME] [--document PATH]

In every round all play in turn. Quoted are medians: of games a second of the core's time, and of the ratios
within a round, as a machine's speed drifts. The compiled games and C's are the same ones,
so their totals must be equal.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.peers import MissingPeerError, Player, Totals, document, openspiel, pgx_othello, programs
from engines.games import GAMES, find_game
from engines.kernels import Batch, find_kernel
from engines.stream import run_key
from workers.core.contract import GameSpec, Policy
from workers.play.policy import policy_of
from workers.simulation.chunks import play_chunk, suggested_chunk
from workers.simulation.compiled import AT_ONCE
from workers.simulation.contract import SimulatedPlayer, SimulationSpec

SEED = 3
COMPILED = "compiled"


@dataclass(frozen=True)
class Contest:
    """A game, its peers besides C, and how many times as fast as some of them the kernel is to be."""

    title: str
    game: str
    params: dict[str, Any]
    others: tuple[Callable[[], Player], ...]
    targets: dict[str, float]


def contests(text: Path | None) -> list[Contest]:
    """What is measured; `text` is the document on circle Nim."""
    nim, othello = "nim(pile_sizes=3;4;5,is_misere=false)", "othello"
    return [
        Contest(
            "Reversed Reversi, 8x8",
            "reversed_reversi",
            {"size": 8},
            (pgx_othello.player, partial(openspiel.in_cpp, othello), partial(openspiel.in_python, othello)),
            {"C": 0.8, "pgx": 250},
        ),
        Contest(
            "circle Nim, 5 rows",
            "circle_nim",
            {"rows": 5},
            (partial(document.player, text),),
            {"C": 0.8, document.NAME: 700},
        ),
        Contest(
            "heap Nim, 3, 4 and 5",
            "heap_nim",
            {"heaps": [3, 4, 5]},
            (partial(openspiel.in_cpp, nim), partial(openspiel.in_python, nim)),
            {"C": 0.5, "OpenSpiel, C++": 20},
        ),
        Contest("L-Game", "l_game", {}, (), {"C": 0.5}),
        Contest("rhombic chess", "rhombic_chess", {}, (), {"C": 0.5}),
    ]


def simulated(contest: Contest, name: str, *, plain: bool) -> Player:
    """What `arena simulate` does in one process, counting included."""
    game = GameSpec(name=contest.game, params=contest.params)
    both = (SimulatedPlayer(name="random", strategy="random"),) * 2

    def play(games: int, match: int) -> Totals:
        spec = SimulationSpec(game=game, players=both, games=games, seed=SEED, match=match)
        chunk = suggested_chunk(spec)
        started = time.process_time()
        for start in range(0, games, chunk):
            play_chunk(spec, start, min(chunk, games - start), cut=0, plain=plain)
        return Totals(games, time.process_time() - started)

    return Player(name, play)


def compiled(contest: Contest) -> Player:
    """The kernel, called for as many games at once as a simulation does, and its results added up."""
    game = find_game(contest.game, contest.params)
    kernel = find_kernel(game, "random", "random")
    assert kernel is not None
    policy = policy_of(game, Policy())
    batch = Batch(0, 0, 0, repetition=policy.repetition or 0, max_plies=policy.max_plies or 0)

    def play(games: int, match: int) -> Totals:
        run, most = run_key(SEED, match), AT_ONCE
        first = drawn = second = plies = 0
        started = time.process_time()
        for start in range(0, games, most):
            count = min(most, games - start)
            played = kernel.play(replace(batch, run=run, start=start, count=count))
            first += int(np.count_nonzero(played.winners == 0))
            drawn += int(np.count_nonzero(played.winners < 0))
            second += int(np.count_nonzero(played.winners == 1))
            plies += int(played.plies.sum())
        return Totals(games, time.process_time() - started, (first, drawn, second, plies))

    return Player(COMPILED, play)


def peers(contest: Contest, folder: Path) -> list[Player]:
    """The peers of one game that are here; of the others it is said why they are not."""
    found = []
    makers: list[Callable[[], Player]] = [
        partial(programs.player, contest.game, folder, SEED),
        *contest.others,
    ]
    for make in makers:
        try:
            found.append(make())
        except MissingPeerError as missing:
            print(f"  not measured: {missing}")
    return found


def measure(contest: Contest, rounds: int, folder: Path) -> bool:
    """Print a line for each player; whether the compiled games and C's came to the same."""
    print(contest.title, flush=True)
    players = [
        compiled(contest),
        simulated(contest, "simulate", plain=False),
        simulated(contest, "plain Python", plain=True),
        *peers(contest, folder),
    ]
    games = {player.name: player.enough() for player in players}
    games["C"] = games[COMPILED]
    played = [
        {each.name: each.play(games[each.name], number) for each in players} for number in range(rounds)
    ]
    for each in players:
        rate = median(totals[each.name].rate for totals in played)
        ratio = median(totals[COMPILED].rate / totals[each.name].rate for totals in played)
        compared = "" if each.name == COMPILED else verdict(ratio, contest.targets.get(each.name))
        print(f"  {each.name:18}{rate:14,.0f} games/s  {compared}".rstrip())
    same = all(totals["C"].counts == totals[COMPILED].counts for totals in played if "C" in totals)
    print(f"  {rounds} x {games[COMPILED]:,} games: C's totals are {'the same' if same else 'DIFFERENT'}")
    return same


def verdict(ratio: float, target: float | None) -> str:
    """How many times as fast the compiled games are, and whether that is as fast as they are to be."""
    times = f"compiled: {ratio:,.2f} times" if ratio < 100 else f"compiled: {ratio:,.0f} times"
    if target is None:
        return times
    return f"{times} (at least {target:g}: {'met' if ratio >= target else 'MISSED'})"


def main() -> int:
    """Measure the games; 1 if C played others than the arena."""
    parser = argparse.ArgumentParser(description="Random games a second, beside those of others.")
    parser.add_argument("--rounds", type=int, default=7, help="how often each plays (7)")
    parser.add_argument("--game", choices=sorted(GAMES), help="only this game")
    given = os.environ.get("CIRCLE_NIM_DOCUMENT")
    parser.add_argument(
        "--document",
        type=Path,
        default=Path(given) if given else None,
        help="the text of the document on circle Nim, whose code is run as it stands ($CIRCLE_NIM_DOCUMENT)",
    )
    options = parser.parse_args()
    if options.document is not None and not options.document.is_file():
        parser.error(f"there is no document {options.document}")
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        same = [
            measure(contest, options.rounds, Path(folder))
            for contest in contests(options.document)
            if options.game in (None, contest.game)
        ]
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
