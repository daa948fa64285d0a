"""What the games of a simulation come to: the document of `arena simulate --json`, and of experiments."""

from __future__ import annotations

from pydantic import BaseModel, Field

from arena.theory.statistics.intervals import Method
from arena.theory.statistics.sprt import Model, Scale
from workers.core.contract import Seat
from workers.simulation.contract import SimulationSpec, Tally


def _is_none(value: object) -> bool:
    return value is None


class OutcomeShare(BaseModel):
    """A share of the games, with its interval."""

    share: float
    low: float
    high: float


class SharesOut(BaseModel):
    """The shares of the first player's wins, draws and losses."""

    wins: OutcomeShare
    draws: OutcomeShare
    losses: OutcomeShare


class ScoreOut(BaseModel):
    """A mean score, its standard error, and its interval."""

    mean: float
    error: float
    low: float
    high: float
    method: str = Field(description="What the error was found from.")


class CountsOut(BaseModel):
    """How the first player fared: one that both lost counts as lost."""

    games: int
    wins: int
    draws: int
    losses: int
    shares: SharesOut
    score: ScoreOut


class SeatCountsOut(CountsOut):
    """How it fared in one seat."""

    seat: Seat


class EloOut(BaseModel):
    """A difference in Elo, with the test's stop reckoned in."""

    median: float
    low: float
    high: float
    superiority: float = Field(description="The likelihood that the first player is the stronger one.")


class PlainEloOut(BaseModel):
    """The difference on both scales, with the half width of each interval, without regard to the stop."""

    logistic: float
    logistic_error: float
    normalized: float
    normalized_error: float
    superiority: float


class SprtOut(BaseModel):
    """A sequential test, how it stands, and the difference that it makes likely."""

    elo0: float
    elo1: float
    alpha: float
    beta: float
    model: Model
    look: int
    scale: Scale
    bounds: tuple[float, float]
    counts: list[int]
    llr: float
    verdict: str
    elo: EloOut | None
    logistic: EloOut | None
    normalized: EloOut | None
    plain: PlainEloOut | None
    confidence: float


class SimulationOut(BaseModel):
    """Every integer, shares, means and intervals. `spec` and `digest` are left out while they are secret."""

    spec: SimulationSpec | None = Field(None, exclude_if=_is_none)
    digest: str | None = Field(None, exclude_if=_is_none)
    games: int
    tally: Tally
    confidence: float
    interval: Method
    first: CountsOut | None = Field(description="All games of the first player; null before there are any.")
    by_seat: list[SeatCountsOut]
    plies_mean: float | None
    scores_mean: list[float] | None = Field(description="By player, where scores are more than the winner.")
    sprt: SprtOut | None = Field(None, exclude_if=_is_none)
