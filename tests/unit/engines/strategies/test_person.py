"""The player that sees one move ahead and is given hints."""

from __future__ import annotations

import pytest

from engines.games import find_game
from engines.games.heap_nim import HeapNim, State
from engines.solvers import SolverError
from engines.strategies import StrategyError, find_strategy
from engines.strategies.perfect import best_moves
from engines.stream import Stream
from tests.unit.engines.strategies.scripted import Scripted


def chosen(text: str, heaps: tuple[int, ...], draws: int = 80) -> set[str]:
    """All that it plays from these heaps."""
    game = HeapNim((3, 4, 5))
    player = find_strategy(text, game)
    state = State(heaps, 0)
    return {game.move_to_text(player.choose(state, (), Stream("test", each))) for each in range(draws)}


def test_it_wins_at_once_and_does_not_let_the_other_win_at_once() -> None:
    """The last heap is taken whole; of two heaps none is emptied; farther it sees nothing."""
    assert chosen("person", (0, 3, 0)) == {"2:3"}
    assert chosen("person", (2, 3, 0)) == {"1:1", "2:1", "2:2"}
    assert chosen("person", (1, 1, 0)) == {"1:1", "2:1"}


def test_hints_are_followed_as_often_as_its_name_says() -> None:
    """Always at 100, never at 0, and at 30 by a draw of 100."""
    assert chosen("person:100", (3, 4, 5)) == {"1:2"}
    assert len(chosen("person:0", (3, 4, 5))) == 12
    game = HeapNim((3, 4, 5))
    player = find_strategy("person:30", game)
    told, own = Scripted([29]), Scripted([30, 5])
    assert game.move_to_text(player.choose(game.initial(), (), told)) == "1:2"
    player.choose(game.initial(), (), own)
    assert (told.bounds, own.bounds) == ([100], [100, 12])


@pytest.mark.parametrize("name", ["l_game", "rhombic_chess"])
def test_with_all_hints_it_plays_what_is_best(name: str) -> None:
    """`person:100` chooses from the best moves, as `perfect` does."""
    game = find_game(name)
    player, perfect = find_strategy("person:100", game), find_strategy("perfect", game)
    state, stream = game.initial(), Stream("walk")
    for _ in range(8):
        move = player.choose(state, (), stream)
        assert move in best_moves(game, perfect._oracle, state)  # type: ignore[attr-defined]
        state = game.play(state, move)


def test_wrong_hints_and_unsolved_games_are_refused() -> None:
    """More than 100 of 100, none, two parameters; and a board that has no exact values."""
    for text in ("person:101", "person:-1", "person:x", "person:1:2"):
        with pytest.raises(StrategyError, match="person"):
            find_strategy(text, HeapNim())
    with pytest.raises(SolverError):
        find_strategy("person", find_game("reversed_reversi"))
