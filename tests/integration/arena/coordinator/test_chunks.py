"""Chunks of experiments: cut, given out, given up and given out again, which no result shows."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from sqlalchemy import select

from arena.coordinator.leases import Verdict
from arena.core.errors import ConflictError, UnavailableError
from arena.core.terms import ExperimentState, MatchState
from arena.experiments import lifecycle
from arena.store.models import Event
from arena.store.models.event_types import EventKind
from arena.theory.statistics.sprt import Sprt
from arena.theory.statistics.stopping import decided_by
from engines.stream import Stream
from tests.integration.arena.lab import SPEC, Lab, played, whole
from tests.integration.arena.ticking import Later, coordinator_of, live
from workers.simulation.runner import simulate


def test_an_experiment_is_played_to_its_end(lab: Lab) -> None:
    """Chunks are cut and recorded until every game is counted, and the result is that of one go."""
    lab.create()
    ticking = coordinator_of(lab.world)
    rounds = 0
    while lab.get().state == ExperimentState.RUNNING:
        ticking.tick()
        lab.record(lab.world.broker.chunks.pop(0))
        rounds += 1
    assert rounds == 5
    experiment = lab.get()
    assert (experiment.state, experiment.done, experiment.stopped) == ("finished", 100, False)
    assert lifecycle.spec_of(experiment) == SPEC
    assert lifecycle.tally_of(experiment) == whole(SPEC).tally
    assert lab.chunks() == []
    ticking.tick()
    assert lab.world.broker.chunks == []


@pytest.mark.parametrize("order", range(6))
def test_the_order_of_arrival_changes_nothing(lab: Lab, order: int) -> None:
    """Chunks may come back in any order: only games without a gap before them are counted."""
    lab.create(chunk=10)
    messages = lab.issue()
    assert len(messages) == 10
    Stream("order", order).shuffle(messages)
    seen: set[int] = set()
    for message in messages:
        assert lab.record(message) == Verdict.TAKEN
        seen |= set(range(message.start, message.start + message.count))
        reached = next(game for game in range(101) if game not in seen)
        experiment = lab.get()
        assert experiment.done == lifecycle.tally_of(experiment).games == reached
        if experiment.state == ExperimentState.RUNNING:
            assert experiment.done + experiment.ahead == len(seen)
    assert lifecycle.tally_of(lab.get()) == whole(SPEC).tally


def test_a_report_counts_once_and_only_under_its_token(lab: Lab) -> None:
    """A duplicate, an old attempt's report and one of a chunk that never was change nothing but a counter."""
    lab.create()
    first, second, *_ = lab.issue()
    assert lab.record(second) == Verdict.TAKEN
    assert lab.record(second) == Verdict.DUPLICATE
    assert lab.record(first) == Verdict.TAKEN
    assert lab.record(first) == Verdict.REFUSED
    assert lab.heartbeat(first) == Verdict.REFUSED
    assert lab.lose(first) == Verdict.REFUSED
    unknown = first.__class__(**{**vars(first), "experiment": 77})
    assert lab.record(unknown) == Verdict.UNKNOWN
    experiment = lab.get()
    assert (experiment.done, experiment.ahead, experiment.refused) == (40, 0, 3)


def test_a_lost_chunk_is_given_out_again_before_others(lab: Lab) -> None:
    """It gets a new token, and only that one is listened to."""
    lab.create()
    old, *_ = lab.issue(chunk_window=2)
    assert lab.lose(old) == Verdict.TAKEN
    assert lab.get().trouble == "test-host: no room"
    (new,) = lab.issue(chunk_window=2)
    assert (new.start, new.count, new.attempt) == (old.start, old.count, 2)
    assert lab.record(old) == Verdict.REFUSED
    assert lab.record(new) == Verdict.TAKEN


