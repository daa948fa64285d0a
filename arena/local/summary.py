"""What a series of games came to, as one JSON object: pure functions of the games played."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from arena.core.commands import replay_command
from arena.local.encounters import Counts, Encounter, Encounters, Pair
from arena.local.players import Player
from arena.local.series import PlayedGame, Series
from workers.core.contract import Forfeit

NS_PER_MS = 1_000_000


def summarise(series: Series, games: Sequence[PlayedGame], names: Mapping[int, str]) -> dict[str, Any]:
    """The series' result; `names` gives the `FILE#n` of the games that were recorded.

    Durations are milliseconds, points whole numbers or halves; the keys are described in docs/cli.md.
    """
    encounters = Encounters(series.sprt)
    for game in games:
        game.count_in(encounters)
    return {
        "game": series.game.model_dump(),
        "time": series.time.model_dump(),
        "policy": series.policy.model_dump(),
        "seed": series.seed,
        "games": series.total,
        "played": len(games),
        "bots": _bots(series, games, encounters),
        "pairs": [_pair(series, pair, encounters.of(pair)) for pair in series.pairs],
        "results": [_result(game, names.get(game.number)) for game in games],
        "forfeits": [
            _forfeit(series, game, forfeit, names.get(game.number))
            for game in games
            for forfeit in game.record.result.forfeits
        ],
    }


def _bots(series: Series, games: Sequence[PlayedGame], encounters: Encounters) -> list[dict[str, Any]]:
    """Every bot with its Elo against all that it met, taken together."""
    against = [Counts() for _ in series.players]
    for one, other in series.pairs:
        for player, counts in zip((one, other), encounters.of((one, other)).counts, strict=True):
            against[player] += counts
    return [
        bot_summary(player, index, games) | _elo(against[index])
        for index, player in enumerate(series.players)
    ]


def _pair(series: Series, pair: Pair, encounter: Encounter) -> dict[str, Any]:
    """The games of two bots, as the first of them sees them."""
    counts, others = encounter.counts
    lost, drawn, won = counts.results
    return {
        "bots": list(pair),
        "names": [series.players[player].name for player in pair],
        "games": counts.games,
        "points": [counts.points, others.points],
        "wins": won,
        "draws": drawn,
        "losses": lost,
        "pairs": list(counts.pairs),
        **_elo(counts),
        "sprt": encounter.test(),
    }


def _elo(counts: Counts) -> dict[str, Any]:
    """The Elo of a score, the half width of its 95 % interval, and how likely the bot is the stronger one."""
    elo = counts.elo()
    if elo is None:
        even = 2 * counts.points == counts.games > 0
        return {"elo": 0.0 if even else None, "elo_error": None, "superiority": None}
    told = {"elo": elo.logistic, "elo_error": elo.logistic_error, "superiority": elo.superiority}
    return {key: round(value, 6) + 0.0 for key, value in told.items()}


def bot_summary(player: Player, index: int, games: Sequence[PlayedGame]) -> dict[str, Any]:
    """One bot's points, and the time that it used."""
    games = [game for game in games if index in game.seats]
    halves = [game.half_points_of(index) for game in games]
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
        "first": game.seats[0],
        "second": game.seats[1],
        "winner": None if winner is None else game.seats[winner],
        "reason": result.reason,
        "score": list(result.score),
        "plies": len(result.moves),
        "opening": list(game.record.spec.opening),
        "record": name,
    }


def _forfeit(series: Series, game: PlayedGame, forfeit: Forfeit, name: str | None) -> dict[str, Any]:
    player = series.players[game.seats[forfeit.seat]]
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
