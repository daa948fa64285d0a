"""Experiments: simulations on the workers. running → finished, cancelled by who asked for it, or failed.

What a game comes to depends only on the experiment's spec and the game's index, and what is shown is the
games from index 0 on that are there without a gap. So the result is the same for any number of workers, any
size of chunks, and any losses on the way, and equal to that of the same simulation played in one process.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, InvalidError, NotFoundError
from arena.core.names import BOT_PREFIX, could_count
from arena.core.terms import UNFINISHED, ExperimentState
from arena.experiments.course import extended
from arena.experiments.players import SIDES, by_name, version_of
from arena.experiments.quotas import NOTHING, Quota, require
from arena.experiments.simulations import Drawing, drawing_of, make_spec, summarise
from arena.schemas.plans import ExperimentPlan
from arena.store import events
from arena.store import experiments as store
from arena.store.counters import MAX_KEPT
from arena.store.database import release
from arena.store.models import Experiment, ExperimentChunk, User
from arena.store.models.experiment_events import ExperimentCreated, ExperimentOver
from arena.store.paging import page
from arena.submissions import checks
from arena.theory.statistics.sprt import Sprt
from arena.theory.statistics.stopping import decided_by, sprt_summary, stop_at
from engines.game import GameError
from engines.games import find_game
from workers.programs.serving import needs
from workers.simulation.chunks import games_in_part, suggested_chunk
from workers.simulation.contract import CHECK_EVERY, Block, GameLine, SimulatedPlayer, SimulationSpec, Tally
from workers.simulation.plan import even
from workers.simulation.prefix import Prefix, Stop

TARGET_NS = 4_000_000_000
"""What a chunk should take: long against what handing it out costs, short against anybody's patience."""

BATCH = 1000
MAX_IN_CHUNK = 10**9
RECORDED_IN_CHUNK = 1000
CUTS_IN_CHUNK = 100

CELLS_AT_ONCE = 16
"""Experiments of a sweep that are running; enough for as many chunks as wait for workers."""


def create(session: Session, actor: User, plan: ExperimentPlan, quota: Quota = NOTHING) -> Experiment:
    """A new experiment, running from now on.

    Drawing openings can take seconds, so the session is released meanwhile: nothing may have been written
    in it before.

    Raises:
        InvalidError: the game, its parameters, a player or that many openings do not exist.
        NotFoundError: there is no such bot, or not in that version.
        ConflictError: the version has not passed its check in that game, or a team's quota is used up.
        ForbiddenError: a team asks for what is the administrators', or for another team's bot.
    """
    require(session, actor, [plan], quota)
    (experiment,) = prepared(session, actor, [plan])
    require(session, actor, [plan], quota)
    session.add(experiment)
    session.flush()
    events.log(session, ExperimentCreated(experiment.id, spec_of(experiment).digest), actor=actor)
    return experiment


def prepared(session: Session, actor: User, plans: Sequence[ExperimentPlan]) -> list[Experiment]:
    """The experiments of these plans, not yet in the session, which is released meanwhile.

    Raises:
        InvalidError, NotFoundError, ConflictError, ForbiddenError: as `create`.
    """
    bots: dict[str, tuple[SimulatedPlayer, str]] = {}
    for game, text in sorted({(plan.game, text) for plan in plans for text in (plan.first, plan.second)}):
        if text.startswith(BOT_PREFIX):
            version = version_of(session, actor, text)
            checks.require_playable(version, game)
            player = SimulatedPlayer(name=f"{version.bot.name}@{version.number}", archive=version.archive)
            bots[text] = player, version.language
    owner_id = owner_of(actor)
    release(session)
    return [_experiment(plan, bots, owner_id) for plan in plans]


def _experiment(
    plan: ExperimentPlan, bots: Mapping[str, tuple[SimulatedPlayer, str]], owner_id: int | None
) -> Experiment:
    spec = _spec(plan, {text: player for text, (player, _) in bots.items()})
    return Experiment(
        owner_id=owner_id,
        state=ExperimentState.RUNNING,
        games=spec.games,
        spec=spec.model_dump(mode="json"),
        needs=needs(bots[text][1] for text in (plan.first, plan.second) if text in bots),
        opening_plies=plan.opening_plies,
        stop_when_ci=plan.stop_when_ci,
        sprt=None if plan.sprt is None else plan.sprt.model_dump(mode="json"),
        interval=plan.interval,
        confidence=plan.confidence,
        columns=plan.columns,
        chunk=_first_chunk(plan, spec),
        chunk_fixed=plan.chunk is not None or plan.columns is not None,
        tally=Tally().model_dump(mode="json"),
        created_at=utc_now(),
    )


def drawing_for(plan: ExperimentPlan) -> Drawing | None:
    """What the openings of a plan are drawn from; None where it has none.

    Raises:
        InvalidError: there is no such game.
    """
    try:
        game = find_game(plan.game, plan.params)
    except GameError as error:
        raise InvalidError(error.message, **error.values) from None
    return drawing_of(game, plan.games, (plan.openings, plan.opening_plies), plan.seed, swap=plan.swap)


