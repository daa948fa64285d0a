"""Snapshots that are kept from look to look: at every moment those that are read from scratch."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Literal

import numpy as np
import pytest

from arena.results import snapshot, tables
from arena.results.snapshot import Snapshot, snapshot_of
from arena.schemas.standings import Leaderboard
from arena.store.models import Match
from arena.submissions import versions
from arena.tournaments import amendments
from arena.tournaments import matches as single_matches
from arena.web.answers.standings import leaderboard_of
from tests.integration.arena.world import World, issue_matches, play


def _look(world: World) -> Snapshot:
    """What a reader sees, which must be what is read from scratch."""
    with world.database.reading() as session:
        cup = world.get(session)
        kept = snapshot_of(session, cup)
        board = tables.table(session, cup)
        told = leaderboard_of(cup, board)
    with world.database.transaction() as session:  # not for reading: nothing that is kept is used
        cup = world.get(session)
        fresh = snapshot_of(session, cup)
        assert board == tables.table(session, cup)
        assert told == leaderboard_of(cup, tables.table(session, cup))
    assert told == Leaderboard.model_validate_json(told).model_dump_json().encode()
    assert (kept.revision, kept.entries, kept.rows) == (fresh.revision, fresh.entries, fresh.rows)
    assert np.array_equal(kept.half_points, fresh.half_points)
    assert np.array_equal(kept.games, fresh.games)
    assert kept.against == fresh.against
    numbers = [row.number for row in kept.rows]
    assert kept.met(numbers) == fresh.met(numbers)
    return kept


@pytest.mark.parametrize(
    "order",
    [[], ["points", "sonneborn_berger", "koya"], ["wins", "direct", "disc_difference", "lot"]],
    ids=len,
)
def test_kept_totals_are_those_read_from_scratch(world: World, order: list[str]) -> None:
    """After every result, decision, replay and departure, with all tables and their bytes."""
    world.tournament(bots=5, options={"cycles": 2}, standings_order=order)
    _look(world)
    faults: list[list[Literal[0, 1]]] = [[], [], [0], [0, 1]]
    draw = random.Random(5)
    while True:
        with world.database.transaction() as session:
            messages = issue_matches(session, world.settings)
        if not messages:
            break
        for message in messages:
            world.record(message, play(message.spec, forfeits=draw.choice(faults)))
            _look(world)
    matches = {match.id: match.number for match in world.matches()}
    for number in list(matches.values())[:3]:
        with world.database.transaction() as session:
            match = single_matches.get(session, world.get(session), number)
            amendments.set_result(session, world.staff, match, draw.choice(("first", "draw")), "seen")
        _look(world)
    with world.database.transaction() as session:
        bot = versions.get(session, "cup-bot2")
        amendments.disqualify(session, world.staff, world.get(session), bot, "cheated", annul=True)
    _look(world)


@pytest.mark.parametrize("seed", [1, 2])
def test_many_results_between_two_looks_are_all_seen(sqlite_world: Callable[[], World], seed: int) -> None:
    """Of ten bots, most of them tied all the while, whatever number of results comes between two readers."""
    world, draw = sqlite_world(), random.Random(seed)
    world.tournament(bots=10)
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings.model_copy(update={"window": 1000}))
    draw.shuffle(messages)
    faults: list[list[Literal[0, 1]]] = [[0], [1], [0, 1]]
    _look(world)
    while messages:
        for message in [messages.pop() for _ in range(min(draw.randint(1, 6), len(messages)))]:
            world.record(message, play(message.spec, forfeits=draw.choice(faults)))
        _look(world)


def test_what_is_taken_back_is_not_kept(world: World) -> None:
    """What a transaction sees that is never committed, no reader is told."""
    world.tournament(bots=3)
    with world.database.transaction() as session:
        (message, *_) = issue_matches(session, world.settings)
    before = _look(world)

    with world.database.transaction() as session:
        cup = world.get(session)
        cup.revision += 1
        cup.entries[0].half_points += 2
        session.flush()
        assert snapshot_of(session, cup).rows[0].total.half_points == 2
        session.rollback()
    assert _look(world) is before
    world.record(message, play(message.spec))
    assert _look(world).revision > before.revision


def test_sums_that_do_not_add_up_are_read_anew(world: World) -> None:
    """Where what is kept of the pairs does not come to what the entries made, all is read from scratch."""
    world.tournament(bots=3)
    with world.database.transaction() as session:
        first, second, *_ = issue_matches(session, world.settings)
    _look(world)
    world.record(first, play(first.spec))
    kept = _look(world)
    with world.database.reading() as session:
        match = session.get_one(Match, int(second.spec.match))
        playing = {match.first.number, match.second.number}
    (idle,) = {row.number for row in kept.rows} - playing  # whose row is not read anew by itself
    broken = kept.half_points.copy()
    broken[kept.places[idle]] += 7
    object.__setattr__(kept, "half_points", broken)
    world.record(second, play(second.spec))
    _look(world)


def test_of_many_tournaments_the_last_ones_are_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept has a bound, and what makes room is read again when it is asked for."""
    monkeypatch.setattr(snapshot, "MAX_CACHED", 2)
    for name in ("one", "two", "three"):
        world.tournament(name, bots=2)
    with world.database.reading() as session:
        seen = {name: snapshot_of(session, world.get(session, name)) for name in ("one", "two", "three")}
        assert snapshot_of(session, world.get(session, "three")) is seen["three"]
        assert snapshot_of(session, world.get(session, "one")) is not seen["one"]
        assert snapshot_of(session, world.get(session, "one")).rows == seen["one"].rows
