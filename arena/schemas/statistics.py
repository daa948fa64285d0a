"""The numbers of one bot in a tournament, of two against each other, and of seats and openings."""

from __future__ import annotations

from pydantic import BaseModel, Field


class TotalsOut(BaseModel):
    """What came of some games, from one bot's side."""

    games: int
    points: float
    wins: int
    draws: int
    losses: int
    forfeits: int
    score_own: int = Field(description="The sum of its own scores (discs) in the games that were played.")
    score_other: int = Field(description="The sum of its opponents' scores in these.")
    wall_ms: int = Field(description="The time it used in all, in milliseconds.")


class OpeningTotals(BaseModel):
    """What came of the games from one opening."""

    opening: int = Field(description="Its number; 0 is the game's own beginning.")
    moves: list[str]
    totals: TotalsOut


class OpponentTotals(BaseModel):
    """What came of the games against one opponent."""

    bot: str
    totals: TotalsOut


class BotNumbersOut(BaseModel):
    """One bot in a tournament: its results by opponent, seat and opening, its forfeits, and its time."""

    tournament: str
    bot: str
    owner: str
    version: int = Field(description="The version that is entered.")
    language: str
    totals: TotalsOut
    seats: list[TotalsOut] = Field(
        description="Moving first, and moving second, in games that were played.", min_length=2, max_length=2
    )
    openings: list[OpeningTotals]
    opponents: list[OpponentTotals] = Field(description="By the numbers of their entries.")
    forfeits: dict[str, int] = Field(
        description="Its forfeits by their kinds; `walkover` is what was lost without a game."
    )
    longest_ms: int = Field(description="The most time that it used in a game, in milliseconds.")


class HeadToHeadGame(BaseModel):
    """One game of two bots from the side of the first."""

    number: int = Field(description="The match's number.")
    seat: int = Field(description="The first bot's seat: 0 moves first.")
    opening: int
    points: float
    score_own: int
    score_other: int
    played: bool = Field(description="False for what was decided without a game.")


class HeadToHeadOut(BaseModel):
    """Two bots' games with each other; all numbers are the first one's."""

    tournament: str
    one: str
    other: str
    totals: TotalsOut
    seats: list[TotalsOut] = Field(description="Moving first, and moving second.", min_length=2, max_length=2)
    openings: list[OpeningTotals]
    superiority: float | None = Field(
        description="The likelihood that the first is the stronger one by their own games, draws left out."
    )
    rated_superiority: float | None = Field(
        description="The same by the ratings, which all games tell; null with more than 200 bots."
    )
    games: list[HeadToHeadGame]


class ShareOut(BaseModel):
    """What the first seat made; games that both forfeited are left out."""

    games: int
    wins: int
    draws: int
    losses: int
    share: float | None = Field(description="Its points by the mean of a game; null without games.")
    low: float | None = Field(description="From here ...")
    high: float | None = Field(description="... to here reaches the interval of 95 %.")
    lopsided: bool = Field(description="Whether a half lies outside of the interval.")


class OpeningShare(BaseModel):
    """What the first seat made from one opening."""

    opening: int = Field(description="Its number; 0 is the game's own beginning.")
    moves: list[str]
    first: ShareOut


class SeatsOut(BaseModel):
    """How often one bot had which seat."""

    bot: str
    first: int
    second: int


class BalanceOut(BaseModel):
    """Whether seats and openings were fair, by the games that were played."""

    tournament: str
    first: ShareOut
    openings: list[OpeningShare]
    seats: list[SeatsOut] = Field(description="By the numbers of the entries.")
    widest: int = Field(description="By how many games some bot had one seat more often than the other.")