def _first_chunk(plan: ExperimentPlan, spec: SimulationSpec) -> int:
    if plan.columns is not None:
        return games_in_part(spec)
    if plan.chunk is not None:
        return even(plan.chunk)
    return _fitting(suggested_chunk(spec), spec, _cut(plan.sprt, plan.stop_when_ci))


def get(session: Session, number: int) -> Experiment:
    """The experiment of that number.

    Raises:
        NotFoundError: there is none.
    """
    experiment = store.by_id(session, number) if could_count(number) else None
    if experiment is None:
        raise NotFoundError("there is no experiment %(number)s", number=number)
    return experiment


def get_for(session: Session, viewer: User | None, number: int) -> Experiment:
    """The experiment of that number.

    Raises:
        NotFoundError: there is none that `viewer` may see.
    """
    experiment = get(session, number)
    if not permissions.sees_order(viewer, experiment):
        raise NotFoundError("there is no experiment %(number)s", number=number)
    return experiment


def list_experiments(
    session: Session, viewer: User | None, offset: int, limit: int, *, alone: bool = False
) -> tuple[Sequence[Experiment], int]:
    """One page of the experiments that `viewer` may see, newest first, and how many there are in all.

    With `alone` it is those that are of no sweep.
    """
    return page(session, store.seen(seen_by(viewer), alone=alone), offset, limit)


def owner_of(actor: User) -> int | None:
    """Whose what a user asks for is: their team's, and of an administrator everybody's (None)."""
    return None if permissions.is_admin(actor) else actor.account_id


def seen_by(viewer: User | None) -> store.Seen | None:
    """Whose experiments and sweeps `viewer` may see besides those of all; None: everybody's."""
    if permissions.is_admin(viewer):
        return None
    if viewer is None:
        return store.Seen()
    return store.Seen(viewer.account_id, permissions.classes_of(viewer))


def spec_of(experiment: Experiment) -> SimulationSpec:
    """What is played."""
    return SimulationSpec.model_validate(experiment.spec)


def sprt_of(experiment: Experiment) -> Sprt | None:
    """The sequential test that ends it, if there is one."""
    return None if experiment.sprt is None else Sprt.model_validate(experiment.sprt)


def cut_of(experiment: Experiment) -> int:
    """At which multiples its blocks are cut, so that its stopping rule can look there; 0 without one."""
    return _cut(sprt_of(experiment), experiment.stop_when_ci)


def _cut(sprt: Sprt | None, stop_when_ci: float | None) -> int:
    if sprt is not None:
        return sprt.every
    return 0 if stop_when_ci is None else CHECK_EVERY


def tally_of(experiment: Experiment) -> Tally:
    """What the games that are there without a gap come to."""
    return Tally.model_validate(experiment.tally)


def summary_of(experiment: Experiment) -> dict[str, Any]:
    """The same as JSON, with the spec, and with all that is estimated from it."""
    spec, tally = spec_of(experiment), tally_of(experiment)
    summary = summarise(spec, tally, experiment.confidence, experiment.interval)
    sprt = sprt_of(experiment)
    return summary if sprt is None else summary | {"sprt": sprt_summary(sprt, tally, experiment.confidence)}


def games(session: Session, experiment: Experiment) -> Iterator[GameLine]:
    """The recorded games that are done, in the order of their indices."""
    for start in range(0, experiment.done, BATCH):
        for row in store.games(session, experiment, start, min(start + BATCH, experiment.done)):
            yield GameLine(
                index=row.index,
                seats=(1, 0) if row.first else (0, 1),
                moves=tuple(row.moves),
                winner=row.winner,
                reason=row.reason,
                score=(row.first_score, row.second_score),
                plies=row.plies,
            )


def cancel(session: Session, actor: User, experiment: Experiment) -> None:
    """End it for good. What its first games came to stays; what is still reported will be refused.

    Raises:
        ConflictError: it is over already.
    """
    experiment = store.lock(session, experiment.id)
    if experiment.state not in UNFINISHED:
        raise ConflictError(
            "experiment %(number)s is %(state)s and cannot be cancelled",
            number=experiment.id,
            state=experiment.state,
        )
    _end(session, experiment, ExperimentState.CANCELLED, actor)


def go_on(experiment: Experiment) -> None:
    """Let a (locked) one that was cancelled or has failed wait for its turn to play what is left."""
    experiment.state = ExperimentState.WAITING
    experiment.issued = experiment.done
    experiment.finished_at = experiment.trouble = None


def start_waiting(session: Session, sweep_id: int) -> None:
    """Have as many experiments of a sweep running as may be, the first ones first."""
    room = CELLS_AT_ONCE - store.count_running(session, sweep_id)
    for experiment in store.lock_waiting(session, sweep_id, room) if room > 0 else ():
        experiment.state = ExperimentState.RUNNING
    session.flush()


