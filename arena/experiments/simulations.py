"""From what was asked for to a simulation's spec, and from its counts to what is told about it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from arena.theory.statistics.intervals import Method
from arena.theory.statistics.scores import Estimate, score_estimate
from arena.theory.statistics.shares import share_interval
from arena.theory.statistics.stopping import first_score
from engines.game import Game
from engines.games import find_game
from engines.openings import balanced_openings
from engines.strategies import find_strategy
from workers.core.contract import GameSpec, Limits, Policy, TimeControl
from workers.play.policy import policy_of
from workers.simulation.contract import SimulatedPlayer, SimulationSpec, Tally

OUTCOMES = ("wins", "draws", "losses")

COLUMNS = (
    "first_sits_in",
    "games",
    *OUTCOMES,
    *(f"{outcome}_{part}" for outcome in OUTCOMES for part in ("share", "low", "high")),
    *(f"score_{part}" for part in ("mean", "error", "low", "high", "method")),
)
"""The columns of the aggregate as a table; `first_sits_in` is 0, 1 or both."""


def strategy_player(text: str, game: Game[Any]) -> SimulatedPlayer:
    """The in-process player of `game` that `text` names.

    Raises:
        StrategyError: there is none, or its parameters are wrong.
    """
    name = find_strategy(text, game).name
    return SimulatedPlayer(name=name, strategy=name)


def make_spec(
    game: Game[Any],
    players: tuple[SimulatedPlayer, SimulatedPlayer],
    *,
    games: int,
    seed: int = 0,
    match: int = 0,
    swap: bool = False,
    openings: tuple[int, int] = (0, 0),
    policy: Policy | None = None,
    time: TimeControl | None = None,
    limits: Limits | None = None,
    record_games: bool = False,
) -> SimulationSpec:
    """The simulation; `openings` are how many are drawn from `seed`, and how many plies each has.

    No more openings are drawn than there are games to begin with them.

    Raises:
        OpeningsError: the game has too few openings of that length.
        pydantic.ValidationError: a number is out of range.
    """
    drawing = drawing_of(game, games, openings, seed, swap=swap)
    return SimulationSpec(
        game=GameSpec(name=game.name, params=game.params, version=game.version),
        players=players,
        games=games,
        seed=seed,
        match=match,
        swap=swap,
        openings=_drawn(drawing) if drawing else (),
        policy=policy_of(game, policy or Policy()),
        time=time or TimeControl(),
        limits=limits or Limits(),
        record_games=record_games,
    )


class Drawing(NamedTuple):
    """What openings are drawn from."""

    game: str
    params: str
    openings: int
    plies: int
    seed: int


def drawing_of(
    game: Game[Any], games: int, openings: tuple[int, int], seed: int, *, swap: bool
) -> Drawing | None:
    """What the openings of a simulation are drawn from; None where it has none."""
    count = min(openings[0], -(-games // 2) if swap else games)
    return Drawing(game.name, json.dumps(game.params), count, openings[1], seed) if count else None


@lru_cache(maxsize=32)
def _drawn(drawing: Drawing) -> tuple[tuple[str, ...], ...]:
    """The openings, which take seconds to draw, and are the same for many simulations of a sweep."""
    game = find_game(drawing.game, json.loads(drawing.params))
    return balanced_openings(game, drawing.openings, drawing.plies, drawing.seed)


def summarise(
    spec: SimulationSpec, tally: Tally, confidence: float = 0.95, method: Method = "wilson"
) -> dict[str, Any]:
    """What the games so far came to, ready for JSON: every integer, and what is estimated from them.

    All results are those of players[0]; `by_seat` leaves out the games that both lost. Before the first game
    there are no estimates.
    """
    summary: dict[str, Any] = {
        "spec": spec.model_dump(mode="json"),
        "digest": spec.digest,
        "games": tally.games,
        "tally": tally.model_dump(mode="json"),
        "confidence": confidence,
        "interval": method,
    }
    if not tally.games:
        return summary | {"first": None, "by_seat": [], "plies_mean": None, "scores_mean": None}
    (won, drawn, lost), (swapped_lost, swapped_drawn, swapped_won) = tally.results
    by_seat = enumerate(((won, drawn, lost), (swapped_won, swapped_drawn, swapped_lost)))
    return summary | {
        "first": _results(tally.wins_draws_losses, first_score(spec, tally, confidence, method), summary),
        "by_seat": [
            {"seat": seat} | _results(counts, score_estimate(counts, (), confidence, method), summary)
            for seat, counts in by_seat
            if sum(counts)
        ],
        "plies_mean": tally.plies / tally.games,
        "scores_mean": [score / tally.games for score in tally.scores] if _has_scores(spec) else None,
    }


def _has_scores(spec: SimulationSpec) -> bool:
    """Whether a score of this game is more than 1 for the winner and 0 for the loser."""
    return find_game(spec.game.name, spec.game.params).score_sense is not None


def _results(counts: tuple[int, int, int], score: Estimate, summary: Mapping[str, Any]) -> dict[str, Any]:
    games = sum(counts)
    shares = {
        outcome: {"share": count / games}
        | share_interval(count, games, summary["confidence"], summary["interval"])._asdict()
        for outcome, count in zip(OUTCOMES, counts, strict=True)
    }
    told = {"mean": score.mean, "error": score.error} | score.interval._asdict() | {"method": score.method}
    return {"games": games, **dict(zip(OUTCOMES, counts, strict=True)), "shares": shares, "score": told}


def table(summary: Mapping[str, Any]) -> Iterator[tuple[object, ...]]:
    """A summary as rows below `COLUMNS`: by the seat of the first player if it had both, then all games."""
    yield COLUMNS
    if summary["first"] is None:
        return
    swapped = summary["spec"]["swap"]
    seats = [(each["seat"], each) for each in summary["by_seat"]] if swapped else []
    for where, part in [*seats, ("both" if swapped else 0, summary["first"])]:
        shares = (part["shares"][outcome][key] for outcome in OUTCOMES for key in ("share", "low", "high"))
        score = (part["score"][key] for key in ("mean", "error", "low", "high", "method"))
        yield (where, part["games"], *(part[outcome] for outcome in OUTCOMES), *shares, *score)
