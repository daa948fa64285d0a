"""Ratings: how strong the bots of a tournament are, with errors."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field

from arena.core.terms import HistoryKind, TournamentState
from arena.theory.rating.models import ModelName

if TYPE_CHECKING:
    pass  # SciPy takes long to read


class Estimated(BaseModel):
    """A number with its standard error."""

    value: float
    error: float


class Prior(BaseModel):
    """Why the games alone do not tell the ratings, and what was assumed besides."""

    reason: Literal["not connected", "separated"] = Field(
        description="`not connected`: wins and draws do not lead from every bot to every other. `separated`: "
        "an infinite advantage, or share of draws, would explain the games best."
    )
    deviation: float = Field(description="Of the normal prior around 0 on every parameter, in Elo.")


class RatingOut(BaseModel):
    """One bot's rating; null where it has no games."""

    rank: int | None
    entry: int = Field(description="The entry's number.")
    bot: str
    version: int
    owner: str
    games: int = Field(description="Games that were rated: those that both forfeited are left out.")
    rating: float | None = Field(description="Elo around a mean of 0.")
    error: float | None = Field(
        description="Its standard error, from the observed information; null by Ordo's models for who won or "
        "lost all games."
    )
    resampled_error: float | None = Field(
        description="Its standard error by resampling the pairs of games from one opening."
    )
    stronger_than_next: float | None = Field(
        description="The likelihood that it is stronger than the next one of the table."
    )
    stronger_than: list[float | None] | None = Field(
        description="The same for every rated one in the table's order, null for itself; with `pairwise`."
    )


class RatedGames(BaseModel):
    """Ratings, best first: maximum likelihood by Davidson's model with an advantage of the first move.

    By another `model` they are what other programs print of the same games.
    """

    model: ModelName
    anchor: Literal["mean 0"] = "mean 0"
    prior: Prior | None
    first_move: Estimated | None = Field(
        description="What moving first is worth, in Elo; null where seats were not exchanged."
    )
    draws: Estimated | None = Field(
        description="Davidson's nu: draws by the mean of wins and losses between equals; null without draws. "
        "By Ordo's models the share of draws between equals, by BayesElo's its threshold in Elo."
    )
    resamples: int
    resamples_with_prior: int = Field(description="Resamples whose games alone do not tell the ratings.")
    items: list[RatingOut]


class RatingTable(RatedGames):
    """The ratings of a tournament's bots."""

    tournament: str
    state: TournamentState


class TopBotOut(BaseModel):
    """A bot's rating by all that it has played of a game, with all of its versions."""

    rank: int | None
    bot: str
    owner: str
    games: int
    rating: float | None = Field(description="Elo around a mean of 0.")
    error: float | None = Field(description="Its standard error.")


class TopBotsOut(BaseModel):
    """The bots of a game with its parameters, best first: by all tournaments and ladders not cancelled.

    Of a frozen tournament the games before its freeze count, whoever asks.
    """

    game: str
    params: dict[str, Any]
    tournaments: int = Field(description="How many tournaments count.")
    games: int = Field(description="How many games count.")
    bots: int = Field(description="How many bots are rated.")
    items: list[TopBotOut]


class HistoryPoint(BaseModel):
    """One point of a history of ratings."""

    games: int = Field(description="How many games had been played.")
    round: int | None = Field(description="With `likelihood`: the games are those of the rounds up to it.")
    at: dt.datetime | None = Field(description="With `online`: when the last of the games was recorded.")
    prior: Literal["not connected", "separated"] | None = Field(
        description="Why the games alone did not tell the ratings yet, as in the table of ratings."
    )


class RatedLine(BaseModel):
    """What one bot was rated, a number for every point; null before its first game."""

    entry: int = Field(description="The entry's number.")
    bot: str
    version: int
    owner: str
    games: int
    ratings: list[float | None] = Field(description="Elo.")
    errors: list[float | None] = Field(
        description="Standard errors with `likelihood`, standard deviations with `online`, in Elo."
    )


class RatingHistory(BaseModel):
    """How ratings came about, the best bot of the last point first.

    `likelihood`: the maximum likelihood by the games of the first rounds; the mean of those rated is 0.
    `online`: a rating from 0 that every game moves as it is recorded (Weng and Lin, by openskill).
    """

    tournament: str
    state: TournamentState
    kind: HistoryKind
    order_dependent: bool = Field(
        description="Whether the same results, recorded in another order, would give other ratings: true of "
        "the online rating."
    )
    forgotten: int = Field(description="Of the first games recorded, so many are too long ago for `online`.")
    points: list[HistoryPoint]
    items: list[RatedLine]
