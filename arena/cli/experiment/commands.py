"""`arena experiment`: simulations on the arena's workers, and statistics of simulations from anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.experiment import sprt_counts
from arena.cli.experiment import statistics as simulation_statistics
from arena.cli.shared.connection import connect, connect_with_token
from arena.cli.shared.exporting import Output, check_export, write_export
from arena.cli.shared.failures import CliError
from arena.cli.shared.options import AsJson, Force
from arena.cli.shared.output import print_json, print_line, print_table
from arena.core.terms import ExperimentFormat

if TYPE_CHECKING:
    from arena.schemas.experiments import ExperimentOut

app = typer.Typer(no_args_is_help=True)
app.command()(simulation_statistics.compare)
app.command()(simulation_statistics.plan)
app.command()(sprt_counts.sprt)

Number = Annotated[int, typer.Argument(metavar="NUMBER", min=1, help="The experiment's number.")]


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
def show(number: Number, as_json: AsJson = False) -> None:
    """Print what an experiment's games come to so far."""
    with connect() as client:
        _print(client.experiment(number), as_json=as_json)


@app.command()
def watch(number: Number, as_json: AsJson = False) -> None:
    """Show how far an experiment is until it is over, then print what it came to."""
    from arena.cli.shared.experiments import told, watch_live

    with connect() as client:
        over = watch_live(client, client.experiment(number))
    _print(over, as_json=as_json)
    if over.state != "finished":
        raise CliError(told(over))


@app.command()
def cancel(number: Number, as_json: AsJson = False) -> None:
    """End an experiment; what its first games came to stays."""
    from arena.cli.shared.experiments import told

    with connect_with_token() as client:
        over = client.cancel_experiment(number)
    print_json(over) if as_json else print_line(told(over))


@app.command()
def export(
    number: Number,
    form: Annotated[
        ExperimentFormat, typer.Option("--format", help="csv of the counts, or jsonl of recorded games.")
    ] = ExperimentFormat.CSV,
    output: Output = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write an experiment's counts or games to standard output or a file."""
    check_export(output, force=force, as_json=as_json)
    with connect() as client:
        about = {"experiment": number, "format": form.value}
        write_export(client.export_experiment(number, form), output, about, force=force, as_json=as_json)


def _print(experiment: ExperimentOut, *, as_json: bool) -> None:
    from arena.cli.shared.experiments import told
    from arena.cli.simulate.report import sprt_lines

    if as_json:
        print_json(experiment)
        return
    print_line(told(experiment))
    result = experiment.result
    if result["first"] is None:
        return
    shares = result["first"]["shares"].items()
    rows = [
        (outcome, f"{result['first'][outcome]:,}", _percent(share["share"]), _between(share))
        for outcome, share in shares
    ]
    score = result["first"]["score"]
    rows.append(("score", "", f"{score['mean']:.5f}", f"{score['low']:.5f} to {score['high']:.5f}"))
    columns = (experiment.players[0].name, ">games", ">share", "interval")
    print_table(columns, rows)
    for line in sprt_lines(result.get("sprt")):
        print_line(line)
    if experiment.games_per_second:
        print_line(f"{experiment.games_per_second:,.0f} games a second")


def _percent(share: float) -> str:
    return f"{100 * share:.3f} %"


def _between(share: dict[str, float]) -> str:
    return f"{100 * share['low']:.3f} to {100 * share['high']:.3f} %"
