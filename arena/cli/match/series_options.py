"""What was asked of `arena match run`, as it was typed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.theory.statistics.sprt import Sprt


@dataclass(frozen=True)
class SeriesOptions:
    """A series: `chosen` is the game with its parameters, `control` the time control.

    `games` are those of every two bots, `drawn` how many openings of how many plies, `policy` repetition and
    plies.
    """

    bots: tuple[str, ...]
    chosen: tuple[str, dict[str, Any]]
    control: dict[str, Any]
    games: int | None
    seed: int
    drawn: tuple[int, int]
    file: Path | None
    policy: tuple[int | None, int | None]
    sprt: Sprt | None = None
