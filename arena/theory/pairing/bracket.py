"""A knockout tree: seeded slots, stage after stage, level pairings played on until they are decided."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from arena.theory.pairing.contract import Entrant, Extent, Meeting, Pairing
from engines.stream import derive

THIRD_PLACE = "third-place"
TIE_BREAK = " tie-break "
"""What stands before the number of a further pairing of two who were level."""

NAMES = {2: "final", 4: "semi-final", 8: "quarter-final"}


class Rules(NamedTuple):
    """What a bracket is played by.

    A pairing is `games`. While it is level it plays two more, at most `tie_breaks` times; after that the
    better seed goes on. `openings` are the numbers for the games, if any, `fresh` those for the tie-breaks.
    """

    games: int
    tie_breaks: int
    third_place: bool
    openings: Sequence[int]
    fresh: Sequence[int]


class Tie(NamedTuple):
    """Two who are to be decided in a phase, the better seed first; `worse` is None if there is nobody."""

    phase: str
    better: int
    worse: int | None


class Decided(NamedTuple):
    """A tie with who goes on from it, which is None while that is open."""

    tie: Tie
    winner: int | None


class Bracket:
    """The bracket of `seeds`, entrants' numbers from the best, after `meetings`, when round `number` is next.

    Only meetings of its own phases may be among them. Who has left and not played loses by walkover.
    """

    def __init__(
        self,
        seeds: Sequence[int],
        entrants: Iterable[Entrant],
        meetings: Iterable[Meeting],
        number: int,
        rules: Rules,
    ) -> None:
        self._seeds, self._rules = tuple(seeds), rules
        self._rank = {each: rank for rank, each in enumerate(self._seeds)}
        self._left = {each.number: each.left for each in entrants if each.has_left(number)}
        self._points: Counter[tuple[str, int]] = Counter()
        self._played: dict[tuple[str, int], int] = {}
        self._lead: Counter[int] = Counter()
        self._begun: set[str] = set()
        for each in meetings:
            self._take(each)

    def stages(self) -> Iterator[list[Tie]]:
        """The ties, stage after stage, as far as it is known who is in them."""
        slots: list[int | None] = slots_of(self._seeds)
        losers: list[int] = []
        while len(slots) > 1:
            pairs = zip(slots[::2], slots[1::2], strict=True)
            ties = [self._tie(stage_name(len(slots)), [each for each in pair if each]) for pair in pairs]
            if len(slots) == 2 and self._rules.third_place and len(losers) == 2:
                ties.insert(0, self._tie(THIRD_PLACE, losers))
            yield ties
            winners = [self.winner(tie) for tie in ties if tie.phase != THIRD_PLACE]
            if None in winners:
                return
            losers = [other for tie in ties if (other := self._loser(tie)) is not None]
            slots = winners

    def tree(self) -> list[list[Decided]]:
        """The same with who goes on, from the top of the tree to its bottom; the third place comes last."""
        return [
            [Decided(tie, self.winner(tie)) for tie in sorted(ties, key=lambda tie: tie.phase == THIRD_PLACE)]
            for ties in self.stages()
        ]

    def winner(self, tie: Tie) -> int | None:
        """Who goes on; None while that is not decided."""
        if tie.worse is None:
            return tie.better
        for phase in self._phases(tie):
            if (phase, tie.better) not in self._played:
                return self._walkover(tie.better, tie.worse)
            better, worse = self._points[phase, tie.better], self._points[phase, tie.worse]
            if better != worse:
                return tie.better if better > worse else tie.worse
        return self._of_level(tie.better, tie.worse, self._played[phase, tie.better] + 1)

    def next_round(self, seed: int) -> tuple[Pairing, ...] | None:
        """What is to be played now; None when everything is decided."""
        for ties in self.stages():
            if any(self.winner(tie) is None for tie in ties):
                return tuple(pairing for tie in ties for pairing in self._pairing(tie, seed))
        return None

    def places(self) -> tuple[tuple[int, ...], ...]:
        """The entrants by place, from the best; those who are still in it come first, together."""
        tiers: list[tuple[int, ...]] = []
        for ties in self.stages():
            losers = [(tie, other) for tie in ties if (other := self._loser(tie)) is not None]
            for tie, other in losers:
                if tie.phase == THIRD_PLACE:
                    tiers[-1:] = [(other,), (self.winner(tie) or 0,)]
            if beaten := sorted(other for tie, other in losers if tie.phase != THIRD_PLACE):
                tiers.append(tuple(beaten))
        out = {each for tier in tiers for each in tier}
        tiers.append(tuple(sorted(each for each in self._seeds if each not in out)))
        return tuple(tier for tier in reversed(tiers) if tier)

    def _take(self, each: Meeting) -> None:
        self._begun.add(each.phase)
        if each.second is None:
            return
        for entrant, points in zip((each.first, each.second), each.half_points, strict=True):
            self._points[each.phase, entrant] += points
            self._played[each.phase, entrant] = each.round
        self._lead[each.first] += each.games % 2
        self._lead[each.second] -= each.games % 2

    def _tie(self, phase: str, two: Sequence[int]) -> Tie:
        better, *rest = sorted(two, key=lambda each: self._rank[each])
        return Tie(phase, better, rest[0] if rest else None)

    def _phases(self, tie: Tie) -> list[str]:
        again = (f"{tie.phase}{TIE_BREAK}{number}" for number in range(1, self._rules.tie_breaks + 1))
        return [tie.phase, *again]

    def _of_level(self, better: int, worse: int, number: int) -> int:
        """Who goes on to round `number` from a tie level to its end: the better seed, if it is there."""
        gone = [each for each in (better, worse) if (self._left.get(each) or math.inf) <= number]
        return worse if gone == [better] else better

    def _walkover(self, better: int, worse: int) -> int | None:
        """Who goes on because the other left; if both did, who left later."""
        if better not in self._left and worse not in self._left:
            return None
        stayed = self._left.get(worse) or math.inf, self._left.get(better) or math.inf
        return worse if stayed[0] > stayed[1] else better

    def _loser(self, tie: Tie) -> int | None:
        winner = self.winner(tie)
        return None if winner is None else tie.worse if winner == tie.better else tie.better

    def _pairing(self, tie: Tie, seed: int) -> Iterator[Pairing]:
        """What the tie needs: games, a bye or a walkover to be told once, or nothing."""
        winner = self.winner(tie)
        if winner is None:
            phases = self._phases(tie)
            again = next(at for at, each in enumerate(phases) if (each, tie.better) not in self._played)
            games, openings = self._rules.games, self._rules.openings
            if again:
                games, openings = 2, self._rules.fresh[again - 1 : again]
            yield Pairing(*self._seated(tie, seed), phases[again], games, openings)
        elif tie.phase not in self._begun and winner not in self._left:
            yield Pairing(winner, None, tie.phase)

    def _seated(self, tie: Tie, seed: int) -> tuple[int, int]:
        """Who has had the first move less often has it; if both had, the lot decides."""
        worse = tie.worse or 0
        lead = self._lead[tie.better] - self._lead[worse]
        swapped = lead > 0 or (lead == 0 and derive(seed, "first move", tie.phase, tie.better) % 2 == 1)
        return (worse, tie.better) if swapped else (tie.better, worse)


def after(meetings: Iterable[Meeting]) -> int:
    """The number of the round that follows these."""
    return max((each.round for each in meetings), default=0) + 1


def slots_of(seeds: Sequence[int]) -> list[int | None]:
    """The leaves of the tree from top to bottom: 1 and 2 can only meet in the final, 1 to 4 in semi-finals.

    Where there are fewer entrants than leaves, the best have nobody to play against in the first stage.
    """
    order = [1]
    while len(order) < len(seeds):
        order = [each for rank in order for each in (rank, 2 * len(order) + 1 - rank)]
    return [seeds[rank - 1] if rank <= len(seeds) else None for rank in order]


def stage_name(slots: int) -> str:
    """What the stage is called in which so many are left."""
    return NAMES.get(slots) or f"round-of-{slots}"


def extent_of(entrants: int, rules: Rules) -> Extent:
    """How long a bracket of so many is."""
    stages, ties = (entrants - 1).bit_length(), entrants - 1 + (rules.third_place and entrants > 3)
    games = ties * rules.games
    return Extent(stages, stages * (1 + rules.tie_breaks), games, games + 2 * ties * rules.tie_breaks)
