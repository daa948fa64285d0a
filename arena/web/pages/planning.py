"""What a tournament's page says of its length: an estimate before the start, what is left while it runs."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi import Request
from pydantic import ConfigDict, model_validator
from sqlalchemy.orm import Session

from arena.core.errors import InvalidError
from arena.core.settings import Settings
from arena.core.terms import Fits, Source
from arena.planning import estimates, eta
from arena.schemas.planning import Asked, EstimateOut, EtaOut
from arena.schemas.plans import TournamentPlan
from arena.store.models import Tournament
from arena.tournaments.lifecycle import ENTERING
from arena.web.answers.planning import estimate_of, eta_of, question_of
from arena.web.http.costly_routes import CostlyRoute
from arena.web.http.dependencies import get_services
from arena.web.http.responses import frozen_since
from arena.web.pages.ttl_cache import TtlCache
from arena.web.pages.wording import N_

KEPT_SECONDS = 10.0
"""For so long a page tells the same time that is left."""

BASES = {
    Source.TOURNAMENT: N_("what games of this tournament took"),
    Source.HISTORY: N_("what games with the same rules and clocks took here"),
    Source.CHECKS: N_("what the bots took in their submission checks"),
    Source.PRIOR: N_("an assumption, as nothing like it was played here yet"),
}
FITS = {
    Fits.SURELY: N_("It fits, even if every game takes as long as its clocks allow."),
    Fits.LIKELY: N_("It is likely to fit, though not at worst."),
    Fits.PERHAPS: N_("It may fit, or not."),
    Fits.NO: N_("It does not fit."),
}


class Supposed(Asked):
    """What the form on the page asks for; what is left empty there is not asked."""

    model_config = ConfigDict(extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _without_empty(cls, sent: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in sent.items() if value != ""}


class SupposingRoute(CostlyRoute):
    """A page that tells how long what is supposed would take; without that it is a page like all."""

    @classmethod
    def is_costly(cls, request: Request) -> bool:
        """Whether something is supposed."""
        asked = any(request.query_params.get(name) for name in Supposed.model_fields)
        return asked and super().is_costly(request)


class Outlook(NamedTuple):
    """An estimate, or what is left, or neither where there is nothing to say.

    `asked` is what was supposed for an estimate, where one may still be asked for, and `refused` why there
    is none. With `within` the form that asks for it is around.
    """

    estimate: EstimateOut | None = None
    eta: EtaOut | None = None
    asked: Asked | None = None
    refused: InvalidError | None = None
    within: bool = False
    bases: dict[Source, str] = BASES
    fits: dict[Fits, str] = FITS


def foreseen(session: Session, settings: Settings, plan: TournamentPlan, asked: Asked) -> Outlook:
    """What is said of a tournament that somebody thinks of."""
    try:
        estimate = estimates.of_plan(session, settings, plan, question_of(asked))
    except InvalidError as error:
        return Outlook(asked=asked, refused=error, within=True)
    return Outlook(estimate=estimate_of(estimate), asked=asked, within=True)


def outlook(request: Request, session: Session, tournament: Tournament, asked: Asked) -> Outlook:
    """What is said of a tournament now: of one that is over, or frozen, nothing."""
    settings = get_services(request).settings
    if frozen_since(request):
        return Outlook()
    if tournament.state in eta.BEGUN:
        kept: TtlCache[EtaOut] = request.app.state.kept_etas
        question = (tournament.id, tournament.state)
        return Outlook(eta=kept.answer(question, lambda: eta_of(eta.eta(session, settings, tournament))))
    if tournament.state not in ENTERING:
        return Outlook()
    try:
        estimate = estimates.of_tournament(session, settings, tournament, question_of(asked))
    except InvalidError as error:
        nothing_asked = not asked.model_dump(exclude_none=True)  # too few bots for the format, so far
        return Outlook(asked=asked, refused=None if nothing_asked else error)
    return Outlook(estimate=estimate_of(estimate), asked=asked)
