"""What a bot has done over all tournaments."""

from __future__ import annotations

import datetime as dt

from pydantic import BaseModel, Field

from arena.core.terms import Leaving, Outcome, TournamentState
from workers.core.contract import GameSpec


class CareerGame(BaseModel):
    """A recorded game of a tournament, as one of its bots sees it."""

    tournament: str
    title: str | None = Field(description="What stands over the tournament, in any language.")
    game: GameSpec
    match: int = Field(description="Its number in the tournament.")
    seat: int = Field(ge=0, le=1, description="0 moved first.")
    version: int
    opponent: str
    opponent_version: int
    outcome: Outcome
    reason: str = Field(description="Why it ended so.", examples=["board_full"])
    recorded_at: dt.datetime


class SumOut(BaseModel):
    """What its games of one game came to."""

    game: str
    won: int
    drawn: int
    lost: int = Field(description="By forfeit, too.")
    last_at: dt.datetime


class CareerOut(BaseModel):
    """What a bot did over all tournaments, as everybody may see it."""

    bot: str
    owner: str
    games: list[SumOut] = Field(description="A line a game, the one that it played last first.")
    form: list[CareerGame] = Field(description="Its last ten games, the last first.")


class CareerOpponent(BaseModel):
    """What a bot's games with another came to, over all tournaments."""

    opponent: str
    owner: str = Field(description="The opponent's team.")
    won: int
    drawn: int
    lost: int = Field(description="By forfeit, too.")
    last_at: dt.datetime


class CareerPlace(BaseModel):
    """A tournament that a bot is entered in, and its place there."""

    tournament: str
    title: str | None
    state: TournamentState
    game: str
    version: int
    left_as: Leaving | None
    entries: int = Field(description="How many bots are entered.")
    rank: int | None = Field(description="By the leaderboard as it stands; null before it has begun.")
    points: float
    games: int


class RatingPoint(BaseModel):
    """A bot's rating after so many of its games."""

    games: int = Field(description="Of its own, among those that are looked back on.")
    at: dt.datetime = Field(description="When the last of them was recorded.")
    rating: float = Field(description="Elo from 0.")
    deviation: float = Field(description="Its standard deviation, in Elo.")


class BotRatings(BaseModel):
    """How a bot's rating in one game came about, by all tournaments, in the order of recording.

    It is the online rating of Weng and Lin (by openskill) over all bots of the arena that play that game,
    whatever the version, by the tournaments that were not cancelled; it looks back on the last 20,000 games.
    """

    bot: str
    game: str | None = Field(description="Null of a bot that has not played yet.")
    order_dependent: bool = Field(default=True, description="Another order would give other ratings.")
    forgotten: bool = Field(description="Whether there may be games too long ago to count.")
    points: list[RatingPoint]
