"""What a training goes on to: made outside the transaction that it is then recorded in.

What the chunks of a part take is put together from the database and put into the archive store before it is
recorded: a coordinator that dies between the two does it again, with the same bytes. What nobody takes any
more is removed afterwards. Whatever goes wrong meanwhile ends or pauses that one training.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from arena.core.terms import TrainingState
from arena.experiments import trainings
from arena.store.models import Training
from engines.game import GameError
from workers.core.errors import ArchiveMissingError, ArchiveUnwritableError, SpecError
from workers.programs.archive_store import ArchiveStore
from workers.training.plan import Part, Plan, length_of

PARTS: Final = tuple(Part)

log = structlog.get_logger()


class Step(NamedTuple):
    """A training is to be in that state, at that part of that round, whose chunks take what is `given`.

    `told` is what the round came to that is over, if one is, and `trouble` why it does not go on. `given` is
    None where the archive store has nothing of it any more; `put` is what was put there for it, also where
    that is not all.
    """

    state: TrainingState
    round: int
    part: Part
    total: int
    given: str | None
    told: dict[str, Any] | None = None
    trouble: str | None = None
    put: tuple[str, ...] = ()


def step_of(session: Session, archives: ArchiveStore, training: Training, *, over: bool) -> Step:
    """What a running training goes on with, the part that it is at being `over` or not.

    Raises:
        DBAPIError: the database is away.
    """
    here = Step(training.state, training.round, training.part, training.total, training.given)
    put: list[str] = []
    try:
        plan = trainings.plan_of(training)
        step = _following(session, training, plan) if over else here
        if step.state != TrainingState.RUNNING:
            return step
        put.extend(archives.put(each) for each in _given(session, training, plan, step))
        return step._replace(given=" ".join(put), put=tuple(put))
    except DBAPIError:
        raise
    except (ArchiveUnwritableError, ArchiveMissingError) as error:
        state, trouble = TrainingState.PAUSED, f"{error}; resume it once that is mended"
    except (GameError, SpecError, ValueError) as error:
        state, trouble = TrainingState.FAILED, str(error)
    except Exception as error:
        log.exception("a training cannot be gone on with", training=training.id)
        state, trouble = TrainingState.FAILED, f"{type(error).__name__}: {error}"
    return here._replace(state=state, trouble=trouble, put=tuple(put))


def is_possible(training: Training) -> bool:
    """Whether this installation can carry a training out."""
    try:
        trainings.plan_of(training)
    except Exception:  # noqa: BLE001  (whatever is wrong with it, `step_of` says so)
        return False
    return True


def removed(archives: ArchiveStore, shas: Iterable[str]) -> set[str]:
    """Remove these from the archive store; returns those that are gone, the others are to be tried again."""
    gone = set()
    for sha in shas:
        try:
            archives.remove(sha)
        except ArchiveUnwritableError as error:
            log.warning("it stays in the archive store", sha256=sha, error=str(error))
        else:
            gone.add(sha)
    return gone


def _following(session: Session, training: Training, plan: Plan) -> Step:
    """The next part, or round, or the end."""
    number, part = training.round, training.part
    if part is not Part.POINTS:
        part = PARTS[PARTS.index(part) + 1]
        total = length_of(plan, number, part)
        return Step(TrainingState.RUNNING, number, part, total, training.given)
    told = trainings.round_told(session, training, plan, number)
    json.dumps(told, allow_nan=False)  # what is none is no result
    if number + 1 == len(plan.rounds):
        return Step(TrainingState.FINISHED, number, part, training.total, training.given, told)
    total = length_of(plan, number + 1, Part.GAMES)
    return Step(TrainingState.RUNNING, number + 1, Part.GAMES, total, training.given, told)


def _given(session: Session, training: Training, plan: Plan, step: Step) -> list[bytes]:
    """What the chunks of a part take.

    Raises:
        ValueError: the weights of a round are none.
    """
    if step.part is Part.STAGE:
        return [trainings.games_of_round(session, training, step.round)]
    rounds = ([step.round] if step.part is Part.POINTS else []) + ([step.round - 1] if step.round else [])
    return [trainings.fit_of_round(session, training, plan, each).weights for each in rounds]
