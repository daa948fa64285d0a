"""Rounds: made a few at a time where they are known, and told to formats as they came out."""

from __future__ import annotations

from collections import Counter

import pytest
from sqlalchemy import select

from arena.core.terms import MatchState, TournamentState
from arena.store.models import Match, Result, Tournament
from arena.theory.pairing.contract import Detail, Kind, Meeting
from arena.tournaments import history, matches, rounds
from tests.integration.arena.ticking import coordinator_of
from tests.integration.arena.tournaments.test_amendments import KNOCKOUT, WHY
from tests.integration.arena.world import World, play


def test_a_round_robin_is_never_made_all_at_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """New rounds come when few matches are left, and in the end everybody has met everybody once."""
    monkeypatch.setattr(rounds, "AHEAD", 6)
    monkeypatch.setattr(rounds, "FEW", 3)
    world.tournament(bots=8, game="heap_nim", params={"heaps": [1, 2, 3]})
    assert len(world.matches()) == 8
    coordinator = coordinator_of(world, window=2)
    for _ in range(100):
        coordinator.tick()
        waiting = [match for match in world.matches() if match.state == MatchState.PENDING]
        assert len(waiting) <= 6 + 3
        while world.broker.queue:
            world.record(world.broker.queue.pop())
        with world.database.reading() as session:
            if world.get(session).state == TournamentState.FINISHED:
                break
    met = Counter(frozenset((match.first_id, match.second_id)) for match in world.matches())
    assert (len(met), set(met.values())) == (28, {1})
    assert [match.number for match in world.matches()] == list(range(1, 29))


def test_meetings_are_told_once_they_are_complete(world: World) -> None:
    """All games of a pairing are one meeting; byes are told, games called off are not."""
    world.tournament(bots=3, **KNOCKOUT | {"options": {"best_of": 2}})
    coordinator = coordinator_of(world)
    coordinator.tick()
    first, second = world.broker.queue
    with world.database.reading() as session:
        (bye,) = history.meetings(session, world.get(session))
    assert (bye.first, bye.second, bye.kind, bye.half_points) == (1, None, Kind.BYE, (0, 0))
    world.record(first, play(first.spec, forfeits=[1]))
    with world.database.reading() as session:
        assert list(history.meetings(session, world.get(session))) == [bye]
    world.record(second, play(second.spec, forfeits=[1]))
    with world.database.reading() as session:
        _, met = history.meetings(session, world.get(session))
    assert (met.first, met.second, met.games, met.half_points) == (2, 3, 2, (2, 2))


def test_a_dropped_game_is_no_meeting(world: World) -> None:
    """Where the staff calls the only game of a pairing off, nobody has met."""
    world.tournament(bots=4)
    with world.database.transaction() as session:
        session.merge(world.match()).state = MatchState.PARKED
        session.flush()
        matches.drop(session, world.staff, matches.get(session, world.get(session), 1), WHY)
    coordinator_of(world).tick()
    for message in world.broker.queue:
        world.record(message)
    with world.database.reading() as session:
        assert len(list(history.meetings(session, world.get(session)))) == 5


@pytest.mark.parametrize("step", ["discs", "time"])
def test_whom_discs_or_time_put_first_goes_on_from_its_group(world: World, step: str) -> None:
    """The final is between the best of each group by the totals of all games that were played in it."""
    options = {"groups": 2, "qualifiers": 1}
    world.tournament(bots=6, format="groups", options=options, openings=1, standings_order=[step])
    coordinator = coordinator_of(world)
    while True:
        coordinator.tick()
        if any(match.phase == "final" for match in world.matches()):
            break
        for message in world.broker.queue:
            world.record(message, play(message.spec, seed=3))
        world.broker.queue.clear()
    made = {"A": Counter[int](), "B": Counter[int]()}
    with world.database.reading() as session:
        query = select(Match, Result).join(Result, Result.match_id == Match.id)
        for match, result in session.execute(query.where(Match.phase.in_(made))):
            scores = (result.first_score, result.second_score)
            for seat, entry in enumerate((match.first, match.second)):
                time = result.seats[seat]["wall_ns"]
                made[match.phase][entry.number] += time if step == "time" else scores[seat]
    best = {min(total, key=lambda number: total[number]) for total in made.values()}
    final = next(match for match in world.matches() if match.phase == "final")
    assert {final.first.number, final.second.number} == best


def test_groups_are_ordered_ever_after_as_when_they_were_made(world: World) -> None:
    """The usual chain is kept with the tournament; one that has none is ordered as it was without."""
    world.tournament(bots=4, format="groups", options={"groups": 1, "qualifiers": 2})
    circle = {(1, 2): (2, 0), (2, 3): (2, 0), (1, 3): (0, 2)}
    met = [
        Meeting(1, *pair, points, phase="A", detail=Detail((1, 1), pair, (0, 0), 2))
        for pair, points in circle.items()
    ]
    met += [Meeting(1, one, 4, (2, 0), phase="A") for one in (1, 2, 3)]

    def finals(cup: Tournament) -> set[frozenset[int | None]]:
        told = [rounds.format_of(cup).next_round(entrants, met, 4, seed) for seed in range(10)]
        return {frozenset((final.first, final.second)) for final, *_ in filter(None, told)}

    with world.database.reading() as session:
        cup = world.get(session)
        entrants = history.entrants(session, cup)
        assert cup.standings_order == ["points", "direct", "discs", "time"]
        assert finals(cup) == {frozenset({1, 2})}
        cup.standings_order = []
        assert len(finals(cup)) > 1


@pytest.mark.parametrize(("order", "best"), [([], 1), (["wins"], 4)])
def test_groups_are_ordered_by_the_tournaments_chain(world: World, order: list[str], best: int) -> None:
    """Who is the first of a group, and so has the bye in the bracket, is whom the published chain says."""
    options = {"groups": 1, "qualifiers": 3}
    world.tournament(bots=4, format="groups", options=options, standings_order=order)
    made = {(1, 2): 1, (1, 3): 1, (1, 4): 2, (2, 3): 2, (2, 4): 0, (3, 4): 0}
    met = [Meeting(1, *pair, (half, 2 - half), phase="A") for pair, half in made.items()]
    with world.database.reading() as session:
        entrants = history.entrants(session, world.get(session))
        pairings = rounds.format_of(world.get(session)).next_round(entrants, met, 4, 0)
    assert pairings is not None
    assert [each.first for each in pairings if each.second is None] == [best]
