"""When a match is drawn although its game goes on: a position came up too often, or it takes too long.

The rules of a game know neither; a match's `Policy` does. The same watch serves the referee, who ends the
match, and whoever checks a result afterwards. Every ply counts, those of an opening and passes too, but
nothing is drawn before the opening is over, nor where the game itself has ended.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final, Literal

from engines.game import Game
from workers.core.contract import PLY_LIMIT, Policy

THREEFOLD: Final = 3

Reason = Literal["repetition", "ply_limit"]


def policy_of(game: Game[Any] | type[Game[Any]], asked: Policy) -> Policy:
    """`asked` with what it leaves open filled in: threefold repetition where it can repeat, and its limit."""
    return Policy(
        repetition=(asked.repetition or THREEFOLD) if game.can_repeat else None,
        max_plies=asked.max_plies or game.ply_limit,
    )


def watch_of(game: Game[Any], asked: Policy) -> DrawWatch | None:
    """A watch over a match that begins; None where nothing can draw it before the game's own end."""
    policy = policy_of(game, asked)
    return None if policy == Policy() else DrawWatch(policy, game.initial())


class DrawWatch:
    """Follows a match. `reason` is why it is drawn in the present position, or None."""

    def __init__(self, policy: Policy, initial: Hashable) -> None:
        self.reason: Reason | None = None
        self._policy = policy
        self._plies = 0
        self._seen: dict[Hashable, int] = {}
        if policy.repetition is not None:
            self._seen[initial] = 1

    def played(self, state: Hashable) -> None:
        """Note that one more ply led to `state`."""
        repetition, max_plies = self._policy.repetition, self._policy.max_plies
        self._plies += 1
        self.reason = PLY_LIMIT if max_plies is not None and self._plies >= max_plies else None
        if repetition is not None:
            times = self._seen[state] = self._seen.get(state, 0) + 1
            if times >= repetition:
                self.reason = "repetition"
