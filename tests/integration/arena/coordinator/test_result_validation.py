"""A reported draw by repetition or by the limit of plies is believed exactly when the policy says so."""

from __future__ import annotations

from typing import Any

import pytest

from arena.coordinator.leases import Verdict
from arena.coordinator.result_validation import UnfitResultError, fit_result
from tests.integration.arena.world import World, issue_matches
from tests.unit.workers.conftest import make_spec
from tests.unit.workers.play.test_policy import TO_AND_FRO, dancers
from workers.core.contract import GameSpec, MatchSpec, MoveRecord, Policy
from workers.play import referee

L_GAME = GameSpec(name="l_game")


def plies(count: int, *, asked: bool = True) -> list[MoveRecord]:
    """The first moves of an L-Game that goes to and fro."""
    return [
        MoveRecord(ply=ply, seat=1 if ply % 2 else 0, move=TO_AND_FRO[ply % 4], asked=asked)
        for ply in range(count)
    ]


def told(count: int, **changes: Any) -> dict[str, Any]:
    """A report of an L-Game that went to and fro for so many plies and was drawn then."""
    report = {"match": "test", "winner": None, "reason": "repetition", "score": (0, 0)}
    return report | {"moves": plies(count)} | changes


def spec(policy: Policy, opening: tuple[str, ...] = ()) -> MatchSpec:
    """A match of the L-Game."""
    return make_spec(game=L_GAME, policy=policy, opening=opening)


@pytest.mark.parametrize("policy", [Policy(), Policy(max_plies=7), Policy(repetition=2), Policy(max_plies=8)])
def test_what_the_referee_draws_is_believed(policy: Policy) -> None:
    """A result of the referee fits its match."""
    match = spec(policy)
    result = referee.play(match, dancers())
    assert fit_result(result.model_dump(mode="json"), match) == result


def test_draws_within_an_opening_are_believed() -> None:
    """An opening may pass through a position that would have been drawn."""
    match = spec(Policy(repetition=2), TO_AND_FRO + TO_AND_FRO[:1])
    result = referee.play(match, dancers())
    assert fit_result(result.model_dump(mode="json"), match) == result


@pytest.mark.parametrize(
    ("policy", "report"),
    [
        (Policy(), told(4)),
        (Policy(), told(7)),
        (Policy(), told(9)),
        (Policy(), told(12)),
        (Policy(repetition=4), told(8)),
        (Policy(), told(8, reason="ply_limit")),
        (Policy(), told(8, score=(1, 1))),
        (Policy(), told(8, winner=0, score=(1, 0))),
        (Policy(), told(8, winner=0, reason="resign", score=(1, 0))),
        (Policy(), told(7, reason="ply_limit")),
        (Policy(max_plies=6), told(7, reason="ply_limit")),
        (Policy(max_plies=7), told(6, reason="ply_limit")),
    ],
)
def test_other_draws_are_not(policy: Policy, report: dict[str, Any]) -> None:
    """Too early, too late, for another reason, with a winner or another score: it is no result."""
    with pytest.raises(UnfitResultError):
        fit_result(report, spec(policy))


def test_a_forfeit_does_not_undo_a_draw() -> None:
    """Once a match is drawn nobody is asked, so nobody forfeits; before the first question a bot may."""
    crash = {"seat": 0, "code": "crash", "detail": "gone", "expected": "an answer", "ply": 8}
    lost = {"winner": 1, "reason": "crash", "score": (0, 1), "forfeits": [crash]}
    assert fit_result(told(7, **lost), spec(Policy())).winner == 1
    with pytest.raises(UnfitResultError, match="a forfeit after the draw by repetition"):
        fit_result(told(8, **lost), spec(Policy()))
    assert (
        fit_result(told(8, **lost, moves=plies(8, asked=False)), spec(Policy(), TO_AND_FRO * 2)).winner == 1
    )


def test_a_tournament_has_its_games_policy(world: World) -> None:
    """The spec of a tournament's match says when it is drawn, and its draws are recorded."""
    world.tournament(bots=2, game="l_game", params={})
    with world.database.transaction() as session:
        message = issue_matches(session, world.settings)[0]
    assert message.spec.policy == Policy(repetition=3, max_plies=500)
    result = referee.play(message.spec, dancers())
    assert world.record(message, result) == Verdict.TAKEN
    assert [(row.points, row.draws) for row in world.leaderboard()] == [(0.5, 1), (0.5, 1)]
