"""How well the bots of a tournament have moved."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field


class LossesOut(BaseModel):
    """What moves have cost. A choice is a move where some move had a worse result."""

    choices: int
    accuracy: float | None = Field(description="The share of choices that kept the result; null without any.")
    blunders: int = Field(description="Choices that gave a result away.")
    loss: float | None = Field(description="What a choice gave away of the game on average, in points.")
    scored: int = Field(description="Moves where one had a worse score, in games that are counted.")
    points: float | None = Field(description="What such a move cost in the score on average.")


class StageLosses(LossesOut):
    """The same in a third of the game, by its plies; games that were broken off are in none."""

    stage: Literal["begin", "middle", "end"]


class EstimatedLosses(BaseModel):
    """What moves have cost by estimates: those that were chosen in positions that are not solved."""

    moves: int
    points: float | None = Field(
        description="What such a move cost in the score on average; null without any."
    )


class StageEstimates(EstimatedLosses):
    """The same in a third of the game, by its plies; games that were broken off are in none."""

    stage: Literal["begin", "middle", "end"]


class BotEstimates(EstimatedLosses):
    """The same of a bot."""

    games: int = Field(description="Those in which such a move of it is estimated.")
    stages: list[StageEstimates]


class BotAccuracy(LossesOut):
    """How well a bot has moved, in the games that are analysed."""

    bot: str
    games: int = Field(description="Those in which a move of it is judged.")
    moves: int = Field(description="How many are.")
    stages: list[StageLosses]
    estimated: BotEstimates = Field(description="In none of the other figures, which are exact.")


class AccuracyOut(BaseModel):
    """How well the bots of a tournament have moved, by those of its games that are analysed."""

    tournament: str
    games: int = Field(description="How many were played, by a move at least.")
    analysed: int = Field(description="How many of them are analysed, as far back as solvers know.")
    unsolved: int = Field(description="How many no solver knows.")
    broken_off: int = Field(
        description="How many of those that are analysed ended by a forfeit or were resigned."
    )
    depth: int = Field(
        description="How many plies deep what cannot be solved is estimated; 0 where nothing is."
    )
    bots: list[BotAccuracy] = Field(description="By their names.")


class LeftOut(BaseModel):
    """How far the analyses of all games of a tournament are."""

    ordered: bool = Field(description="Whether somebody who runs it has asked for all of them.")
    left: int = Field(description="How many games that were played are still to be analysed.")
    given_up: int = Field(
        description="How many analyses were tried several times and given up; asked for again, they are tried"
        " again."
    )
    without_stakes: int = Field(
        description="How many do not say what was at stake, as older workers made them, and are in no figure;"
        " asked for again, they are made again."
    )

    @property
    def state(self) -> Literal["running", "finished"]:
        """Whether any is left."""
        return "running" if self.left else "finished"
