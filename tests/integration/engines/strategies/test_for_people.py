"""The player of circle Nim's program for people, against that program's own few steps on plain lists."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import pytest

from engines.games.circle_nim import CircleNim, lines
from engines.strategies import StrategyError, find_strategy
from engines.strategies.algorithms import Algorithm, Size
from engines.strategies.for_people import AgainstPeople
from engines.strategies.records import make
from engines.stream import Stream, game_stream
from tests.integration.engines.strategies.test_records import games_of

ROWS, RECORDS = 3, 60


def all_games(player: Algorithm, *, won: bool) -> list[list[int]]:
    """Its records in seat 0, as lists of moves."""
    return [list(game) for game in games_of(make(player.record_set(0, won=won)))]


def spelt(won: list[list[int]], lost: list[list[int]], left: int, history: Sequence[int]) -> set[int] | None:
    """The moves that the document's code may make: None where it breaks off with an IndexError."""
    ply = len(history)
    fitting = [game for game in won if game[:ply] == list(history)]
    if fitting:
        return {game[ply] for game in fitting}
    if any(len(game) <= ply for game in lost):
        return None
    masks = lines(ROWS).masks
    legal = {move for move, mask in enumerate(masks) if mask & left == mask}
    rest = legal - {game[ply] for game in lost}
    return rest if any(masks[move].bit_count() == 1 for move in rest) else legal


def test_it_moves_as_the_printed_program_does_or_where_that_breaks_off() -> None:
    """Over many games every move is one that the document's steps allow; both kinds of turn come up."""
    game = CircleNim(ROWS)
    player, other = find_strategy(f"algo3_vs_hum:{RECORDS}:4", game), find_strategy("random", game)
    assert isinstance(player, AgainstPeople)
    algorithm = Algorithm(game, 3, Size(RECORDS, RECORDS), 4)
    won, lost = (all_games(algorithm, won=each) for each in (True, False))
    broken, avoided = 0, 0
    for index in range(200):
        state, history, stream = game.initial(), list[int](), game_stream(3, index)
        while game.outcome(state) is None:
            mover = player if state.seat == 0 else other
            move = mover.choose(state, history, stream)
            if state.seat == 0:
                allowed = spelt(won, lost, state.left, history)
                assert player.breaks_off(state, history) == (allowed is None)
                assert allowed is None or move in allowed
                broken += allowed is None
                avoided += allowed is not None and history not in [each[: len(history)] for each in won]
            state = game.play(state, move)
            history.append(move)
    assert broken
    assert avoided


def test_it_differs_from_the_third_algorithm() -> None:
    """Where no winning record goes on, the third algorithm comes to its odd rule and this one never does."""
    game = CircleNim(5)
    players = find_strategy("algo3:50:1", game), find_strategy("algo3_vs_hum:50:1", game)
    for index in count():
        state, stream = game.initial(), Stream("test", index)
        history: list[int] = []
        for _ in range(4):
            move = stream.choice(game.legal_moves(state))
            state = game.play(state, move)
            history.append(move)
        moves = [
            {player.choose(state, history, Stream("draw", each)) for each in range(60)} for player in players
        ]
        if moves[0] != moves[1]:
            return
        assert index < 50


def test_a_text_is_completed_and_wrong_ones_are_refused() -> None:
    """Its parameters are those of the algorithms."""
    assert find_strategy("algo3_vs_hum", CircleNim(3)).name == "algo3_vs_hum:10000:0"
    with pytest.raises(StrategyError, match="the number of records of algo3_vs_hum is a whole number from 1"):
        find_strategy("algo3_vs_hum:0", CircleNim(3))
