"""Running a simulation on the arena's workers."""

from __future__ import annotations

from typing import Any

from arena.cli.shared.failures import UsageError
from arena.cli.simulate.report import Finished
from arena.cli.simulate.request import Request
from arena.experiments.simulations import strategy_player
from engines.game import Game
from engines.games import find_game

SUBMITTED = "bot:"
"""How a submitted bot is named: `bot:NAME` or `bot:NAME@VERSION`."""


def run(request: Request) -> Finished:
    """Have the workers play what is asked for, and wait for it.

    Raises:
        UsageError, GameError: what is asked for is impossible.
        ClientError: the arena does not answer, or refuses.
    """
    from arena.cli.shared.experiments import run_on_workers

    game = find_game(request.game, request.params)
    plan: dict[str, Any] = {
        "game": game.name,
        "params": game.params,
        "first": _player(request.players[0], game),
        "second": _player(request.players[1], game),
        "games": request.games,
        "seed": request.seed,
        "match": request.match,
        "swap": request.swap,
        "openings": request.openings[0],
        "opening_plies": request.openings[1],
        "policy": {"repetition": request.policy[0], "max_plies": request.policy[1]},
        "chunk": request.chunk,
        "stop_when_ci": request.half_width,
        "sprt": None if request.sprt is None else request.sprt.model_dump(mode="json"),
        "interval": request.interval,
        "confidence": request.confidence,
    }
    ran = run_on_workers({name: value for name, value in plan.items() if value is not None})
    return Finished(
        spec=ran.spec,
        tally=ran.tally,
        confidence=request.confidence,
        interval=request.interval,
        seconds=ran.seconds,
        played_now=ran.tally.games,
        stopped=ran.stopped,
        sprt=request.sprt,
    )


def _player(text: str, game: Game[Any]) -> str:
    """A player that workers know too: one by name, or a submitted bot."""
    if text.startswith(SUBMITTED):
        return text
    if text.startswith("@") or "/" in text or " " in text:
        raise UsageError(f"workers know players by name, and submitted bots as bot:NAME, but not {text!r}")
    return str(strategy_player(text, game).strategy)
