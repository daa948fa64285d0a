"""A game that is under way in an environment: its position, and how it has ended."""

from __future__ import annotations

import copy
import operator
from typing import Any

from arena.environments.coding import Coding
from engines.game import IllegalMoveError, Seat
from workers.core.contract import Policy
from workers.play.policy import DrawWatch, watch_of

WON, DRAWN, LOST = 1.0, 0.0, -1.0


class Position:
    """The position that play has come to, by the rules and a match's draw policy (`docs/protocol.md`).

    `over` is None while the game goes on, then the reason of its end; `winner` is the seat that won, None
    where nobody did. A forced pass is a move like any other.
    """

    def __init__(self, coding: Coding, policy: Policy | None = None) -> None:
        self.coding = coding
        self.state: Any = coding.game.initial()
        self.plies = 0
        self.over: str | None = None
        self.winner: Seat | None = None
        self._watch: DrawWatch | None = watch_of(coding.game, policy or Policy())

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        """Another position that goes on from here."""
        other = copy.copy(self)
        other._watch = copy.deepcopy(self._watch, memo)  # noqa: SLF001 - it is one of its own kind
        return other

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return self.coding.game.to_move(self.state)

    @property
    def drawn_by_policy(self) -> bool:
        """Whether the match was drawn although the rules let it go on."""
        return self.over is not None and self.coding.game.outcome(self.state) is None

    def legal(self) -> list[int]:
        """The legal actions; none where it is over."""
        return [] if self.over else self.coding.legal(self.state)

    def play(self, action: int) -> None:
        """Play one.

        Raises:
            IllegalMoveError: it is not legal here.
            TypeError: it is no whole number.
        """
        game, moves, number = self.coding.game, self.coding.moves, operator.index(action)
        if not 0 <= number < len(moves):
            raise IllegalMoveError(f"there is no action {number}; they are 0 to {len(moves) - 1}")
        self.state = game.play(self.state, moves[number])
        self.plies += 1
        if self._watch:
            self._watch.played(self.state)
        if ended := game.outcome(self.state):
            self.over, self.winner = ended.reason, ended.winner
        elif self._watch:
            self.over = self._watch.reason

    def rewards(self) -> tuple[float, float]:
        """1 for who has won, -1 for who has lost, 0 for a draw and while the game goes on."""
        if self.winner is None:
            return (DRAWN, DRAWN)
        return (WON, LOST) if self.winner == 0 else (LOST, WON)
