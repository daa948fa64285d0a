"""The rules of Heap Nim, to search with. Copy this one file beside your bot; it needs nothing else.

    from rules import State

    state = State.from_request(request.state, request.params)
    for move in state.legal_moves():        # texts, as the referee takes them; none when the game is over
        after = state.play(move)            # a new state; the old one stays as it was
        after.result()                      # None while the game goes on

States are equal, and can be keys of a dict, where the same can happen from them. `play` trusts you: what
comes of a move that is not among the legal ones is nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple


class Result(NamedTuple):
    """How a game ended: the seat that won (None: a draw), why, and the score of each seat."""

    winner: int | None
    reason: str
    score: tuple[int, int]


class State(NamedTuple):
    """A position: what each heap holds; `seat` is to move."""

    heaps: tuple[int, ...]
    seat: int
    misere: bool

    @classmethod
    def initial(cls, params: dict[str, Any]) -> State:
        """Where a game with these parameters begins."""
        return cls(tuple(params["heaps"]), 0, params["misere"])

    @classmethod
    def from_request(cls, state: dict[str, Any], params: dict[str, Any]) -> State:
        """The position of a request's `state`, with the game's `params`."""
        return cls(tuple(state["heaps"]), state["to_move"], params["misere"])

    def to_json(self) -> dict[str, Any]:
        """The position as requests have it."""
        return {"heaps": list(self.heaps), "to_move": self.seat}

    def legal_moves(self) -> list[str]:
        """Any number from any heap, heap by heap, the smallest number first."""
        return [move for heap, held in enumerate(self.heaps) for move in _takings(heap, held)]

    def play(self, move: str) -> State:
        """The position after a legal move."""
        heap, taken = _meaning(move)
        heaps = self.heaps
        return State((*heaps[:heap], heaps[heap] - taken, *heaps[heap + 1 :]), 1 - self.seat, self.misere)

    def result(self) -> Result | None:
        """Whoever took the last one has won, or lost with `misere`."""
        if any(self.heaps):
            return None
        winner = self.seat if self.misere else 1 - self.seat
        reason = "left_the_last" if self.misere else "took_the_last"
        return Result(winner, reason, (1, 0) if winner == 0 else (0, 1))


@cache
def _takings(heap: int, held: int) -> tuple[str, ...]:
    return tuple(f"{heap + 1}:{taken}" for taken in range(1, held + 1))


@cache
def _meaning(move: str) -> tuple[int, int]:
    """The heap, from 0, and how many are taken."""
    heap, taken = move.split(":")
    return int(heap) - 1, int(taken)
