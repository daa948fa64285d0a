"""Experiments, how far they are, and what they come to."""

from __future__ import annotations

from typing import Any

from arena.core.terms import ExperimentState
from arena.experiments import lifecycle
from arena.schemas.experiments import ExperimentOut, ExperimentResults, ExperimentTroubles
from arena.store.models import Experiment
from arena.web.answers.copying import copied
from arena.web.http.visibility import Viewer


def experiment_of(viewer: Viewer, experiment: Experiment) -> ExperimentOut:
    """The experiment as `viewer` may see it."""
    spec = lifecycle.spec_of(experiment)
    recorded = experiment.done + experiment.ahead
    return copied(
        ExperimentOut,
        experiment,
        game=spec.game,
        players=spec.players,
        games=spec.games,
        seed=spec.seed if _open(viewer, experiment) else None,
        match=spec.match,
        swap=spec.swap,
        openings=len(spec.openings),
        record_games=spec.record_games,
        sprt=lifecycle.sprt_of(experiment),
        recorded=recorded,
        games_per_second=_rate(experiment, recorded),
        result=_result(experiment, all_seen=False),
        staff=copied(ExperimentTroubles, experiment) if viewer.is_staff else None,
    )


def results_of(viewer: Viewer, experiment: Experiment) -> ExperimentResults:
    """What the experiment comes to, as `viewer` may see it."""
    return copied(
        ExperimentResults,
        experiment,
        final=experiment.state == ExperimentState.FINISHED,
        result=_result(experiment, all_seen=_open(viewer, experiment)),
    )


def _result(experiment: Experiment, *, all_seen: bool) -> dict[str, Any]:
    summary = lifecycle.summary_of(experiment)
    hidden = set() if all_seen else {"spec", "digest"}
    return {key: value for key, value in summary.items() if key not in hidden}


def _open(viewer: Viewer, experiment: Experiment) -> bool:
    """Whether seed and openings may be seen: with them one could know what bots are going to be asked."""
    return viewer.is_staff or experiment.state != ExperimentState.RUNNING


def _rate(experiment: Experiment, recorded: int) -> float | None:
    if experiment.started_at is None or experiment.recorded_at is None:
        return None
    seconds = (experiment.recorded_at - experiment.started_at).total_seconds()
    return round(recorded / seconds, 1) if seconds > 0 else None
