"""The perfect player: what it chooses, what it draws, and that it cannot be beaten."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from engines.game import Game
from engines.games import find_game
from engines.solvers import SolverError, find_oracle
from engines.strategies import StrategyError, find_strategy
from engines.stream import Stream, game_stream, run_key

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (("l_game", {}), ("rhombic_chess", {}))
every_game = pytest.mark.parametrize(("name", "params"), GAMES)


class Counting(Stream):
    """A stream that keeps the bounds it was asked for, and always draws the highest number."""

    def __init__(self) -> None:
        super().__init__()
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        """The highest number below `bound`."""
        self.bounds.append(bound)
        return bound - 1


def walk(game: Game[Any], seed: int, plies: int) -> list[Any]:
    """The states of random play that the game does not end before."""
    stream, state = Stream("walk", seed), game.initial()
    states = [state]
    for _ in range(plies):
        moves = game.legal_moves(state)
        if not moves:
            break
        state = game.play(state, stream.choice(moves))
        states.append(state)
    return states


def expected(game: Game[Any], state: Any) -> list[int]:
    """The best moves by definition: fastest win, draw, slowest loss; in a drawn L-Game of most chance."""
    oracle = find_oracle(game)
    after = {move: oracle.value(game.play(state, move)) for move in game.legal_moves(state)}
    lost = {move: value.distance or 0 for move, value in after.items() if value.result < 0}
    drawn = [move for move, value in after.items() if value.result == 0]
    if lost:
        return [move for move, distance in lost.items() if distance == min(lost.values())]
    if not drawn:
        latest = max(value.distance or 0 for value in after.values())
        return [move for move, value in after.items() if value.distance == latest]
    if game.name != "l_game":
        return drawn
    chances = {move: chance_of_winning(game, game.play(state, move)) for move in drawn}
    return [move for move in drawn if chances[move] == max(chances.values())]


def chance_of_winning(game: Game[Any], state: Any) -> Fraction:
    """The document's: the share of the opponent's moves in `state` after which we win."""
    oracle = find_oracle(game)
    results = [oracle.value(game.play(state, move)).result for move in game.legal_moves(state)]
    return Fraction(results.count(1), len(results))


@every_game
def test_it_chooses_among_the_best_moves(name: str, params: dict[str, Any]) -> None:
    """Along random games: the last of the best when the highest number is drawn; no draw for a single one."""
    game = find_game(name, params)
    player = find_strategy("perfect", game)
    for seed in range(3):
        for state in walk(game, seed, 40):
            if not game.legal_moves(state):
                continue
            best, stream = expected(game, state), Counting()
            assert player.choose(state, (), stream) == best[-1]
            assert stream.bounds == ([len(best)] if len(best) > 1 else [])


def test_positions_of_all_three_kinds_were_met() -> None:
    """The same walks meet won, drawn and lost positions, with one best move and with several."""
    kinds = set()
    for name, params in GAMES:
        game = find_game(name, params)
        oracle = find_oracle(game)
        for seed in range(3):
            for state in walk(game, seed, 40):
                if game.legal_moves(state):
                    kinds.add((oracle.value(state).result, len(expected(game, state)) > 1))
    assert kinds == {(result, many) for result in (1, 0, -1) for many in (True, False)}


def play(game: Game[Any], players: tuple[str, str], index: int, most: int) -> tuple[int | None, int]:
    """The winner of one game, None if it lasts `most` plies; and how many plies it had."""
    made = [find_strategy(each, game) for each in players]
    stream, state = game_stream(run_key(7, 0), index), game.initial()
    for ply in range(most):
        outcome = game.outcome(state)
        if outcome is not None:
            return outcome.winner, ply
        state = game.play(state, made[game.to_move(state)].choose(state, (), stream))
    return None, most


@every_game
def test_it_does_not_lose_from_a_position_that_is_not_lost(name: str, params: dict[str, Any]) -> None:
    """Second against random in 20 games: it wins each of rhombic chess, and loses none of the L-Game."""
    game = find_game(name, params)
    winners = [play(game, ("random", "perfect"), index, 200)[0] for index in range(20)]
    assert 0 not in winners
    if name == "rhombic_chess":
        assert set(winners) == {1}


def test_two_perfect_players_take_as_long_as_the_oracle_says() -> None:
    """In rhombic chess the first player loses after exactly the plies of the first position's distance."""
    game = find_game("rhombic_chess")
    distance = find_oracle(game).value(game.initial()).distance
    assert [play(game, ("perfect", "perfect"), index, 200) for index in range(5)] == [(1, distance)] * 5


def test_two_perfect_players_hold_the_l_game() -> None:
    """Neither goes wrong in 200 plies."""
    assert play(find_game("l_game"), ("perfect", "perfect"), 0, 200) == (None, 200)


def test_it_takes_no_parameters() -> None:
    """What follows its name is refused with a reason."""
    with pytest.raises(StrategyError, match="no parameters"):
        find_strategy("perfect:3", find_game("l_game"))


def test_a_game_that_is_not_solved_has_no_perfect_player() -> None:
    """The error says what can be solved."""
    with pytest.raises(SolverError, match="4"):
        find_strategy("perfect", find_game("reversed_reversi"))