def test_an_experiment_fails_with_a_chunk_that_is_lost_too_often(lab: Lab) -> None:
    """After more losses than are borne nothing is given out, and the trouble is kept."""
    lab.create()
    lab.record(lab.issue(chunk_window=1)[0])
    for _ in range(lab.world.settings.max_lost + 1):
        assert lab.get().state == ExperimentState.RUNNING
        (message,) = lab.issue(chunk_window=1)
        lab.lose(message, "no such player")
    experiment = lab.get()
    assert (experiment.state, experiment.lost) == ("failed", lab.world.settings.max_lost + 1)
    assert experiment.trouble == "test-host: no such player"
    assert (experiment.done, lifecycle.tally_of(experiment).games) == (20, 20)
    assert lab.issue() == []
    assert lab.chunks() == []


def test_an_experiment_fails_once_with_chunks_that_fall_silent_together(lab: Lab) -> None:
    """All their losses are told, and it is given up with the first."""
    lab.create()
    clock = Later()
    ticking = coordinator_of(lab.world, clock, max_lost=0)
    ticking.tick()
    for message in lab.world.broker.chunks[:3]:
        lab.heartbeat(message)
    live(ticking, clock, lab.world.settings.lease_seconds + 1)
    with lab.world.database.reading() as session:
        kinds = [kind for kind in session.scalars(select(Event.kind)) if kind.startswith("experiment.")]
    assert (kinds.count(EventKind.EXPERIMENT_CHUNK_LOST), kinds.count(EventKind.EXPERIMENT_FAILED)) == (3, 1)
    assert (lab.get().state, lab.get().lost, lab.chunks()) == ("failed", 3, [])


def test_the_window_and_the_backlog_bound_what_is_given_out(lab: Lab) -> None:
    """So many messages wait at most, and so many chunks are at most behind the first that is missing."""
    lab.create(games=100_000)
    first, *rest = lab.issue(chunk_window=3, chunk_backlog=5)
    assert len(rest) == 2
    for message in rest:
        lab.record(message)
    rest = lab.issue(chunk_window=3, chunk_backlog=5)
    assert len(rest) == 2
    for message in rest:
        lab.record(message)
    assert lab.issue(chunk_window=3, chunk_backlog=5) == []
    lab.record(first)
    assert len(lab.issue(chunk_window=3, chunk_backlog=5)) == 3


def test_running_experiments_share_the_window(lab: Lab) -> None:
    """A long experiment does not make a short one wait for its end."""
    lab.create(games=100_000)
    lab.create(games=20)
    messages = lab.issue(chunk_window=4)
    assert [message.experiment for message in messages] == [1, 1, 1, 2]


def test_silence_loses_a_chunk_and_heartbeats_keep_it(lab: Lab) -> None:
    """A chunk in play is kept while heartbeats come and given out again when its lease runs out."""
    lab.create(games=20)
    clock = Later()
    ticking = coordinator_of(lab.world, clock)
    ticking.tick()
    (message,) = lab.world.broker.chunks
    lab.world.broker.chunks.clear()
    lab.heartbeat(message, host="far-away")
    live(ticking, clock, lab.world.settings.lease_seconds - 5)
    assert [chunk.state for chunk in lab.chunks()] == ["running"]
    live(ticking, clock, 6)
    (chunk,) = lab.chunks()
    assert (chunk.state, chunk.lost, chunk.attempt) == (MatchState.PUBLISHED, 1, 2)
    assert lab.get().trouble == "no sign of life from far-away for 30 s"


def test_a_broker_that_lost_everything_gets_it_again(lab: Lab) -> None:
    """What waits keeps its token; what is gone is published anew, and is not counted as lost."""
    lab.create()
    clock = Later()
    ticking = coordinator_of(lab.world, clock)
    ticking.tick()
    kept = lab.world.broker.chunks[0]
    del lab.world.broker.chunks[1:]
    live(ticking, clock, lab.world.settings.pickup_seconds + 1)
    again = sorted(lab.world.broker.chunks, key=lambda message: message.start)
    assert [message.start for message in again] == [0, 20, 40, 60, 80]
    assert again[0] == kept
    assert [chunk.lost for chunk in lab.chunks()] == [0] * 5


