"""Programs of several teams compared with each other: pairs that have much in common, and which passages.

What is not a team's own does not count: the code that everybody was given, and what more than half of the
teams have. Programs of the same team are not compared.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import NamedTuple

from arena.theory.likeness.tokens import BREAK, Code
from arena.theory.likeness.winnowing import GRAM, WINDOW, grams, winnow

MIN_TOKENS = 60
"""Pairs with fewer tokens in common are passed over: so much any two programs may have."""
MIN_COMMON, MAX_COMMON = 4, 30
COMMON_SHARE = 0.5
"""A fingerprint of more teams than this share, and than the least, or than the most, is nobody's own."""
MAX_REPEATS = 8
"""A fingerprint that is in a program more often is looked at so often."""
MAX_PAIRS = 500
"""So many pairs are looked at closely, those with the most fingerprints in common."""
LIKELY = 0.5
"""Of the fingerprints a pair must share this part of the threshold to be looked at closely."""


class Passage(NamedTuple):
    """So many tokens that are the same in both, from these places on."""

    first: int
    second: int
    length: int


@dataclass(frozen=True)
class Pair:
    """Two programs by their places in the list, and what they have in common."""

    first: int
    second: int
    passages: tuple[Passage, ...]
    own: tuple[int, int]

    @property
    def tokens(self) -> int:
        """The tokens that are in both."""
        return sum(passage.length for passage in self.passages)

    @property
    def shares(self) -> tuple[float, float]:
        """What part of either's own code that is."""
        first, second = (self.tokens / own if own else 0.0 for own in self.own)
        return first, second

    @property
    def likeness(self) -> float:
        """The larger of the two parts: of who took all of a smaller program, 1."""
        return max(self.shares)


class _Program:
    """A program with its fingerprints, and the tokens in it that are not its team's own."""

    def __init__(self, team: str, code: Code, given: Collection[int]) -> None:
        self.team = team
        self.kinds = code.kinds
        hashes = grams(code.kinds)
        self.foreign = bytearray(len(code.kinds))
        for at, value in enumerate(hashes):
            if value in given:
                self.foreign[at : at + GRAM] = b"\1" * GRAM
        self.prints: list[tuple[int, int]] = [
            (at, value) for at in winnow(hashes) if (value := hashes[at]) is not None and value not in given
        ]

    def leave_out(self, common: Collection[int]) -> None:
        """Count what many teams have as nobody's own, and what stands between two such fingerprints."""
        for (at, value), (following, next_value) in pairwise([*self.prints, (len(self.kinds), -1)]):
            if value in common:
                joined = next_value in common and following - at <= WINDOW
                end = min(following if joined else at + GRAM, len(self.kinds))
                end = max(end, min(at + GRAM, len(self.kinds)))
                self.foreign[at:end] = b"\1" * (end - at)
        self.prints = [each for each in self.prints if each[1] not in common]

    @property
    def own(self) -> int:
        """How many tokens are the team's own."""
        return sum(
            not foreign and kind != BREAK for foreign, kind in zip(self.foreign, self.kinds, strict=True)
        )


def compare(works: Sequence[tuple[str, Code]], given: Collection[int], threshold: float) -> list[Pair]:
    """The pairs of different teams' programs whose likeness is at least `threshold`, the likest first.

    A work is its team's name and its code; `given` are the hashes of what everybody was given (`given_code`).
    """
    programs = _programs(works, given)
    return sorted(
        (
            pair
            for pair in _close_pairs(programs, _candidates(programs, threshold))
            if pair.likeness >= threshold and pair.tokens >= MIN_TOKENS
        ),
        key=lambda pair: (-pair.likeness, -pair.tokens, pair.first, pair.second),
    )


def compare_two(works: Sequence[tuple[str, Code]], given: Collection[int], first: int, second: int) -> Pair:
    """What two of the programs have in common, beside all the others, who tell what is nobody's own."""
    (pair,) = _close_pairs(_programs(works, given), [(first, second)])
    return pair


