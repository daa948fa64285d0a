"""A strong Reversi player, reversed or not, in plain Python.

It searches one ply deeper again and again until its share of the time is used (`bots.reference.midgame`),
and plays the last moves perfectly (`bots.reference.endgame`): who wins as soon as that can be found out in
time, then by how much.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from bots.reference.endgame import Endgame, OutOfTimeError
from bots.reference.judge import DISC
from bots.reference.midgame import Midgame
from bots.reference.rules import position, require_game
from bots.sdk.arena_bot import Request, Time, run

SHARE = 0.75
"""How much of a move's time is used; the rest is for the way to the referee and for a busy machine."""

TRANSPORT_SECONDS = 0.02
BANK_MOVES = 30
MAX_SECONDS = 10.0
"""More time than this for a move brings too little to let everyone wait."""

SOLVE_EMPTY = {True: 12, False: 15}
SOLVE_SECONDS, SOLVE_FACTOR = 0.1, 3
"""Where fewer discs win, and where more do: so many empty squares are tried in so many seconds, one more in
`SOLVE_FACTOR` times as many. In 85 ms on 8 by 8 squares it was found out who wins in 12 of 12 positions with
12 empty where fewer discs win, and in 10 of 11 with 14 empty where more do."""

FIRST_LOOK = 0.35
"""The part of the time that is used for a search before an ending is tried to be solved."""

ONE_MORE = 0.7
"""The search goes one ply deeper as long as less than this part of its time is used."""


class Bot:
    """Plays Reversi and Reversed Reversi on every size; `clock` is the one that requests are received by."""

    name = "strong"
    version = "2"
    reusable = True

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock

    def start(self, hello: dict[str, Any]) -> None:
        """Learn the board's size and what wins on it, and read the weights for it."""
        self._game = require_game(self.name, hello, "reversed_reversi")
        self._size: int = self._game.params["size"]
        self._fewest: bool = self._game.params["reversed"]
        self._endgame = Endgame(self._size, fewest=self._fewest, clock=self._clock)
        self._midgame = Midgame(self._size, fewest=self._fewest, clock=self._clock)
        state = self._game.initial()
        self._midgame.root(state.own, state.opp)

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
        if empty > solvable(seconds, fewest=self._fewest):
            return self._search(own, opp, empty, start, seconds)
        square, words = self._search(own, opp, empty, start, seconds * FIRST_LOOK)
        try:
            found, value = self._endgame.best(own, opp, start + seconds, -1, 1)
            square = square if value < 0 else found  # where all moves lose, the search knows which lose hard
            words = f"{'wins' if value > 0 else 'loses' if value < 0 else 'draws'}, {empty} empty"
            square, value = self._endgame.best(own, opp, start + seconds)
            words = f"exactly {value:+}, {empty} empty"
        except OutOfTimeError:
            words = f"{words}, {empty} empty not solved to the end"
        return square, words

    def _search(self, own: int, opp: int, empty: int, start: float, seconds: float) -> tuple[int, str]:
        children = self._midgame.root(own, opp)
        depth, value, whole = 0, children[0].judged, True
        while whole and depth + 1 < empty and self._clock() < start + seconds * ONE_MORE:
            try:
                children, value, whole = self._midgame.deepen(children, depth + 1, start + seconds)
            except OutOfTimeError:
                break
            depth += whole
        return children[0].square, f"depth {depth + 1}, value {value / DISC:+.2f}"


def solvable(seconds: float, *, fewest: bool) -> int:
    """From how many empty squares on an ending is tried to be solved in so much time."""
    if seconds <= 0:
        return 0
    return SOLVE_EMPTY[fewest] + math.floor(math.log(seconds / SOLVE_SECONDS, SOLVE_FACTOR))


def thinking_seconds(clock: Time) -> float:
    """How long to think about a move: never on an extension, and on a small part of the bank."""
    bank = (clock.bank_ms or 0) / BANK_MOVES
    return min(MAX_SECONDS, max(0.0, (clock.move_ms * SHARE + bank) / 1000 - TRANSPORT_SECONDS))


if __name__ == "__main__":
    run(Bot())
