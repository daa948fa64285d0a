"""What the forms for new experiments and sweeps take, and what they make of it."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from fastapi import Depends, Form, Query, Request
from fastapi.responses import HTMLResponse
from pydantic import ValidationError
from sqlalchemy.orm import Session

from arena.core.errors import ArenaError, InvalidError, Worded
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
from arena.web.pages.rendering import render
from arena.web.pages.wording import N_
from engines import USUAL_GAME

LABELS = {
    "game": N_("Game"),
    "params": N_("Parameters"),
    "first": N_("First player"),
    "second": N_("Second player"),
    "games": N_("Number of games"),
    "seed": N_("Seed"),
    "openings": N_("Different openings"),
    "stop_when_ci": N_("Interval to end at"),
    "move_ms": N_("Milliseconds a move"),
}
"""What the fields of the form are called where one of them was refused."""


class Fault(NamedTuple):
    """Why something was refused: the field's label if it is one field's, or where it stands in a grid."""

    error: Worded
    label: str = ""
    place: str = ""


class FaultyError(InvalidError):
    """What was typed makes no plan; `faults` are all that is wrong."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(str(fault.error) for fault in faults))
        self.faults = faults


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
MOST_FAULTS = 5
"""So much of what is wrong with a grid is told at once."""
MOST_CHARS = 20_000
"""A grid that is longer is sent by a program."""
Short = Annotated[str, Query(max_length=300)]
Written = Annotated[str, Form(max_length=1000)]
Tick = Annotated[bool, Form()]


@dataclass(frozen=True)
class Typed:
    """The form of an experiment as it was filled in."""

    game: str = USUAL_GAME
    params: str = ""
    first: str = ""
    second: str = "random"
    games: str = "10000"
    seed: str = "0"
    swap: bool = False
    openings: str = "0"
    stop_when_ci: str = ""
    move_ms: str = ""
    record_games: bool = False

    def plan(self) -> ExperimentPlan:
        """What is asked for.

        Raises:
            FaultyError: something is missing, or cannot be.
        """
        plain = {name: _plain(getattr(self, name)) for name in LABELS}
        params, faults = _params(plain["params"])
        told: dict[str, Any] = {
            **{name: plain[name] for name in ("game", "first", "second", "games")},
            **{name: plain[name] or 0 for name in ("seed", "openings")},
            "params": params,
            "swap": self.swap,
            "record_games": self.record_games,
        }
        if plain["stop_when_ci"]:
            told["stop_when_ci"] = plain["stop_when_ci"]
        if any(plain[side].startswith(BOT_PREFIX) for side in SIDES):
            told["time"] = {"move_ms": plain["move_ms"] or USUAL_MOVE_MS, "extensions": 0}
        try:
            plan = ExperimentPlan.model_validate(told)
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False)
            raise FaultyError(
                [*faults, *(Fault(refusal(each), LABELS.get(_field(each), "")) for each in found)]
            ) from None
        if faults:
            raise FaultyError(faults)
        return plan

    def faults(self, error: ArenaError) -> Sequence[Fault]:
        """What to say at which field of why the form was refused."""
        if isinstance(error, FaultyError):
            return error.faults
        return [Fault(error, LABELS.get(self._refused(error), ""))]

    def _refused(self, error: ArenaError) -> str:
        """The field that an error is about, as far as that is known."""
        if isinstance(error, PlayerError):
            return error.side
        if "parameter" in error.values:
            return "params"
        if "field" in error.values:
            return str(error.values["field"])
        names = {error.values.get("name"), error.values.get("bot")}
        bots = {side: _plain(getattr(self, side)).removeprefix(BOT_PREFIX) for side in SIDES}
        return next((side for side, bot in bots.items() if bot.partition("@")[0] in names), "")


def asked(
    game: Short = USUAL_GAME,
    params: Short = "",
    first: Short = "",
    second: Short = "random",
    games: Short = "10000",
) -> Typed:
    """The form as a link has it filled in."""
    return Typed(game=game, params=params, first=first, second=second, games=games)


def typed(
    *,
    game: Written = "",
    params: Written = "",
    first: Written = "",
    second: Written = "",
    games: Written = "",
    seed: Written = "",
    swap: Tick = False,
    openings: Written = "",
    stop_when_ci: Written = "",
    move_ms: Written = "",
    record_games: Tick = False,
) -> Typed:
    """The form as it was sent."""
    return Typed(
        game=game,
        params=params,
        first=first,
        second=second,
        games=games,
        seed=seed,
        swap=swap,
        openings=openings,
        stop_when_ci=stop_when_ci,
        move_ms=move_ms,
        record_games=record_games,
    )


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
            [Fault(refusal(each), place=".".join(map(str, each["loc"]))) for each in found[:MOST_FAULTS]]
        ) from None


def example() -> str:
    """A small grid, as it is written."""
    return json.dumps(GRID, indent=1)


def _plain(text: str) -> str:
    """What was typed, with the digits and signs of Chinese as those of ASCII."""
    return unicodedata.normalize("NFKC", text).replace("、", ",").strip()


def _field(error: Mapping[str, Any]) -> str:
    """The field of the form that an error of a plan is about."""
    *_, last = error["loc"] or ("",)
    return str(last)


def _params(text: str) -> tuple[dict[str, Any], list[Fault]]:
    """Parameters as they were typed, ``rows=5`` or more of them with semicolons between; what is none."""
    read, faults = {}, []
    for part in filter(None, map(str.strip, text.split(";"))):
        name, _, value = map(str.strip, part.partition("="))
        try:
            read[name] = _value(value)
        except (ValueError, RecursionError):
            error = InvalidError("%(part)r is no parameter; write such as rows=5", part=part[:40])
            faults.append(Fault(error, LABELS["params"]))
    return read, faults


def _value(text: str) -> Any:
    """A value in JSON, and a list also without its brackets.

    Raises:
        ValueError, RecursionError: it is none.
    """
    try:
        return json.loads(text)
    except ValueError:
        return json.loads(text.lower()) if "," not in text else json.loads(f"[{text}]")