def test_what_the_broker_does_not_take_is_put_back(lab: Lab) -> None:
    """A chunk whose message could not be sent is given out at the next look."""
    lab.create()
    ticking = coordinator_of(lab.world)
    lab.world.broker.publish = _away  # type: ignore[method-assign]
    with pytest.raises(UnavailableError):
        ticking.tick()
    assert {chunk.state for chunk in lab.chunks()} == {"pending"}
    del lab.world.broker.publish
    ticking.tick()
    assert [message.start for message in lab.world.broker.chunks] == [0, 20, 40, 60, 80]


def _away(message: object) -> None:
    del message
    raise UnavailableError("the broker does not answer")


def test_a_cancelled_experiment_keeps_what_it_has(lab: Lab) -> None:
    """Its messages are withdrawn, what is still reported is refused, and it cannot be cancelled again."""
    lab.create()
    ticking = coordinator_of(lab.world)
    ticking.tick()
    first, second, *_ = lab.world.broker.chunks
    lab.record(first)
    with lab.world.database.transaction() as session:
        lifecycle.cancel(session, lab.world.staff, lifecycle.get(session, 1))
    ticking.tick()
    assert lab.world.broker.chunks == []
    assert lab.record(second) == Verdict.REFUSED
    experiment = lab.get()
    assert (experiment.state, experiment.done) == ("cancelled", 20)
    with lab.world.database.transaction() as session, pytest.raises(ConflictError, match="is cancelled"):
        lifecycle.cancel(session, lab.world.staff, lifecycle.get(session, 1))


@pytest.mark.parametrize("chunk", [600, 2000, 4000])
@pytest.mark.parametrize("backwards", [False, True])
def test_stopping_does_not_depend_on_the_chunks(lab: Lab, chunk: int, backwards: bool) -> None:
    """The first multiple of 1000 games with an interval narrow enough is the end, whatever came first."""
    lab.create(games=4000, stop_when_ci=0.02, chunk=chunk, swap=False, second="random")
    messages = lab.issue()
    for message in reversed(messages) if backwards else messages:
        assert lab.record(message) in {Verdict.TAKEN, Verdict.REFUSED}
    experiment = lab.get()
    assert (experiment.state, experiment.stopped) == ("finished", True)
    assert experiment.done == 3000, "1.96 / 2 / sqrt(2401) is 0.02"
    spec = lifecycle.spec_of(experiment)
    assert lifecycle.tally_of(experiment) == whole(spec.model_copy(update={"games": 3000})).tally
    assert lab.chunks() == []


@pytest.mark.parametrize("chunk", [20, 70, 600, None])
@pytest.mark.parametrize("backwards", [False, True])
def test_a_sequential_test_is_decided_by_the_first_pairs_alone(
    lab: Lab, chunk: int | None, backwards: bool
) -> None:
    """Chunks of any size, in any order, end after the same pair as the simulation on one machine."""
    test = Sprt(elo0=0, elo1=60, look=2)
    lab.create(games=1200, sprt=test, chunk=chunk, second="random")
    spec = lifecycle.spec_of(lab.get())
    alone = simulate(spec, jobs=1, stop=decided_by(spec, test), every=test.every, plain=True)
    assert alone.stopped
    while messages := lab.issue(chunk_window=1000, chunk_backlog=1000):
        for message in reversed(messages) if backwards else messages:
            assert message.cut == 4
            lab.record(message)
    experiment = lab.get()
    assert (experiment.state, experiment.stopped) == ("finished", True)
    assert lifecycle.tally_of(experiment) == alone.tally
    assert lifecycle.summary_of(experiment)["sprt"]["verdict"] != "undecided"


