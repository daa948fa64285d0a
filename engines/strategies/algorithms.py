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

Its text has strategy 3 take one or three of an even number always. Where that and the code differ, the code
is followed. The document has two variables for the number of records, of games won and of games lost, and in
all its programs both are equal; here they may differ.

The document has its algorithms move first. Here they sit in either seat, and winning records are those that
their own seat won.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

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


class Size(NamedTuple):
    """How many records of games that were won, and of games that were lost."""

    won: int
    lost: int

    def __str__(self) -> str:
        return f"{self.won}" if self.won == self.lost else f"{self.won}/{self.lost}"


class Algorithm:
    """Algorithm `number` (1, 2 or 3) of the document with records of that `size`, made from `seed`.

    The first has no use for those of games that were lost.
    """

    def __init__(self, game: CircleNim, number: int, size: Size, seed: int) -> None:
        self.name = f"algo{number}:{size}:{seed}"
        self.number, self.size, self.seed = number, size, seed
        self._rows = game.rows
        self._kinds = kinds(game.rows)

    def record_set(self, seat: Seat, *, won: bool) -> RecordSet:
        """Its records of one kind in that seat."""
        return RecordSet(self._rows, seat, won, self.size.won if won else self.size.lost, self.seed)

    def prepare(self, seat: Seat) -> None:
        """Make the records for that seat now, and not when it moves for the first time."""
        records(self.record_set(seat, won=True))
        if self.number > 1:
            records(self.record_set(seat, won=False))

    def keep(self) -> None:
        """Have all records on disk that take a process of its own too long to make."""
        if max(self.size) >= WORTH_KEEPING:
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
            return self.by_parity(moves, state.left.bit_count(), stream)
        return draw(moves, self._kinds, stream)

    def avoid(self, moves: Moves, losing: Moves, stream: Stream) -> Move:
        """Strategy 2: what is not `losing`; anything, if that would leave no single circle to take."""
        rest = moves & ~losing
        return draw(rest if rest & self._kinds[0] else moves, self._kinds, stream)

    def by_parity(self, moves: Moves, left: int, stream: Stream) -> Move:
        """Strategy 3."""
        ones, twos, threes = (moves & kind for kind in self._kinds)
        if left % 2 and twos:
            return pick(twos, stream)
        if left % 2 == 0 and threes:
            return pick(threes if stream.below(2) else ones, stream)
        return draw(moves, self._kinds, stream)


def _find(number: int, game: Game[Any], *parameters: str) -> Algorithm:
    name = f"algo{number}"
    if number == 1 and "/" in "".join(parameters[:1]):
        raise StrategyError(
            "%(player)s has records of won games only, as in %(player)s:10000:7, not %(text)r",
            player=name,
            text=":".join(parameters)[:40],
        )
    circles, size, seed = read(name, game, parameters)
    return Algorithm(circles, number, size, seed)


def read(name: str, game: Game[Any], parameters: Sequence[str]) -> tuple[CircleNim, Size, int]:
    """The game, the numbers of records and their seed that the texts after `name` say.

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
    return game, _size(count, name), whole_number(seed, 0, LARGEST_SEED, what="the seed", player=name)


def _size(text: str, name: str) -> Size:
    """One number for both kinds of records, or two with a stroke between them."""
    if "/" not in text:
        both = whole_number(text, 1, MAX_RECORDS, what="the number of records", player=name)
        return Size(both, both)
    won, _, lost = text.partition("/")
    return Size(
        whole_number(won, 1, MAX_RECORDS, what="the number of winning records", player=name),
        whole_number(lost, 1, MAX_RECORDS, what="the number of losing records", player=name),
    )


find_first = partial(_find, 1)
find_second = partial(_find, 2)
find_third = partial(_find, 3)
"""The three algorithms by their parameters' texts, both optional: numbers of records, and their seed.

Raises:
    StrategyError: a parameter is none, or out of range.
"""
