"""The options of sequential tests."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.shared.failures import UsageError
from arena.core.words import say

if TYPE_CHECKING:
    from arena.theory.statistics.sprt import Sprt


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
    """A sequential test of games that are played for it; None is the default of the test."""

    alpha: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="Chance of deciding for elo1 where elo0 is true [default: 0.05]."),
    ] = None
    beta: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="Chance of deciding for elo0 where elo1 is true [default: 0.05]."),
    ] = None
    model: Annotated[
        ModelName | None,
        typer.Option(help="Pairs of games, or games, as observations of the test [default: pentanomial]."),
    ] = None
    elo: Annotated[ScaleName | None, typer.Option(help="The scale of elo0 and elo1 [default: logistic].")] = (
        None
    )
    look: Annotated[
        int | None,
        typer.Option(metavar="PAIRS", min=1, max=500, help="Pairs between two looks [default: 1]."),
    ] = None

    def fields(self) -> dict[str, Any]:
        """The fields of the test that were asked for; what is not there keeps its default."""
        names = ("alpha", "beta", "model", "elo", "look")
        return {name: value for name in names if (value := getattr(self, name)) is not None}

    def of(self, bounds: str | None) -> Sprt | None:
        """The test of ``ELO0,ELO1``; None where there is none.

        Raises:
            UsageError: a number is out of range, or belongs to a test that was not asked for.
        """
        told = self.fields()
        if bounds is not None:
            return sprt_of(elo_bounds(bounds), **told)
        if told:
            raise UsageError(
                say(
                    "{options} only say how --sprt tests: add --sprt ELO0,ELO1, or leave them out",
                    options=", ".join(f"--{name}" for name in told),
                )
            )
        return None


def sprt_of(bounds: tuple[float, float], **more: object) -> Sprt:
    """The sequential test of `bounds`, elo0 and elo1, with `more` of its fields.

    Raises:
        UsageError: a number is out of range.
    """
    from pydantic import ValidationError

    from arena.theory.statistics.sprt import Sprt

    try:
        return Sprt.model_validate({"elo0": bounds[0], "elo1": bounds[1]} | more)
    except ValidationError as error:
        first = error.errors()[0]
        where = "".join(f"--{name}: " for name in first["loc"])
        raise UsageError(f"{where}{first['msg'].removeprefix('Value error, ')}") from None


def elo_bounds(text: str) -> tuple[float, float]:
    """The two numbers of ``ELO0,ELO1``.

    Raises:
        UsageError: there are not two numbers.
    """
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise UsageError(
            say("--sprt takes two numbers with a comma, such as 0,10, not {it!r}", it=text)
        ) from None
    return low, high
