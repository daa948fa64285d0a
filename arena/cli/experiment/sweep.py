"""`arena experiment sweep`, `sweeps` and `table`: one simulation for every combination of some values."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.shared.connection import connect, connect_with_token
from arena.cli.shared.exporting import Output, check_export, write_export
from arena.cli.shared.failures import CliError, UsageError
from arena.cli.shared.groups import grouped
from arena.cli.shared.options import AsJson, Force
from arena.cli.shared.output import Named, note, print_json, print_line, print_table
from arena.cli.simulate.command import JournalOptions, Where
from arena.core.terms import ExperimentState
from arena.core.words import say, say_many
from arena.local.files import require_place, write_whole

if TYPE_CHECKING:
    from arena.experiments.grid import Cell, SweepPlan
    from arena.schemas.sweeps import SweepOut
    from workers.simulation.contract import SimulationSpec


class TableForm(StrEnum):
    """How a table is written."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


Name = Annotated[str, typer.Argument(metavar="SWEEP", help="The sweep's name.")]


@grouped
def sweep(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A grid as .toml or .json (docs/simulation.md).")
    ],
    *,
    on: Annotated[
        Where, typer.Option(help="Play on the arena's workers, or on this machine.")
    ] = Where.WORKERS,
    watch: Annotated[bool, typer.Option("--watch", help="Wait until the workers have played it.")] = False,
    jobs: Annotated[
        int | None,
        typer.Option(
            "-j", "--jobs", metavar="N", min=1, max=1000, help="At once here [default: one a core]."
        ),
    ] = None,
    table: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the table: .csv, .jsonl or .parquet.")
    ] = None,
    force: Force = False,
    journal: JournalOptions,
    as_json: AsJson = False,
) -> None:
    """Play one simulation for every combination of the values in a file; again, it goes on where it was."""
    from arena.local.sweep_files import form_of, read_plan, table_bytes

    plan, cells = read_plan(file)
    if table:
        require_place(table, force=force)
        form_of(table)
    if on is Where.HERE:
        if watch:
            raise UsageError(say("--watch is for workers; games that are played here are always waited for"))
        rows, trouble = _play_here(plan, cells, jobs, journal)
        told: Any = {"name": plan.name, "digest": plan.digest, "rows": rows}
    elif jobs or journal.journal or journal.fresh:
        raise UsageError(
            say("--jobs, --journal and --fresh are for games that are played here: add --on here")
        )
    elif table and not watch:
        raise UsageError(say("--table needs --watch; `arena experiment table` writes it at any time"))
    else:
        rows, trouble, told = _play_there(plan, watch=watch)
    if table:
        write_whole(table, table_bytes(rows, form_of(table)), force=force)
    if as_json:
        print_json(told)
    elif rows:
        _print(plan, rows)
    if trouble:
        raise CliError(trouble)


def _require_unrecorded(cells: list[Cell]) -> None:
    """Refuse a sweep that asks for its games, of which only those on the workers keep any."""
    for key in ("record_games", "columns"):
        if any(getattr(cell.plan, key) for cell in cells):
            raise UsageError(
                say(
                    "each.{key}: a sweep that is played here keeps no games; leave {key} out, or have the "
                    "workers play it (--on workers)",
                    key=key,
                )
            )


def _play_here(
    plan: SweepPlan, cells: list[Cell], jobs: int | None, journal: JournalOptions
) -> tuple[list[dict[str, Any]], str]:
    from arena.local import sweeps

    _require_unrecorded(cells)
    rows, trouble = [], ""
    way = sweeps.Way(jobs, journal.journal, journal.fresh, note)
    for one in sweeps.run(plan, cells, _spec_of, way):
        rows.append(one.row)
        if one.trouble:
            trouble = say(
                "{trouble} in simulation {count} of {count2}; the same command goes on",
                trouble=one.trouble,
                count=len(rows),
                count2=len(cells),
            )
    return rows, trouble


def _spec_of(cell: Cell) -> SimulationSpec:
    from arena.cli.simulate.request import player_of
    from arena.experiments.grid import described
    from arena.experiments.simulations import make_spec
    from arena.local.errors import InputError
    from engines.game import GameError
    from engines.games import find_game

    plan = cell.plan
    try:
        game = find_game(plan.game, plan.params)
        return make_spec(
            game,
            (player_of(plan.first, game), player_of(plan.second, game)),
            games=plan.games,
            seed=plan.seed,
            match=plan.match,
            swap=plan.swap,
            openings=(plan.openings, plan.opening_plies),
            policy=plan.policy,
            time=plan.time,
            limits=plan.limits,
        )
    except (GameError, InputError) as error:
        raise UsageError(f"{error} ({described(cell.values)})") from None


