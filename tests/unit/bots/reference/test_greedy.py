"""The greedy bot takes the best score at hand."""

from __future__ import annotations

from typing import Any

import pytest

from engines.game import Game
from engines.games import find_game
from engines.games.heap_nim import HeapNim, State
from engines.games.reversed_reversi import ReversedReversi
from tests.unit.bots.reference.questions import ask, started, walks


@pytest.mark.parametrize("flag", [True, False])
def test_it_leaves_itself_the_best_count(flag: bool) -> None:
    """In every position of a game it has the fewest discs after its move, or the most; the first if equal."""
    game = ReversedReversi(reversed=flag)
    bot = started("greedy", game)
    best = min if flag else max
    for state in walks(game, 2):
        counts = {move: game.play(state, move).opp.bit_count() for move in game.legal_moves(state)}
        assert game.move_from_text(ask(bot, game, state)) == best(counts, key=lambda move: counts[move])


@pytest.mark.parametrize(
    ("heaps", "misere", "move"),
    [
        ((0, 3, 0), False, "2:3"),
        ((0, 1, 1), False, "2:1"),
        ((1, 0, 2), False, "3:1"),
        ((2, 2, 2), False, "1:1"),
        ((1, 0, 0), True, "1:1"),
    ],
)
def test_without_a_score_it_looks_for_wins_at_hand(heaps: tuple[int, ...], misere: bool, move: str) -> None:
    """It takes a win, else leaves none to the other side, else plays the first move."""
    game = HeapNim(heaps=(3, 3, 3), misere=misere)
    assert ask(started("greedy", game), game, State(heaps, 0)) == move


@pytest.mark.parametrize("name", ["circle_nim", "l_game", "rhombic_chess"])
def test_it_wins_where_it_can_at_once_and_leaves_no_such_win(name: str) -> None:
    """In every position of some games its move wins, if any does, else leaves no win, if any does so."""
    game = find_game(name)
    bot = started("greedy", game)
    for state in list(walks(game, 3))[:90]:
        after = {move: game.play(state, move) for move in game.legal_moves(state)}
        chosen = after[game.move_from_text(ask(bot, game, state))]
        seat = game.to_move(state)
        if any(wins(game, each, seat) for each in after.values()):
            assert wins(game, chosen, seat)
        elif not all(leaves_a_win(game, each) for each in after.values()):
            assert not leaves_a_win(game, chosen)


def wins(game: Game[Any], state: Any, seat: int) -> bool:
    """Whether the game is over and `seat` has won it."""
    outcome = game.outcome(state)
    return outcome is not None and outcome.winner == seat


def leaves_a_win(game: Game[Any], state: Any) -> bool:
    """Whether the game is lost here, or the side to move can end and win it."""
    seat = game.to_move(state)
    moves = game.legal_moves(state)
    return wins(game, state, seat) or any(wins(game, game.play(state, move), seat) for move in moves)
