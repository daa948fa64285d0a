"""What the forms for new experiments and sweeps take, and what they make of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy.orm import Session

from arena.core.errors import ArenaError
from arena.core.names import BOT_PREFIX
from arena.core.validation import refusal
from arena.documents.figures import GRID
from arena.experiments import quotas
from arena.experiments.grid import SweepPlan
from arena.experiments.players import SIDES, PlayerError
from arena.experiments.quotas import Quota
from arena.schemas.plans import ExperimentPlan
from arena.store.models import User
from arena.web.http.dependencies import InServices, InSession, Services
from arena.web.http.web_sessions import PlayerVisitor
from arena.web.pages.forms import refused
from arena.web.pages.plan_forms import PARAMS, Fault, FaultyError, faults_of, params_of, plain, planned
from arena.web.pages.rendering import render
from arena.web.pages.wording import N_
from engines import USUAL_GAME

LABELS = {
    "game": N_("Game"),
    "params": PARAMS,
    "first": N_("First player"),
    "second": N_("Second player"),
    "games": N_("Number of games"),
    "seed": N_("Seed"),
    "match": N_("Other games under the same seed"),
    "openings": N_("Different openings"),
    "opening_plies": N_("Plies of an opening"),
    "stop_when_ci": N_("Interval to end at"),
    "move_ms": N_("Milliseconds a move"),
    "repetition": N_("Drawn when a position has come up so often"),
    "max_plies": N_("Drawn after so many plies"),
    "elo0": N_("Elo of the first hypothesis"),
    "elo1": N_("Elo of the second hypothesis"),
    "alpha": N_("Chance of deciding for the second where the first is true"),
    "beta": N_("Chance of deciding for the first where the second is true"),
    "model": N_("What the test observes"),
    "elo": N_("Scale of Elo"),
    "look": N_("Pairs between two looks"),
    "interval": N_("Kind of interval"),
    "confidence": N_("Confidence of the intervals"),
    "columns": N_("Record in columns"),
    "chunk": N_("Games of a chunk"),
}
"""What the fields of the form are called where one of them was refused."""


@dataclass(frozen=True)
class Asker:
    """Somebody who may have bots asks for games to be played."""

    request: Request
    session: Session
    services: Services
    visitor: User

    @property
    def quota(self) -> Quota:
        """What teams may ask for."""
        return Quota.of(self.services.settings)

    def form(
        self, template: str, error: ArenaError | None, faults: Sequence[Fault] = (), **told: Any
    ) -> HTMLResponse:
        """A form, with what may still be asked for, and what was refused."""
        page = render(
            self.request,
            template,
            error.status if error else 200,
            quota=self.quota,
            left=quotas.left(self.session, self.visitor, self.quota),
            refused=error,
            faults=faults,
            **told,
        )
        return refused(page, error) if error else page


def get_asker(request: Request, session: InSession, services: InServices, visitor: PlayerVisitor) -> Asker:
    """Whoever asks.

    Raises:
        ForbiddenError: a reader does.
    """
    return Asker(request, session, services, visitor)


InAsker = Annotated[Asker, Depends(get_asker)]
USUAL_MOVE_MS = 1000
"""What a bot has for a move where nothing else is typed."""
MAX_FAULTS = 5
"""So much of what is wrong with a grid is told at once."""
MAX_CHARS = 20_000
"""A grid that is longer is sent by a program."""
RARE = ("match", "opening_plies", "interval", "confidence", "columns", "chunk")
POLICY = ("repetition", "max_plies")
HYPOTHESES = ("elo0", "elo1", "alpha", "beta", "look")
SCALES = ("model", "elo")
"""Fields of a plan, of its policy and of its test that are left to what is usual where they are empty.

