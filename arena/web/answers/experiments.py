"""Experiments, how far they are, and what they come to."""

from __future__ import annotations

from arena.access import permissions
from arena.core.terms import ExperimentState
from arena.documents.figures import printed
from arena.experiments import lifecycle
from arena.experiments.course import points
from arena.experiments.pace import seconds_left_of
from arena.schemas.experiments import (
    CoursePoint,
    ExperimentOut,
    ExperimentResults,
    ExperimentTroubles,
    PrintedOut,
)
from arena.schemas.simulations import SimulationOut
from arena.store.models import Experiment
from arena.theory.statistics.shares import share_interval
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
        sweep=experiment.sweep.name if experiment.sweep else None,
        owner=experiment.owner.name if experiment.owner else None,
        seed=spec.seed if _is_open(viewer, experiment) else None,
        match=spec.match,
        swap=spec.swap,
        openings=len(spec.openings),
        record_games=spec.record_games,
        sprt=lifecycle.sprt_of(experiment),
        recorded=recorded,
        games_per_second=_rate(experiment, recorded),
        seconds_left=seconds_left_of(experiment),
        result=_result(experiment, all_seen=False),
        staff=copied(ExperimentTroubles, experiment)
        if permissions.opens_order(viewer.user, experiment)
        else None,
    )


def results_of(viewer: Viewer, experiment: Experiment) -> ExperimentResults:
    """What the experiment comes to, as `viewer` may see it."""
    return copied(
        ExperimentResults,
        experiment,
        final=experiment.state == ExperimentState.FINISHED,
        result=_result(experiment, all_seen=_is_open(viewer, experiment)),
        course=_course(experiment),
        printed=_printed(experiment),
    )


def _course(experiment: Experiment) -> list[CoursePoint]:
    spec = lifecycle.spec_of(experiment)
    return [
        CoursePoint(games=games, mean=score.mean, low=score.interval.low, high=score.interval.high)
        for games, score in points(spec, experiment.course, experiment.confidence, experiment.interval)
    ]


def _printed(experiment: Experiment) -> list[PrintedOut]:
    """What the documents print of its games: in all of theirs the first player begins."""
    spec = lifecycle.spec_of(experiment)
    if spec.swap or spec.openings:
        return []
    first, second = (player.name for player in spec.players)
    told = []
    for each in printed(spec.game.name, spec.game.params, first, second):
        interval = share_interval(each.wins, each.games, experiment.confidence, experiment.interval)
        told.append(copied(PrintedOut, each, runs=list(each.runs), low=interval.low, high=interval.high))
    return told


def _result(experiment: Experiment, *, all_seen: bool) -> SimulationOut:
    told = SimulationOut.model_validate(lifecycle.summary_of(experiment))
    return told if all_seen else told.model_copy(update={"spec": None, "digest": None})


def _is_open(viewer: Viewer, experiment: Experiment) -> bool:
    return permissions.sees_seeds(viewer.user, experiment, experiment.state)


def _rate(experiment: Experiment, recorded: int) -> float | None:
    if experiment.started_at is None or experiment.recorded_at is None:
        return None
    seconds = (experiment.recorded_at - experiment.started_at).total_seconds()
    return round(recorded / seconds, 1) if seconds > 0 else None
