"""`arena staff`: what waits, what was lost, checks, and what takes up room."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Any

import typer

from arena.cli.shared.commands import Commands
from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.core.terms import MatchState, Role
from arena.core.words import say, say_many
from arena.schemas.queue import QueuedSolve, QueuedTraining, QueueLine, QueueOut
from arena.schemas.staff import LossOut, SetAsideOut, StaffCheck

app = Commands()

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
        note(say("{what} stands still: {why}", what=each.what, why=each.why))
    columns = ("What", "Needs", ">Pending", ">Given out", ">Running", "Since", "Nobody can")
    lines = [(each.tournament or "", each) for each in found.matches]
    lines += [(say("checks"), each) for each in found.checks]
    lines += [(say("analyses"), each) for each in found.reviews]
    lines += [(say("scrimmages"), each) for each in found.scrimmages]
    print_table(columns, (_line(what, each) for what, each in lines))
    _print_calculated(found)
    note(
        say(
            "{rate:.1f} matches a minute of late; playing: {players}",
            rate=found.rate,
            players=say_many("{number} process", "{number} processes", found.players),
        )
    )
    if found.seconds is not None:
        note(say("at that rate what can be played takes {what:.0f} min", what=found.seconds / 60))


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
        checks = [
            each for each in islice(client.staff_checks(over=True), limit) if each.state == MatchState.PARKED
        ]
        analyses = list(islice(client.given_up_analyses(), limit))
        admin = client.me().role == Role.ADMIN
        experiments = list(islice(client.failed_experiments(), limit)) if admin else []
    if as_json:
        matches = {"parked": parked, "lost": again}
        print_json(matches | {"checks": checks, "analyses": analyses, "experiments": experiments})
        return
    columns = ("Tournament", ">Match", "Bots", "State", ">Lost", "Hosts", "Trouble")
    print_table(columns, map(_loss, [*parked, *again]))
    for check in checks:
        print_line(
            say(
                "check of {bot}, version {version}: {what}",
                bot=check.bot,
                version=check.version,
                what=check.trouble or "",
            )
        )
    for row in analyses:
        of = (
            say("match {number} of {tournament}", number=row.number, tournament=row.tournament)
            if row.tournament
            else say("a private game")
        )
        print_line(say("analysis of {of}: {what}", of=of, what=row.trouble or ""))
    for each in experiments:
        print_line(say("experiment {number}: {what}", number=each.number, what=each.trouble or ""))


@app.command()
def retry(
    experiment: Annotated[int, typer.Argument(help="The number of an experiment that has failed.")],
    as_json: AsJson = False,
) -> None:
    """Have an experiment that was given up go on; for matches see `arena tournament retry`."""
    with connect_with_token() as client:
        made = client.retry_experiment(experiment)
    print_json(made) if as_json else print_line(
        say("experiment {id} is {state}", id=made.id, state=made.state)
    )


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


@app.command("set-aside")
def set_aside(limit: Limit = 50, as_json: AsJson = False) -> None:
    """Show what stood in the broker's queues and was no message, newest first; 1000 are kept."""
    with connect_with_token() as client:
        found = list(islice(client.set_aside(), limit))
    if as_json:
        print_json({"set_aside": found})
        return
    print_table((">Number", "At", "Why", "Queue", "Found by", ">Size", "Begins with"), map(_set_aside, found))
    if found:
        note(say("nothing of it was recorded; look who else than the arena reaches the broker"))


@app.command()
def storage(as_json: AsJson = False) -> None:
    """Show what takes up room, and how much is free."""
    with connect_with_token() as client:
        found = client.storage()
    if as_json:
        print_json(found)
        return
    growth = (
        ""
        if found.daily is None
        else say(", about {daily} of it within the last day", daily=size(found.daily))
    )
    print_line(say("database: {database}{growth}", database=size(found.database), growth=growth))
    for folder in found.folders:
        if folder.known:
            least = "" if folder.complete else say("at least ")
            unused = (
                say(", {unused_files} of them without a version", unused_files=folder.unused_files)
                if folder.unused_files
                else ""
            )
            print_line(
                say(
                    "{name}: {least}{size} in {files}{unused}",
                    name=folder.name,
                    least=least,
                    size=size(folder.size),
                    files=say_many("{number} file", "{number} files", folder.files),
                    unused=unused,
                )
            )
    for disk in found.disks:
        print_line(
            say(
                "disk of {place}: {free} of {total} free",
                place=disk.place,
                free=size(disk.free),
                total=size(disk.total),
            )
        )
    rows = [(each.name, each.rows, "" if each.size is None else size(each.size)) for each in found.tables]
    print_table(("Table", ">About rows", ">Size"), rows)


def size(number: float) -> str:
    """Bytes in the unit that shows them best."""
    unit = 0
    while number >= 1024 and unit < len(UNITS) - 1:
        number, unit = number / 1024, unit + 1
    return f"{number:.0f} {UNITS[unit]}" if unit == 0 else f"{number:.1f} {UNITS[unit]}"


def _print_calculated(found: QueueOut) -> None:
    """Experiments, solves and trainings that are not over, where there are any."""
    if found.experiments:
        columns = (
            ">Experiment",
            "State",
            "Needs",
            ">Games left",
            ">Given out",
            ">Running",
            "Nobody can",
        )
        rows = (
            (
                *(each.number, each.state, ", ".join(each.needs), each.games_left),
                *(each.published, each.running, each.nobody or ""),
            )
            for each in found.experiments
        )
        print_table(columns, rows)
        _tell_rest(len(found.experiments), found.experiments_total)
    if found.solves:
        columns = (">Solve", "State", "Game", ">Pending", ">Given out", ">Running", "Nobody can")
        print_table(columns, map(_solve, found.solves))
        _tell_rest(len(found.solves), found.solves_total)
    if found.trainings:
        print_table(
            (
                ">Training",
                "State",
                "Game",
                ">Round",
                "Part",
                ">Pending",
                ">Given out",
                ">Running",
                "Nobody can",
            ),
            map(_training, found.trainings),
        )
        _tell_rest(len(found.trainings), found.trainings_total)


def _tell_rest(shown: int, total: int) -> None:
    if shown < total:
        note(say("the oldest of all are shown: {shown} of {total}", shown=shown, total=total))


def _solve(each: QueuedSolve) -> tuple[Any, ...]:
    counts = each.pending, each.published, each.running
    return (each.number, each.state, each.game.name, *counts, each.nobody or "")


def _training(each: QueuedTraining) -> tuple[Any, ...]:
    counts = each.pending, each.published, each.running
    rounds = f"{each.round}/{each.rounds}"
    return (each.number, each.state, each.game.name, rounds, each.part, *counts, each.nobody or "")


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
    told = loss.tournament, loss.number, say(" against ").join(loss.bots), loss.state, loss.lost
    return *told, hosts, loss.trouble or ""


def _set_aside(each: SetAsideOut) -> tuple[object, ...]:
    at = each.at.astimezone().strftime("%d %b %H:%M:%S")
    why = f"{each.why}: {each.detail}" if each.detail else each.why
    return each.number, at, why, each.queue, each.host or say("the recorder"), size(each.size), each.head


def _check(check: StaffCheck) -> tuple[object, ...]:
    told = check.bot, check.version, check.owner, check.language, check.state, check.verdict
    return *told, check.host or "", check.trouble or ""