def given_code(codes: Sequence[Code]) -> frozenset[int]:
    """The hashes of all that is in code which everybody was given."""
    return frozenset(value for code in codes for value in grams(code.kinds) if value is not None)


def _programs(works: Sequence[tuple[str, Code]], given: Collection[int]) -> list[_Program]:
    programs = [_Program(team, code, given) for team, code in works]
    teams: defaultdict[int, set[str]] = defaultdict(set)
    for program in programs:
        for _, value in program.prints:
            teams[value].add(program.team)
    count = len({program.team for program in programs})
    most = max(MIN_COMMON, min(MAX_COMMON, count * COMMON_SHARE))
    common = {value for value, having in teams.items() if len(having) > most}
    for program in programs:
        program.leave_out(common)
    return programs


def _candidates(programs: Sequence[_Program], threshold: float) -> list[tuple[int, int]]:
    """The pairs with enough fingerprints in common to be looked at closely, most first."""
    having: defaultdict[int, list[int]] = defaultdict(list)
    values = [{value for _, value in program.prints} for program in programs]
    for number, known in enumerate(values):
        for value in known:
            having[value].append(number)
    shared: Counter[tuple[int, int]] = Counter()
    for numbers in having.values():
        shared.update(
            pair for pair in combinations(numbers, 2) if programs[pair[0]].team != programs[pair[1]].team
        )
    parts = {pair: count / min(len(values[number]) for number in pair) for pair, count in shared.items()}
    likely = [pair for pair, part in parts.items() if part >= threshold * LIKELY]
    return sorted(likely, key=lambda pair: (-parts[pair], pair))[:MAX_PAIRS]


def _close_pairs(programs: Sequence[_Program], pairs: Sequence[tuple[int, int]]) -> Iterator[Pair]:
    for first, second in pairs:
        one, other = programs[first], programs[second]
        yield Pair(first, second, tuple(_passages(one, other)), (one.own, other.own))


def _passages(one: _Program, other: _Program) -> list[Passage]:
    """What is the same in both, the longest first; nothing of either is in two passages."""
    found = sorted(_runs(one, other), key=lambda run: (-run.length, run))
    taken = bytearray(len(one.kinds)), bytearray(len(other.kinds))
    passages: list[Passage] = []
    for run in found:
        free = [not (taken[0][run.first + at] or taken[1][run.second + at]) for at in range(run.length)]
        for start, end in _stretches(free):
            if end - start >= GRAM:
                passage = Passage(run.first + start, run.second + start, end - start)
                passages.append(passage)
                taken[0][passage.first : passage.first + passage.length] = b"\1" * passage.length
                taken[1][passage.second : passage.second + passage.length] = b"\1" * passage.length
    return sorted(passages)


def _stretches(free: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """From where to where there is nothing but what is free."""
    start = None
    for at, is_free in enumerate([*free, False]):
        if is_free and start is None:
            start = at
        elif not is_free and start is not None:
            yield start, at
            start = None


def _runs(one: _Program, other: _Program) -> Iterator[Passage]:
    """Around every fingerprint that both have, as much as is the same and either's own."""
    places: defaultdict[int, list[int]] = defaultdict(list)
    for at, value in other.prints:
        places[value].append(at)
    reached: dict[int, int] = {}
    seen: Counter[int] = Counter()
    for at, value in one.prints:
        seen[value] += 1
        if seen[value] > MAX_REPEATS:
            continue
        for there in places.get(value, ())[:MAX_REPEATS]:
            if reached.get(at - there, -1) > at:
                continue  # it is part of a run that was found
            start, end = at, at
            while _same(one, other, start - 1, there - at + start - 1):
                start -= 1
            while _same(one, other, end, there - at + end):
                end += 1
            reached[at - there] = end
            yield Passage(start, there - at + start, end - start)


def _same(one: _Program, other: _Program, at: int, there: int) -> bool:
    if not (0 <= at < len(one.kinds) and 0 <= there < len(other.kinds)):
        return False
    kind = one.kinds[at]
    return kind == other.kinds[there] and kind != BREAK and not (one.foreign[at] or other.foreign[there])
