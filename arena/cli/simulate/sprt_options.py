"""The options of sequential tests."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

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
Model = Annotated[ModelName, typer.Option(help="Pairs of games, or games, as observations of the test.")]
Scale = Annotated[ScaleName, typer.Option(help="The scale of elo0 and elo1.")]
Look = Annotated[int, typer.Option(metavar="PAIRS", min=1, max=500, help="Pairs between two looks.")]
