"""The games of every two players of a series: counted as they come in, in pairs that share an opening."""

from __future__ import annotations

from typing import Any, NamedTuple

from arena.theory.statistics.elo import PlainElo, plain_elo
from arena.theory.statistics.sprt import Sprt, Verdict

Pair = tuple[int, int]
"""Two players, by their indices in the series, the lower first."""


class Counts(NamedTuple):
    """Games as one player sees them: losses, draws and wins; pairs of games by their half points, 0 to 4."""

    results: tuple[int, int, int] = (0, 0, 0)
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    def __add__(self, other: object) -> Counts:
        """Both together."""
        if not isinstance(other, Counts):
            return NotImplemented
        lost, drawn, won = (one + more for one, more in zip(self.results, other.results, strict=True))
        zero, one, two, three, four = (a + b for a, b in zip(self.pairs, other.pairs, strict=True))
        return Counts((lost, drawn, won), (zero, one, two, three, four))

    def with_game(self, half_points: int, partner: int | None) -> Counts:
        """These and one more; `partner` are the half points of its opening's other one, if that is over."""
        results, pairs = [*self.results], [*self.pairs]
        results[half_points] += 1
        if partner is not None:
            pairs[partner + half_points] += 1
        (lost, drawn, won), (zero, one, two, three, four) = results, pairs
        return Counts((lost, drawn, won), (zero, one, two, three, four))

    @property
    def games(self) -> int:
        """How many games there are."""
        return sum(self.results)

    @property
    def points(self) -> float:
        """1 for a win, a half for a draw."""
        return self.results[2] + self.results[1] / 2

    def elo(self) -> PlainElo | None:
        """How much stronger than the others it is; None where all ended equally, so that no error is known.

        Pairs are what counts, if every game has its partner, for two games of an opening may be alike.
        """
        counts = self.pairs if 2 * sum(self.pairs) == self.games else self.results
        return plain_elo(counts) if sum(map(bool, counts)) > 1 else None


class Encounter:
    """The games of two players so far, as each of them sees them, and their test if there is one.

    A game that both forfeited is lost by both. Whatever order games come in, the test goes by their pairs
    from the first on without a gap, and what comes after its end does not count in it.
    """

    def __init__(self, sprt: Sprt | None = None) -> None:
        self.sprt = sprt
        self.verdict: Verdict = "undecided"
        self.counts = (Counts(), Counts())
        self._alone: dict[int, tuple[int, int]] = {}
        self._waiting: dict[int, tuple[int, int]] = {}
        self._judged = Counts()

    def add(self, number: int, half_points: tuple[int, int]) -> None:
        """Count the game of that number, from 0, in which the two made so many half points."""
        pair = number // 2
        partner = self._alone.pop(pair, None)
        if partner is None:
            self._alone[pair] = half_points
        one, other = (
            counts.with_game(half_points[at], None if partner is None else partner[at])
            for at, counts in enumerate(self.counts)
        )
        self.counts = (one, other)
        if self.sprt and partner is not None:
            self._waiting[pair] = partner[0], half_points[0]
            self._judge(self.sprt)

    def _judge(self, sprt: Sprt) -> None:
        """Look, as often as is due, at the pairs whose turn has come."""
        while not self.over and (games := self._waiting.pop(sum(self._judged.pairs), None)):
            self._judged = self._judged.with_game(games[0], None).with_game(games[1], games[0])
            if sum(self._judged.pairs) % sprt.look == 0:
                self.verdict = sprt.verdict(self._observed(sprt))

    @property
    def over(self) -> bool:
        """Whether the test is decided."""
        return self.verdict != "undecided"

    def _observed(self, sprt: Sprt) -> tuple[int, ...]:
        return self._judged.pairs if sprt.model == "pentanomial" else self._judged.results

    def test(self) -> dict[str, Any] | None:
        """How the test stands, ready for JSON."""
        if self.sprt is None:
            return None
        observed = self._observed(self.sprt)
        return {
            "llr": self.sprt.ratio(observed),
            "bounds": list(self.sprt.bounds),
            "counts": list(observed),
            "verdict": self.verdict,
        }


class Encounters:
    """All encounters of a series, each with the same test."""

    def __init__(self, sprt: Sprt | None = None) -> None:
        self._sprt = sprt
        self._all: dict[Pair, Encounter] = {}

    def of(self, pair: Pair) -> Encounter:
        """That of these two."""
        return self._all.setdefault(pair, Encounter(self._sprt))

    def add(self, pair: Pair, number: int, half_points: tuple[int, int]) -> None:
        """Count one of their games: see `Encounter.add`."""
        self.of(pair).add(number, half_points)

    def over(self, pair: Pair) -> bool:
        """Whether their test is decided."""
        return self.of(pair).over
