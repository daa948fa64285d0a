"""How ratings came about: the maximum likelihood by the games of the first round, the first two, and so on.

Rounds are those of the schedule, so that the order in which results arrived changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arena.theory.rating.counts import Counts, Pair
from arena.theory.rating.evenly import evenly
from arena.theory.rating.fit import Reason, fit
from arena.theory.rating.scale import elo


class RoundPair(NamedTuple):
    """What a pair made in a round."""

    round: int
    pair: Pair


@dataclass(frozen=True)
class Snapshot:
    """The ratings by the games of the rounds up to `round`: Elo and standard error by entry.

    The mean of those who have games is 0. `prior` says why a normal prior was needed, None where it was not.
    """

    round: int
    games: int
    ratings: Mapping[int, tuple[float, float]]
    prior: Reason | None


def by_round(met: Iterable[RoundPair], most: int) -> list[Snapshot]:
    """The ratings after rounds chosen evenly, at most so many, the last one included; no order matters."""
    rows = sorted(each for each in met if sum(each.pair[2:]))
    rounds = sorted({each.round for each in rows})
    ends = [rounds[number - 1] for number in evenly(len(rounds), most)]
    return [_rated([each.pair for each in rows if each.round <= end], end) for end in ends]


def _rated(pairs: Sequence[Pair], end: int) -> Snapshot:
    entries = sorted({entry for pair in pairs for entry in pair[:2]})
    place = {entry: at for at, entry in enumerate(entries)}
    counts = Counts.of(len(entries), [Pair(place[a], place[b], *outcomes) for a, b, *outcomes in pairs])
    fitted = fit(counts)
    told = zip(entries, fitted.strengths, fitted.errors, strict=True)
    return Snapshot(
        round=end,
        games=int(counts.games.sum()),
        ratings={entry: (elo(strength), elo(error)) for entry, strength, error in told},
        prior=fitted.prior,
    )
