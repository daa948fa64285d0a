"""The games that can be played."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from engines import USUAL_GAME
from engines.games import all_games
from workers.core.contract import Name, Policy


def _name_games(schema: dict[str, Any]) -> None:
    schema["enum"] = sorted(all_games())


GameName = Annotated[Name, Field(json_schema_extra=_name_games)]


class GameOut(BaseModel):
    """A game and what can be set about it."""

    name: str = Field(examples=[USUAL_GAME])
    version: int = Field(description="Changes when the rules' behaviour does.")
    params: dict[str, Any] = Field(description="Its parameters with their default values.")
    score_sense: str | None = Field(
        description="Which score is better: `fewest`, `most`, or null for neither."
    )
    description: str
    rules: str = Field(description="How the game goes, in a few sentences.")
    notation: str = Field(description="How moves are written.")
    policy: Policy = Field(description="What draws a match that the game's own rules would let go on.")
    levels: list[str] = Field(
        description="Players for people, from level 1 for a beginner up.", examples=[["random", "mcts:8"]]
    )
    state_schema: dict[str, Any] = Field(
        description="A JSON Schema of the states that bots are shown, with the default parameters."
    )