def _play_there(plan: SweepPlan, *, watch: bool) -> tuple[list[dict[str, Any]], str, Any]:
    from arena.local.sweep_files import rows_of

    with connect_with_token() as client:
        made = client.create_sweep(plan.model_dump(mode="json"))
        note(told(made))
        if not watch:
            note(
                say(
                    "`arena experiment watch {name}` shows how far it is, `table` what it comes to",
                    name=made.name,
                )
            )
            return [], "", made
        over = watch_sweep(client, made)
        rows = rows_of(client.sweep_table(made.name, "jsonl"))
    return rows, "" if over.state == ExperimentState.FINISHED else told(over), {"sweep": over, "rows": rows}


def watch_sweep(client: Any, made: SweepOut) -> SweepOut:
    """Show a sweep until it is over; returns it as it then is.

    Raises:
        ClientError: the arena does not answer any more.
        CliError: Ctrl-C; the sweep goes on, and the message says how to end it.
    """
    last, shown = made, -1
    try:
        for last in client.watch_sweep(made.name):
            if last.recorded != shown:
                note(told(last))
            shown = last.recorded
    except KeyboardInterrupt:
        raise CliError(
            say(
                "no longer watching; the sweep {name} goes on: `arena experiment watch {name}` shows it "
                "again, `arena experiment cancel {name}` ends it",
                name=made.name,
            )
        ) from None
    return last


def told(one: SweepOut) -> str:
    """How a sweep stands, in words."""
    cells = ", ".join(f"{count} {state}" for state, count in one.states.items())
    left = (
        say("; about {seconds_left:,.0f} s left", seconds_left=one.seconds_left) if one.seconds_left else ""
    )
    return say(
        "sweep {name} is {state}: {recorded:,} of {games}, {cells} ({cells2}){left}",
        name=one.name,
        state=one.state,
        recorded=one.recorded,
        games=say_many("{number:,} game", "{number:,} games", one.games),
        cells=say_many("{number} experiment", "{number} experiments", one.cells),
        cells2=cells,
        left=left,
    )


def sweeps(as_json: AsJson = False) -> None:
    """List the sweeps on the arena's workers, newest first."""
    with connect() as client:
        found = list(client.sweeps())
    if as_json:
        print_json({"sweeps": found})
        return
    columns = ("sweep", "state", "owner", ">experiments", ">games", ">recorded")
    rows = [
        (each.name, each.state, each.owner or "", each.cells, f"{each.games:,}", f"{each.recorded:,}")
        for each in found
    ]
    print_table(columns, rows)


def table(
    name: Name,
    form: Annotated[TableForm, typer.Option("--format", help="How it is written.")] = TableForm.CSV,
    output: Output = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write the table of a sweep, a row an experiment, to standard output or a file."""
    from arena.local.sweep_files import rows_of, table_bytes

    check_export(output, force=force, as_json=as_json)
    with connect() as client:
        about = {"sweep": name, "format": form.value}
        if form is TableForm.PARQUET:
            pieces = table_bytes(rows_of(client.sweep_table(name, "jsonl")), "parquet")
        else:
            pieces = client.sweep_table(name, form.value)
        write_export(pieces, output, about, force=force, as_json=as_json)


def print_sweep(one: SweepOut, *, as_json: bool) -> None:
    """How it stands."""
    print_json(one) if as_json else print_line(told(one))


def _print(plan: SweepPlan, rows: list[dict[str, Any]]) -> None:
    columns = (*(Named(f">{name}") for name in plan.vary), ">games", ">wins", ">draws", ">score", "interval")
    cells = [
        (
            *(row[name] for name in plan.vary),
            *(f"{row[name]:,}" if row["games"] else "" for name in ("games", "wins", "draws")),
            f"{row['score_mean']:.5f}" if row["games"] else "",
            say(
                "{score_low:.5f} to {score_high:.5f}",
                score_low=row["score_low"],
                score_high=row["score_high"],
            )
            if row["games"]
            else "",
        )
        for row in rows
    ]
    print_table(columns, cells)
