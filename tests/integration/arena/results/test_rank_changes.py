"""Rank changes: the table as it is against the one that there was before the newest round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

import pytest

from arena.core.terms import TournamentState
from arena.results import tables
from arena.results.rank_changes import OF_ALL_GAMES, RankChanges, rank_changes
from arena.submissions import versions
from arena.theory.standings.order import TIE_BREAKS
from arena.tournaments import amendments, lifecycle
from tests.integration.arena.ticking import coordinator_of
from tests.integration.arena.world import World, play

CHAIN = ("points", *(name for name in TIE_BREAKS if name not in {"points", *OF_ALL_GAMES}))
ENDS: tuple[dict[str, Any], ...] = ({}, {}, {"forfeits": (0,)}, {"resigns": True}, {"forfeits": (0, 1)})


def _rounds(world: World) -> Iterator[int]:
    """Play a tournament to its end; the numbers of its rounds, each when all of it is played."""
    coordinator = coordinator_of(world, window=100)
    while not _is_over(world):
        coordinator.tick()
        messages = sorted(world.broker.queue, key=lambda each: int(each.spec.match))
        world.broker.queue.clear()
        for number, of_round in groupby(messages, lambda each: world.match(int(each.spec.match)).round):
            for message in of_round:
                world.record(message, play(message.spec, **ENDS[int(message.spec.match) % len(ENDS)]))
            yield number


def _is_over(world: World) -> bool:
    with world.database.reading() as session:
        return world.get(session).state == TournamentState.FINISHED


def _changes(world: World) -> RankChanges | None:
    with world.database.reading() as session:
        cup = world.get(session)
        return rank_changes(session, cup, tables.table(session, cup))


def _ranks(world: World) -> dict[int, int]:
    return {line.number: line.rank for line in world.leaderboard()}


@pytest.mark.parametrize(
    "plan",
    [
        {"format": "round_robin"},
        {"format": "swiss", "options": {"rounds": 4}, "openings": 1, "opening_plies": 2},
        {"format": "knockout", "options": {"third_place": True}},
        {"format": "groups", "options": {"groups": 2, "qualifiers": 1}, "bots": 6},
    ],
    ids=lambda plan: str(plan["format"]),
)
def test_changes_lead_from_the_table_of_the_round_before(
    sqlite_world: Callable[[], World], plan: dict[str, Any]
) -> None:
    """After each round the changes are those from the ranks that there were when the last one was played."""
    world = sqlite_world()
    world.tournament(**{"bots": 5, "standings_order": CHAIN, **plan})
    before: dict[int, int] = {}
    moved = 0
    for number in _rounds(world):
        told, ranks = _changes(world), _ranks(world)
        if number == 1:
            assert told is None
        else:
            assert told == RankChanges(number, {each: before[each] - ranks[each] for each in ranks})
            moved += any(told.places.values())
        before = ranks
    assert moved


def test_nothing_is_said_where_the_ranks_before_are_not_known(sqlite_world: Callable[[], World]) -> None:
    """With a step that counts the ratings of all games there are no changes."""
    world = sqlite_world()
    world.tournament(bots=4, standings_order=("points", "average_rating"))
    assert list(_rounds(world)) == [1, 2, 3]
    assert _changes(world) is None


def test_who_was_annulled_counts_neither_before_nor_now(sqlite_world: Callable[[], World]) -> None:
    """Games that were annulled are taken away from neither table, and who came late has no change."""
    world = sqlite_world()
    world.tournament(bots=4, standings_order=CHAIN)
    assert list(_rounds(world)) == [1, 2, 3]
    with world.database.transaction() as session:
        cup = world.get(session)
        gone = lifecycle.entries(session, cup)[0]
        amendments.disqualify(session, world.staff, cup, gone.version.bot, "copied", annul=True)
    told = _changes(world)
    assert told is not None
    assert told.places[gone.number] == 0


def test_walkovers_of_rounds_to_come_make_no_newest_round(sqlite_world: Callable[[], World]) -> None:
    """Who leaves in the second round loses later ones at once, and the changes stay those of the second."""
    world = sqlite_world()
    world.tournament(bots=6, standings_order=CHAIN)
    rounds = _rounds(world)
    next(rounds)
    before = _ranks(world)
    with world.database.transaction() as session:
        cup = world.get(session)
        amendments.withdraw(session, world.staff, cup, versions.get(session, "cup-bot3"), "ill")
    assert _changes(world) is None
    next(rounds)
    told, ranks = _changes(world), _ranks(world)
    assert told == RankChanges(2, {each: before[each] - ranks[each] for each in ranks})
