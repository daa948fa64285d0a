"""Moves as other protocols write them.

`arena`: as the arena does. `index`: the number of the move among the legal ones, from 0. `zero`: where moves
are numbers from 1, the number from 0. `square`, `xy`, `yx`: where moves are squares such as `d3`, the number
of the square row by row from 0, or its column and row, or its row and column, from 0 each.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

USUAL = {"reversed_reversi": "square", "connect_four": "zero"}
"""How a number is meant, in the games in which Kaggle's agents answer with one; otherwise as an `index`."""
LONGEST = 9
"""So many characters a square or a number has at most."""


def usual(game: str) -> str:
    """What a number means in a game whose bot does not say."""
    return USUAL.get(game, "index")


class Notation:
    """One way to write moves, on a board of `columns` (0: none that is told)."""

    def __init__(self, name: str, columns: int = 0) -> None:
        self.name = name
        self._columns = columns

    def written(self, move: str, legal: Sequence[str] = ()) -> str:
        """A move of the arena's as the bot reads it; one that this notation cannot write, as it is."""
        if self.name == "index" and move in legal:
            return str(legal.index(move))
        if self.name == "zero" and move.isdecimal():
            return str(int(move) - 1)
        if self.name in {"square", "xy", "yx"} and is_square(move):
            x, y = place_of(move)
            return {"square": f"{y * self._columns + x}", "xy": f"{x} {y}", "yx": f"{y} {x}"}[self.name]
        return move

    def read(self, text: str, legal: Sequence[str] = ()) -> str:
        """What the bot wrote as a move of the arena's; what is none, as it is: the referee refuses it."""
        words = text.split()
        if not words or not all(word.isdecimal() and len(word) <= LONGEST for word in words):
            return text
        numbers = [int(word) for word in words]
        if len(numbers) == 1:
            number = numbers[0]
            if self.name == "index" and number < len(legal):
                return legal[number]
            if self.name == "zero":
                return str(number + 1)
            if self.name == "square" and self._columns:
                return square(number % self._columns, number // self._columns)
        elif len(numbers) == 2 and self.name in {"xy", "yx"} and max(numbers) < 26:
            return square(*(numbers if self.name == "xy" else numbers[::-1]))
        return text


def is_square(move: str) -> bool:
    """Whether a move is a square and nothing else."""
    return move[:1].isalpha() and move[1:].isdecimal() and move.isascii() and len(move) <= LONGEST


def place_of(name: str) -> tuple[int, int]:
    """Column and row of a square, from 0."""
    return ord(name[0].lower()) - ord("a"), int(name[1:]) - 1


def square(column: int, row: int) -> str:
    """The square of that column and row, from 0."""
    return f"{chr(ord('a') + column)}{row + 1}"
