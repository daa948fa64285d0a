"""Players learned on the workers. running ↔ paused → finished, cancelled, or failed.

What comes out depends on the plan alone, as at home: not on who has done what and in which order, nor on what
was lost. All that is known are the parts in the database, from which everything else is worked out.
"""

from __future__ import annotations

import hashlib
from base64 import b64decode
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, InvalidError, NotFoundError, Term
from arena.core.names import could_count
from arena.core.terms import OPEN_TRAININGS, MatchState, TrainingState
from arena.schemas.trainings import MAX_GAME_STEPS, MAX_ROUND_GAMES, TrainingPlan
from arena.store import events
from arena.store import trainings as store
from arena.store.database import has_news
from arena.store.models import Training, TrainingChunk, User
from arena.store.models.training_events import TrainingCreated, TrainingLost, TrainingMoved
from arena.store.paging import page
from engines.game import GameError
from engines.strategies.reversi_training import MIN_GAMES, Round, StageFit
from workers.core.contract import GameSpec
from workers.core.errors import SpecError
from workers.training.learner import plan_told, training_of
from workers.training.plan import Fitted, Part, Plan, fitted_by, learned_by, length_of


def create(session: Session, actor: User, wish: TrainingPlan) -> Training:
    """A new training, running from now on.

    Raises:
        ForbiddenError: the actor is no administrator: it takes all workers that have nothing else to do.
        InvalidError: nothing is learned about the game, or not so.
    """
    permissions.require_admin(actor)
    plan = plan_for(wish)
    training = Training(
        asked_by=actor.id,
        state=TrainingState.RUNNING,
        plan=plan.told(),
        total=length_of(plan, 0, Part.GAMES),
        curve=[],
        created_at=utc_now(),
    )
    session.add(training)
    session.flush()
    events.log(session, TrainingCreated(training.id, plan.training.game.name), actor=actor)
    has_news(session)
    return training


def plan_for(wish: TrainingPlan) -> Plan:
    """The plan that is asked for.

    Raises:
        InvalidError: nothing is learned about the game, or not so.
    """
    try:
        training = training_of(GameSpec(name=wish.game, params=wish.params))
    except GameError as error:
        raise InvalidError(error.message, **error.values) from None
    except SpecError as error:
        raise InvalidError(str(error)) from None
    if wish.rounds is None:
        rounds = training.usual(wish.games)
    else:
        rounds = tuple(Round(**each.model_dump()) for each in wish.rounds)
    for number, each in enumerate(rounds, start=1):
        if not MIN_GAMES <= each.games <= MAX_ROUND_GAMES:
            raise InvalidError(
                "round %(round)d has %(games)d games; it must be from %(least)d to %(most)d",
                round=number,
                games=each.games,
                least=MIN_GAMES,
                most=MAX_ROUND_GAMES,
            )
        if each.games * each.steps > MAX_GAME_STEPS:
            raise InvalidError(
                "round %(round)d has %(games)d games and %(steps)d steps; with so many games it may have"
                " %(most)d steps, as a stage of the fit would take more than a minute",
                round=number,
                games=each.games,
                steps=each.steps,
                most=MAX_GAME_STEPS // each.games,
            )
    return Plan(training, wish.seed, rounds)


def plan_of(training: Training) -> Plan:
    """The plan of a training.

    Raises:
        GameError, SpecError: it is not one that this installation can carry out.
    """
    return plan_told(training.plan)


def game_of(plan: Mapping[str, Any]) -> GameSpec:
    """The game of a plan that was told."""
    return GameSpec(name=plan["game"], params=plan["params"], version=plan["rules"])


def get(session: Session, number: int) -> Training:
    """The training of that number.

    Raises:
        NotFoundError: there is none.
    """
    training = store.by_id(session, number) if could_count(number) else None
    if training is None:
        raise NotFoundError("there is no training %(number)s", number=number)
    return training


def list_trainings(session: Session, offset: int, limit: int) -> tuple[Sequence[Training], int]:
    """One page of the trainings, newest first, and how many there are in all."""
    return page(session, store.newest(), offset, limit)


def pause(session: Session, actor: User, training: Training) -> None:
    """Give nothing more out, and take back what is; what is done stays.

    Raises:
        ForbiddenError: the actor is no administrator.
        ConflictError: it is not running.
    """
    training = _locked(session, actor, training, (TrainingState.RUNNING,), "paused")
    _move(session, training, TrainingState.PAUSED, actor)