The last are chosen from lists, which ask for no test by themselves.
"""
CHOICES: dict[str, dict[str, str]] = {
    "model": {
        "": N_("pairs of games with exchanged seats (pentanomial), as usual"),
        "trinomial": N_("single games (trinomial)"),
    },
    "elo": {
        "": N_("by the mean score (logistic), as usual"),
        "normalized": N_("by a game's standard deviation (normalized)"),
    },
    "interval": {
        "": N_("Wilson, as usual"),
        "clopper-pearson": N_("Clopper-Pearson, which is never too narrow"),
    },
    "columns": {
        "": N_("not in columns"),
        "game": N_("a row a game (Parquet)"),
        "ply": N_("a row a ply (Parquet)"),
    },
}
"""What can be chosen in the fields that are lists; empty is what is usual."""
Text = Annotated[str, Field(max_length=1000)]


class Typed(BaseModel):
    """The form of an experiment as it was filled in."""

    model_config = ConfigDict(frozen=True)

    game: Text = ""
    params: Text = ""
    first: Text = ""
    second: Text = ""
    games: Text = ""
    seed: Text = ""
    match: Text = ""
    swap: bool = False
    openings: Text = ""
    opening_plies: Text = ""
    stop_when_ci: Text = ""
    move_ms: Text = ""
    repetition: Text = ""
    max_plies: Text = ""
    elo0: Text = ""
    elo1: Text = ""
    alpha: Text = ""
    beta: Text = ""
    model: Text = ""
    elo: Text = ""
    look: Text = ""
    interval: Text = ""
    confidence: Text = ""
    record_games: bool = False
    columns: Text = ""
    chunk: Text = ""

    @property
    def further(self) -> bool:
        """Whether something is filled in that is rarely wanted."""
        return any(getattr(self, name) for name in (*RARE, *POLICY, *HYPOTHESES, *SCALES))

    def plan(self) -> ExperimentPlan:
        """What is asked for.

        Raises:
            FaultyError: something is missing, or cannot be.
        """
        sent = {name: plain(getattr(self, name)) for name in LABELS}
        params, faults = params_of(sent["params"])
        told: dict[str, Any] = {
            **{name: sent[name] for name in ("game", "first", "second", "games")},
            **{name: sent[name] or 0 for name in ("seed", "openings")},
            **_filled(sent, ("stop_when_ci", *RARE)),
            "params": params,
            "policy": _filled(sent, POLICY),
            "swap": self.swap,
            "record_games": self.record_games,
        }
        if test := _filled(sent, HYPOTHESES):
            told["sprt"] = test | _filled(sent, SCALES)
        if any(sent[side].startswith(BOT_PREFIX) for side in SIDES):
            told["time"] = {"move_ms": sent["move_ms"] or USUAL_MOVE_MS, "extensions": 0}
        return planned(ExperimentPlan, told, LABELS, faults)

    def faults(self, error: ArenaError) -> Sequence[Fault]:
        """What to say at which field of why the form was refused."""
        if isinstance(error, PlayerError):
            return [Fault(error, LABELS[error.side])]
        names = {error.values.get("name"), error.values.get("bot")}
        bots = {side: plain(getattr(self, side)).removeprefix(BOT_PREFIX) for side in SIDES}
        side = next((side for side, bot in bots.items() if bot.partition("@")[0] in names), None)
        named = "parameter" in error.values or "field" in error.values
        return [Fault(error, LABELS[side])] if side and not named else faults_of(error, LABELS)


USUAL = Typed(game=USUAL_GAME, second="random", games="10000", seed="0", openings="0")
"""The form before anything is filled in."""


def asked(typed: Typed) -> Typed:
    """The form as a link has it filled in, the rest as usual."""
    return USUAL.model_copy(update={name: getattr(typed, name) for name in typed.model_fields_set})


def _filled(sent: dict[str, str], names: Sequence[str]) -> dict[str, str]:
    return {name: sent[name] for name in names if sent[name]}


def grid(text: str) -> SweepPlan:
    """The sweep that a text of JSON asks for.

    Raises:
        FaultyError: it asks for none.
    """
    try:
        return SweepPlan.model_validate_json(text)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        raise FaultyError(
            [Fault(refusal(each), place=".".join(map(str, each["loc"]))) for each in found[:MAX_FAULTS]]
        ) from None


def example() -> str:
    """A small grid, as it is written."""
    return json.dumps(GRID, indent=1)
