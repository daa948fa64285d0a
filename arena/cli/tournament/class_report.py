"""`arena tournament report`: the class report, on a terminal or as CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.exporting import Output, check_export, write_export
from arena.cli.shared.failures import UsageError
from arena.cli.shared.options import AsJson, Force, TournamentName
from arena.cli.shared.output import Named, amount, duration, print_json, print_line, print_table
from arena.core.words import say

if TYPE_CHECKING:
    from arena.schemas.report import AgainstOut, ClassReportOut, ReportLineOut


def report(
    name: TournamentName,
    *,
    threshold: Annotated[
        list[str] | None,
        typer.Option(metavar="BOT=SHARE", help="What share of the points against that bot passes."),
    ] = None,
    reference: Annotated[
        list[str] | None,
        typer.Option(metavar="BOT", help="A bot that others are measured by [default: the staff's]."),
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="For a spreadsheet.")] = False,
    output: Output = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Print what every team's bot made of a tournament: for grading, by thresholds if wanted."""
    if output is not None and not as_csv:
        raise UsageError(say("--output goes with --csv"))
    if as_csv:
        check_export(output, force=force, as_json=as_json)
    with connect_with_token() as client:
        if as_csv:
            about = {"tournament": name, "format": "csv"}
            pieces = client.class_report_csv(name, threshold or [], reference or [])
            write_export(pieces, output, about, force=force, as_json=as_json)
            return
        told = client.class_report(name, threshold or [], reference or [])
    print_json(told) if as_json else _print(told)


def _print(told: ClassReportOut) -> None:
    graded = any(each.threshold is not None for each in told.references)
    columns = (
        *(">place", "team", "bot", ">points", ">games", ">won", ">drawn", ">lost"),
        *("forfeits", ">mean", ">slowest"),
        *(Named(f">{each.bot}") for each in told.references),
        *(("passed",) if graded else ()),
    )
    rows = [(*_cells(line), *((_verdict(line.passed),) if graded else ())) for line in told.items]
    title = say("{tournament}: {state}", tournament=told.tournament, state=told.state)
    print_table(columns, rows, title)
    for each in told.references:
        if each.threshold is not None:
            percent = each.threshold * 100
            print_line(say("{bot}: passed with {percent:.6g}% of the points", bot=each.bot, percent=percent))


def _cells(line: ReportLineOut) -> tuple[object, ...]:
    forfeits = ", ".join(f"{say(kind)} {count}" for kind, count in line.forfeits.items())
    times = map(_time, (line.time.mean_ms, line.time.slowest_ms))
    return (
        *(line.class_place, line.team, _bot(line), amount(line.points)),
        *(line.games, line.wins, line.draws, line.losses, forfeits, *times),
        *(_against(each) for each in line.against),
    )


def _bot(line: ReportLineOut) -> str:
    name = f"{line.bot} v{line.version}"
    return f"{name} ({line.left_as})" if line.left_as else name


def _time(milliseconds: float | None) -> str:
    return "" if milliseconds is None else duration(milliseconds * 1e6)


def _against(each: AgainstOut) -> str:
    made = f"{amount(each.points)}/{each.games}"
    return made if each.passed is None else f"{made} {_verdict(each.passed)}"


def _verdict(passed: bool | None) -> str:
    return say("open") if passed is None else say("yes") if passed else say("no")
