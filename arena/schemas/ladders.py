"""How a ladder stands."""

from __future__ import annotations

from pydantic import BaseModel, Field

from arena.core.terms import Outcome, TournamentState
from arena.schemas.matches import MatchOut
from arena.schemas.ratings import Prior, RatingOut


class LadderResult(BaseModel):
    """One of the last games of a bot."""

    match: int = Field(description="Its number.")
    outcome: Outcome


class LadderLine(RatingOut):
    """One bot of a ladder."""

    places: int | None = Field(
        description="Ranks that it came up by the games of the newest round, below 0 went down, among those "
        "that were rated before; null of who was not."
    )
    change: float | None = Field(description="What its rating has gained by these games, in Elo.")
    form: list[LadderResult] = Field(description="Its last results, the last first.")


class LadderOut(BaseModel):
    """How a ladder stands: by the maximum likelihood of all games that count, best first."""

    tournament: str
    state: TournamentState
    round: int = Field(description="The newest round of which a game is recorded; 0 before the first.")
    newcomer_games: int = Field(description="Who has fewer games is paired first.")
    prior: Prior | None
    items: list[LadderLine]
    last: list[MatchOut] = Field(description="What was played last, the last first.")
