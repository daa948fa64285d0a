"""Players learned on the workers: how far they are, and all that came of it, a part a line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.terms import MatchState
from arena.experiments import trainings
from arena.schemas.trainings import TrainingOut, TrainingRound, TrainingStaff, TrainingStanding
from arena.store import trainings as store
from arena.store.models import Training, TrainingPart, User
from arena.theory.statistics.intervals import wilson
from arena.web.answers.copying import copied
from arena.web.http.dependencies import Services
from arena.web.http.download import Download, Texts
from workers.training.plan import Part

MEDIA_TYPE = "text/plain; charset=us-ascii"


def training_out(session: Session, viewer: User | None, training: Training) -> TrainingOut:
    """The training as `viewer` may see it."""
    (told,) = trainings_out(session, viewer, [training])
    return told


def trainings_out(session: Session, viewer: User | None, rows: Sequence[Training]) -> list[TrainingOut]:
    """Trainings as `viewer` may see them, in their order."""
    chunks, done = store.chunk_counts(session, [row.id for row in rows]), store.done_of(session, rows)
    return [_told(viewer, row, chunks[row.id], done.get(row.id, 0)) for row in rows]


def _told(viewer: User | None, training: Training, chunks: Counter[MatchState], done: int) -> TrainingOut:
    running = chunks[MatchState.RUNNING]
    return copied(
        TrainingOut,
        training,
        standing=_standing(training, done),
        curve=[_round(each) for each in training.curve],
        waiting=chunks.total() - running,
        running=running,
        worker_seconds=training.spent_ns / 1e9,
        staff=copied(TrainingStaff, training, owner=training.owner.name)
        if permissions.is_admin(viewer)
        else None,
    )


def _standing(training: Training, done: int) -> TrainingStanding:
    games = [each["games"] for each in training.plan["rounds"]]
    now = done if training.part is Part.GAMES else games[training.round]
    return TrainingStanding(
        round=training.round + 1,
        part=training.part,
        done=done,
        total=training.total,
        games_done=sum(games[: training.round]) + now,
        games_total=sum(games),
    )


def _round(told: dict[str, Any]) -> TrainingRound:
    games = told["games"]
    low, high = wilson(told["points"], games)
    return TrainingRound(**told, points_low=round(low * games, 2), points_high=round(high * games, 2))


def parts_of(services: Services, training: Training) -> Download:
    """The plan in a line of JSON, then what came of it, a part a line in the order in which it did."""

    def texts() -> Texts:
        with services.database.reading() as session:
            yield from _lines(session, trainings.get(session, training.id))

    return Download(texts, f"training-{training.id}.jsonl", MEDIA_TYPE)


def _lines(session: Session, training: Training) -> Iterator[str]:
    yield json.dumps(training.plan) + "\n"
    for part in store.parts(session, training):
        yield json.dumps(_line(part)) + "\n"


def _line(part: TrainingPart) -> dict[str, Any]:
    about = {"part": part.part, "round": part.round, "first": part.first, "size": part.size}
    if part.part is Part.POINTS:
        return about | {"points": part.points}
    return about | ({"errors": part.errors} if part.part is Part.STAGE else {}) | {"payload": part.payload}
