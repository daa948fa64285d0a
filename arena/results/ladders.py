"""How a ladder stands: by rating, with what the newest round has done to it and what was played last."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from arena.core.errors import NotFoundError
from arena.core.terms import Outcome
from arena.results import rating_history, ratings
from arena.results.own_games import outcome_of
from arena.store import ladders as store
from arena.store import matches as match_store
from arena.store.models import Match, Tournament
from arena.theory.pairing.contract import FormatName

if TYPE_CHECKING:
    from arena.theory.rating.table import Ratings  # SciPy takes long to read

FORM = 8
"""So many results of a bot are its form."""
LAST = 10
"""So many games were played last."""


@dataclass(frozen=True)
class Moved:
    """What the newest round has done to an entry: ranks that it came up (or went down), and its rating."""

    places: int
    rating: float


@dataclass(frozen=True)
class Ladder:
    """The ratings; by the entries' ids what the newest round did to them, and their form; the last games."""

    rated: Ratings
    round: int
    moved: Mapping[int, Moved]
    form: Mapping[int, Sequence[tuple[int, Outcome]]]
    last: Sequence[Match]


def ladder(session: Session, tournament: Tournament) -> Ladder:
    """How a ladder stands.

    Raises:
        NotFoundError: it is none.
    """
    if tournament.format != FormatName.LADDER:
        raise NotFoundError(f"{tournament.name!r} is no ladder; its leaderboard says how it stands")
    rated = ratings.ratings(session, tournament)
    newest = match_store.newest_round(session, tournament)
    form: dict[int, list[tuple[int, Outcome]]] = defaultdict(list)
    for each in store.last_of_each(session, tournament, FORM):
        form[each.entry].append((each.match, outcome_of(each.half_points, each.reason)))
    return Ladder(
        rated=rated,
        round=newest,
        moved=_moved(rated, rating_history.before_round(session, tournament, newest)),
        form=form,
        last=store.last_matches(session, tournament, LAST),
    )


def _moved(rated: Ratings, before: Mapping[int, float]) -> dict[int, Moved]:
    """What has changed since then among those who had a rating then.

    Ratings are told around the mean of all who have one; so that nobody moves by somebody's coming, these are
    compared around their own.
    """
    now = {line.entrant.entry: line.rating for line in rated.lines if line.rating is not None}
    both = [entry for entry in now if entry in before]
    shift = sum(now[entry] - before[entry] for entry in both) / (len(both) or 1)
    return {
        entry: Moved(
            places=_above(before, entry, both) - _above(now, entry, both),
            rating=now[entry] - before[entry] - shift,
        )
        for entry in both
    }


def _above(ratings: Mapping[int, float], entry: int, among: Sequence[int]) -> int:
    return sum(ratings[each] > ratings[entry] for each in among)
