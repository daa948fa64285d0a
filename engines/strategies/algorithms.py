"""The three algorithms for circle Nim, as the appendix of their document defines them.

All three begin with strategy 1; where it has nothing to say the second goes on with strategy 2, and the third
with strategy 2 and then 3:

1. Of the winning records that begin with exactly the moves played so far, in the same order, take one, each
   equally likely (a game that was recorded twice counts twice), and play its next move. One draw.
2. Of the losing records that begin with the moves played so far, collect the next moves, and draw as the
   random player does from the legal moves without these. Its rule on pairs and threes then looks at what is
   left: no pair left means no three either. Where no single circle is left, it draws from all legal moves.
3. With an odd number of circles left take two, with an even number one or three, tossing for it (one draw) if
   there is a line of three; then any such line, each equally likely (one draw). Where this asks for two and
   there is no pair, or there is no line of three, draw as the random player does: so with an even number
   left and no line of three, two are taken half of the time that there is a pair.

Where nothing is said, they draw as the random player does. The document's text says that strategy 2 comes up
once a game at most, because no losing record goes on with the move that it chose; where it draws from all
legal moves one may, and then its code, which is followed here, comes back to it. Its program for a game
against a human looks at all losing records at every turn; those that made its tables do not, and they are
followed. `engines.strategies.for_people` is that other player.

The document has its algorithms move first. Here they sit in either seat, and winning records are those that
their own seat won.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from engines.game import Game, Move, Seat
from engines.games.circle_nim import CircleNim, State
from engines.strategies import LARGEST_SEED, StrategyError, whole_number
from engines.strategies.circle_nim import Moves, draw, kinds, options, pick
from engines.strategies.record_sets import RecordSet
from engines.strategies.records import MAX_RECORDS, WORTH_KEEPING, records
from engines.stream import Stream

LAST = 3
DEFAULT_RECORDS = 10_000
"""What the document's program for a game against a human uses."""


class Algorithm:
    """Algorithm `number` (1, 2 or 3) of the document with `count` records of a kind, made from `seed`."""

    def __init__(self, game: CircleNim, number: int, count: int, seed: int) -> None:
        self.name = f"algo{number}:{count}:{seed}"
        self.number, self.count, self.seed = number, count, seed
        self._rows = game.rows
        self._kinds = kinds(game.rows)

    def record_set(self, seat: Seat, *, won: bool) -> RecordSet:
        """Its records of one kind in that seat."""
        return RecordSet(self._rows, seat, won, self.count, self.seed)

    def prepare(self, seat: Seat) -> None:
        """Make the records for that seat now, and not when it moves for the first time."""
        records(self.record_set(seat, won=True))
        if self.number > 1:
            records(self.record_set(seat, won=False))

    def keep(self) -> None:
        """Have all records on disk that take a process of its own too long to make."""
        if self.count >= WORTH_KEEPING:
            self.prepare(0)
            self.prepare(1)

    def choose(self, state: State, history: Sequence[Move], stream: Stream) -> Move:
        """The move of the first strategy that has something to say."""
        moves, played = options(self._rows, state.left), bytes(history)
        won = records(self.record_set(state.seat, won=True))
        winning = won.consistent(played)
        if winning:
            return won.move(winning[stream.below(len(winning))], len(played))
        if self.number > 1:
            lost = records(self.record_set(state.seat, won=False))
            losing = lost.consistent(played)
            if losing:
                return self.avoid(moves, lost.next_moves(losing, len(played)), stream)
        if self.number == LAST:
            return self._by_parity(moves, state.left.bit_count(), stream)
        return draw(moves, self._kinds, stream)

    def avoid(self, moves: Moves, losing: Moves, stream: Stream) -> Move:
        """Strategy 2: what is not `losing`; anything, if that would leave no single circle to take."""
        rest = moves & ~losing
        return draw(rest if rest & self._kinds[0] else moves, self._kinds, stream)

    def _by_parity(self, moves: Moves, left: int, stream: Stream) -> Move:
        """Strategy 3."""
        ones, twos, threes = (moves & kind for kind in self._kinds)
        if left % 2 and twos:
            return pick(twos, stream)
        if left % 2 == 0 and threes:
            return pick(threes if stream.below(2) else ones, stream)
        return draw(moves, self._kinds, stream)


def _find(number: int, game: Game[Any], *parameters: str) -> Algorithm:
    circles, count, seed = read(f"algo{number}", game, parameters)
    return Algorithm(circles, number, count, seed)


def read(name: str, game: Game[Any], parameters: Sequence[str]) -> tuple[CircleNim, int, int]:
    """The game, the number of records and their seed that the texts after `name` say.

    Raises:
        StrategyError: it is another game, or a parameter is none, or out of range.
    """
    if not isinstance(game, CircleNim):
        raise StrategyError("%(player)s plays circle_nim only, not %(game)s", player=name, game=game.name)
    if len(parameters) > 2:
        raise StrategyError(
            "%(player)s takes a number of records and a seed, as in %(player)s:10000:7, not %(text)r",
            player=name,
            text=":".join(parameters)[:40],
        )
    count, seed = (*parameters, *(str(DEFAULT_RECORDS), "0")[len(parameters) :])
    return (
        game,
        whole_number(count, 1, MAX_RECORDS, what="the number of records", player=name),
        whole_number(seed, 0, LARGEST_SEED, what="the seed", player=name),
    )


find_first = partial(_find, 1)
find_second = partial(_find, 2)
find_third = partial(_find, 3)
"""The three algorithms by their parameters' texts, both optional: number of records, and their seed.

Raises:
    StrategyError: a parameter is none, or out of range.
"""
