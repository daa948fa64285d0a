"""The table of ratings as it is told: of a tournament, and of games from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.schemas.ratings import Estimated, Prior, RatedGames, RatingOut

if TYPE_CHECKING:
    from arena.theory.rating.table import RatingRow, Ratings  # SciPy takes long to read


def rated_games(rated: Ratings) -> RatedGames:
    """The ratings with what they rest on."""
    return RatedGames(
        model=rated.model,
        prior=Prior(reason=rated.prior, deviation=rated.prior_deviation) if rated.prior else None,
        first_move=_estimated(rated.seat),
        draws=_estimated(rated.draw),
        resamples=rated.resamples,
        resamples_with_prior=rated.resamples_with_prior,
        items=[_line(line) for line in rated.lines],
    )


def _line(line: RatingRow) -> RatingOut:
    return RatingOut(
        rank=line.rank,
        entry=line.entrant.number,
        bot=line.entrant.bot,
        version=line.entrant.version,
        owner=line.entrant.owner,
        games=line.games,
        rating=line.rating,
        error=line.error,
        resampled_error=line.resampled,
        stronger_than_next=line.over_next,
        stronger_than=None if line.over is None else list(line.over),
    )


def _estimated(estimate: tuple[float, float] | None) -> Estimated | None:
    return None if estimate is None else Estimated(value=estimate[0], error=estimate[1])
