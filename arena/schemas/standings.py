"""The tables of a tournament: leaderboard and crosstable."""

from __future__ import annotations

from pydantic import BaseModel, Field

from arena.core.terms import Leaving, TournamentState
from arena.schemas.paging import Page


class StandingOut(BaseModel):
    """One line of a leaderboard. A game won gives 1 point, one drawn half a point."""

    rank: int
    entry: int = Field(description="The entry's number.")
    bot: str
    version: int
    owner: str
    games: int
    played: int = Field(description="Those of its games that were not decided without being played.")
    points: float
    wins: int
    draws: int
    losses: int
    forfeits: int
    score_own: int = Field(description="The sum of its own scores (discs) in the games that were played.")
    score_other: int = Field(description="The sum of its opponents' scores in these.")
    wall_ms: int = Field(description="The time it used in all, in milliseconds.")
    byes: float = Field(description="Those of its points that were given without a game.")
    left_as: Leaving | None = Field(description="Why it takes part no more, if it left.")
    direct: float | None = Field(
        description="Its points against those that it was tied with, where there were any."
    )
    tie_breaks: list[float | None] = Field(
        description="What each tie-break of `order` counted: points, games, discs or seconds; null where "
        "there was nothing to count. Those in `means` are means of a game."
    )


class TieBreakOut(BaseModel):
    """One step of the chain that orders a table."""

    name: str = Field(examples=["sonneborn_berger"])
    rules: str = Field(description="Where its rules stand.")


class Leaderboard(BaseModel):
    """The standings by the tournament's chain of tie-breaks; who is still tied shares a rank."""

    tournament: str
    state: TournamentState
    played: int
    matches: int = Field(description="How many there are; those called off are left out.")
    order: list[TieBreakOut] = Field(description="The chain, the first step first.")
    bracket: bool = Field(description="Whether how far one came in a bracket decides before the chain.")
    means: list[str] = Field(
        description="Those steps of `order` that were compared by the mean of a game, because bots have "
        "different numbers of games: discs and time by those that were played, all else by all games.",
        examples=[["discs", "time"]],
    )
    lot_seed: int | None = Field(
        description="What lots are drawn from, if the chain has them; shown to everybody once all is played."
    )
    items: list[StandingOut]


class CrossCell(BaseModel):
    """What one entry made against another."""

    points: float
    games: int


class CrossRow(BaseModel):
    """One entry's results against those of the rows, in their order; null against itself."""

    rank: int
    entry: int
    bot: str
    points: float
    left_as: Leaving | None = Field(description="Why it takes part no more, if it left.")
    cells: list[CrossCell | None]


class Crosstable(Page[CrossRow]):
    """Neighbours on the leaderboard against each other, rows and columns in its order."""

    tournament: str
    state: TournamentState