def fail(session: Session, experiment: Experiment) -> None:
    """Give a (locked) experiment up; `trouble` says why."""
    _end(session, experiment, ExperimentState.FAILED, None)


def take_in(
    session: Session,
    experiment: Experiment,
    chunk: ExperimentChunk,
    blocks: Sequence[Block],
    elapsed_ns: int,
) -> None:
    """Add a chunk, played in `elapsed_ns`, to its experiment (both locked); finish what is complete."""
    store.insert_games(session, _rows(experiment, blocks))
    if not experiment.chunk_fixed and chunk.count == experiment.chunk:
        experiment.chunk = _next_chunk(experiment, elapsed_ns)
    experiment.recorded_at = utc_now()
    experiment.spent_ns = min(experiment.spent_ns + elapsed_ns, MAX_KEPT)
    if chunk.start == experiment.done:
        session.delete(chunk)
        _join(session, experiment, blocks)
    else:
        chunk.finish()
        chunk.blocks = [block.model_copy(update={"games": ()}).model_dump(mode="json") for block in blocks]
        experiment.ahead += chunk.count
    session.flush()


def _join(session: Session, experiment: Experiment, blocks: Sequence[Block]) -> None:
    """Add the blocks that follow the prefix, and those that waited for them."""
    every = cut_of(experiment) or CHECK_EVERY
    prefix = Prefix(tally_of(experiment), stop=_rule(experiment), every=every)
    while blocks and not prefix.stopped:
        for block in blocks:
            prefix.add(block)
        blocks = _waiting(session, experiment, prefix.games)
    experiment.tally = prefix.tally.model_dump(mode="json")
    experiment.course = extended(experiment.course, prefix.tally)
    experiment.done = prefix.games
    experiment.stopped = prefix.stopped
    if prefix.stopped or experiment.done == experiment.games:
        _end(session, experiment, ExperimentState.FINISHED, None)


def _waiting(session: Session, experiment: Experiment, start: int) -> list[Block]:
    """Take out the recorded chunk that begins at `start`; nothing where there is none."""
    chunk = store.finished_from(session, experiment, start) if experiment.ahead else None
    if chunk is None:
        return []
    experiment.ahead -= chunk.count
    session.delete(chunk)
    return [Block.model_validate(block) for block in chunk.blocks or ()]


def _end(session: Session, experiment: Experiment, state: ExperimentState, actor: User | None) -> None:
    experiment.state = state
    experiment.ahead = 0
    experiment.finished_at = utc_now()
    session.flush()
    store.delete_chunks(session, experiment)
    store.delete_games_from(session, experiment, experiment.done)
    events.log(session, ExperimentOver(state, experiment.id, experiment.done), actor=actor)
    session.flush()
    if experiment.sweep_id is not None:
        start_waiting(session, experiment.sweep_id)


def _rule(experiment: Experiment) -> Stop | None:
    spec, sprt = spec_of(experiment), sprt_of(experiment)
    if sprt is not None:
        return decided_by(spec, sprt)
    if experiment.stop_when_ci is None:
        return None
    return stop_at(spec, experiment.stop_when_ci, experiment.confidence, experiment.interval)


def _next_chunk(experiment: Experiment, elapsed_ns: int) -> int:
    """The size that would have taken `TARGET_NS`, at most 16 times and at least half the present one."""
    present = experiment.chunk
    wanted = present * TARGET_NS // max(elapsed_ns, 1)
    size = max(present // 2, min(16 * present, wanted))
    return _fitting(size, spec_of(experiment), cut_of(experiment))


def _fitting(size: int, spec: SimulationSpec, cut: int) -> int:
    """An even number of games near `size` that a message can hold."""
    most = RECORDED_IN_CHUNK if spec.record_games else MAX_IN_CHUNK
    return even(min(size, most, CUTS_IN_CHUNK * cut if cut else most))


def _rows(experiment: Experiment, blocks: Sequence[Block]) -> Iterator[dict[str, Any]]:
    for block in blocks:
        for line in block.games:
            yield {
                "experiment_id": experiment.id,
                "index": line.index,
                "first": line.seats[0],
                "winner": line.winner,
                "reason": line.reason,
                "first_score": line.score[0],
                "second_score": line.score[1],
                "plies": line.plies,
                "moves": list(line.moves),
            }


def _spec(plan: ExperimentPlan, archives: dict[str, SimulatedPlayer]) -> SimulationSpec:
    try:
        game = find_game(plan.game, plan.params)
        players = [archives.get(getattr(plan, each)) or by_name(plan, each, game) for each in SIDES]
        return make_spec(
            game,
            (players[0], players[1]),
            games=plan.games,
            seed=plan.seed,
            match=plan.match,
            swap=plan.swap,
            openings=(plan.openings, plan.opening_plies),
            policy=plan.policy,
            time=plan.time,
            limits=plan.limits,
            record_games=plan.record_games,
        )
    except GameError as error:
        raise InvalidError(error.message, **error.values) from None
