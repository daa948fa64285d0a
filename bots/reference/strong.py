"""A strong Reversi player, reversed or not, in plain Python.

It searches one ply deeper again and again until its share of the time is used (`bots.reference.midgame`),
and plays the last moves perfectly (`bots.reference.endgame`): who wins as soon as that can be found out in
time, then by how much.
"""

from __future__ import annotations

import time
from typing import Any

from bots.reference.endgame import Endgame, OutOfTimeError
from bots.reference.midgame import Midgame
from bots.reference.rules import position, require_game
from bots.sdk.arena_bot import Request, Time, run

SHARE = 0.75
"""How much of a move's time is used; the rest is for the way to the referee and for a busy machine."""

TRANSPORT_SECONDS = 0.02
BANK_MOVES = 30
MOST_SECONDS = 10.0
"""More time than this for a move brings too little to let everyone wait."""

SOLVE_EMPTY = 14
MOST_DEPTH = 60


class Bot:
    """Plays Reversi and Reversed Reversi on every size."""

    name = "strong"
    version = "1"
    reusable = True

    def start(self, hello: dict[str, Any]) -> None:
        """Learn the board's size and what wins on it."""
        self._game = require_game(self.name, hello, "reversed_reversi")
        self._size: int = self._game.params["size"]
        self._fewest: bool = self._game.params["reversed"]
        self._endgame = Endgame(self._size, fewest=self._fewest)

    def choose(self, request: Request) -> tuple[str, str]:
        """The best move found in time, and what was found."""
        if len(request.legal) == 1:
            return request.legal[0], "only move"
        state = position(self._game, request)
        seconds = thinking_seconds(request.time)
        square, words = self._think(state.own, state.opp, request.received, seconds)
        return self._game.move_to_text(square), words

    def _think(self, own: int, opp: int, start: float, seconds: float) -> tuple[int, str]:
        empty = self._size * self._size - (own | opp).bit_count()
        solving = empty <= SOLVE_EMPTY
        square, words = self._search(own, opp, start, seconds * (0.25 if solving else 1))
        if solving:
            try:
                square, value = self._endgame.best(own, opp, start + seconds, -1, 1)
                words = f"{'wins' if value > 0 else 'loses' if value < 0 else 'draws'}, {empty} empty"
                square, value = self._endgame.best(own, opp, start + seconds)
                words = f"exactly {value:+}, {empty} empty"
            except OutOfTimeError:
                words = f"{words}, {empty} empty not solved to the end"
        return square, words

    def _search(self, own: int, opp: int, start: float, seconds: float) -> tuple[int, str]:
        search = Midgame(self._size, (own | opp).bit_count(), fewest=self._fewest)
        children = search.root(own, opp)
        depth, value = 0, children[0].judged
        empty = self._size * self._size - (own | opp).bit_count()
        while depth + 1 < empty and time.monotonic() < start + seconds / 2:
            try:
                children, value = search.deepen(children, depth + 1, start + seconds)
            except OutOfTimeError:
                break
            depth += 1
        return children[0].square, f"depth {depth + 1}, value {value / 100:+.2f}"


def thinking_seconds(clock: Time) -> float:
    """How long to think about a move: never on an extension, and on a small part of the bank."""
    bank = (clock.bank_ms or 0) / BANK_MOVES
    return min(MOST_SECONDS, max(0.0, (clock.move_ms * SHARE + bank) / 1000 - TRANSPORT_SECONDS))


if __name__ == "__main__":
    run(Bot())
