"""The games that can be played."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, Field

from engines.game import Game


class GameOut(BaseModel):
    """A game and what can be set about it."""

    name: str = Field(examples=["reversed_reversi"])
    version: int = Field(description="Changes when the rules' behaviour does.")
    params: dict[str, Any] = Field(description="Its parameters with their default values.")
    score_sense: str | None = Field(
        description="Which score is better: `fewest`, `most`, or null for neither."
    )
    description: str

    @classmethod
    def of(cls, game: Game[Any]) -> Self:
        """The game with the parameters it has."""
        return cls(
            name=game.name,
            version=game.version,
            params=game.params,
            score_sense=game.score_sense,
            description=(type(game).__doc__ or "").partition("\n")[0],
        )
