"""pgx's random games of Othello: many at once, compiled by JAX for the processor."""

from __future__ import annotations

import time
from typing import Any

from benchmarks.peers import MissingPeerError, Player, Totals

BATCH = 1024
"""Games at once; it is slower with 256 and with 4096."""


def player() -> Player:
    """Whole batches of games, each batch to the end of its last game.

    Raises:
        MissingPeerError: pgx is not installed.
    """
    try:
        import jax  # noqa: PLC0415 - a peer may be missing
        import pgx  # noqa: PLC0415
    except ImportError as missing:
        raise MissingPeerError("pgx: not installed; uv sync --group bench") from missing
    game = pgx.make("othello")

    def advance(carried: tuple[Any, Any]) -> tuple[Any, Any]:
        states, key = carried
        key, drawing = jax.random.split(key)
        chances = jax.numpy.where(states.legal_action_mask, 0.0, -jax.numpy.inf)
        return jax.vmap(game.step)(states, jax.random.categorical(drawing, chances)), key

    @jax.jit
    def play_batch(key: Any) -> Any:
        starting, drawing = jax.random.split(key)
        states = jax.vmap(game.init)(jax.random.split(starting, BATCH))
        states, _ = jax.lax.while_loop(lambda each: ~each[0].terminated.all(), advance, (states, drawing))
        return states.rewards

    def play(games: int, match: int) -> Totals:
        batches = -(-games // BATCH)
        started = time.process_time()
        for number in range(batches):
            play_batch(jax.random.PRNGKey(match * 1000 + number)).block_until_ready()
        return Totals(batches * BATCH, time.process_time() - started)

    return Player("pgx", play)
