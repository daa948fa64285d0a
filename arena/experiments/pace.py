"""How many games an experiment still has to play, and how long they will take."""

from __future__ import annotations

from arena.core.terms import UNFINISHED
from arena.experiments import lifecycle
from arena.experiments.forecast import Pace, Spent, games_needed, seconds_left
from arena.store.models import Experiment
from arena.theory.statistics.stopping import first_score


def games_left(experiment: Experiment) -> int:
    """Games that are still to be played, by the interval so far where a narrow one ends it."""
    needed = experiment.games
    if experiment.stop_when_ci is not None and experiment.done:
        spec, tally = lifecycle.spec_of(experiment), lifecycle.tally_of(experiment)
        score = first_score(spec, tally, experiment.confidence, experiment.interval)
        half_width = score.interval.half_width
        needed = games_needed(experiment.games, experiment.done, half_width, experiment.stop_when_ci)
    return max(0, needed - experiment.done - experiment.ahead)


def pace_of(experiment: Experiment) -> Pace:
    """How far it is, and what that took."""
    return Pace(games_left(experiment), experiment.done + experiment.ahead, experiment.spent_ns)


def seconds_left_of(experiment: Experiment) -> float | None:
    """Seconds until it is over if the workers go on as so far; None where nobody knows, or it is over."""
    if experiment.state not in UNFINISHED or experiment.started_at is None or experiment.recorded_at is None:
        return None
    elapsed = (experiment.recorded_at - experiment.started_at).total_seconds()
    pace = pace_of(experiment)
    return seconds_left([pace], Spent.of([pace]), elapsed)
