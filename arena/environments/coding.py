"""A game as programs that learn know it: actions are numbers from 0 on, a position is an array.

Actions are the moves of `Game.every_move` in their order. A position is what the game writes of it as JSON,
part by part as its schema tells them: a square is a 1 for what lies there among 0s for what could lie there,
a set has a number for each thing that it could have, a quantity is its share of the greatest one. So every
number lies between 0 and 1, and no part of the position is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engines.game import Game, GameError, Move

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]

_SQUARES = re.compile(r"\^\[([^\]\\^-]+)\]\{(\d+)\}\$")


class CodingError(GameError):
    """A game's moves or positions cannot be told as numbers; the message says which part of it."""


class Part(NamedTuple):
    """A part of a position: what each of its numbers is called, and how they are read off its JSON value."""

    names: tuple[str, ...]
    numbers: Callable[[Any], Iterator[float]]


class Coding:
    """The numbers of one game, its parameters fixed.

    `moves` are the moves by their action, `actions` the other way round, and `names` say of each number of an
    observation what it tells, such as ``board[0][3]=X``.
    """

    def __init__(self, game: Game[Any]) -> None:
        """Work out both numberings.

        Raises:
            CodingError: the game does not tell its moves, or its positions are of no fixed size.
        """
        every = game.every_move()
        if every is None:
            raise CodingError(f"{game.name} does not tell every move that there is (every_move)")
        self.game = game
        self.moves: tuple[Move, ...] = every
        self.actions: dict[Move, int] = {move: action for action, move in enumerate(every)}
        self._part = _part(game.name, "", game.state_schema())
        self.names = self._part.names

    def __deepcopy__(self, memo: dict[int, Any]) -> Coding:
        """Itself: nothing of it changes."""
        return self

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        return len(self.names)

    def observation(self, state: Any) -> Floats:
        """The position as an array of `size` numbers between 0 and 1."""
        return np.fromiter(self._part.numbers(self.game.state_to_json(state)), np.float32, self.size)

    def legal(self, state: Any) -> list[int]:
        """The actions that are legal, ascending."""
        return [self.actions[move] for move in self.game.legal_moves(state)]

    def mask(self, state: Any) -> Mask:
        """A 1 for each action that is legal, a 0 for each other."""
        mask: Mask = np.zeros(len(self.moves), np.int8)
        mask[self.legal(state)] = 1
        return mask

    def text(self, action: int) -> str:
        """The action in the game's own notation."""
        return self.game.move_to_text(self.moves[action])


def _part(game: str, name: str, schema: Mapping[str, Any]) -> Part:
    """What `schema` describes, called `name`."""
    if "enum" in schema:
        return _choice(name, schema["enum"])
    kind = schema.get("type")
    if kind == "object" and set(schema.get("required", ())) == set(schema.get("properties", {})):
        named = schema["properties"].items()
        keys = [key for key, _ in named]
        parts = [_part(game, f"{name}.{key}" if name else key, each) for key, each in named]
        return _together(parts, lambda value: [value[key] for key in keys])
    if kind == "array" and (part := _array(game, name, schema)):
        return part
    if kind == "string" and (matched := _SQUARES.fullmatch(schema.get("pattern", ""))):
        each = [_choice(f"{name}[{place}]", matched[1]) for place in range(int(matched[2]))]
        return _together(each, list)
    if kind == "integer" and {"minimum", "maximum"} <= schema.keys():
        return _quantity(name, schema["minimum"], schema["maximum"])
    if kind == "boolean":
        return _choice(name, (True,))
    raise CodingError(
        f"positions of {game} are of no fixed size: {name or 'the whole'} is {dict(schema)!r}"[:300]
    )


def _array(game: str, name: str, schema: Mapping[str, Any]) -> Part | None:
    """An array of a fixed length, or a set of whole numbers; None if it is neither."""
    length, items = schema.get("maxItems"), schema.get("items", {})
    each = schema.get("prefixItems") or [items] * (length or 0)
    if length is not None and length == schema.get("minItems") == len(each):
        parts = [_part(game, f"{name}[{place}]", one) for place, one in enumerate(each)]
        return _together(parts, list)
    if schema.get("uniqueItems") and {"minimum", "maximum"} <= items.keys():
        numbers = range(items["minimum"], items["maximum"] + 1)
        names = tuple(f"{name} has {number}" for number in numbers)
        return Part(names, lambda value: (float(number in value) for number in numbers))
    return None


def _choice(name: str, values: Sequence[Any]) -> Part:
    return Part(
        tuple(f"{name}={value}" for value in values), lambda value: (float(value == each) for each in values)
    )


def _quantity(name: str, least: int, most: int) -> Part:
    reach = max(1, most - least)
    return Part((name,), lambda value: iter([(value - least) / reach]))


def _together(parts: Sequence[Part], values_of: Callable[[Any], Sequence[Any]]) -> Part:
    """Parts one after the other; `values_of` gives the value of each."""
    names = tuple(name for part in parts for name in part.names)

    def numbers(value: Any) -> Iterator[float]:
        for part, each in zip(parts, values_of(value), strict=True):
            yield from part.numbers(each)

    return Part(names, numbers)
