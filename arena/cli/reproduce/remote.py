"""A reproduction's simulations on the arena's workers: an experiment each, with the same numbers as here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.experiments import told
from arena.cli.shared.failures import CliError
from arena.core.terms import ExperimentState

if TYPE_CHECKING:
    from workers.simulation.contract import SimulationSpec


def wins_on_workers(spec: SimulationSpec) -> int:
    """Games of a simulation that players[0] won, played by the workers.

    Raises:
        ClientError: the arena does not answer, or refuses.
        CliError: the experiment was cancelled, or it failed.
    """
    with connect_with_token() as client:
        made = client.create_experiment(_plan(spec))
        *_, last = made, *client.watch_experiment(made.id)
        if last.state != ExperimentState.FINISHED:
            raise CliError(told(last))
        return client.experiment_results(made.id).result.tally.wins_draws_losses[0]


def _plan(spec: SimulationSpec) -> dict[str, Any]:
    first, second = (player.strategy for player in spec.players)
    return {
        "game": spec.game.name,
        "params": spec.game.params,
        "first": first,
        "second": second,
        "games": spec.games,
        "seed": spec.seed,
        "match": spec.match,
    }
