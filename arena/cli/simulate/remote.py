"""Running a simulation on the arena's workers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arena.cli.shared.experiments import Keep, run_on_workers
from arena.cli.shared.failures import UsageError
from arena.cli.simulate.recording import save_games
from arena.cli.simulate.report import Finished
from arena.cli.simulate.request import Request
from arena.core.words import say
from arena.experiments.simulations import strategy_player
from arena.local.game_folder import is_folder_of_games
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
        "time": request.time,
    }
    if request.record is not None:
        plan |= _recorded(request.record, request.record_by, request.players)
    asked = {name: value for name, value in plan.items() if value is not None}
    ran = run_on_workers(asked, _keeping(request))
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


def _keeping(request: Request) -> Keep | None:
    """What fetches the games that are recorded."""
    record = request.record
    if record is None:
        return None
    return lambda client, experiment: save_games(client, experiment, record, force=request.force)


def _recorded(file: Path, record_by: str, players: tuple[str, str]) -> dict[str, Any]:
    """How the workers are to keep the games: as lines, or, of players by name, as columns."""
    if not is_folder_of_games(file):
        return {"record_games": True}
    if any(player.startswith(SUBMITTED) for player in players):
        raise UsageError(
            say("workers record games of bots to a file that ends with .jsonl, not {file}", file=file)
        )
    return {"columns": record_by}


def _player(text: str, game: Game[Any]) -> str:
    """A player that workers know too: one by name, or a submitted bot."""
    if text.startswith(SUBMITTED):
        return text
    if text.startswith("@") or "/" in text or " " in text:
        raise UsageError(
            say("workers know players by name, and submitted bots as bot:NAME, but not {it!r}", it=text)
        )
    return str(strategy_player(text, game).strategy)
