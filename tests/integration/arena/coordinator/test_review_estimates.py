"""What workers report of positions that are not solved is kept only where it can be so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from arena.coordinator import leases
from arena.coordinator.leases import Verdict
from arena.people import users
from arena.store.matches import moves as match_moves
from arena.store.models import Analysis
from arena.tournaments import analyses, matches
from tests.integration.arena.reviewing import give_out, judged, report
from tests.integration.arena.world import World, issue_matches, play

SIX: dict[str, Any] = {"game": "reversed_reversi", "params": {"size": 6}}
NIM: dict[str, Any] = {"game": "heap_nim", "params": {"heaps": [1, 2, 3]}}
Change = Callable[[dict[str, Any]], object]


@pytest.fixture(autouse=True)
def _few_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.solvers.endgame.MAX_EMPTY", 8)


def reported(world: World, plan: dict[str, Any], change: Change) -> Verdict:
    """Play a game, have it analysed, and report what was found out, changed."""
    world.tournament(bots=2, **plan)
    with world.database.transaction() as session:
        issued = issue_matches(session, world.settings)
    for number, match_message in enumerate(issued):
        assert world.record(match_message, play(match_message.spec, seed=number)) == "taken"
    with world.database.transaction() as session:
        match = matches.get(session, world.get(session), 1)
        analyses.ask(session, users.get(session, "staff"), match, 1)
    (message,) = give_out(world, world.settings)
    told = judged(message)
    change(told)
    return report(world, leases.record, message, report=told)


def first_with_cost(told: dict[str, Any]) -> dict[str, Any]:
    """The first estimated position with a move that somebody chose."""
    found: dict[str, Any] = next(each for each in told["estimates"]["values"] if each["points"] is not None)
    return found


def test_what_is_estimated_is_kept(world: World) -> None:
    """Just as it was reported: position by position, up to the first that is solved."""
    kept: list[dict[str, Any]] = []
    assert reported(world, SIX, kept.append) == Verdict.TAKEN
    with world.database.reading() as session:
        answer = session.scalars(select(Analysis)).one().answer
    assert answer is not None
    assert answer["estimates"] == kept[0]["estimates"]
    assert len(answer["estimates"]["values"]) == answer["first"] > 0


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told["estimates"]["values"].pop(),
        lambda told: told["estimates"]["values"].append(told["estimates"]["values"][-1]),
        lambda told: told["estimates"].update(values=[]),
        lambda told: told["estimates"].update(depth=0),
        lambda told: told["estimates"].update(depth=21),
        lambda told: told["estimates"].update(by="<b>"),
        lambda told: told["estimates"].update(by="a" * 65),
        lambda told: told["estimates"]["values"][0].update(best="a1"),
        lambda told: told["estimates"]["values"][0].update(best="<script>"),
        lambda told: told["estimates"]["values"][0].update(margin=float("nan")),
        lambda told: told["estimates"]["values"][0].update(margin=1e9),
        lambda told: told["estimates"]["values"][0].update(margin=36.5),
        lambda told: first_with_cost(told).update(points=73.0),
        lambda told: told["values"][0].update(margin=0),
        lambda told: told["values"][0].update(margin=-told["values"][0]["margin"]),
        lambda told: told["values"][0].update(margin=40 * told["values"][0]["margin"]),
        lambda told: first_with_cost(told).update(points=-1.0),
        lambda told: first_with_cost(told).update(points=float("inf")),
    ],
)
def test_estimates_that_cannot_be_are_a_loss(world: World, change: Change) -> None:
    """Too many or too few, a depth that there is not, no legal move, or no number of points."""
    assert reported(world, SIX, change) == Verdict.UNFIT


def test_the_best_move_costs_nothing(world: World) -> None:
    """A move that the report itself names as the best one is not told to have cost anything."""

    def best_costs(told: dict[str, Any]) -> None:
        with world.database.reading() as session:
            match = matches.get(session, world.get(session), 1)
            moves = [each.move for each in match_moves(session, match)]
        for move, each in zip(moves, told["estimates"]["values"], strict=False):
            if each["points"] is not None:
                each.update(best=move, points=1.0)

    assert reported(world, SIX, best_costs) == Verdict.UNFIT


def test_a_cost_of_no_move_is_none(world: World) -> None:
    """After the last position nobody has moved, whatever is reported: it is in no figure and not shown."""
    world.tournament(bots=2, **SIX)
    with world.database.transaction() as session:
        (message, *_) = issue_matches(session, world.settings)
    assert world.record(message, play(message.spec, forfeits=(0,))) == "taken"
    with world.database.transaction() as session:
        match = matches.get(session, world.get(session), 1)
        analyses.ask(session, users.get(session, "staff"), match, 1)
    (review,) = give_out(world, world.settings)
    told = judged(review)
    told["estimates"]["values"][-1]["points"] = 30.0
    assert report(world, leases.record, review, report=told) == Verdict.TAKEN
    with world.database.reading() as session:
        kept = session.scalars(select(Analysis)).one().accuracy
    assert kept is not None
    assert max(number for seat in kept[2:4] for number in seat) < 30


def test_a_game_that_nothing_estimates_has_none(world: World) -> None:
    """Estimates of a game that has no search for them are a loss, though they are as many as they must be."""

    def estimate(told: dict[str, Any]) -> None:
        del told["values"][0]
        told["first"] = 1
        guess = {"margin": 0.0, "best": "1:1", "points": None}
        told["estimates"] = {"depth": 10, "by": "1-abc", "values": [guess]}

    assert reported(world, NIM, estimate) == Verdict.UNFIT
