"""The compiled program of group 8 against the bot that plays its moves in plain Python."""

from __future__ import annotations

import numpy as np

from bots.reference import group8
from engines.games.reversed_reversi import ReversedReversi
from engines.kernels import one_sided
from engines.kernels.arithmetic import U64
from engines.stream import Stream, game_stream

GAME = ReversedReversi()
WEIGHTS = np.array(group8.WEIGHTS, np.int64)


def test_it_chooses_what_the_bot_chooses() -> None:
    """Square and score are equal in positions of random games, for either side and at several depths."""
    stream = Stream("one-sided")
    for number in range(24):
        state = GAME.initial()
        for _ in range(stream.below(58)):
            moves = GAME.legal_moves(state)
            if not moves:
                break
            state = GAME.play(state, stream.choice(moves))
        if GAME.outcome(state) is not None or GAME.forced_pass(state) is not None:
            continue
        depth, is_x = 1 + number % 5, state.seat == 0
        square, score = one_sided.choose(U64(state.own), U64(state.opp), is_x, WEIGHTS, depth)
        expected = group8.best_move(state.own, state.opp, is_x=is_x, depth=depth)
        assert (int(square), score) == expected


def test_its_games_are_those_of_the_rules() -> None:
    """Game by game the discs are those that the bot and random moves come to, in both seats."""
    for seat in (0, 1):
        discs = one_sided.games(WEIGHTS, 1, seat, 11, 6)
        for index in range(6):
            state, stream = GAME.initial(), game_stream(11, index)
            while GAME.outcome(state) is None:
                forced = GAME.forced_pass(state)
                if forced is not None:
                    move = forced
                elif state.seat == seat:
                    move, _ = group8.best_move(state.own, state.opp, is_x=seat == 0, depth=1)
                else:
                    move = stream.choice(GAME.legal_moves(state))
                state = GAME.play(state, move)
            by_seat = (state.own, state.opp) if state.seat == seat else (state.opp, state.own)
            assert tuple(discs[index]) == tuple(board.bit_count() for board in by_seat)