def _spoil(block: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    *parents, last = path.split(".")
    target = block
    for name in parents:
        target = target[name]
    target[last] = value
    return block


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("start", 20, "begins at game 20"),
        ("count", 19, "counts 20"),
        ("tally.games", 21, "add up"),
        ("tally.plies", -1, "greater than or equal to 0"),
        ("tally.plies", 10**9, "more plies"),
        ("tally.scores", (21, 0), "scores"),
        ("tally.scores", (-1, 20), "scores"),
        ("tally.forfeits", (1, 0), "random cannot forfeit"),
        ("tally.pairs", (10, 1, 0, 0, 0), "more pairs"),
        ("tally.pairs", (0, 0, 0, 0, 9), "9 pairs where there are 10"),
        ("tally.results", ((20, 0, 0), (0, 0, 0)), "seats as named"),
        ("tally.results", ((0, 0, 0), (0, 0, 20)), "swapped seats"),
        ("tally.ends", {"x" * 41: 20}, "reasons"),
        ("tally.double_forfeits", 1, "add up"),
        ("games", [{}], "Field required"),
        ("surprise", 1, "Extra inputs"),
    ],
)
def test_counts_that_cannot_be_are_a_lost_attempt(lab: Lab, path: str, value: Any, says: str) -> None:
    """What does not add up, or lies outside of what the games can come to, is not believed."""
    lab.create()
    first, *_ = lab.issue()
    block = _spoil(played(first)[0].model_dump(mode="json"), path, value)
    assert lab.record(first, [block]) == Verdict.UNFIT
    experiment = lab.get()
    assert (experiment.done, experiment.lost) == (0, 1)
    assert experiment.trouble
    assert says in experiment.trouble


def test_blocks_must_be_those_of_the_chunk(lab: Lab) -> None:
    """None may be missing, be there twice, or reach over a place where a stopping rule looks."""
    lab.create(games=3000, chunk=3000, stop_when_ci=0.4)
    wrong: tuple[list[int] | str, ...] = ([], [0, 1], [0, 0, 1, 2], [1, 0, 2], "whole")
    assert len(wrong) == lab.world.settings.max_lost + 1
    for spoil in wrong:
        (message,) = lab.issue()
        blocks = played(message)
        told = [whole(message.spec)] if spoil == "whole" else [blocks[int(each)] for each in spoil]
        assert lab.record(message, told) == Verdict.UNFIT
    assert "no sign" not in (lab.get().trouble or "")
    assert lab.get().state == ExperimentState.FAILED


def test_recorded_games_are_kept_in_order_and_fit_their_counts(lab: Lab) -> None:
    """The games of every chunk are stored once, and games that do not come to the tally are refused."""
    lab.create(games=40, record_games=True)
    first, second = lab.issue()
    (block,) = played(first)
    lines = list(block.games)
    lines[3] = lines[3].model_copy(update={"winner": 1 - (lines[3].winner or 0)})
    assert lab.record(first, [block.model_copy(update={"games": tuple(lines)})]) == Verdict.UNFIT
    assert lab.record(second) == Verdict.TAKEN
    (again,) = lab.issue()
    assert lab.record(again) == Verdict.TAKEN
    with lab.world.database.reading() as session:
        stored = lifecycle.games(session, lifecycle.get(session, 1))
        assert [line.model_dump() for line in stored] == [
            line.model_dump() for line in whole(lifecycle.spec_of(lab.get())).games
        ]


def test_games_beyond_the_end_are_forgotten(lab: Lab) -> None:
    """When an experiment is cancelled, games that were recorded behind a gap are not part of it."""
    lab.create(games=40, record_games=True)
    _, second = lab.issue()
    lab.record(second)
    with lab.world.database.transaction() as session:
        lifecycle.cancel(session, lab.world.staff, lifecycle.get(session, 1))
    with lab.world.database.reading() as session:
        assert list(lifecycle.games(session, lifecycle.get(session, 1))) == []


def test_a_lease_is_not_longer_than_any_that_is_given(lab: Lab, now: dt.datetime) -> None:
    """A clock that was set back leaves no chunk waiting for hours."""
    lab.create(games=20)
    clock = Later()
    ticking = coordinator_of(lab.world, clock)
    ticking.tick()
    with lab.world.database.transaction() as session:
        session.merge(lab.chunks()[0]).lease_until = now + dt.timedelta(hours=9)
    ticking.tick()
    lease = lab.chunks()[0].lease_until
    assert lease is not None
    assert lease < now + dt.timedelta(minutes=2)
