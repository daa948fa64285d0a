"""Ratings: how strong the bots of a tournament are, with errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self

from pydantic import BaseModel, Field

from arena.store.models import Tournament, TournamentState

if TYPE_CHECKING:
    from arena.rating.table import Line, Ratings  # SciPy takes long to read


class Estimated(BaseModel):
    """A number with its standard error."""

    value: float
    error: float

    @classmethod
    def of(cls, found: tuple[float, float] | None) -> Self | None:
        """The two numbers, None for none."""
        return None if found is None else cls(value=found[0], error=found[1])


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
    error: float | None = Field(description="Its standard error, from the observed information.")
    resampled_error: float | None = Field(
        description="Its standard error by resampling the pairs of games from one opening."
    )
    stronger_than_next: float | None = Field(
        description="The likelihood that it is stronger than the next one of the table."
    )
    stronger_than: list[float | None] | None = Field(
        description="The same for every rated one in the table's order, null for itself; with `pairwise`."
    )

    @classmethod
    def of(cls, line: Line) -> Self:
        """The line as the table has it."""
        return cls(
            rank=line.rank,
            entry=line.entrant.number,
            bot=line.entrant.bot,
            version=line.entrant.version,
            owner=line.entrant.owner,
            games=line.games,
            rating=line.rating,
            error=line.error,
            resampled_error=line.resampled,
            stronger_than_next=line.over_next,
            stronger_than=None if line.over is None else list(line.over),
        )


class RatingTable(BaseModel):
    """Maximum likelihood ratings by Davidson's model with an advantage of the first move, best first."""

    tournament: str
    state: TournamentState
    anchor: Literal["mean 0"] = "mean 0"
    prior: Prior | None
    first_move: Estimated | None = Field(
        description="What moving first is worth, in Elo; null where seats were not exchanged."
    )
    draws: Estimated | None = Field(
        description="Davidson's nu: draws by the mean of wins and losses between equals; null without draws."
    )
    resamples: int
    resamples_with_prior: int = Field(description="Resamples whose games alone do not tell the ratings.")
    items: list[RatingOut]

    @classmethod
    def of(cls, tournament: Tournament, found: Ratings) -> Self:
        """The ratings of `tournament`."""
        return cls(
            tournament=tournament.name,
            state=tournament.state,
            prior=Prior(reason=found.prior, deviation=found.prior_deviation) if found.prior else None,
            first_move=Estimated.of(found.seat),
            draws=Estimated.of(found.draw),
            resamples=found.resamples,
            resamples_with_prior=found.resamples_with_prior,
            items=[RatingOut.of(line) for line in found.lines],
        )
