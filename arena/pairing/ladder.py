"""A ladder that goes on for ever: who meets next is who tells most about the ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from scipy.special import expit

from arena.pairing.contract import Entrant, Extent, Kind, Meeting, Pairing, in_order
from arena.pairing.format import Format
from arena.rating.counts import Counts, Pair
from arena.rating.davidson import Floats, Model
from arena.rating.fit import PRIOR_DEVIATION, Fit, maximise
from arena.rating.superiority import difference_variances
from engines.stream import derive

Ints = NDArray[np.int64]

DIGITS = 9
"""Gains that agree so far are equal, whatever machine they were computed on."""


class Ladder(Format):
    """In every round all are paired by `choose`; entrants' games count from the round that they joined in.

    With openings a pairing plays one of them, the next each time the same two meet, from both seats.
    """

    newcomer_games: Annotated[int, Field(ge=0, le=1000, description="Whoever has fewer is paired first.")] = (
        10
    )
    rounds: Annotated[int | None, Field(ge=1, description="Without end unless given.")] = None

    @property
    def drawn(self) -> int:
        """See `Format`."""
        return self.openings

    def next_round(
        self, entrants: Sequence[Entrant], meetings: Iterable[Meeting], number: int, seed: int
    ) -> tuple[Pairing, ...] | None:
        """See `Format`; it is over when fewer than two are left."""
        known = [each for each in in_order(entrants) if each.joined <= number]
        here = [each for each in known if not each.has_left(number)]
        if len(here) < 2 or (self.rounds is not None and number > self.rounds):
            return None
        since = {each.number: each.joined for each in known}
        played = _Played([each for each in meetings if _counts(each, since)])
        playing = [each.number for each in here if each.plays_in(number)]
        playing.sort(key=lambda each: (derive(seed, "lot", number, each), each))
        strengths, variances = _rated(list(since), played.meetings, playing)
        games: Ints = np.array([played.games[each] for each in playing], dtype=np.int64)
        chosen = choose(strengths, variances, games, self.newcomer_games)
        return tuple(self._pairing(playing[one], playing[other], played, seed) for one, other in chosen)

    def extent(self, entrants: int) -> Extent | None:
        """See `Format`."""
        self.check(entrants)
        if self.rounds is None:
            return None
        games = self.rounds * (entrants // 2) * self._games
        return Extent(self.rounds, self.rounds, games, games)

    @property
    def _games(self) -> int:
        return 2 if self.openings else 1

    def _pairing(self, one: int, other: int, played: _Played, seed: int) -> Pairing:
        """Who has begun less often has the first move; if that does not tell, the lot, and then in turns."""
        one, other = sorted((one, other))
        met = played.met[one, other]
        openings = (met % self.openings + 1,) if self.openings else ()
        lead = played.lead[one] - played.lead[other]
        swapped = lead > 0 or (lead == 0 and (derive(seed, "first move", one, other) + met) % 2 == 1)
        first, second = (other, one) if swapped else (one, other)
        return Pairing(first, second, "", self._games, openings)


class _Played:
    """Meetings, and what they come to: games of each, meetings of each two, first moves less second ones."""

    def __init__(self, meetings: list[Meeting]) -> None:
        self.meetings = meetings
        self.games, self.lead = Counter[int](), Counter[int]()
        self.met = Counter[tuple[int, int]]()
        for each in meetings:
            one, other = each.first, each.second or 0
            self.met[min(one, other), max(one, other)] += 1
            self.games.update({one: each.games, other: each.games})
            self.lead.update({one: each.games % 2, other: -(each.games % 2)})


def choose(strengths: Floats, variances: Floats, games: Ints, newcomer_games: int) -> list[tuple[int, int]]:
    """Pairs of entrants, by their places, nobody twice: newcomers first, then the most telling.

    What a game between i and j tells grows with p(1-p)·Var(θi-θj), where p is the chance of a win and θ a
    strength: how open its outcome is, times how little is known of their difference. (The first is the game's
    Fisher information on the difference; half the logarithm of one plus the product is about the information
    gained in the sense of D. V. Lindley, *On a measure of the information provided by an experiment*, Annals
    of Mathematical Statistics 27 (1956) 986-1005.) Of those with fewer than `newcomer_games` games, who has
    fewest chooses first, the one whom it would learn most from.

    Args:
        strengths: shape (entrants,), natural logarithms of odds.
        variances: of the differences of every two, shape (entrants, entrants).
        games: shape (entrants,).
        newcomer_games: the floor.
    """
    chances = expit(strengths[:, None] - strengths[None, :])
    gains = np.round(chances * (1 - chances) * variances, DIGITS)
    count = len(strengths)
    free = np.ones(count, dtype=bool)
    chosen: list[tuple[int, int]] = []
    newcomers = [at for at in range(count) if games[at] < newcomer_games]
    for one in sorted(newcomers, key=lambda at: (games[at], at)):
        others = free.copy()
        others[one] = False
        if free[one] and others.any():
            other = int(np.argmax(np.where(others, gains[one], -1.0)))
            chosen.append((one, other))
            free[[one, other]] = False
    left = np.flatnonzero(free)
    first, second = np.triu_indices(len(left), 1)
    pairs = gains[left[first], left[second]]
    for at in np.argsort(-pairs, kind="stable"):
        one, other = int(left[first[at]]), int(left[second[at]])
        if free[one] and free[other]:
            chosen.append((one, other))
            free[[one, other]] = False
    return chosen


def _counts(meeting: Meeting, since: dict[int, int]) -> bool:
    """Whether they are known in the versions that met."""
    if meeting.second is None or meeting.kind is not Kind.PLAYED:
        return False
    return all(
        meeting.round >= since.get(each, meeting.round + 1) for each in (meeting.first, meeting.second)
    )


def _rated(numbers: list[int], counted: Sequence[Meeting], playing: list[int]) -> tuple[Floats, Floats]:
    """Strengths, and variances of their differences, of those who play; all have a normal prior."""
    place = {number: at for at, number in enumerate(numbers)}
    pairs = [_pair(each, place) for each in counted]
    model = Model(Counts.of(len(numbers), pairs), seat=False, draws=False, precision=PRIOR_DEVIATION**-2)
    strengths = maximise(model)
    covariance: Floats = np.asarray(np.linalg.inv(model.hessian(strengths)), dtype=np.float64)
    variances = difference_variances(Fit(strengths, covariance, None, None, "not connected"))
    chosen = [place[each] for each in playing]
    return strengths[chosen], variances[np.ix_(chosen, chosen)]


def _pair(meeting: Meeting, place: dict[int, int]) -> Pair:
    """The meeting's games as wins and losses and at most one draw: to a rating, two draws are as much."""
    (wins, draws), (losses, _) = (divmod(half, 2) for half in meeting.half_points)
    return Pair(place[meeting.first], place[meeting.second or 0], wins, draws, losses)
