"""The player that tries its moves out."""

from __future__ import annotations

import pytest

from engines.game import Game
from engines.games import GAMES, find_game, find_row
from engines.games.heap_nim import HeapNim, State
from engines.strategies import StrategyError, find_strategy, players_of
from engines.strategies.mcts import MAX_PLAYOUTS
from engines.stream import Stream
from tests.unit.engines.strategies.scripted import Scripted


def chosen(text: str, heaps: tuple[int, ...], draws: int = 20) -> set[str]:
    """All that it plays from these heaps."""
    game = HeapNim((3, 4, 5))
    player = find_strategy(text, game)
    state = State(heaps, 0)
    return {game.move_to_text(player.choose(state, (), Stream("test", each))) for each in range(draws)}


def points(game: Game[object], first: str, second: str, games: int) -> float:
    """What `first` makes in games in which seats are exchanged."""
    players = {name: find_strategy(name, game) for name in (first, second)}
    made = 0.0
    for number in range(games):
        seats = (first, second) if number % 2 == 0 else (second, first)
        state, stream = game.initial(), Stream("match", number)
        for _ in range(300):
            state = game.play(state, players[seats[game.to_move(state)]].choose(state, (), stream))
            outcome = game.outcome(state)
            if outcome:
                break
        made += 0.5 if not outcome or outcome.winner is None else seats[outcome.winner] == first
    return made


def test_with_enough_playouts_it_finds_what_wins() -> None:
    """The last heap is taken whole, and of three heaps the one move is played that leaves two equal ones."""
    assert chosen("mcts:50", (0, 3, 0)) == {"2:3"}
    assert chosen("mcts:1000", (1, 2, 2), 5) == {"1:1"}


def test_it_does_not_let_the_other_win_at_once() -> None:
    """Of two heaps none is emptied, as what is left could be taken whole."""
    assert chosen("mcts:400", (2, 3, 0)) <= {"1:1", "2:1", "2:2"}


@pytest.mark.parametrize(
    "name", ["reversed_reversi", "circle_nim", pytest.param("rhombic_chess", marks=pytest.mark.long)]
)
def test_more_playouts_win_more(name: str) -> None:
    """In games of different kinds 30 playouts a move make more points than 2."""
    assert points(find_game(name), "mcts:30", "mcts:2", 12) > 7


def test_equal_streams_choose_equally() -> None:
    """All its chance is drawn from the stream."""
    game = find_game("rhombic_chess")
    player, state = find_strategy("mcts:30", game), game.initial()
    assert len({player.choose(state, (), Stream("one")) for _ in range(5)}) == 1


def test_an_only_move_is_played_at_once() -> None:
    """Nothing is drawn for it."""
    game = HeapNim((3, 4, 5))
    stream = Scripted([])
    assert game.move_to_text(find_strategy("mcts", game).choose(State((0, 0, 1), 0), (), stream)) == "3:1"
    assert stream.bounds == []


def test_its_name_tells_how_many_playouts_it_has() -> None:
    """A hundred where none are named; wrong numbers and further parameters are refused."""
    assert find_strategy("mcts", HeapNim()).name == "mcts:100"
    assert find_strategy(f"mcts:{MAX_PLAYOUTS}", HeapNim()).name == "mcts:1000000"
    for text in ("mcts:0", "mcts:1000001", "mcts:x", "mcts:1:2"):
        with pytest.raises(StrategyError, match="mcts"):
            find_strategy(text, HeapNim())


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_eight_levels_that_can_be_played(name: str) -> None:
    """Level 1 plays at random; each names a player of the game, and none stands twice."""
    levels = find_row(name).levels
    assert (len(levels), len({*levels}), levels[0]) == (8, 8, "random")
    assert all(level.partition(":")[0] in players_of(name) for level in levels)
