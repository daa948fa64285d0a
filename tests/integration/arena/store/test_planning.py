"""What the planner asks the database, on both kinds."""

from __future__ import annotations

import pytest

from arena.core.terms import MatchState, VersionState
from arena.store import durations, replays
from arena.submissions.versions import get
from tests.integration.arena.planning.playing import finish, issue
from tests.integration.arena.world import GAME, PARAMS, World


def test_the_latest_matches_are_found_with_their_times(world: World) -> None:
    """Who played, what the seats used and how long it took; the latest ones where there are more."""
    world.tournament(bots=4)
    for number, message in enumerate(issue(world, 4)):
        finish(world, message, (1, 2), 3.0 + number)
    with world.database.reading() as session:
        cup = world.get(session)
        found = durations.latest(session, cup, 10)
        assert [(each.ended - each.began).total_seconds() for each in found] == pytest.approx([3, 4, 5, 6])
        assert all(each.seats[1]["wall_ns"] == 2_000_000_000 for each in found)
        ids = {entry.version.bot_id for entry in cup.entries}
        assert {bot for each in found for bot in (each.first, each.second)} <= ids
        assert len(durations.latest(session, cup, 1)) < 4
        assert durations.like(session, GAME, 5) == [cup]
        assert durations.like(session, "heap_nim", 5) == []


def test_what_is_not_over_is_found_with_its_begin(world: World) -> None:
    """By number, with the entries' numbers; only what is being played has begun."""
    world.tournament(bots=4)
    messages = issue(world, 3)
    finish(world, messages[0], (1, 1), 3.0)
    with world.database.reading() as session:
        found = durations.unfinished(session, world.get(session))
        assert [each.number for each in found] == [2, 3, 4, 5, 6]
        assert [each.state == MatchState.RUNNING for each in found] == [True, True, False, False, False]
        assert [each.since is not None for each in found] == [True, True, False, False, False]
        assert (found[0].round, found[0].first, found[0].second) == (1, 2, 3)
        assert durations.voids(session, world.get(session)) == 0


def test_only_matches_with_another_like_them_are_compared(world: World) -> None:
    """Same versions, seats, opening, game and parameters, in whatever tournament; the others are left out."""
    world.tournament(bots=2, options={"cycles": 3})
    world.tournament("other", bots=2, params={"size": 6}, options={"cycles": 3})
    for message in issue(world, 9):
        finish(world, message, (1, 1), 3.0, same=True)
    with world.database.reading() as session:
        versions = {entry.version_id for entry in world.get(session).entries}
        found = replays.repetitions(session, GAME, world.get(session).params, versions)
        assert sorted(each.number for each in found) == [1, 3]
        assert found[0].moves == found[1].moves
        assert len(found[0].moves) > 4
        assert replays.repetitions(session, GAME, {**PARAMS, "size": 6}, versions) == []


def test_only_versions_that_passed_have_checks_to_look_at(world: World) -> None:
    """The latest first."""
    with world.database.transaction() as session:
        for name in ("old", "new", "bad"):
            world.bot(session, name)
        get(session, "bad").versions[0].state = VersionState.FAILED
    with world.database.reading() as session:
        found = durations.checked(session, 10)
        assert [version.bot.name for version in found] == ["new", "old"]
