"""Hints where no table has the whole game: endings searched, the rest estimated; and draws compared."""

from __future__ import annotations

import contextlib

import pytest

from engines.game import play_all
from engines.games import find_game, find_presentation
from engines.solvers import SolverError, find_oracle, no_progress
from engines.solvers.endgame import solve_endgame
from tests.integration.workers.play.test_analysis import late_moves
from workers.core.errors import StoppedError
from workers.core.halt import Halt
from workers.play.hints import hint


@pytest.mark.parametrize("fewest", [True, False])
def test_an_ending_of_reversi_is_told_exactly(fewest: bool) -> None:
    """By either aim each move has the margin of perfect play after it; those that keep it are best."""
    game = find_game("reversed_reversi", {"reversed": fewest})
    state = play_all(game, late_moves(game, 8))
    told = hint(game, state, no_progress)
    margins = {}
    for move in game.legal_moves(state):
        margins[game.move_to_text(move)] = -solve_endgame(game, game.play(state, move)).margin  # type: ignore[arg-type]
    best = (min if fewest else max)(margins.values())
    assert {each["move"]: each["margin"] for each in told["values"]} == margins
    assert [each["margin"] for each in told["values"]] == sorted(margins.values(), reverse=not fewest)
    assert told["margin"] == best
    assert {each["move"] for each in told["moves"]} == {move for move in margins if margins[move] == best}
    wanted = -best if fewest else best
    assert told["result"] == ("won" if wanted > 0 else "lost" if wanted < 0 else "drawn")
    words = find_presentation(game.name).hint_score(told)
    assert told["moves"][0]["move"] in words.english
    assert ("fewer" if best < 0 else "more" if best > 0 else "as many") in words.english


@pytest.mark.parametrize("fewest", [True, False])
def test_what_is_not_solved_is_estimated(fewest: bool) -> None:
    """By either aim the best move comes first with the margin that is expected, and no result is claimed."""
    game = find_game("reversed_reversi", {"size": 6, "reversed": fewest})
    state = play_all(game, late_moves(game, 26))
    told = hint(game, state, no_progress, seconds=600)
    seen, values = told["estimated"], [each["estimate"] for each in told["values"]]
    assert (told["result"], told["plies"], seen["depth"]) == (None, None, 10)
    assert told["moves"] == [{"move": seen["best"]}]
    assert (told["values"][0]["move"], values[0]) == (seen["best"], seen["margin"])
    assert values == sorted(values, reverse=not fewest)
    assert len(values) == len(game.legal_moves(state)) > 1
    assert seen["best"] in find_presentation(game.name).hint_score(told).chinese


def test_a_search_that_is_too_long_gives_way_to_an_estimate() -> None:
    """Without any time for it an ending is estimated, and only its best move has a value."""
    game = find_game("reversed_reversi")
    state = play_all(game, late_moves(game, 22))
    told = hint(game, state, no_progress, seconds=0)
    assert [each["move"] for each in told["values"]] == [told["estimated"]["best"]]


def test_a_hint_that_nobody_wants_is_given_up() -> None:
    """What is called off is no hint, whether it is searched or estimated."""
    game = find_game("reversed_reversi")
    with contextlib.closing(Halt()) as halt:
        halt.call(StoppedError("to stop"))
        for state in (game.initial(), play_all(game, late_moves(game, 10))):
            with pytest.raises(StoppedError):
                hint(game, state, no_progress, halt)


def test_where_nothing_is_known_it_says_so() -> None:
    """A board without solver and weights has no hint."""
    with pytest.raises(SolverError, match="8 by 8"):
        hint(
            find_game("reversed_reversi", {"size": 10}),
            find_game("reversed_reversi", {"size": 10}).initial(),
            no_progress,
        )


def test_draws_of_the_l_game_are_told_by_what_wins_after_them() -> None:
    """Each drawn move has the share of the answers that lose, counted here; the greatest come first."""
    game = find_game("l_game")
    state, oracle = game.initial(), find_oracle(game)
    told = hint(game, state, no_progress)
    drawn = [each for each in told["values"] if each["result"] == "drawn"]
    chances = [each["chance"] for each in drawn]
    assert chances == sorted(chances, reverse=True)
    assert all("chance" not in each for each in told["values"] if each["result"] != "drawn")
    for each in (drawn[0], drawn[-1]):
        after = game.play(state, game.move_from_text(each["move"]))
        answers = [oracle.value(game.play(after, move)).result for move in game.legal_moves(after)]
        assert each["chance"] == answers.count(1) / len(answers)
    assert {each["chance"] for each in told["moves"]} == {max(chances)}
    words = find_presentation("l_game").best(told["moves"][:1])
    assert words.english.endswith(f"({100 * max(chances):.0f} % of the answers lose)")
