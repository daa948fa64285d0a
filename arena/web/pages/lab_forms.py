"""What the forms take by which administrators ask for a solve or a training, and what they make of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.core.errors import InvalidError
from arena.core.validation import refusal
from arena.schemas.solves import SolvePlan
from arena.schemas.trainings import PlannedRound, TrainingPlan
from arena.web.pages.plan_forms import PARAMS, Fault, Written, params_of, plain, planned
from arena.web.pages.wording import N_
from engines import USUAL_GAME

GAME = N_("Game")
SOLVE_LABELS = {
    "game": GAME,
    "params": PARAMS,
    "position": N_("Position, in JSON"),
    "frontier": N_("Empty squares of a position that is solved as it stands"),
    "memory_mb": N_("MiB of each worker's table"),
    "checkpoint": N_("Checkpoint"),
}
TRAINING_LABELS = {
    "game": GAME,
    "params": PARAMS,
    "seed": N_("Seed"),
    "games": N_("Games of all rounds"),
    "rounds": N_("Rounds"),
}
"""What the fields of the forms are called where one of them was refused."""
Text = Annotated[str, Field(max_length=10_000)]


@dataclass(frozen=True)
class SolveTyped:
    """The form of a solve as it was filled in, without its file."""

    game: str = USUAL_GAME
    params: str = "size=4"
    position: str = ""
    frontier: str = ""
    memory_mb: str = "64"

    def plan(self, checkpoint: str) -> SolvePlan:
        """What is asked for; an empty `checkpoint` is none.

        Raises:
            FaultyError: something is missing, or cannot be.
        """
        params, faults = params_of(plain(self.params))
        told: dict[str, Any] = {"game": self.game, "params": params, "checkpoint": checkpoint or None}
        for name in ("frontier", "memory_mb"):
            if sent := plain(getattr(self, name)):
                told[name] = sent
        if self.position.strip():
            try:
                told["position"] = json.loads(self.position)
            except (ValueError, RecursionError) as error:
                why = InvalidError("this is no JSON: %(error)s", error=error)
                faults.append(Fault(why, SOLVE_LABELS["position"]))
        return planned(SolvePlan, told, SOLVE_LABELS, faults)


def solve_typed(
    game: Written = "",
    params: Written = "",
    position: Written = "",
    frontier: Written = "",
    memory_mb: Written = "",
) -> SolveTyped:
    """The form of a solve as it was sent."""
    return SolveTyped(game=game, params=params, position=position, frontier=frontier, memory_mb=memory_mb)


class TrainingTyped(BaseModel):
    """The form of a training as it was filled in."""

    model_config = ConfigDict(frozen=True)

    game: Text = ""
    params: Text = ""
    seed: Text = ""
    games: Text = ""
    rounds: Text = ""

    def plan(self) -> TrainingPlan:
        """What is asked for.

        Raises:
            FaultyError: something is missing, or cannot be.
        """
        params, faults = params_of(plain(self.params))
        told: dict[str, Any] = {"game": self.game, "params": params, "seed": plain(self.seed) or 0}
        if games := plain(self.games):
            told["games"] = games
        lines = [line for line in map(plain, self.rounds.splitlines()) if line]
        if lines:
            told["rounds"] = [_round(number, line, faults) for number, line in enumerate(lines, 1)]
        if faults:
            told.pop("rounds", None)  # they are told by line
        return planned(TrainingPlan, told, TRAINING_LABELS, faults)


NEW_TRAINING = TrainingTyped(game=USUAL_GAME, seed="0", games="120000")
"""The form of a training before anything is filled in."""


def _round(number: int, line: str, faults: list[Fault]) -> PlannedRound | None:
    """A round as it was typed, ``4000:2:10:20``; why it is none is told with the number of its line."""
    names = tuple(PlannedRound.model_fields)
    parts = line.split(":")
    if len(parts) != len(names):
        told = InvalidError(
            "line %(number)s: write games:depth:solved:steps, such as 4000:2:10:20", number=number
        )
        faults.append(Fault(told, TRAINING_LABELS["rounds"]))
        return None
    try:
        return PlannedRound.model_validate(dict(zip(names, parts, strict=True)))
    except ValidationError as error:
        for each in error.errors(include_url=False, include_input=False):
            told = InvalidError(
                "line %(number)s, %(part)s: %(why)s", number=number, part=each["loc"][0], why=refusal(each)
            )
            faults.append(Fault(told, TRAINING_LABELS["rounds"]))
        return None
