"""Games a second of players that choose by position, beside those of two random players, on one core.

    python -m benchmarks.choosers [--rounds N] [--seconds S] [--game NAME]

In every round each pair plays in turn; quoted are medians of games a second of processor time, and of the
ratios to two random players within a round. A pair that is not at least half as fast is told of; 1 if any is.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from statistics import median
from typing import Any

from engines.games import find_game
from engines.kernels import Batch, Kernel, find_kernel
from workers.core.contract import Policy
from workers.play.policy import policy_of

CONTESTS: tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...] = (
    ("heap_nim", {}, ("perfect", "xor", "best_response")),
    ("circle_nim", {}, ("perfect", "best_response")),
    ("l_game", {}, ("perfect", "best_response")),
    ("rhombic_chess", {}, ("perfect", "best_response")),
    ("reversed_reversi", {"size": 4}, ("perfect", "best_response")),
    ("circle_nim", {"rows": 6}, ("perfect", "best_response")),
)
LEAST = 0.5
FIRST_GAMES = 2_000


def seconds_of(kernel: Kernel, batch: Batch) -> float:
    """Processor time that a batch takes."""
    started = time.process_time()
    kernel.play(batch)
    return time.process_time() - started


def measure(name: str, params: dict[str, Any], players: tuple[str, ...], rounds: int, seconds: float) -> bool:
    """Print a line a player against the random one; whether all are fast enough."""
    game = find_game(name, params)
    policy = policy_of(game, Policy())
    whole = Batch(7, 0, 0, swap=True, repetition=policy.repetition or 0, max_plies=policy.max_plies or 0)
    kernels, counts = {}, {}
    for player in ("random", *players):
        kernel = find_kernel(game, player, "random")
        assert kernel is not None
        kernel.play(replace(whole, count=2))
        took = seconds_of(kernel, replace(whole, count=FIRST_GAMES))
        kernels[player] = kernel
        counts[player] = max(FIRST_GAMES, int(FIRST_GAMES * seconds / max(took, 1e-6)))
    speeds: list[dict[str, float]] = []
    for _ in range(rounds):
        batches = {player: replace(whole, count=counts[player]) for player in kernels}
        speeds.append({each: counts[each] / seconds_of(kernels[each], batches[each]) for each in kernels})
    met = True
    print(f"{name} {params or ''}".rstrip())
    for player in kernels:
        rate = median(each[player] for each in speeds)
        ratio = median(each[player] / each["random"] for each in speeds)
        met &= ratio >= LEAST
        told = "" if ratio >= LEAST else f"  (MISSED: at least {LEAST:g})"
        print(f"  {player:14} against random {rate:14,.0f} games/s  {ratio:5.2f}{told}", flush=True)
    return met


def main() -> int:
    """Measure all games; 1 if a pair is too slow."""
    parser = argparse.ArgumentParser(description="Speed of players that choose by position.")
    parser.add_argument("--rounds", type=int, default=7, help="how often each plays (7)")
    parser.add_argument("--seconds", type=float, default=0.3, help="how long each plays (0.3)")
    parser.add_argument("--game", help="only this game")
    options = parser.parse_args()
    chosen = [each for each in CONTESTS if options.game in (None, each[0])]
    met = [measure(*each, options.rounds, options.seconds) for each in chosen]
    return int(not all(met))


if __name__ == "__main__":
    raise SystemExit(main())
