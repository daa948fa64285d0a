"""The ratings of a tournament, made from its running counts whenever somebody looks."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from arena.core.errors import ConflictError, InvalidError
from arena.store import matches as match_store
from arena.store import ratings as rating_store
from arena.store import tournaments as store
from arena.store.models import Tournament
from arena.theory.rating.models import ModelName

if TYPE_CHECKING:
    from arena.theory.rating.resampling import OpeningPair
    from arena.theory.rating.table import Ratings

MAX_RESAMPLED = 100
"""Bots of a tournament whose ratings can be resampled, so that nobody keeps the arena busy for long."""

HALF_POINTS = {(2, 0): 0, (1, 1): 1, (0, 2): 2}
"""Where a game is counted, by the half points of its seats: won, drawn or lost by the first mover."""


def ratings(
    session: Session,
    tournament: Tournament,
    *,
    resamples: int = 0,
    seed: int = 0,
    pairwise: bool = False,
    model: ModelName = "davidson",
) -> Ratings:
    """The ratings as they stand, best first; games that both forfeited are left out.

    Raises:
        InvalidError: resamples are wanted by another model than ours.
        ConflictError: there are too many bots for resampling, or the model has no ratings for these games.
    """
    from arena.theory.rating.fit import UnratableError  # noqa: PLC0415 - SciPy takes long to read
    from arena.theory.rating.table import Entrant, RatingOptions, rate  # noqa: PLC0415 - SciPy takes long to read

    if resamples and model != "davidson":
        raise InvalidError(f"resamples are by the model davidson, not {model}; ask without them")
    entrants = [
        Entrant(each.id, each.number, each.version.bot.name, each.version.number, each.version.bot.owner.name)
        for each in store.entries(session, tournament)
    ]
    if resamples and len(entrants) > MAX_RESAMPLED:
        raise ConflictError(
            f"only the ratings of up to {MAX_RESAMPLED} bots are resampled, and {tournament.name} has "
            f"{len(entrants)}; ask without resamples"
        )
    pairs = rating_store.rated_totals(session, tournament)
    openings = _opening_pairs(session, tournament) if resamples else []
    try:
        return rate(entrants, pairs, openings, RatingOptions(resamples, seed, pairwise, model))
    except UnratableError as error:
        raise ConflictError(f"{error}; ask for the model davidson") from None


def _opening_pairs(session: Session, tournament: Tournament) -> list[OpeningPair]:
    """The recorded games, those of the same two bots from the same opening together."""
    from arena.theory.rating.resampling import OpeningPair  # noqa: PLC0415 - SciPy takes long to read

    ends: dict[tuple[int, int, int], list[list[int]]] = defaultdict(lambda: [[0, 0, 0], [0, 0, 0]])
    for first, second, opening, *half_points in match_store.ended(session, tournament):
        column = HALF_POINTS.get((half_points[0], half_points[1]))
        if column is not None:
            ends[min(first, second), max(first, second), opening][first > second][column] += 1
    times = Counter(
        (one, other, _three(forth), _three(back)) for (one, other, _), (forth, back) in ends.items()
    )
    return [OpeningPair(*key, count) for key, count in times.items()]


def _three(counts: list[int]) -> tuple[int, int, int]:
    wins, draws, losses = counts
    return wins, draws, losses
