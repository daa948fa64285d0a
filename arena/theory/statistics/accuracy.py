"""How well a player moves, by exact values: its accuracy, what its moves cost, and its blunders.

Counted are its choices alone: moves by which a result could be given away. After Guid and Bratko, *Computer
Analysis of World Chess Champions*, ICGA Journal 29(2), 2006, it is a mean of what moves cost, without
positions that are decided anyway; as in Lichess's accuracy (lichess.org/page/accuracy) results count, not
evaluations. Where values are exact, a position is won, drawn or lost, and no formula makes chances of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add
from typing import Any, Final, NamedTuple

from workers.core.contract import RESIGNED, FaultCode

STAGES: Final = ("begin", "middle", "end")
"""The thirds of a game by its plies."""
BROKEN_OFF: Final = {*FaultCode, RESIGNED}
"""Why games end before their time, so that a third of what was played is none of a game."""


def stage_of(ply: int, plies: int) -> int:
    """In which third of a game of so many plies the move is that is its `ply`-th, from 1 on: 0, 1 or 2."""
    return len(STAGES) * (ply - 1) // plies


@dataclass(frozen=True)
class Losses:
    """What moves have cost that were chosen.

    - `choices`: those in positions where some move gave a result away, a win or a draw.
    - `blunders`: those of them that did.
    - `half_points`: what they gave away of the game in all, half a point being a win turned into a draw.
    - `scored`: moves in games that are counted, where there was one of a worse score, in lost positions too;
      `points` are what they cost in the score.

    By estimates there are no choices, as they know no results; moves are scored where there was another one.
    """

    choices: int = 0
    blunders: int = 0
    half_points: int = 0
    scored: int = 0
    points: float = 0

    def __add__(self, other: Losses) -> Losses:
        """Both together."""
        return Losses(
            self.choices + other.choices,
            self.blunders + other.blunders,
            self.half_points + other.half_points,
            self.scored + other.scored,
            self.points + other.points,
        )

    @property
    def accuracy(self) -> float | None:
        """The share of choices that kept the result; None where there was no choice."""
        return 1 - self.blunders / self.choices if self.choices else None

    @property
    def mean_loss(self) -> float | None:
        """What a choice gave away of the game on average, in points; None where there was none."""
        return self.half_points / (2 * self.choices) if self.choices else None

    @property
    def mean_points(self) -> float | None:
        """What a move cost in the score on average; None where none was chosen in a game that is counted."""
        return self.points / self.scored if self.scored else None


def one_move(*, choice: bool, loss: float, points: float | None) -> Losses:
    """One move that was chosen; `choice` says whether it counts as a choice.

    `loss` is what it gave away of the game, and `points` of the score, None where no worse score was there.
    """
    return Losses(
        choices=int(choice),
        blunders=int(choice and loss > 0),
        half_points=round(2 * loss) if choice else 0,
        scored=int(points is not None),
        points=points or 0,
    )


@dataclass(frozen=True)
class Accuracy:
    """What a player's choices have cost in `games` games; `moves` are all its moves with a value.

    `games` are those in which it had such a move. `stages` are of those that were played to their end.
    """

    games: int = 0
    moves: int = 0
    whole: Losses = field(default_factory=Losses)
    stages: tuple[Losses, ...] = field(default=(Losses(),) * len(STAGES))

    def __add__(self, other: Accuracy) -> Accuracy:
        """Both together."""
        stages = tuple(map(add, self.stages, other.stages))
        whole = self.whole + other.whole
        return Accuracy(self.games + other.games, self.moves + other.moves, whole, stages)

    @property
    def without_stages(self) -> Accuracy:
        """The same of games that were broken off."""
        return replace(self, stages=Accuracy().stages)


Both = tuple[Accuracy, Accuracy]
"""Of both seats of a game."""


class Chosen(NamedTuple):
    """The `ply`-th move of a game, which the side in `seat` has chosen, between positions that are known.

    `choice` says whether some move there gave a result away, None where that is not known; `loss` is what
    this one gave away of the game, and `points` of the score, None where no worse score was there.
    """

    seat: int
    ply: int
    choice: bool | None
    loss: float
    points: float | None


def of_game(chosen: Iterable[Chosen], plies: int) -> Both:
    """How well both seats have played a game of so many plies."""
    moves, stages = [0, 0], [[Losses() for _ in STAGES] for _ in range(2)]
    for each in chosen:
        moves[each.seat] += 1
        cost = one_move(choice=bool(each.choice), loss=each.loss, points=each.points)
        stages[each.seat][stage_of(each.ply, plies)] += cost
    first, second = (
        Accuracy(int(count > 0), count, reduce(add, own), tuple(own))
        for count, own in zip(moves, stages, strict=True)
    )
    return first, second


def by_estimates(costs: Iterable[tuple[int, int, float | None]], plies: int) -> Both:
    """What the moves of both seats have cost in a game of so many plies by estimates, which know no choices.

    Of each move its seat, its ply from 1 on, and what it cost; None where nobody has chosen it.
    """
    chosen = (
        Chosen(seat, ply, choice=False, loss=0, points=points)
        for seat, ply, points in costs
        if points is not None
    )
    return of_game(chosen, plies)


def told(accuracy: Accuracy) -> dict[str, Any]:
    """How well a player has moved, in JSON's terms."""
    stages = [
        {"stage": stage, **_losses(losses)} for stage, losses in zip(STAGES, accuracy.stages, strict=True)
    ]
    whole = {"games": accuracy.games, "moves": accuracy.moves, **_losses(accuracy.whole)}
    return {**whole, "stages": stages}


def told_estimates(accuracy: Accuracy) -> dict[str, Any]:
    """What a player's moves have cost by estimates, in JSON's terms."""
    stages = [
        {"stage": stage, "moves": losses.scored, "points": losses.mean_points}
        for stage, losses in zip(STAGES, accuracy.stages, strict=True)
    ]
    points = accuracy.whole.mean_points
    return {"games": accuracy.games, "moves": accuracy.moves, "points": points, "stages": stages}


def _losses(losses: Losses) -> dict[str, Any]:
    return {
        "choices": losses.choices,
        "accuracy": losses.accuracy,
        "blunders": losses.blunders,
        "loss": losses.mean_loss,
        "scored": losses.scored,
        "points": losses.mean_points,
    }
