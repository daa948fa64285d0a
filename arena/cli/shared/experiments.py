"""An experiment on the workers, created and watched from here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.failures import CliError
from arena.cli.shared.output import note
from arena.cli.shared.progress import showing
from arena.core.terms import ExperimentState
from arena.core.words import say, say_many

if TYPE_CHECKING:
    from arena.client.http import ArenaClient
    from arena.schemas.experiments import ExperimentOut, ExperimentResults
    from workers.simulation.contract import SimulationSpec, Tally


Keep = Callable[["ArenaClient", "ExperimentOut"], None]


class FinishedRun(NamedTuple):
    """What an experiment came to, and how long its games took on the workers.

    `stopped` says that its interval was narrow enough before all games were played.
    """

    spec: SimulationSpec
    tally: Tally
    seconds: float
    stopped: bool


def run_on_workers(plan: dict[str, Any], keep: Keep | None = None) -> FinishedRun:
    """Create an experiment from the fields of its plan, show how far it is, and return what it came to.

    `keep` is told of it once it is finished, to fetch the games that it recorded.

    Raises:
        ClientError: the arena does not answer, or refuses the plan.
        CliError: it was cancelled, it failed, or watching it was interrupted.
    """
    with connect_with_token() as client:
        made = client.create_experiment(plan)
        number = made.id
        note(
            say(
                "experiment {number}: {games} on the arena's workers",
                number=number,
                games=say_many("{number:,} game", "{number:,} games", made.games),
            )
        )
        over = watch_live(client, made)
        if over.state != ExperimentState.FINISHED:
            raise CliError(told(over))
        if keep is not None:
            keep(client, over)
        return _finished(over, client.experiment_results(number))


def watch_live(client: ArenaClient, experiment: ExperimentOut) -> ExperimentOut:
    """Show an experiment until it is over; returns it as it then is.

    Raises:
        ClientError: the arena does not answer any more.
        CliError: Ctrl-C; the experiment goes on, and the message says how to end it.
    """
    number, last = experiment.id, experiment
    try:
        with showing(experiment.games, experiment.recorded) as show:
            for last in client.watch_experiment(number):
                show(last.recorded)
    except KeyboardInterrupt:
        raise CliError(
            say(
                "no longer watching; experiment {number} goes on: `arena experiment watch {number}` "
                "shows it again, `arena experiment cancel {number}` ends it",
                number=number,
            )
        ) from None
    return last


def told(experiment: ExperimentOut) -> str:
    """How an experiment stands, in words."""
    trouble = (
        experiment.staff.trouble if experiment.staff and experiment.state == ExperimentState.FAILED else None
    )
    return say(
        "experiment {id} is {state}: {done:,} of {games}{what}",
        id=experiment.id,
        state=experiment.state,
        done=experiment.done,
        games=say_many("{number:,} game", "{number:,} games", experiment.games),
        what=f"; {trouble}" if trouble else "",
    )


def _finished(experiment: ExperimentOut, results: ExperimentResults) -> FinishedRun:
    began, ended, spec = experiment.started_at, experiment.finished_at, results.result.spec
    if spec is None:
        raise CliError(
            say(
                "the arena does not tell what experiment {id} was of; it is of another version",
                id=experiment.id,
            )
        )
    seconds = (ended - began).total_seconds() if began and ended else 0.0
    return FinishedRun(spec, results.result.tally, seconds, experiment.stopped)
