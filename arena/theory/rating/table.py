"""The table of ratings: strengths on the Elo scale, best first, by our model or that of another program."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np

from arena.theory.rating.bayeselo import CHESS, fit_bayeselo
from arena.theory.rating.counts import Counts, Ints, Pair
from arena.theory.rating.fit import PRIOR_DEVIATION, Fit, Reason, fit
from arena.theory.rating.likelihood import Floats
from arena.theory.rating.models import ModelName
from arena.theory.rating.ordo import fit_ordo
from arena.theory.rating.resampling import OpeningPair, resample
from arena.theory.rating.scale import elo
from arena.theory.rating.superiority import superiority

FITS: Mapping[ModelName, Callable[[Counts], Fit]] = {
    "davidson": fit,
    "ordo": partial(fit_ordo, fitted=True),
    "ordo-plain": partial(fit_ordo, fitted=False),
    "bayeselo": fit_bayeselo,
    "bayeselo-plain": partial(fit_bayeselo, known=CHESS),
}


@dataclass(frozen=True)
class Entrant:
    """Who is rated. `entry` is its identity, `number` its place in the list of entries."""

    entry: int
    number: int
    bot: str
    version: int
    owner: str


@dataclass(frozen=True)
class RatingRow:
    """One rating; None for all of it where the entrant has no games. `resampled` is the error by resampling.

    `over_next` is the likelihood that it is stronger than the next line's; `over` that it is stronger than
    each line's, in the table's order, if that was asked for.
    """

    rank: int | None
    entrant: Entrant
    games: int
    rating: float | None
    error: float | None
    resampled: float | None
    over_next: float | None
    over: tuple[float | None, ...] | None


@dataclass(frozen=True)
class Ratings:
    """Ratings in Elo around a mean of 0, to a thousandth.

    `seat` is what moving first is worth, `draw` tells of draws, each with its error: nu, the share between
    equals (Ordo), or the threshold in Elo (BayesElo). `prior` says why a normal prior of `prior_deviation`
    was needed. Of `resamples`, `resamples_with_prior` needed one.
    """

    model: ModelName
    lines: tuple[RatingRow, ...]
    seat: tuple[float, float] | None
    draw: tuple[float, float] | None
    prior: Reason | None
    prior_deviation: float
    resamples: int
    resamples_with_prior: int


@dataclass(frozen=True)
class RatingOptions:
    """What is wanted: by which model, how many resamples of ours from `seed`, everybody against everybody."""

    resamples: int = 0
    seed: int = 0
    pairwise: bool = False
    model: ModelName = "davidson"


def rate(
    entrants: Sequence[Entrant],
    pairs: Iterable[Pair | tuple[int, int, int, int, int]],
    openings: Iterable[OpeningPair] = (),
    wish: RatingOptions | None = None,
) -> Ratings:
    """The table of `entrants` by the games in `pairs`, which name them by `entry`; no order matters.

    `openings` are the same games by pairs that share an opening; only resampling looks at them.

    Raises:
        UnratableError: another program's model has no ratings for these games.
    """
    wish, order = wish or RatingOptions(), sorted(entrants, key=lambda each: each.number)
    rows: Ints = np.fromiter(chain.from_iterable(pairs), dtype=np.int64).reshape(-1, 5)
    rows = rows[rows[:, 2:].sum(axis=1) > 0]
    met = set(np.unique(rows[:, :2]).tolist())
    rated = [each for each in order if each.entry in met]
    place = {each.entry: at for at, each in enumerate(rated)}
    unrated = [
        RatingRow(None, each, 0, None, None, None, None, None) for each in order if each.entry not in met
    ]
    if not rated:
        return Ratings(wish.model, tuple(unrated), None, None, None, elo(PRIOR_DEVIATION), 0, 0)
    known = np.array(sorted(place), dtype=np.int64)
    at_known = np.array([place[entry] for entry in sorted(place)], dtype=np.int64)
    first, second = (at_known[np.searchsorted(known, rows[:, side])] for side in (0, 1))
    counts = Counts.of_arrays(len(rated), first, second, rows[:, 2:])
    fitted, spread, with_prior = FITS[wish.model](counts), None, 0
    if wish.resamples:
        moved = [each._replace(one=place[each.one], other=place[each.other]) for each in openings]
        again = resample(len(rated), moved, wish.resamples, wish.seed)
        spread, with_prior = again.errors, again.with_prior
    lines = _lines(rated, fitted, counts, spread, pairwise=wish.pairwise)
    return Ratings(
        model=wish.model,
        lines=(*lines, *unrated),
        seat=None if fitted.seat is None else (elo(fitted.seat[0]), elo(fitted.seat[1])),
        draw=None if fitted.draw is None else _draws(wish.model, *fitted.draw),
        prior=fitted.prior,
        prior_deviation=elo(PRIOR_DEVIATION),
        resamples=wish.resamples,
        resamples_with_prior=with_prior,
    )


def _lines(
    rated: Sequence[Entrant], fitted: Fit, counts: Counts, spread: Floats | None, *, pairwise: bool
) -> list[RatingRow]:
    """The lines of those that have games, the best first."""
    ratings = [elo(each) for each in fitted.strengths]
    best = sorted(range(len(rated)), key=lambda at: (-ratings[at], rated[at].number))
    likely, games = superiority(fitted), counts.games_of_each
    lines: list[RatingRow] = []
    for above, at in enumerate(best):
        shared = above > 0 and ratings[best[above - 1]] == ratings[at]
        over = _over(likely[at], at, best) if pairwise else None
        lines.append(
            RatingRow(
                rank=lines[-1].rank if shared else above + 1,
                entrant=rated[at],
                games=int(games[at]),
                rating=ratings[at],
                error=None if math.isnan(fitted.errors[at]) else elo(fitted.errors[at]),
                resampled=None if spread is None else elo(spread[at]),
                over_next=_share(likely[at, best[above + 1]]) if above + 1 < len(best) else None,
                over=over,
            )
        )
    return lines


def _over(likely: Floats, at: int, best: Sequence[int]) -> tuple[float | None, ...]:
    """How likely the one at `at` is stronger than each of `best`; None for itself."""
    return tuple(None if other == at else _share(likely[other]) for other in best)


def _share(value: float | np.floating) -> float | None:
    """To six digits; None where nothing is known of it."""
    return None if math.isnan(value) else _rounded(value)


def _draws(model: ModelName, value: float, error: float) -> tuple[float, float]:
    """What the model says of draws, and its error, from its own parameter and its error."""
    if model == "davidson":
        return _rounded(math.exp(value)), _rounded(math.exp(value) * error)
    if model.startswith("bayeselo"):
        return elo(value), elo(error)
    return _rounded(value), _rounded(error)


def _rounded(value: float | np.floating) -> float:
    return round(float(value), 6)