def resume(session: Session, actor: User, training: Training) -> None:
    """Go on with a training that was paused; what was lost too often is tried again.

    Raises:
        ForbiddenError: the actor is no administrator.
        ConflictError: it is not paused.
    """
    training = _locked(session, actor, training, (TrainingState.PAUSED,), "resumed")
    training.trouble = None
    _move(session, training, TrainingState.RUNNING, actor)


def cancel(session: Session, actor: User, training: Training) -> None:
    """End it for good; what is done stays, and can be gone on with elsewhere.

    Raises:
        ForbiddenError: the actor is no administrator.
        ConflictError: it is over already.
    """
    training = _locked(session, actor, training, OPEN_TRAININGS, "cancelled")
    _move(session, training, TrainingState.CANCELLED, actor)


def stop(session: Session, training: Training, trouble: str) -> None:
    """Pause a (locked) training that does not get on by itself."""
    training.trouble = trouble
    _move(session, training, TrainingState.PAUSED, trouble=trouble)


def fail(session: Session, training: Training, trouble: str) -> None:
    """Give a (locked) training up that cannot be gone on with here."""
    training.trouble = trouble
    _move(session, training, TrainingState.FAILED, trouble=trouble)


def finish(session: Session, training: Training) -> None:
    """A (locked) training has come to its end."""
    _move(session, training, TrainingState.FINISHED)


def lost(session: Session, chunk: TrainingChunk, trouble: str) -> None:
    """An attempt came to nothing; the (locked) training is paused where that was once too often."""
    training = chunk.training
    training.lost += 1
    training.trouble = trouble
    events.log(session, TrainingLost(training.id, chunk.number, chunk.attempt, trouble))
    session.flush()
    if chunk.state == MatchState.PARKED and training.state == TrainingState.RUNNING:
        what = f"round {chunk.round + 1}, {chunk.part} from {chunk.first}"
        stop(
            session,
            training,
            f"{what}, was lost {chunk.lost} times, the last time: {trouble}; resume it once that is mended",
        )


def games_of_round(session: Session, training: Training, number: int) -> bytes:
    """All games of a round, in the order of their numbers."""
    return b"".join(map(b64decode, store.payloads_of(session, training, number, Part.GAMES)))


def fit_of_round(session: Session, training: Training, plan: Plan, number: int) -> Fitted:
    """The weights of a round, all stages of which are fitted.

    Raises:
        ValueError: these are no weights.
    """
    return fitted_by(plan, [_stage_of(*each) for each in store.stages_of(session, training, number)])


def round_told(session: Session, training: Training, plan: Plan, number: int) -> dict[str, Any]:
    """What a round came to, all of which is done.

    Raises:
        ValueError: the weights of its stages are none.
    """
    learned = learned_by(
        fit_of_round(session, training, plan, number), store.points_of(session, training, number)
    )
    return {
        "round": number + 1,
        "error_taught": learned.taught,
        "error": learned.held_out,
        "points": learned.points,
        "games": learned.games,
        "sha256": hashlib.sha256(learned.weights).hexdigest(),
    }


def _stage_of(payload: str, errors: Sequence[float] | None) -> StageFit:
    taught, taught_count, held_out, held_out_count = errors or (0.0, 0, 0.0, 0)
    return StageFit(b64decode(payload), taught, int(taught_count), held_out, int(held_out_count))


def _locked(
    session: Session, actor: User, training: Training, states: Sequence[TrainingState], done: str
) -> Training:
    """The training as it is now, for an administrator, if it is in one of these states.

    Raises:
        ForbiddenError, ConflictError: the actor is no administrator, or it is in another one.
    """
    permissions.require_admin(actor)
    training = store.lock(session, training.id)
    if training.state not in states:
        raise ConflictError(
            "training %(number)s is %(state)s and cannot be %(done)s",
            number=training.id,
            state=training.state,
            done=Term(done),
        )
    return training


def _move(
    session: Session,
    training: Training,
    state: TrainingState,
    actor: User | None = None,
    trouble: str | None = None,
) -> None:
    training.state = state
    if state in OPEN_TRAININGS:
        store.release_chunks(session, training)
    else:
        training.finished_at = utc_now()
        store.delete_chunks(session, training)
    events.log(session, TrainingMoved(state, training.id, trouble), actor=actor)
    session.flush()
    has_news(session)
