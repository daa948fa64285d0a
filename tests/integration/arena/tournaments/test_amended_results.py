"""Matches and rounds that are played again, and results that the staff decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from arena.core.errors import ConflictError, NotFoundError
from arena.core.terms import MatchState, TournamentState
from arena.tournaments import amendments, lifecycle, matches
from tests.integration.arena.ticking import coordinator_of
from tests.integration.arena.tournaments.test_amendments import (
    KNOCKOUT,
    WHY,
    Step,
    apply,
    check_totals,
    disqualify,
    enter,
    entries,
    first_match,
    issue,
    log_of,
    play_on,
)
from tests.integration.arena.world import World, play


def _decide(world: World, number: int, winner: Any = "first") -> Step:
    return lambda session, cup: amendments.set_result(
        session, world.staff, matches.get(session, cup, number), winner, WHY
    )


def _rerun(world: World, number: int) -> Step:
    return lambda session, cup: amendments.rerun(session, world.staff, matches.get(session, cup, number), WHY)


def test_a_match_is_played_again_and_both_results_are_kept(world: World) -> None:
    """The first result counts no more and is kept with its moves and the reason; the second one counts."""
    world.tournament(bots=2)
    play_on(world)
    first = world.match()
    apply(world, _rerun(world, 1))
    assert [(entry.games, entry.half_points, entry.wall_ns) for entry in entries(world)] == [(0, 0, 0)] * 2
    (message,) = issue(world)
    assert message.attempt == first.attempt + 1
    world.record(message, play(message.spec, forfeits=[0]))
    with world.database.reading() as session:
        match = matches.get(session, world.get(session), 1)
        (before,) = match.superseded
        assert match.result is not None
        assert match.result.reason == "crash"
        assert (before.attempt, before.why, before.superseded_by) == (1, WHY, world.staff.id)
        assert len(before.moves) > 3
    check_totals(world)
    assert ("match.rerun", world.staff.id) in log_of(world)


def test_a_finished_tournament_goes_on_when_a_result_is_taken_back(world: World) -> None:
    """A re-run of its last match opens it again, and it finishes once that is played."""
    world.tournament(bots=2)
    play_on(world)
    coordinator_of(world).tick()
    apply(world, _rerun(world, 1))
    with world.database.reading() as session:
        cup = world.get(session)
        assert (cup.state, cup.finished_at) == (TournamentState.RUNNING, None)
    coordinator = coordinator_of(world)
    coordinator.tick()
    world.record(world.broker.queue.pop())
    coordinator.tick()
    coordinator.tick()
    with world.database.reading() as session:
        assert world.get(session).state == TournamentState.FINISHED


def test_a_result_stands_once_a_round_was_paired_by_it(world: World) -> None:
    """In a knockout the first round can be amended while it is the last one, and not when the next one is."""
    world.tournament(bots=4, **KNOCKOUT)
    play_on(world)
    apply(world, _rerun(world, 1))
    apply(world, _decide(world, 1))
    play_on(world)
    coordinator_of(world, window=0).tick()
    for step in (_rerun(world, 1), _decide(world, 2), _round_again(world, 1)):
        with pytest.raises(ConflictError, match="paired by the results of round 1"):
            apply(world, step)
    check_totals(world)


def _round_again(world: World, number: int) -> Step:
    return lambda session, cup: amendments.rerun_round(session, world.staff, cup, number, WHY)


def test_a_round_is_played_again(world: World) -> None:
    """All of its matches wait again; a round that is being played, or that there is not, is refused."""
    world.tournament(bots=4)
    with pytest.raises(ConflictError, match="still being played"):
        apply(world, _round_again(world, 1))
    with pytest.raises(NotFoundError, match="round 9"):
        apply(world, _round_again(world, 9))
    play_on(world)
    apply(world, _round_again(world, 2))
    assert [match.round for match in world.matches() if match.state == MatchState.PENDING] == [2, 2]
    check_totals(world)


@pytest.mark.parametrize(
    ("winner", "half_points"), [("first", (2, 0)), ("second", (0, 2)), ("draw", (1, 1)), ("nobody", (0, 0))]
)
@pytest.mark.parametrize("state", ["pending", "parked", "finished"])
def test_the_staff_decides_a_match(
    sqlite_world: Callable[[], World], state: str, winner: str, half_points: tuple[int, int]
) -> None:
    """Whatever it was before, the result is the one decided, by name and with the reason."""
    world = sqlite_world()
    world.tournament(bots=2)
    if state == "finished":
        play_on(world)
    else:
        with world.database.transaction() as session:
            session.merge(world.match()).state = MatchState(state)
    apply(world, _decide(world, 1, winner))
    with world.database.reading() as session:
        match = matches.get(session, world.get(session), 1)
        assert match.result is not None
        assert (match.result.first_half_points, match.result.second_half_points) == half_points
        assert (match.result.manual_reason, match.result.decided_by) == (WHY, world.staff.id)
        assert match.result.kind == ("played" if state == "finished" else "forfeit")
    first, second = (match.first_id, match.second_id)
    assert {entry.id: entry.half_points for entry in entries(world)} == {
        first: half_points[0],
        second: half_points[1],
    }
    check_totals(world)


def test_what_is_in_play_or_called_off_is_not_decided(world: World) -> None:
    """The staff waits for the end of a match in play; a cancelled tournament is amended by nobody."""
    world.tournament(bots=3)
    issue(world, 1)
    with pytest.raises(ConflictError, match="match 1 is published"):
        apply(world, _decide(world, 1))
    with pytest.raises(ConflictError, match="only a finished one"):
        apply(world, _rerun(world, 2))
    apply(world, lambda session, cup: lifecycle.cancel(session, world.staff, cup))
    with pytest.raises(ConflictError, match="is cancelled"):
        apply(world, _decide(world, 2))


@pytest.mark.parametrize("form", ["swiss", "swiss_dutch"])
def test_rounds_of_a_swiss_are_built_on_their_games(world: World, form: str) -> None:
    """None is annulled or dropped: what opponents made of it would be missing from their tie-breaks."""
    world.tournament(bots=4, format=form)
    coordinator_of(world).tick()
    with world.database.transaction() as session:
        session.merge(world.match()).state = MatchState.PARKED
    with pytest.raises(ConflictError, match="other rounds are built on match 1"):
        apply(world, lambda session, cup: matches.drop(session, world.staff, first_match(session, cup), WHY))
    with pytest.raises(ConflictError, match="cannot be annulled"):
        apply(world, disqualify(world, "cup-bot1", annul=True))


def test_brackets_are_built_on_their_games(world: World) -> None:
    """In a knockout no game is annulled or dropped, and nobody comes late."""
    world.tournament(bots=4, **KNOCKOUT)
    with pytest.raises(ConflictError, match="cannot be annulled"):
        apply(world, disqualify(world, "cup-bot1", annul=True))
    with world.database.transaction() as session:
        session.merge(world.match()).state = MatchState.PARKED
    with pytest.raises(ConflictError, match="decides who goes on"):
        apply(world, lambda session, cup: matches.drop(session, world.staff, first_match(session, cup), WHY))
    with pytest.raises(ConflictError, match="takes nobody in"):
        apply(world, lambda session, cup: enter(world, session, cup, "late"))
