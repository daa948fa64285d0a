"""What the forms for new experiments and sweeps take, and what they make of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Form, Query, Request
from fastapi.responses import HTMLResponse
from pydantic import ValidationError
from sqlalchemy.orm import Session

from arena.core.errors import ArenaError, InvalidError
from arena.core.names import BOT_PREFIX
from arena.documents.figures import GRID
from arena.experiments import quotas
from arena.experiments.grid import SweepPlan
from arena.experiments.quotas import Quota
from arena.schemas.plans import ExperimentPlan
from arena.store.models import User
from arena.web.http.dependencies import InServices, InSession, Services
from arena.web.http.web_sessions import PlayerVisitor
from arena.web.pages.forms import refused
from arena.web.pages.rendering import render
from engines import USUAL_GAME


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

    def form(self, template: str, error: ArenaError | None, **told: Any) -> HTMLResponse:
        """A form, with what may still be asked for, and what was refused."""
        page = render(
            self.request,
            template,
            error.status if error else 200,
            quota=self.quota,
            left=quotas.left(self.session, self.visitor, self.quota),
            refused=error,
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
            InvalidError: something is missing, or cannot be.
        """
        told: dict[str, Any] = {
            "game": self.game,
            "params": _params(self.params),
            "first": self.first.strip(),
            "second": self.second.strip(),
            "games": self.games,
            "seed": self.seed or 0,
            "swap": self.swap,
            "openings": self.openings or 0,
            "record_games": self.record_games,
        }
        if self.stop_when_ci:
            told["stop_when_ci"] = self.stop_when_ci
        if self.move_ms and BOT_PREFIX in {self.first[: len(BOT_PREFIX)], self.second[: len(BOT_PREFIX)]}:
            told["time"] = {"move_ms": self.move_ms, "extensions": 0}
        try:
            return ExperimentPlan.model_validate(told)
        except ValidationError as error:
            raise _invalid(error) from None


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
        InvalidError: it asks for none.
    """
    try:
        return SweepPlan.model_validate_json(text)
    except ValidationError as error:
        raise _invalid(error) from None


def example() -> str:
    """A small grid, as it is written."""
    return json.dumps(GRID, indent=1)


def _invalid(error: ValidationError) -> InvalidError:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"]))
    return InvalidError(f"{where}: {first['msg']}" if where else first["msg"])


def _params(text: str) -> dict[str, Any]:
    """Parameters as they were typed, ``rows=5`` or more of them with semicolons between.

    Raises:
        InvalidError: one cannot be read.
    """
    read = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, _, value = part.partition("=")
        try:
            read[name.strip()] = json.loads(value)
        except (ValueError, RecursionError):
            raise InvalidError(f"{part[:40]!r} is no parameter; write such as rows=5") from None
    return read
