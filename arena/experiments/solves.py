"""Games that are solved on the workers. running ↔ paused → finished, cancelled, or failed.

What came out depends on nothing but the game: not on how it was cut up, on who has found out what and in
which order, nor on what was lost. All that is known are the bounds in the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, InvalidError, NotFoundError, Term
from arena.core.names import could_count
from arena.core.terms import OPEN_SOLVES, MatchState, SolveState
from arena.schemas.solves import SolvePlan
from arena.store import events
from arena.store import solves as store
from arena.store.database import has_news
from arena.store.models import Solve, SolveLeaf, User
from arena.store.models.experiment_events import LeafLost, SolveCreated, SolveMoved
from arena.store.paging import page
from engines.game import GameError
from engines.solvers.reversi_board import Position
from engines.solvers.reversi_cut import Result, Standing
from engines.solvers.reversi_tree import Bounds
from engines.solvers.reversi_work import BoundsError, Job, ReadBounds, Work
from workers.core.contract import GameSpec
from workers.core.errors import SpecError
from workers.solving.contract import position_of, written
from workers.solving.leaves import work_of


def create(session: Session, actor: User, plan: SolvePlan) -> Solve:
    """A new solve, running from now on.

    Raises:
        ForbiddenError: the actor is no administrator: it takes all workers that have nothing else to do.
        InvalidError: the game or the position is not solved so, or the checkpoint cannot be gone on from.
    """
    permissions.require_admin(actor)
    work = _work(plan)
    kept = _kept(plan.checkpoint, work) if plan.checkpoint else None
    game = work.game
    solve = Solve(
        asked_by=actor.id,
        state=SolveState.RUNNING,
        game=GameSpec(name=game.name, params=game.params, version=game.version).model_dump(mode="json"),
        position=work.position_to_json(),
        frontier=plan.frontier or (kept.frontier if kept else work.frontier),
        memory_mb=plan.memory_mb,
        created_at=utc_now(),
    )
    session.add(solve)
    session.flush()
    if kept:
        solve.answers = len(kept.known)
        store.insert_bounds(session, [*_rows(solve, kept)])
    events.log(session, SolveCreated(solve.id, game.name), actor=actor)
    has_news(session)
    return solve


def _work(plan: SolvePlan) -> Work:
    try:
        return work_of(GameSpec(name=plan.game, params=plan.params), plan.position)
    except GameError as error:
        raise InvalidError(error.message, **error.values) from None
    except SpecError as error:
        raise InvalidError(str(error)) from None


def _kept(checkpoint: str, work: Work) -> ReadBounds:
    try:
        return work.read(checkpoint.encode().splitlines(keepends=True))
    except BoundsError as error:
        raise InvalidError("the checkpoint cannot be gone on from: %(error)s", error=error) from None


def _rows(solve: Solve, kept: ReadBounds) -> Iterator[dict[str, Any]]:
    for number, (position, (low, high)) in enumerate(kept.known.items()):
        about = {"solve_id": solve.id, "number": number, "position": written(position)}
        yield about | {"at_least": low, "low": low, "high": high, "move": None, "nodes": 0, "host": None}


def get(session: Session, number: int) -> Solve:
    """The solve of that number.

    Raises:
        NotFoundError: there is none.
    """
    solve = store.by_id(session, number) if could_count(number) else None
    if solve is None:
        raise NotFoundError("there is no solve %(number)s", number=number)
    return solve


def list_solves(session: Session, offset: int, limit: int) -> tuple[Sequence[Solve], int]:
    """One page of the solves, newest first, and how many there are in all."""
    return page(session, store.newest(), offset, limit)


def game_of(solve: Solve) -> GameSpec:
    """The game that is solved, from its start or from a position."""
    return GameSpec.model_validate(solve.game)


def _work_of(solve: Solve) -> Work:
    return work_of(game_of(solve), solve.position)


def pause(session: Session, actor: User, solve: Solve) -> None:
    """Give nothing more out, and take back what is; what is known stays.

    Raises:
        ForbiddenError: the actor is no administrator.
        ConflictError: it is not running.
    """
    solve = _locked(session, actor, solve, (SolveState.RUNNING,), "paused")
    _move(session, solve, SolveState.PAUSED, actor)


def resume(session: Session, actor: User, solve: Solve) -> None:
    """Go on with a solve that was paused; what was lost too often is tried again.

    Raises:
        ForbiddenError: the actor is no administrator.
        ConflictError: it is not paused.
    """
    solve = _locked(session, actor, solve, (SolveState.PAUSED,), "resumed")
    solve.trouble = None
    _move(session, solve, SolveState.RUNNING, actor)


def cancel(session: Session, actor: User, solve: Solve) -> None:
    """End it for good; what is known stays, and another one may begin with its checkpoint.

    Raises:
        ForbiddenError: the actor is no administrator.
        ConflictError: it is over already.
    """
    solve = _locked(session, actor, solve, OPEN_SOLVES, "cancelled")
    _move(session, solve, SolveState.CANCELLED, actor)


def stop(session: Session, solve: Solve, trouble: str) -> None:
    """Pause a (locked) solve that does not get on by itself."""
    solve.trouble = trouble
    _move(session, solve, SolveState.PAUSED)


def fail(session: Session, solve: Solve, trouble: str) -> None:
    """Give a (locked) solve up: what is known of it contradicts itself."""
    solve.trouble = trouble
    _move(session, solve, SolveState.FAILED)


def finish(session: Session, solve: Solve, result: Result, proof: Sequence[str]) -> None:
    """A (locked) solve is solved; `proof` are the lines of what proves it, many in each text."""
    game = _work_of(solve).game
    store.insert_proof(session, solve, proof)
    solve.value, solve.moves = result.value, [game.move_to_text(move) for move in result.moves]
    _move(session, solve, SolveState.FINISHED)


def lost(session: Session, leaf: SolveLeaf, trouble: str) -> None:
    """An attempt at a leaf came to nothing; its (locked) solve is paused where that was once too often."""
    solve = leaf.solve
    solve.lost += 1
    solve.trouble = trouble
    events.log(session, LeafLost(solve.id, leaf.number, leaf.attempt, trouble))
    session.flush()
    if leaf.state == MatchState.PARKED and solve.state == SolveState.RUNNING:
        stop(
            session,
            solve,
            f"the position {leaf.position} was lost {leaf.lost} times, the last time: {trouble}; resume it"
            " once that is mended",
        )


def tell(solve: Solve, standing: Standing) -> None:
    """Write down how far a (locked) solve is."""
    solve.standing = standing._asdict() | {"forecast": standing.forecast._asdict()}


def checkpoint(session: Session, solve: Solve) -> Iterator[str]:
    """The lines of a file of all that is known, from which any other solve of the same can go on."""
    work = _work_of(solve)
    line, checksum = work.first_line(solve.frontier)
    yield line.decode()
    for each in store.bounds_from(session, solve, 0):
        job = Job(*position_of(each.position), each.at_least)
        line, checksum = work.line(job, (each.low, each.high), checksum)
        yield line.decode()


def require_finished(solve: Solve) -> None:
    """Let go on only where there is a proof.

    Raises:
        ConflictError: the solve is not finished.
    """
    if solve.state != SolveState.FINISHED:
        raise ConflictError(
            "solve %(number)s is %(state)s; there is a proof once it is finished",
            number=solve.id,
            state=solve.state,
        )


def known_by(answers: Iterable[tuple[Position, Bounds]]) -> dict[Position, Bounds]:
    """What is known of each position by all answers about it."""
    known = dict[Position, Bounds]()
    for position, (low, high) in answers:
        least, greatest = known.get(position, (low, high))
        known[position] = max(least, low), min(greatest, high)
    return known


def _locked(session: Session, actor: User, solve: Solve, states: Sequence[SolveState], done: str) -> Solve:
    """The solve as it is now, for an administrator, if it is in one of these states.

    Raises:
        ForbiddenError, ConflictError: the actor is no administrator, or it is in another one.
    """
    permissions.require_admin(actor)
    solve = store.lock(session, solve.id)
    if solve.state not in states:
        raise ConflictError(
            "solve %(number)s is %(state)s and cannot be %(done)s",
            number=solve.id,
            state=solve.state,
            done=Term(done),
        )
    return solve


def _move(session: Session, solve: Solve, state: SolveState, actor: User | None = None) -> None:
    solve.state = state
    if state not in OPEN_SOLVES:
        solve.finished_at = utc_now()
    store.delete_leaves(session, solve)
    events.log(session, SolveMoved(state, solve.id, solve.trouble), actor=actor)
    session.flush()
    has_news(session)
