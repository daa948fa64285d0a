"""What a game is: pure functions over a frozen, hashable state.

A game with its parameters fixed is a frozen dataclass that derives from `Game`. Inside, states are named
tuples and moves are small integers; outside, states are JSON objects and moves are short strings
in the field's notation. Nothing here reads a clock, a file or a random source.

The errors:

    GameError
    ├── UnknownGameError       no game of that name is registered
    ├── ParameterError         a parameter is unknown, of the wrong kind, or out of range
    ├── UnreadableMoveError    a text is not a move in this game's notation
    ├── UnreadableStateError   a JSON value is not a state of this game
    └── IllegalMoveError       the move can be read but the rules do not allow it here
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeVar

S = TypeVar("S", bound=Hashable)

Move = int
Seat = Literal[0, 1]
Score = tuple[int, int]
ScoreSense = Literal["fewest", "most"]


class Phrase(str):
    """A part of a message that is translated with it."""

    __slots__ = ()


class GameError(Exception):
    """Something about a game could not be used; the message says what to give instead.

    A message may have names for its values, as `%(size)s`, so that it can be said in any language.
    """

    def __init__(self, message: str = "", **values: object) -> None:
        super().__init__(message % values if values else message)
        self.message = message
        self.values = values


class UnknownGameError(GameError):
    """No game of that name is registered; the message lists those that are."""


class ParameterError(GameError):
    """A game parameter is unknown, of the wrong kind or out of range; the message says what is allowed.

    Where it is one that the game has, its name is the value `parameter`.
    """


class UnreadableMoveError(GameError):
    """A text is not a move in this game's notation; the message shows the notation."""


class UnreadableStateError(GameError):
    """A JSON value is not a state of this game; the message says which part is wrong."""


class IllegalMoveError(GameError):
    """The move can be read but is not allowed in this state."""


class Outcome(NamedTuple):
    """How a finished game ended. `winner` is None for a draw; `score` is one number a seat."""

    winner: Seat | None
    reason: str
    score: Score


Position = tuple[int, int, Seat]


class CompiledRules(NamedTuple, Generic[S]):
    """The same rules in C, for whoever plays many plies without Python in between.

    `capsule` has them in the form of `engines/rules.h`, which know the board by the number `size`, for
    positions of two words and a seat: `position` makes one of a state, and `state` a state of one.
    """

    capsule: object
    size: int
    position: Callable[[S], Position]
    state: Callable[[Position], S]


