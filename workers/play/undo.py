"""What is taken back of a game that people play."""

from __future__ import annotations

from collections.abc import Sequence

from workers.core.contract import MoveRecord


def undone(moves: Sequence[MoveRecord], people: Sequence[bool]) -> list[MoveRecord] | None:
    """The moves before the last one that a person chose; None where there is none.

    `people` says of each seat whether a person sits there. What a bot has answered goes with it.
    """
    for place in reversed(range(len(moves))):
        if moves[place].asked and people[moves[place].seat]:
            return list(moves[:place])
    return None
