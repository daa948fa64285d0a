"""Games analysed by exact solvers: what each position was worth, and what each move has done."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from arena.core.terms import MatchState

Worth = Literal["won", "drawn", "lost"]


class BestMoveOut(BaseModel):
    """One of the best moves of a position, and the places of the board that it is pointed at by."""

    move: str
    places: list[str]


class JudgementOut(BaseModel):
    """What a move has done: what the position before it and after it was worth to the side that made it."""

    before: Worth
    after: Worth
    points: int = Field(description="What it cost in the score at the end, where the game is counted; or 0.")
    loss: float = Field(description="What it gave away of the game, of which a win is a point: 0, 0.5 or 1.")
    choice: bool | None = Field(
        description="Whether some move there had a worse result; null where that is not known."
    )


class ValuedOut(BaseModel):
    """A position with its exact value, whatever a match's policy on draws."""

    ply: int = Field(description="The plies before it.")
    seat: int = Field(description="Whose turn it is; `value` and `margin` belong to that side.")
    value: Worth
    distance: int | None = Field(description="The plies to the end with perfect play, where it is known.")
    margin: int | None = Field(description="The score less the other side's then, where the game is counted.")
    best: list[BestMoveOut]
    more: int = Field(description="How many best moves there are besides those that are listed.")
    judgement: JudgementOut | None = Field(
        description="Of the move before it; null for openings and passes, and where nothing is known before."
    )


class LostOut(BaseModel):
    """Who stood lost at the end, and the ply after which that was so for good."""

    seat: int
    ply: int | None = Field(description="0 for from the beginning, null for as far back as is known.")


class TurnOut(BaseModel):
    """The last move that gave a result away."""

    seat: int
    ply: int


class EstimatedPositionOut(BaseModel):
    """A position that is not solved, as it is estimated."""

    ply: int = Field(description="The plies before it.")
    seat: int = Field(description="Whose turn it is; `margin` and `best` belong to that side.")
    margin: float = Field(description="The score less the other side's at the end.")
    ahead: float = Field(description="By how many points the first side is ahead, whichever score wins.")
    best: BestMoveOut
    points: float | None = Field(
        description="What the move that followed cost in the score; null where nobody chose one."
    )

    @property
    def level(self) -> bool:
        """Whether neither side is ahead by what is shown of it, a tenth of a point."""
        return round(abs(self.ahead), 1) == 0


class CostliestOut(BaseModel):
    """The move that cost most by the estimates, and whose it was."""

    seat: int
    ply: int


class BehindOut(BaseModel):
    """Who was behind by the estimates, and from which ply on."""

    seat: int
    ply: int = Field(description="0 for before that side had a choice.")


class EstimatesOut(BaseModel):
    """Positions before the first that is solved, as the reference bot champion's search estimates them."""

    depth: int = Field(description="How many plies deep.")
    by: str = Field(description="By which version of the search, and which weights.")
    positions: list[EstimatedPositionOut]
    costliest: CostliestOut | None = Field(description="Null where no move cost anything.")
    behind: BehindOut | None = Field(
        description="The side that stood lost as far back as positions are solved, or was behind in the last"
        " one where none is; null where exact values tell who lost by which move, or that nobody did."
    )


class AnalysisOut(BaseModel):
    """The analysis of a game. Positions before the first that is listed are not solved."""

    number: int | None = Field(
        description="Of the match, or of the scrimmage's game; null of a game that people play."
    )
    plies: int = Field(description="How many the game has.")
    unsolved: str | None = Field(description="Why nothing is known, where that is so.")
    positions: list[ValuedOut]
    turning: TurnOut | None = Field(description="The turning point; null where no move gave anything away.")
    lost: LostOut | None = Field(description="Null for a draw, and where the end is not known.")
    estimated: EstimatesOut | None = Field(
        description="What is told of positions that are not solved; null where all are, where nothing"
        " estimates them, and where the worker that has analysed the game did not."
    )


class AnalysisAsked(BaseModel):
    """An analysis that was asked for, now or before: `finished` where it is there."""

    number: int | None
    state: MatchState
