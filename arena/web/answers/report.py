"""The class report, and its lines of CSV."""

from __future__ import annotations

from collections.abc import Iterator

from arena.interchange.tables import BOM, csv_line
from arena.results.class_report import FORFEITS, Against, ClassReport, ReportLine
from arena.schemas.report import AgainstOut, ClassReportOut, ReferenceOut, ReportLineOut, TimeUse
from arena.store.models import Tournament
from arena.web.answers.copying import copied

COLUMNS = (
    *("place", "class_place", "team", "bot", "version"),
    *("games", "points", "wins", "draws", "losses", "forfeits"),
)
TIMES = ("answers", "mean_ms", "mean_share", "slowest_ms", "slowest_share", "extensions")
COMPARED = ("games", "points", "share", "threshold", "passed")


def class_report_of(tournament: Tournament, report: ClassReport) -> ClassReportOut:
    """The report of `tournament`."""
    return ClassReportOut(
        tournament=tournament.name,
        state=tournament.state,
        limit_ms=report.limit_ms,
        references=[
            ReferenceOut(bot=each.bot, threshold=None if each.threshold is None else float(each.threshold))
            for each in report.references
        ],
        items=[_line(line, report.limit_ms) for line in report.lines],
    )


def _line(line: ReportLine, limit_ms: int) -> ReportLineOut:
    return copied(
        ReportLineOut,
        line,
        forfeits={kind: line.use.forfeits[kind] for kind in FORFEITS if line.use.forfeits.get(kind)},
        time=_time(line, limit_ms),
        against=[_against(each) for each in line.against],
    )


def _time(line: ReportLine, limit_ms: int) -> TimeUse:
    mean, slowest = line.use.mean_ms, line.use.slowest_ms
    return copied(
        TimeUse,
        line.use,
        mean_share=None if mean is None else mean / limit_ms,
        slowest_share=None if slowest is None else slowest / limit_ms,
    )


def _against(against: Against) -> AgainstOut:
    return copied(AgainstOut, against, bot=against.reference.bot, points=against.half_points / 2)


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
