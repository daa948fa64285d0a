"""How long a training will take, by a trial of a few of its games."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from engines.strategies.reversi_training import Round
from workers.training.plan import CHUNK, Chunk, Plan, Progress

TRIAL_SECONDS: Final = 2.0
"""The processor time of all trials together."""
BATCHES: Final = (1, 1, 2, 4, 8)
"""Games that are tried, call by call: making its player takes as long as some games."""
POLL_SECONDS: Final = 0.05


class Trial(NamedTuple):
    """What is tried by: weights, and the processor seconds that it may take."""

    weights: bytes
    limit: float


class Tried(NamedTuple):
    """Games that came to their end, and the processor seconds that they took.

    Where there were none, the seconds are those after which the first one was broken off. `setup` is what
    each chunk takes besides.
    """

    games: int
    seconds: float
    setup: float


class Forecast(NamedTuple):
    """The processor seconds that the games which are left will take, or more than these."""

    seconds: float
    more: bool


def kinds_left(progress: Progress) -> dict[Chunk, int]:
    """Games to try, those of a round for each depth and solving, and how many like them are left."""
    left, tried = Counter[tuple[int, int]](), dict[tuple[int, int], Chunk]()
    for number, each in enumerate(progress.plan.rounds):
        games = sum(chunk.size for chunk in progress.games_left(number))
        openings = sum(chunk.size for chunk in progress.openings_left(number))
        left[each.depth, each.solved] += games + 2 * openings
        tried.setdefault((each.depth, each.solved), Chunk(number, 0, sum(BATCHES)))
    return {chunk: left[kind] for kind, chunk in tried.items() if left[kind]}


def some_weights(plan: Plan) -> bytes:
    """Weights that tell nothing, but with which a game takes as long as with others."""
    by = Round(sum(BATCHES), depth=1, solved=0, steps=1)
    games = plan.training.play(None, seed=plan.seed, first=0, games=by.games, by=by)
    return plan.training.file(
        [plan.training.fit(games, stage, by).kept for stage in range(plan.training.stages)]
    )


def play_trial(plan: Plan, trial: Trial, job: Chunk) -> Tried:
    """Play games until all are over or the time is; a game that is not over goes on until the process ends.

    Raises:
        ValueError: such games cannot be played.
    """

    def play(games: int) -> None:
        plan.training.play(trial.weights, seed=plan.seed, first=0, games=games, by=plan.rounds[job.round])

    play(0)  # the first call takes longer
    begun = time.process_time()
    play(0)
    setup = time.process_time() - begun
    whole: list[tuple[int, float]] = []
    over = threading.Event()

    def play_all() -> None:
        try:
            for batch in BATCHES:
                before = time.process_time()
                play(batch)
                whole.append((batch, max(time.process_time() - before - setup, 0.0)))
        finally:
            over.set()

    threading.Thread(target=play_all, daemon=True).start()
    while not over.wait(POLL_SECONDS) and time.process_time() - begun < trial.limit:
        pass
    if not whole:
        return Tried(0, time.process_time() - begun, setup)
    return Tried(sum(games for games, _ in whole), sum(seconds for _, seconds in whole), setup)


def forecast(left: Mapping[Chunk, int], tried: Mapping[Chunk, Tried]) -> Forecast:
    """What all games that are left will take."""
    seconds = sum(
        games * (tried[chunk].seconds / max(tried[chunk].games, 1) + tried[chunk].setup / CHUNK)
        for chunk, games in left.items()
    )
    return Forecast(seconds, any(not tried[chunk].games for chunk in left))
