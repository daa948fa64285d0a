"""Draws that the rules do not know: by repetition, and by too many plies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle, islice
from typing import Any

import pytest
from pydantic import ValidationError

from bots.protocol.messages import Answer
from engines.games import GAMES, find_game
from tests.unit.workers.conftest import make_spec
from tests.unit.workers.play.test_referee import Scripted
from workers.core.contract import GameSpec, MatchResult, Policy
from workers.play import referee
from workers.play.player import Reply
from workers.play.policy import DrawWatch, policy_of, watch_of

TO_AND_FRO = ("c1r", "b4l", "b1r", "c4l")
"""Four plies of the L-Game after which everything is as it was."""


def dancers() -> tuple[Scripted, Scripted]:
    """Two players of the L-Game that go to and fro for ever."""

    def choose(request: Mapping[str, Any]) -> Reply:
        return Reply(Answer(TO_AND_FRO[request["ply"] % 4], None), 1)

    return Scripted(choose), Scripted(choose)


def dance(policy: Policy, opening: Iterable[str] = ()) -> tuple[MatchResult, tuple[Scripted, Scripted]]:
    """A match of the L-Game between two such players."""
    players = dancers()
    spec = make_spec(game=GameSpec(name="l_game"), policy=policy, opening=tuple(opening))
    return referee.play(spec, players), players


@pytest.mark.parametrize(
    ("policy", "plies", "reason"),
    [
        (Policy(), 8, "repetition"),
        (Policy(repetition=2), 4, "repetition"),
        (Policy(repetition=5), 16, "repetition"),
        (Policy(max_plies=7), 7, "ply_limit"),
        (Policy(max_plies=8), 8, "repetition"),
        (Policy(repetition=1000, max_plies=101), 101, "ply_limit"),
        (Policy(repetition=1000), 500, "ply_limit"),
    ],
)
def test_a_match_that_goes_in_circles_is_drawn(policy: Policy, plies: int, reason: str) -> None:
    """At the ply that makes it so, with a point for both halves, and the players are told why."""
    result, players = dance(policy)
    assert (len(result.moves), result.winner, result.reason) == (plies, None, reason)
    assert (result.score, result.half_points) == ((0, 0), (1, 1))
    assert result.forfeits == ()
    for player in players:
        assert player.sent[-1] == {"type": "end", "result": "draw", "reason": reason, "score": (0, 0)}


def test_the_players_know_the_policy_from_the_start() -> None:
    """What the spec leaves open is told as the game has it."""
    _, players = dance(Policy(max_plies=20))
    assert players[0].sent[0]["policy"] == {"repetition": 3, "max_plies": 20}


@pytest.mark.parametrize("plies", [8, 9, 13])
def test_an_opening_counts_but_is_played_to_its_end(plies: int) -> None:
    """What repeats in an opening is drawn when a player would be asked, if it is drawn there still."""
    result, players = dance(Policy(), islice(cycle(TO_AND_FRO), plies))
    assert (len(result.moves), result.reason) == (plies, "repetition")
    assert not any(move.asked for move in result.moves)
    assert [message["type"] for message in players[0].sent] == ["hello", "end"]


def test_the_games_own_end_comes_first() -> None:
    """A game that ends with the last ply that it may have has its own outcome."""
    game = GameSpec(name="circle_nim", params={"rows": 2})
    result = referee.play(make_spec(game=game, policy=Policy(max_plies=3)), (Scripted(), Scripted()))
    assert (len(result.moves), result.reason, result.winner) == (3, "left_the_last", 1)
    result = referee.play(make_spec(game=game, policy=Policy(max_plies=2)), (Scripted(), Scripted()))
    assert (len(result.moves), result.reason, result.winner) == (2, "ply_limit", None)


def test_a_drawn_game_with_a_score_books_half_the_board() -> None:
    """In Reversi a draw by the policy gives each side the same number of discs."""
    result = referee.play(make_spec(policy=Policy(max_plies=4)), (Scripted(), Scripted()))
    assert (result.reason, result.score, result.half_points) == ("ply_limit", (8, 8), (1, 1))


def test_only_the_games_that_can_repeat_are_watched() -> None:
    """Without a limit of plies the other games cost nothing; a policy cannot make them repeat."""
    for name in GAMES:
        game = find_game(name)
        assert (watch_of(game, Policy()) is not None) == game.can_repeat
        assert (policy_of(game, Policy(repetition=2)).repetition is not None) == game.can_repeat
    watch = watch_of(find_game("heap_nim"), Policy(max_plies=5))
    assert watch is not None
    assert watch._seen == {}


def test_a_reason_passes_with_its_position() -> None:
    """A position that came up often enough is drawn; the next one is not."""
    watch = DrawWatch(Policy(repetition=2), "a")
    told = []
    for state in "baab":
        watch.played(state)
        told.append(watch.reason)
    assert told == [None, "repetition", "repetition", "repetition"]
    watch.played("c")
    assert watch.reason is None


@pytest.mark.parametrize(
    "wrong", [{"repetition": 1}, {"repetition": 0}, {"max_plies": 0}, {"max_plies": -1}, {"other": 1}]
)
def test_impossible_policies_are_refused(wrong: dict[str, int]) -> None:
    """Every position comes up once, and a match has room for a ply."""
    with pytest.raises(ValidationError):
        Policy.model_validate(wrong)