class Game(ABC, Generic[S]):
    """The rules of one game, its parameters fixed. Equal games have equal rules.

    `version` changes only when the behaviour does. `score_sense` says which score is the better one
    (``"fewest"`` or ``"most"``), or is None where the score is only 1 for the winner and 0 for the loser.
    `rules` and `notation` tell a player how the game goes and how its moves are written.

    `seats`, `has_chance` and `has_hidden_information` say what kind of game it is; only games of two seats,
    without chance and with everything in the open, are played here (decision 36).

    `can_repeat` says that play may come back to a state it was in. The rules then know no draw by
    repetition, but a match does, and it is drawn after `ply_limit` plies (None: never), unless its policy
    says otherwise.

    `bounds` has the least and the greatest value of parameters that are numbers, for forms that ask for them;
    not all between need be possible. Of a parameter that is a list they are how many there are.
    """

    name: ClassVar[str]
    version: ClassVar[int]
    rules: ClassVar[str]
    notation: ClassVar[str]
    seats: ClassVar[int] = 2
    has_chance: ClassVar[bool] = False
    has_hidden_information: ClassVar[bool] = False
    can_repeat: ClassVar[bool] = False
    ply_limit: ClassVar[int | None] = None
    score_sense: ScoreSense | None = None
    bounds: ClassVar[Mapping[str, tuple[int, int]]] = {}

    @property
    def params(self) -> dict[str, Any]:
        """The parameters as a JSON object, every default filled in; what is None is not said."""
        told = dataclasses.asdict(self)  # type: ignore[call-overload]  # games are dataclasses
        return {name: value for name, value in told.items() if value is not None}

    @property
    def parameters(self) -> dict[str, Any]:
        """Every parameter as `params` has it; None for one that may be left unsaid, and is."""
        names = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]  # as above
        return {**dict.fromkeys(names), **self.params}

    @property
    def compiled(self) -> CompiledRules[S] | None:
        """The same rules in C; None, as of most games, where they were not compiled."""
        return None

    @abstractmethod
    def initial(self) -> S:
        """The state before the first move."""

    @abstractmethod
    def to_move(self, state: S) -> Seat:
        """Whose turn it is. In a finished game, whoever would be next."""

    @abstractmethod
    def legal_moves(self, state: S) -> tuple[Move, ...]:
        """The legal moves, ascending and unique; empty if and only if the game is over."""

    @abstractmethod
    def play(self, state: S, move: Move) -> S:
        """The state after `move`.

        Raises:
            IllegalMoveError: the move is not among `legal_moves(state)`.
        """

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def forfeit_score(self, loser: Seat) -> Score:
        """The score booked when `loser` forfeits: the widest margin that the game allows."""

    def draw_score(self) -> Score:
        """The score booked when a match is drawn before the game has an outcome: neither side's is better."""
        return (0, 0)

    def running_score(self, state: S) -> Score | None:  # noqa: ARG002 - most games have none to read off
        """The score as it stands in the midst of a game; None where a game has none before its end."""
        return None

    def canonical(self, state: S) -> S:
        """The one state that stands for `state` and all that the board's symmetries make of it.

        Games with symmetries override this; without any, every state stands for itself only. Whose turn it
        is stays, and so do outcome and, up to symmetry, what can be played.
        """
        return state

    def most_turns(self, state: S) -> int | None:  # noqa: ARG002 - a game without such a bound needs no state
        """A bound on the moves still to be played, forced passes not counted; None where there is none."""
        return None

    def every_move(self) -> tuple[Move, ...] | None:
        """Every move that is legal in some state, and perhaps others that never are, ascending and unique.

        None where the game does not tell: then no program that learns by the numbers of moves can play it.
        """
        return None

    def forced_pass(self, state: S) -> Move | None:  # noqa: ARG002 - most games have no pass to look for
        """The pass that must be played here without asking the player, or None."""
        return None

    @abstractmethod
    def move_to_text(self, move: Move) -> str:
        """The move in the field's notation."""

    @abstractmethod
    def move_from_text(self, text: str) -> Move:
        """The move that `text` names, legal or not.

        Raises:
            UnreadableMoveError: `text` is not a move in this game's notation.
        """

    @abstractmethod
    def state_to_json(self, state: S) -> dict[str, Any]:
        """The state as a JSON object, fit for a bot or a page."""

    @abstractmethod
    def state_from_json(self, value: Mapping[str, Any]) -> S:
        """The state that `state_to_json` wrote.

        Raises:
            UnreadableStateError: `value` is not a state of this game.
        """

    @abstractmethod
    def state_schema(self) -> dict[str, Any]:
        """A JSON Schema of what `state_to_json` writes with these parameters."""

    @abstractmethod
    def draw(self, state: S) -> str:
        """The state as lines of plain text, for a terminal."""


def require_switch(name: str, value: object) -> None:
    """Refuse a value that is not exactly true or false for the parameter `name`.

    Raises:
        ParameterError: it is not.
    """
    if type(value) is not bool:
        raise ParameterError(
            "%(parameter)s must be true or false, not %(value)r", parameter=name, value=value
        )


def play_all(game: Game[S], moves: Iterable[str]) -> S:
    """The state after playing `moves` (in the game's notation) from the initial state.

    Raises:
        UnreadableMoveError, IllegalMoveError: a move cannot be read or is not allowed.
    """
    state = game.initial()
    for text in moves:
        state = game.play(state, game.move_from_text(text))
    return state
