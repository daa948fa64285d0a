"""`arena tournament story`, `grading` and `release-grades`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.exporting import Output, check_export, write_export
from arena.cli.shared.failures import UsageError
from arena.cli.shared.options import AsJson, Force, TournamentName
from arena.cli.shared.output import amount, print_json, print_line, print_table
from arena.core.terms import Acts
from arena.core.words import say, say_many
from arena.local.files import text_of

if TYPE_CHECKING:
    from arena.schemas.grading import GradeOut, GradingOut

AsCsv = Annotated[bool, typer.Option("--csv", help="For a spreadsheet.")]


def register(app: typer.Typer) -> None:
    """Add the commands to those of `arena tournament`."""
    app.command()(story)
    app.command()(grading)
    app.command("release-grades")(release_grades)


def story(
    name: TournamentName,
    *,
    which: Annotated[Acts, typer.Option(help="Whose acts are told.")] = Acts.ALL,
    as_csv: AsCsv = False,
    output: Output = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Print what was done to a tournament, a line an act, the last first."""
    _check(as_csv=as_csv, output=output, force=force, as_json=as_json)
    with connect_with_token() as client:
        if as_csv:
            about = {"tournament": name, "format": "csv"}
            write_export(client.story_csv(name, which), output, about, force=force, as_json=as_json)
            return
        acts = list(client.story(name, which))
    if as_json:
        print_json({"acts": acts})
        return
    for act in acts:
        print_line(f"{act.at:%Y-%m-%d %H:%M:%S} {act.text}")


def grading(
    name: TournamentName,
    *,
    scheme: Annotated[
        Path | None, typer.Option("--set", metavar="FILE", help="A scheme as JSON; docs/grading.md.")
    ] = None,
    only_look: Annotated[bool, typer.Option("--preview", help="Keep nothing of --set.")] = False,
    as_csv: AsCsv = False,
    output: Output = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Print who gets what by the scheme of a tournament; with --set give it another one before."""
    if only_look and scheme is None:
        raise UsageError(say("--preview goes with --set"))
    if as_csv and scheme is not None:
        raise UsageError(say("--csv tells of the scheme that is kept; leave --set out"))
    _check(as_csv=as_csv, output=output, force=force, as_json=as_json)
    with connect_with_token() as client:
        if as_csv:
            about = {"tournament": name, "format": "csv"}
            write_export(client.grades_csv(name), output, about, force=force, as_json=as_json)
            return
        if scheme is None:
            told = client.grading(name)
        else:
            told = client.set_grading(name, _read(scheme), only_look=only_look)
    print_json(told) if as_json else _print(told)


def release_grades(
    name: TournamentName,
    *,
    reason: Annotated[
        str | None, typer.Option(help="Why grades are told anew, which the teams will read.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tell every team its grade, as it is now."""
    with connect_with_token() as client:
        told = client.release_grades(name, reason)
    if as_json:
        print_json(told)
    else:
        print_line(
            say(
                "grades of {name} told to {count}",
                count=say_many("{number} team", "{number} teams", len(told.grades)),
                name=name,
            )
        )


def _check(*, as_csv: bool, output: Path | None, force: bool, as_json: bool) -> None:
    if output is not None and not as_csv:
        raise UsageError(say("--output goes with --csv"))
    if as_csv:
        check_export(output, force=force, as_json=as_json)


def _read(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(text_of(path))
    except (ValueError, RecursionError) as error:
        raise UsageError(say("{path} cannot be read as JSON: {error}", path=path, error=error)) from None
    if not isinstance(told, dict):
        raise UsageError(say('{path} is no scheme; it looks like {{"base": 60, "bands": []}}', path=path))
    return told


def _print(told: GradingOut) -> None:
    rows = [(each.place, each.team, each.bot, amount(each.points), _why(each)) for each in told.grades]
    kept = "" if told.scheme else say(", no scheme was set")
    print_table(
        (">place", "team", "bot", ">points", "why"),
        rows,
        say("{tournament}: {state}{kept}", tournament=told.tournament, state=told.state, kept=kept),
    )
    if told.releases:
        print_line(
            say(
                "told {count}, last {at:%Y-%m-%d %H:%M}",
                count=say_many("{number} time", "{number} times", len(told.releases)),
                at=told.releases[0].at,
            )
        )
    if told.changed:
        print_line(say("other grades than were told: {changed}", changed=", ".join(told.changed)))


def _why(grade: GradeOut) -> str:
    if grade.disqualified:
        return say("disqualified")
    parts = [say("{base:g} for taking part", base=grade.base)]
    parts += [
        say(
            "{points:g} for {made:g}/{games} against {bot}",
            points=each.points,
            made=each.made,
            games=each.games,
            bot=each.bot,
        )
        for each in grade.passed
    ]
    if grade.band:
        unit = "" if grade.band.unit == "places" else " %"
        parts.append(
            say(
                "{points:g} for a place up to {up_to}{unit}",
                points=grade.band.points,
                up_to=grade.band.up_to,
                unit=unit,
            )
        )
    return ", ".join(parts)
