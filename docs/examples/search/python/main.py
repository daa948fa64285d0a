"""A bot that searches: alpha-beta, one ply deeper each time until its time is over.

Save arena_bot.py and the game's rules.py beside it. All but `value` is the same for every game.
"""

from __future__ import annotations

import time

from arena_bot import Request, run
from rules import State

SHARE = 0.4
"""The part of a move's time that is used."""
DEEPEST = 60
WON = 1_000_000


class OutOfTimeError(Exception):
    """The search was called off."""


class Searcher:
    """Plays what was best in the deepest search that was finished."""

    name = "searcher"
    version = "1"

    def choose(self, request: Request) -> str:
        """The best move by searches of 1, 2, 3 … plies."""
        self.deadline = request.received + SHARE * request.time.move_ms / 1000
        state = State.from_request(request.state, request.params)
        moves = state.legal_moves()
        try:
            for depth in range(1, DEEPEST + 1):
                best, worth = self.best(state, moves, depth)
                moves.remove(best)
                moves.insert(0, best)  # looked at first, it cuts off most in the next search
                if abs(worth) > WON - DEEPEST:
                    break  # who wins is known
        except OutOfTimeError:
            pass
        return moves[0]

    def best(self, state: State, moves: list[str], depth: int) -> tuple[str, int]:
        """The first of the moves that are worth most, and what it is worth."""
        best, most = moves[0], -WON
        for move in moves:
            worth = -self.search(state.play(move), depth - 1, 1, -WON, -most)
            if worth > most:
                best, most = move, worth
        return best, most

    def search(self, state: State, depth: int, ply: int, low: int, high: int) -> int:
        """What a position is worth for the side to move, where that lies between `low` and `high`."""
        if time.monotonic() > self.deadline:
            raise OutOfTimeError
        moves = state.legal_moves()
        if not moves:
            return final(state, ply)
        if depth == 0:
            return value(state)
        for move in moves:
            low = max(low, -self.search(state.play(move), depth - 1, ply + 1, -high, -low))
            if low >= high:
                break
        return low


def final(state: State, ply: int) -> int:
    """What the end of a game is worth for the side that would move: a win soon is better than one late."""
    winner, _, _ = state.result()
    if winner is None:
        return 0
    return WON - ply if winner == state.seat else ply - WON


def value(state: State) -> int:
    """What a position of Reversi is thought to be worth for the side to move: discs, and ten for a corner.

    For another game begin with `return 0`, and then think of something better.
    """
    size = state.board.size
    corners = sum(1 << corner for corner in (0, size - 1, size * (size - 1), size * size - 1))
    ahead = state.own.bit_count() - state.opp.bit_count()
    ahead += 10 * ((state.own & corners).bit_count() - (state.opp & corners).bit_count())
    return -ahead if state.board.fewest else ahead


if __name__ == "__main__":
    run(Searcher())
