"""`arena experiment`: simulations on the arena's workers, and statistics of simulations from anywhere."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.experiment import sprt_counts
from arena.cli.experiment import statistics as simulation_statistics
from arena.cli.experiment import sweep as sweeping
from arena.cli.shared.asking import Yes, ask_first
from arena.cli.shared.commands import Commands
from arena.cli.shared.connection import connect, connect_with_token
from arena.cli.shared.exporting import Output, check_export, write_export
from arena.cli.shared.failures import CliError, UsageError
from arena.cli.shared.options import AsJson, Force
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.core.terms import ExperimentState
from arena.core.words import say, say_many

if TYPE_CHECKING:
    from arena.schemas.experiments import ExperimentOut
    from arena.schemas.simulations import OutcomeShare


class ExportForm(StrEnum):
    """What is exported, and how it is written."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


app = Commands()
app.command()(simulation_statistics.compare)
app.command()(simulation_statistics.plan)
app.command()(sprt_counts.sprt)
app.command()(sweeping.sweep)
app.command()(sweeping.sweeps)
app.command()(sweeping.table)

Number = Annotated[int, typer.Argument(metavar="NUMBER", min=1, help="The experiment's number.")]
Which = Annotated[
    str, typer.Argument(metavar="NUMBER|SWEEP", help="An experiment's number, or a sweep's name.")
]


@app.command("list")
def list_experiments(as_json: AsJson = False) -> None:
    """List the experiments on the arena's workers, newest first."""
    with connect() as client:
        experiments = list(client.experiments())
    if as_json:
        print_json({"experiments": experiments})
        return
    columns = (">number", "state", "game", "first", "second", ">games", ">done")
    rows = [
        (
            *(each.id, each.state, each.game.name),
            *(player.name for player in each.players),
            *(f"{each.games:,}", f"{each.done:,}"),
        )
        for each in experiments
    ]
    print_table(columns, rows)


@app.command()
def show(which: Which, as_json: AsJson = False) -> None:
    """Print what an experiment's games come to so far, or how far a sweep is."""
    with connect() as client:
        if which.isdigit():
            _print(client.experiment(int(which)), as_json=as_json)
        else:
            sweeping.print_sweep(client.sweep(which), as_json=as_json)


@app.command()
def watch(which: Which, as_json: AsJson = False) -> None:
    """Show how far an experiment or a sweep is until it is over, then print what it came to."""
    from arena.cli.shared.experiments import told, watch_live

    with connect() as client:
        if not which.isdigit():
            ended = sweeping.watch_sweep(client, client.sweep(which))
            sweeping.print_sweep(ended, as_json=as_json)
            if ended.state != ExperimentState.FINISHED:
                raise CliError(sweeping.told(ended))
            return
        over = watch_live(client, client.experiment(int(which)))
    _print(over, as_json=as_json)
    if over.state != ExperimentState.FINISHED:
        raise CliError(told(over))


@app.command()
def cancel(which: Which, yes: Yes = False, as_json: AsJson = False) -> None:
    """End an experiment or a sweep; what the first games came to stays."""
    from arena.cli.shared.experiments import told

    ask_first(say("{which} ends for good; what the first games came to stays.", which=which), yes=yes)
    with connect_with_token() as client:
        if not which.isdigit():
            sweeping.print_sweep(client.cancel_sweep(which), as_json=as_json)
            return
        over = client.cancel_experiment(int(which))
    print_json(over) if as_json else print_line(told(over))


@app.command()
def export(
    number: Number,
    form: Annotated[
        ExportForm,
        typer.Option("--format", help="csv of the counts; jsonl or parquet of games that were recorded so."),
    ] = ExportForm.CSV,
    output: Output = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write an experiment's counts or games to standard output or a file; parquet to a folder of files."""
    from arena.cli.simulate.recording import save_recording

    about = {"experiment": number, "format": form.value}
    if form is ExportForm.PARQUET:
        if output is None:
            raise UsageError(say("--format parquet needs --output FOLDER.parquet, where its parts go"))
        with connect() as client:
            size = save_recording(client, client.experiment(number), output, force=force)
        told = about | {"file": str(output), "bytes": size}
        print_json(told) if as_json else note(
            say("{output}: {size}", output=output, size=say_many("{number} byte", "{number} bytes", size))
        )
        return
    check_export(output, force=force, as_json=as_json)
    with connect() as client:
        write_export(client.export_experiment(number, form), output, about, force=force, as_json=as_json)


def _print(experiment: ExperimentOut, *, as_json: bool) -> None:
    from arena.cli.shared.experiments import told
    from arena.cli.simulate.report import sprt_lines

    if as_json:
        print_json(experiment)
        return
    print_line(told(experiment))
    first, sprt = experiment.result.first, experiment.result.sprt
    if first is None:
        return
    shares = {"wins": first.shares.wins, "draws": first.shares.draws, "losses": first.shares.losses}
    counts = {"wins": first.wins, "draws": first.draws, "losses": first.losses}
    rows = [
        (outcome, f"{counts[outcome]:,}", _percent(share.share), _between(share))
        for outcome, share in shares.items()
    ]
    score = first.score
    rows.append(
        (
            say("score"),
            "",
            f"{score.mean:.5f}",
            say("{low:.5f} to {high:.5f}", low=score.low, high=score.high),
        )
    )
    columns = (experiment.players[0].name, ">games", ">share", "interval")
    print_table(columns, rows)
    for line in sprt_lines(None if sprt is None else sprt.model_dump()):
        print_line(line)
    if experiment.games_per_second:
        print_line(
            say(
                "{games_per_second} a second",
                games_per_second=say_many(
                    "{number:,.0f} game", "{number:,.0f} games", experiment.games_per_second
                ),
            )
        )


def _percent(share: float) -> str:
    return f"{100 * share:.3f} %"


def _between(share: OutcomeShare) -> str:
    return say("{what:.3f} to {what2:.3f} %", what=100 * share.low, what2=100 * share.high)
