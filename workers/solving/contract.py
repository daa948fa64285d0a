"""What goes to a worker of a game that is being solved: `LeafSpec`; and what comes back: `LeafAnswer`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from engines.solvers.reversi_board import Position
from workers.core.contract import Frozen, GameSpec, Nanoseconds

Written = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
"""A position: the mover's discs, then the other side's, as bitboards of sixteen hexadecimal digits each."""
Discs = Annotated[int, Field(ge=-64, le=64)]
"""What a position may be worth on any board that is solved: discs of the one less those of the other."""


class LeafSpec(Frozen):
    """A position of a game: is it worth `at_least` that to its mover? It is searched with so much memory."""

    format: Literal[1] = 1
    game: GameSpec
    position: Written
    at_least: Discs
    memory_mb: Annotated[int, Field(ge=1, le=2**16)]


class LeafAnswer(Frozen):
    """What a position is worth, from `low` to `high`, and the best move; None where the game is over.

    `nodes` positions were searched in `elapsed_ns` of processor time.
    """

    low: Discs
    high: Discs
    move: Annotated[int, Field(ge=0, le=64)] | None
    nodes: Annotated[int, Field(ge=0, lt=2**62)]
    elapsed_ns: Nanoseconds


def written(position: Position) -> str:
    """A position as text."""
    return f"{position.own:016x}{position.opp:016x}"


def position_of(text: str) -> Position:
    """The position that is written so."""
    return Position(int(text[:16], 16), int(text[16:], 16))
