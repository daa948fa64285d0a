"""What a series of games came to, as one JSON object: pure functions of the games played."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from arena.core.commands import replay_command
from arena.local.players import Player
from arena.local.series import PlayedGame, Series
from workers.core.contract import Forfeit

NS_PER_MS = 1_000_000


def summarise(series: Series, games: Sequence[PlayedGame], names: Mapping[int, str]) -> dict[str, Any]:
    """The series' result; `names` gives the `FILE#n` of the games that were recorded.

    Durations are milliseconds, points whole numbers or halves; the keys are described in docs/cli.md.
    """
    return {
        "game": series.game.model_dump(),
        "time": series.time.model_dump(),
        "policy": series.policy.model_dump(),
        "seed": series.seed,
        "games": series.games,
        "played": len(games),
        "bots": [bot_summary(series.players[player], player, games) for player in (0, 1)],
        "results": [_result(game, names.get(game.number)) for game in games],
        "forfeits": [
            _forfeit(series, game, forfeit, names.get(game.number))
            for game in games
            for forfeit in game.record.result.forfeits
        ],
    }


def bot_summary(player: Player, index: int, games: Sequence[PlayedGame]) -> dict[str, Any]:
    """One bot's points, and the time that it used."""
    halves = [game.record.result.half_points[game.seat_of(index)] for game in games]
    forfeits = [f for game in games for f in game.record.result.forfeits if f.seat == game.seat_of(index)]
    return {
        "bot": player.argument,
        "name": player.name,
        "points": sum(halves) / 2,
        "wins": halves.count(2),
        "draws": halves.count(1),
        "losses": halves.count(0),
        "forfeits": len(forfeits),
        "score": sum(game.record.result.score[game.seat_of(index)] for game in games),
        "time": _time(index, games),
    }


def _time(index: int, games: Sequence[PlayedGame]) -> dict[str, Any]:
    uses = [game.record.result.seats[game.seat_of(index)] for game in games]
    charged = [
        move.charged_ns
        for game in games
        for move in game.record.result.moves
        if move.asked and move.seat == game.seat_of(index)
    ]
    return {
        "answers": sum(use.answers for use in uses),
        "mean_ms": _ms(statistics.fmean(charged)) if charged else None,
        "median_ms": _ms(statistics.median(charged)) if charged else None,
        "slowest_ms": _ms(max((use.slowest_ns for use in uses), default=0)),
        "total_ms": _ms(sum(use.wall_ns for use in uses)),
        "cpu_ms": _ms(sum(use.cpu_ns for use in uses)),
        "extensions_used": sum(use.extensions_used for use in uses),
        "startup_mean_ms": _ms(statistics.fmean(use.startup_ns for use in uses)) if uses else None,
    }


def _result(game: PlayedGame, name: str | None) -> dict[str, Any]:
    result = game.record.result
    winner = result.winner
    return {
        "game": game.number,
        "first": game.first,
        "winner": None if winner is None else game.first if winner == 0 else 1 - game.first,
        "reason": result.reason,
        "score": list(result.score),
        "plies": len(result.moves),
        "opening": list(game.record.spec.opening),
        "record": name,
    }


def _forfeit(series: Series, game: PlayedGame, forfeit: Forfeit, name: str | None) -> dict[str, Any]:
    player = series.players[game.first if forfeit.seat == 0 else 1 - game.first]
    return {
        "game": game.number,
        "bot": player.argument,
        "seat": forfeit.seat,
        "code": str(forfeit.code),
        "ply": forfeit.ply,
        "id": forfeit.id,
        "detail": forfeit.detail,
        "expected": forfeit.expected,
        "received": forfeit.received,
        "request": forfeit.request,
        "clock_ms": _ms(forfeit.clock_ns),
        "cpu_ms": None if forfeit.cpu_ns is None else _ms(forfeit.cpu_ns),
        "stderr_tail": forfeit.stderr_tail,
        "replay": replay_command(name, player.argument, forfeit.seat, forfeit.ply + 1) if name else None,
    }


def _ms(nanoseconds: float) -> float:
    return round(nanoseconds / NS_PER_MS, 3)
