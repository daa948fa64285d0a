"""The class report, as JSON and as lines of CSV."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from pydantic import BaseModel, Field

from arena.core.terms import Leaving, TournamentState
from arena.interchange.tables import BOM, csv_line
from arena.results.class_report import FORFEITS, Against, ClassReport, Reference, ReportLine
from arena.store.models import Tournament

COLUMNS = (
    "place",
    "class_place",
    "team",
    "bot",
    "version",
    "games",
    "points",
    "wins",
    "draws",
    "losses",
    "forfeits",
)
TIMES = ("answers", "mean_ms", "mean_share", "slowest_ms", "slowest_share", "extensions")
COMPARED = ("games", "points", "share", "threshold", "passed")


class ReferenceOut(BaseModel):
    """A bot that the others are measured by."""

    bot: str
    threshold: float | None = Field(description="The share of the points that passes; null for none.")

    @classmethod
    def of(cls, reference: Reference) -> Self:
        """The reference bot."""
        threshold = reference.threshold
        return cls(bot=reference.bot, threshold=None if threshold is None else float(threshold))


class AgainstOut(BaseModel):
    """What a bot made against a reference bot."""

    bot: str
    games: int
    points: float
    share: float | None = Field(description="Of the points; null without a game.")
    passed: bool | None = Field(description="Null without a threshold or a game.")

    @classmethod
    def of(cls, against: Against) -> Self:
        """The result against one reference bot."""
        return cls(
            bot=against.reference.bot,
            games=against.games,
            points=against.half_points / 2,
            share=against.share,
            passed=against.passed,
        )


class TimeUse(BaseModel):
    """What a bot's answers took, as its clock was charged; null without an answer."""

    answers: int
    mean_ms: float | None
    mean_share: float | None = Field(description="Of the limit for an answer.")
    slowest_ms: float | None
    slowest_share: float | None = Field(description="Of the limit; an extended answer may have more than 1.")
    extensions: int

    @classmethod
    def of(cls, line: ReportLine, limit_ms: int) -> Self:
        """The time that a bot used."""
        mean, slowest = line.use.mean_ms, line.use.slowest_ms
        return cls(
            answers=line.use.answers,
            mean_ms=mean,
            mean_share=None if mean is None else mean / limit_ms,
            slowest_ms=slowest,
            slowest_share=None if slowest is None else slowest / limit_ms,
            extensions=line.use.extensions,
        )


class ReportLineOut(BaseModel):
    """One bot of the class."""

    place: int = Field(description="Among all bots.")
    class_place: int = Field(description="Without the reference bots.")
    team: str
    bot: str
    version: int
    games: int
    points: float
    wins: int
    draws: int
    losses: int
    left_as: Leaving | None = Field(description="How it left the tournament; null for who did not.")
    forfeits: dict[str, int] = Field(description="By their kinds; those that did not happen are left out.")
    time: TimeUse
    against: list[AgainstOut]
    passed: bool | None = Field(description="Every threshold; null while one is open or where there is none.")

    @classmethod
    def of(cls, line: ReportLine, limit_ms: int) -> Self:
        """The line as the report has it."""
        return cls(
            place=line.place,
            class_place=line.class_place,
            team=line.team,
            bot=line.bot,
            version=line.version,
            games=line.games,
            points=line.points,
            wins=line.wins,
            draws=line.draws,
            losses=line.losses,
            left_as=line.left_as,
            forfeits={kind: line.use.forfeits[kind] for kind in FORFEITS if line.use.forfeits[kind]},
            time=TimeUse.of(line, limit_ms),
            against=[AgainstOut.of(each) for each in line.against],
            passed=line.passed,
        )


class ClassReportOut(BaseModel):
    """What the bots of a class made of a tournament, in the order of its leaderboard."""

    tournament: str
    state: TournamentState
    limit_ms: int = Field(description="For one answer.")
    references: list[ReferenceOut]
    items: list[ReportLineOut]

    @classmethod
    def of(cls, tournament: Tournament, report: ClassReport) -> Self:
        """The report of `tournament`."""
        return cls(
            tournament=tournament.name,
            state=tournament.state,
            limit_ms=report.limit_ms,
            references=[ReferenceOut.of(reference) for reference in report.references],
            items=[ReportLineOut.of(line, report.limit_ms) for line in report.lines],
        )


def csv_lines(report: ClassReportOut) -> Iterator[str]:
    """The report for a spreadsheet: a heading, then a line a bot; verdicts are 1, 0, or empty while open."""
    compared = [f"{name} vs {reference.bot}" for reference in report.references for name in COMPARED]
    kinds = [f"forfeits {kind}" for kind in FORFEITS]
    yield BOM + csv_line([*COLUMNS, *kinds, *TIMES, *compared, "passed", "left_as"])
    for line in report.items:
        told = line.model_dump()
        total = sum(line.forfeits.values())
        cells = [total if name == "forfeits" else told[name] for name in COLUMNS]
        cells += [line.forfeits.get(kind, 0) for kind in FORFEITS]
        cells += [_number(told["time"][name]) for name in TIMES]
        for reference, against in zip(report.references, line.against, strict=True):
            cells += [_number(value) for value in (against.games, against.points, against.share)]
            cells += [_number(reference.threshold), _truth(against.passed)]
        yield csv_line([*cells, _truth(line.passed), line.left_as or ""])


def _number(value: float | None) -> object:
    return "" if value is None else round(value, 6)


def _truth(value: bool | None) -> object:
    return "" if value is None else int(value)
