"""`arena staff`: what waits, what was lost, checks, and what takes up room."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer

from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.schemas.staff import LossOut, QueueLine, StaffCheck

app = typer.Typer(no_args_is_help=True)

Limit = Annotated[int, typer.Option(min=1, help="How many to show.")]
UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


@app.command()
def queue(as_json: AsJson = False) -> None:
    """Show what waits to be played and checked, what nobody can do, and what stands still."""
    with connect_with_token() as client:
        found = client.queue()
    if as_json:
        print_json(found)
        return
    for each in found.standstill:
        note(f"{each.what} stands still: {each.why}")
    columns = ("What", "Needs", ">Pending", ">Given out", ">Running", "Since", "Nobody can")
    lines = [(each.tournament or "", each) for each in found.matches]
    lines += [("checks", each) for each in found.checks]
    lines += [("analyses", each) for each in found.reviews]
    lines += [("scrimmages", each) for each in found.scrimmages]
    print_table(columns, (_line(what, each) for what, each in lines))
    if found.experiments:
        columns = (">Experiment", "State", "Needs", ">Games left", ">Given out", ">Running", "Nobody can")
        rows = (
            (
                *(each.number, each.state, ", ".join(each.needs), each.games_left),
                *(each.published, each.running, each.nobody or ""),
            )
            for each in found.experiments
        )
        print_table(columns, rows)
    note(f"{found.rate:.1f} matches a minute of late, by {found.players} processes that play")
    if found.seconds is not None:
        note(f"at that rate what can be played takes {found.seconds / 60:.0f} min")


@app.command()
def lost(
    *,
    all_: Annotated[bool, typer.Option("--all", help="Also those that are to be played again.")] = False,
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """Show the matches that wait for the staff, and what else came to nothing, and why."""
    with connect_with_token() as client:
        parked = list(islice(client.parked(), limit))
        again = list(islice(client.lost(), limit)) if all_ else []
        checks = [each for each in islice(client.staff_checks(over=True), limit) if each.state == "parked"]
        analyses = list(islice(client.given_up_analyses(), limit))
        admin = client.me().role == "admin"
        experiments = list(islice(client.failed_experiments(), limit)) if admin else []
    if as_json:
        matches = {"parked": parked, "lost": again}
        print_json(matches | {"checks": checks, "analyses": analyses, "experiments": experiments})
        return
    columns = ("Tournament", ">Match", "Bots", "State", ">Lost", "Hosts", "Trouble")
    print_table(columns, map(_loss, [*parked, *again]))
    for check in checks:
        print_line(f"check of {check.bot}, version {check.version}: {check.trouble or ''}")
    for row in analyses:
        of = f"match {row.number} of {row.tournament}" if row.tournament else "a private game"
        print_line(f"analysis of {of}: {row.trouble or ''}")
    for each in experiments:
        print_line(f"experiment {each.number}: {each.trouble or ''}")


@app.command()
def retry(
    experiment: Annotated[int, typer.Argument(help="The number of an experiment that has failed.")],
    as_json: AsJson = False,
) -> None:
    """Have an experiment that was given up go on; for matches see `arena tournament retry`."""
    with connect_with_token() as client:
        made = client.retry_experiment(experiment)
    print_json(made) if as_json else print_line(f"experiment {made.id} is {made.state}")


@app.command()
def checks(
    *,
    over: Annotated[bool, typer.Option("--over", help="Those that are over, the latest first.")] = False,
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """Show the checks that wait or are being done, or the verdicts of late."""
    with connect_with_token() as client:
        found = list(islice(client.staff_checks(over=over), limit))
    if as_json:
        print_json({"checks": found})
        return
    columns = ("Bot", ">Version", "Owner", "Language", "Check", "Verdict", "Host", "Trouble")
    print_table(columns, map(_check, found))


@app.command()
def storage(as_json: AsJson = False) -> None:
    """Show what takes up room, and how much is free."""
    with connect_with_token() as client:
        found = client.storage()
    if as_json:
        print_json(found)
        return
    growth = "" if found.daily is None else f", about {size(found.daily)} of it within the last day"
    print_line(f"database: {size(found.database)}{growth}")
    for folder in found.folders:
        if folder.known:
            least = "" if folder.complete else "at least "
            unused = f", {folder.unused_files} of them without a version" if folder.unused_files else ""
            print_line(f"{folder.name}: {least}{size(folder.size)} in {folder.files} files{unused}")
    for disk in found.disks:
        print_line(f"disk of {disk.place}: {size(disk.free)} of {size(disk.total)} free")
    rows = [(each.name, each.rows, "" if each.size is None else size(each.size)) for each in found.tables]
    print_table(("Table", ">About rows", ">Size"), rows)


def size(number: float) -> str:
    """Bytes in the unit that shows them best."""
    unit = 0
    while number >= 1024 and unit < len(UNITS) - 1:
        number, unit = number / 1024, unit + 1
    return f"{number:.0f} {UNITS[unit]}" if unit == 0 else f"{number:.1f} {UNITS[unit]}"


def _line(what: str, line: QueueLine) -> tuple[object, ...]:
    since = line.since.astimezone().strftime("%d %b %H:%M") if line.since else ""
    counts = line.pending, line.published, line.running
    return (
        what + (" (paused)" if line.paused else ""),
        ", ".join(line.needs),
        *counts,
        since,
        line.nobody or "",
    )


def _loss(loss: LossOut) -> tuple[object, ...]:
    hosts = ", ".join(dict.fromkeys(each.host for each in loss.attempts if each.host))
    told = loss.tournament, loss.number, " against ".join(loss.bots), loss.state, loss.lost
    return *told, hosts, loss.trouble or ""


def _check(check: StaffCheck) -> tuple[object, ...]:
    told = check.bot, check.version, check.owner, check.language, check.state, check.verdict
    return *told, check.host or "", check.trouble or ""
