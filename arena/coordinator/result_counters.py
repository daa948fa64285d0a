"""What recorded matches add to the figures of the arena: their forfeits, and how long their moves took."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import Final

from sqlalchemy.orm import Session

from arena.store.counters import Counted, count
from workers.core.contract import MatchResult

SECONDS: Final = (
    "0.001",
    "0.005",
    "0.01",
    "0.025",
    "0.05",
    "0.1",
    "0.25",
    "0.5",
    "1",
    "2.5",
    "5",
    "10",
    "30",
)
"""The longest times of the classes of moves; what took longer is in the last one."""
LONGER = "+Inf"
CLASSES: Final = (*SECONDS, LONGER)
_LIMITS_NS = [round(float(each) * 1e9) for each in SECONDS]


def count_result(session: Session, result: MatchResult) -> None:
    """Count what a recorded result says."""
    for forfeit in result.forfeits:
        count(session, Counted.FORFEITS, str(forfeit.code))
    asked = [move.wall_ns for move in result.moves if move.asked]
    for place, number in Counter(bisect_left(_LIMITS_NS, each) for each in asked).items():
        count(session, Counted.MOVES, CLASSES[place], number)
    count(session, Counted.MOVES_NS, number=sum(asked))
