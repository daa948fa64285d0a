"""Whether seats and openings were fair: what the first seat made, and how often everybody had it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from arena.theory.statistics.scores import Estimate, score_estimate


@dataclass(frozen=True)
class Share:
    """Wins, draws and losses of the first seat, and its mean score with an interval; None without games."""

    counts: tuple[int, int, int]
    estimate: Estimate | None

    @property
    def games(self) -> int:
        """How many there were."""
        return sum(self.counts)

    @property
    def lopsided(self) -> bool:
        """Whether equal chances lie outside of the interval."""
        estimate = self.estimate
        return estimate is not None and not estimate.interval.low <= 0.5 <= estimate.interval.high


@dataclass(frozen=True)
class Balance:
    """The first seat's share in all games and by opening, and everybody's games in both seats."""

    total: Share
    openings: Mapping[int, Share]
    seats: Mapping[int, tuple[int, int]]

    @property
    def widest(self) -> int:
        """By how many games somebody had one seat more often than the other."""
        return max((abs(first - second) for first, second in self.seats.values()), default=0)


def balance(
    seats: Iterable[tuple[int, int, int, int, int]],
    openings: Iterable[tuple[int, int, int, int]] | None = None,
    confidence: float = 0.95,
) -> Balance:
    """The audit of a tournament's games.

    Args:
        seats: entries, seats, and the wins, draws and losses of the first seat when they had that seat; games
            that both lost left out.
        openings: numbers of openings (0 for none), and the wins, draws and losses of the first seat in their
            games, likewise; None where all games had the same beginning.
        confidence: that of the intervals.
    """
    had: dict[int, list[int]] = {}
    total = [0, 0, 0]
    for entry, seat, wins, draws, losses in seats:
        had.setdefault(entry, [0, 0])[seat] += wins + draws + losses
        if seat == 0:
            total = [total[0] + wins, total[1] + draws, total[2] + losses]
    by_opening = {number: [*ended] for number, *ended in openings or () if any(ended)}
    if openings is None and any(total):
        by_opening[0] = total
    return Balance(
        total=_share(total, confidence),
        openings={opening: _share(by_opening[opening], confidence) for opening in sorted(by_opening)},
        seats={entry: (had[entry][0], had[entry][1]) for entry in sorted(had)},
    )


def _share(counts: list[int], confidence: float) -> Share:
    wins, draws, losses = counts
    three = wins, draws, losses
    return Share(three, score_estimate(three, confidence=confidence) if sum(three) else None)
