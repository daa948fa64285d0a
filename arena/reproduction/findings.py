"""What a reproduction consists of: comparisons with verdicts, in exhibits, in sections, in a report."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from arena.documents.inventory import Claim, Standing
from arena.documents.texts import Words
from arena.theory.statistics.multiplicity import holm

LEVEL: Final = 0.05
"""Adjusted p-values below it count as a difference."""


class Method(StrEnum):
    """How a figure of a document is compared with ours."""

    EXACT = "exact count"
    ARITHMETIC = "arithmetic from the document's own figures"
    BINOMIAL = "exact binomial test"
    CHI_SQUARE = "chi-square test of a standard deviation"
    PREDICTION = "prediction from repeated record sets (t)"


class Verdict(StrEnum):
    """What a comparison came to."""

    EXACT = "agrees exactly"
    WITHIN = "agrees within error"
    DIFFERS = "differs"
    SLIP = "contradicts itself"


@dataclass(frozen=True)
class Comparison:
    """One figure of a document, as printed, beside ours.

    An exact one says whether it `agrees`; a tested one has its `p`, the range `expected` in which the
    document's figure lies in 95 of 100 cases if both describe the same, and after `judged` the p-value
    `adjusted` for all tests of the section. `interval` is the 95 % confidence interval of ours, where ours is
    an estimate. `cell` is the figure's row and column in the exhibit's grid.
    """

    key: str
    what: Words
    document: str
    ours: str
    method: Method
    agrees: bool | None = None
    p: float | None = None
    expected: tuple[float, float] | None = None
    interval: tuple[float, float] | None = None
    adjusted: float | None = None
    cell: tuple[int, int] | None = None
    numbers: Mapping[str, float] = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict:
        """What it came to; of a tested one, by the adjusted p-value."""
        if self.p is not None:
            p = self.p if self.adjusted is None else self.adjusted
            return Verdict.WITHIN if p >= LEVEL else Verdict.DIFFERS
        if self.agrees:
            return Verdict.EXACT
        return Verdict.SLIP if self.method is Method.ARITHMETIC else Verdict.DIFFERS


def counted(
    key: str, what: Words, document: object, ours: object, cell: tuple[int, int] | None = None
) -> Comparison:
    """Two exact figures side by side."""
    return Comparison(key, what, str(document), str(ours), Method.EXACT, agrees=document == ours, cell=cell)


@dataclass(frozen=True)
class Grid:
    """A table as it is printed: headings, and rows of as many texts."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Exhibit:
    """A table or a group of claims of a document with its comparisons; the grids show both as tables."""

    key: str
    title: Words
    comparisons: tuple[Comparison, ...]
    document: Grid | None = None
    ours: Grid | None = None
    note: Words | None = None


class Figure(NamedTuple):
    """A drawing as an SVG element."""

    key: str
    title: Words
    svg: str


@dataclass(frozen=True)
class Comment:
    """What is to be said about the comparisons with the keys `about`, from what was computed."""

    about: tuple[str, ...]
    words: Words


@dataclass(frozen=True)
class Row:
    """What became of the claim `key`: in words, on a `page` or by a `command`, and with what beside it."""

    key: str
    standing: Standing
    found: Words
    page: str = ""
    command: str = ""
    about: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """One document: its exhibits and figures, comments on where it and we differ, and all that it claims."""

    name: str
    title: Words
    source: Words
    exhibits: tuple[Exhibit, ...]
    figures: tuple[Figure, ...] = ()
    comments: tuple[Comment, ...] = ()
    claims: tuple[tuple[Claim, Row], ...] = ()

    def comparisons(self) -> Iterator[Comparison]:
        """All of them in order."""
        for exhibit in self.exhibits:
            yield from exhibit.comparisons

    def verdicts(self) -> dict[Verdict, int]:
        """How many comparisons came to each verdict."""
        verdicts = [comparison.verdict for comparison in self.comparisons()]
        return {verdict: verdicts.count(verdict) for verdict in Verdict}

    def standings(self) -> dict[Standing, int]:
        """How many claims came to each standing."""
        standings = [row.standing for _, row in self.claims]
        return {standing: standings.count(standing) for standing in Standing}


@dataclass(frozen=True)
class Report:
    """What was asked for, with the seed and the effort that gave it."""

    sections: tuple[Section, ...]
    seed: int
    effort: Mapping[str, int]
    version: str


def judged(exhibits: Iterable[Exhibit]) -> tuple[Exhibit, ...]:
    """The exhibits with the p-values of all their tests adjusted together (Holm)."""
    exhibits = tuple(exhibits)
    tests = {each.key: each.p for exhibit in exhibits for each in exhibit.comparisons if each.p is not None}
    adjusted = dict(zip(tests, holm(list(tests.values())), strict=True))
    return tuple(
        dataclasses.replace(
            exhibit,
            comparisons=tuple(
                dataclasses.replace(each, adjusted=adjusted[each.key]) if each.p is not None else each
                for each in exhibit.comparisons
            ),
        )
        for exhibit in exhibits
    )
