"""A player that sees one move ahead and likes the middle."""

from __future__ import annotations

from collections.abc import Sequence

from bot_arena_connect_four.rules import COLUMNS, ConnectFour, State, lined_up
from engines.game import Move
from engines.strategies import StrategyError
from engines.stream import Stream


class Central:
    """Completes its own line, else stops the other side's, else plays nearest to the middle.

    Of two columns as near as each other one is drawn; no draw is made otherwise.
    """

    name = "central"

    def __init__(self, game: ConnectFour) -> None:
        self._game = game

    def choose(self, state: State, history: Sequence[Move], stream: Stream) -> Move:
        """A legal move."""
        del history
        game, moves = self._game, self._game.legal_moves(state)
        mover = game.to_move(state)
        full = state.discs[0] | state.discs[1]
        for seat in (mover, 1 - mover):
            for move in moves:
                after = game.play(state, move)
                disc = (after.discs[0] | after.discs[1]) & ~full
                if lined_up(state.discs[seat] | disc):
                    return move
        nearest = min(abs(move - COLUMNS // 2) for move in moves)
        best = [move for move in moves if abs(move - COLUMNS // 2) == nearest]
        return best[0] if len(best) == 1 else stream.choice(best)


def find(game: ConnectFour, *parameters: str) -> Central:
    """The player.

    Raises:
        StrategyError: there are parameters.
    """
    if parameters:
        raise StrategyError(f"central takes no parameters, not {':'.join(parameters)[:40]!r}")
    return Central(game)
