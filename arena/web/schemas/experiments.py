"""Experiments, how far they are, and what they come to."""

from __future__ import annotations

import datetime as dt
from typing import Any, Self

from pydantic import BaseModel, Field

from arena.core.terms import ExperimentState
from arena.experiments import lifecycle
from arena.store.models import Experiment
from arena.theory.statistics.intervals import Method
from arena.theory.statistics.sprt import Sprt
from arena.web.http.visibility import Viewer
from workers.core.contract import GameSpec
from workers.simulation.contract import SimulatedPlayer


class ExperimentTroubles(BaseModel):
    """What went wrong on the way; for the staff only."""

    lost: int = Field(description="Attempts at chunks that were given up.")
    refused: int = Field(description="Reports of attempts that were given up, come twice, or too late.")
    trouble: str | None = Field(description="Why the last attempt was given up.")


class ExperimentOut(BaseModel):
    """An experiment, what was asked for, and how far it is."""

    id: int = Field(examples=[1])
    state: ExperimentState
    game: GameSpec
    players: tuple[SimulatedPlayer, SimulatedPlayer]
    games: int = Field(description="How many were asked for.")
    seed: int | None = Field(description="What chance is drawn from; shown to everybody once it is over.")
    match: int
    swap: bool = Field(description="Whether the first player sits in seat 1 in games with an odd index.")
    openings: int
    opening_plies: int
    record_games: bool
    stop_when_ci: float | None
    sprt: Sprt | None
    interval: Method
    confidence: float
    chunk: int = Field(description="Games of the next chunk.")
    done: int = Field(description="Games recorded from the first one on without a gap: what results count.")
    recorded: int = Field(description="Games recorded, with those that wait for one before them.")
    stopped: bool = Field(
        description="Whether it ended early: the interval was narrow enough, or the test decided."
    )
    games_per_second: float | None = Field(description="Recorded games by the time since the first began.")
    created_at: dt.datetime
    started_at: dt.datetime | None
    recorded_at: dt.datetime | None = Field(description="When games were recorded last.")
    finished_at: dt.datetime | None
    result: dict[str, Any] = Field(description="What the games that are done come to, with intervals.")
    staff: ExperimentTroubles | None

    @classmethod
    def seen_by(cls, viewer: Viewer, experiment: Experiment) -> Self:
        """The experiment as `viewer` may see it."""
        spec = lifecycle.spec_of(experiment)
        recorded = experiment.done + experiment.ahead
        return cls(
            id=experiment.id,
            state=experiment.state,
            game=spec.game,
            players=spec.players,
            games=spec.games,
            seed=spec.seed if _open(viewer, experiment) else None,
            match=spec.match,
            swap=spec.swap,
            openings=len(spec.openings),
            opening_plies=experiment.opening_plies,
            record_games=spec.record_games,
            stop_when_ci=experiment.stop_when_ci,
            sprt=lifecycle.sprt_of(experiment),
            interval=experiment.interval,
            confidence=experiment.confidence,
            chunk=experiment.chunk,
            done=experiment.done,
            recorded=recorded,
            stopped=experiment.stopped,
            games_per_second=_rate(experiment, recorded),
            created_at=experiment.created_at,
            started_at=experiment.started_at,
            recorded_at=experiment.recorded_at,
            finished_at=experiment.finished_at,
            result=_result(experiment, all_seen=False),
            staff=_troubles(experiment) if viewer.is_staff else None,
        )


class ExperimentResults(BaseModel):
    """What the games that are done come to."""

    id: int
    state: ExperimentState
    final: bool = Field(description="Whether these are all games of the experiment.")
    stopped: bool
    result: dict[str, Any] = Field(
        description="Every integer, shares, means and intervals; the spec is shown to everybody at the end."
    )

    @classmethod
    def seen_by(cls, viewer: Viewer, experiment: Experiment) -> Self:
        """The results as `viewer` may see them."""
        return cls(
            id=experiment.id,
            state=experiment.state,
            final=experiment.state == ExperimentState.FINISHED,
            stopped=experiment.stopped,
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


def _troubles(experiment: Experiment) -> ExperimentTroubles:
    return ExperimentTroubles(lost=experiment.lost, refused=experiment.refused, trouble=experiment.trouble)
