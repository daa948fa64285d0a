"""What a law is tried on: a random position of a game, and things to put to its rules there."""

from __future__ import annotations

from typing import Any, NamedTuple

from engines.game import Game
from engines.stream import Stream

MAX_PLIES = 130
LETTERS = "abcXO.0123456789-,: é棋\t\x00"


class LawError(Exception):
    """A game breaks a law; the message says where and how."""


def require(holds: object, message: str) -> None:
    """Refuse what does not hold.

    Raises:
        LawError: with that message.
    """
    if not holds:
        raise LawError(message)


class Case(NamedTuple):
    """One trial: `plies` random moves from the initial state, drawn from `seed`.

    In that position `text` is tried as a move in notation, `numbers` as moves, and `value`, of any JSON type,
    as a part of a state.
    """

    seed: int = 0
    plies: int = 0
    text: str = ""
    value: Any = None
    numbers: tuple[int, ...] = ()

    def walk(self, game: Game[Any], plies: int | None = None) -> list[tuple[Any, int]]:
        """The states and moves of the walk, then the last state with -1; `plies` instead of its own."""
        stream, state = Stream(self.seed), game.initial()
        passed: list[tuple[Any, int]] = []
        most = self.plies if plies is None else plies
        while len(passed) < most and (legal := game.legal_moves(state)):
            move = stream.choice(legal)
            passed.append((state, move))
            state = game.play(state, move)
        return [*passed, (state, -1)]

    def state(self, game: Game[Any]) -> Any:
        """The position that the walk ends in."""
        return self.walk(game)[-1][0]

    def end(self, game: Game[Any]) -> Any:
        """The end of the game that the walk begins."""
        return self.walk(game, 100_000)[-1][0]


def drawn(seed: int) -> Case:
    """The case of that number; the first is the initial position."""
    stream = Stream("law", seed)
    plies = stream.below(MAX_PLIES + 1) if seed else 0
    numbers = tuple(stream.word() - 2**63 for _ in range(3))
    return Case(seed, plies, _text(stream), _value(stream, depth=2), numbers)


def _text(stream: Stream) -> str:
    return "".join(stream.choice(LETTERS) for _ in range(stream.below(9)))


def _value(stream: Stream, depth: int) -> Any:
    kind = stream.below(8 if depth else 6)
    if kind == 6:
        return [_value(stream, depth - 1) for _ in range(stream.below(4))]
    if kind == 7:
        return {_text(stream): _value(stream, depth - 1) for _ in range(stream.below(4))}
    return (None, False, True, stream.below(20) - 5, 0.5, _text(stream))[kind]
