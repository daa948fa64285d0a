"""The options of sequential tests."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import typer


class ModelName(StrEnum):
    """What counts as one observation: a pair of games, or a game."""

    PENTANOMIAL = "pentanomial"
    TRINOMIAL = "trinomial"


class ScaleName(StrEnum):
    """Elo by the mean score, or in units of a game's standard deviation."""

    LOGISTIC = "logistic"
    NORMALIZED = "normalized"


Alpha = Annotated[
    float, typer.Option(metavar="SHARE", help="Chance of deciding for elo1 where elo0 is true.")
]
Beta = Annotated[float, typer.Option(metavar="SHARE", help="Chance of deciding for elo0 where elo1 is true.")]
Scale = Annotated[ScaleName, typer.Option(help="The scale of elo0 and elo1.")]


@dataclass(frozen=True)
class SprtOptions:
    """A sequential test of games that are played for it."""

    alpha: Alpha = 0.05
    beta: Beta = 0.05
    model: Annotated[
        ModelName, typer.Option(help="Pairs of games, or games, as observations of the test.")
    ] = ModelName.PENTANOMIAL
    elo: Scale = ScaleName.LOGISTIC
    look: Annotated[int, typer.Option(metavar="PAIRS", min=1, max=500, help="Pairs between two looks.")] = 1

    def fields(self) -> dict[str, Any]:
        """The fields of the test but for its bounds."""
        named = {"model": self.model.value, "elo": self.elo.value}
        return {"alpha": self.alpha, "beta": self.beta, "look": self.look} | named
