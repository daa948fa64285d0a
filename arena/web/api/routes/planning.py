"""The planner: does it fit, and when is it over?"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from arena.planning import estimates, eta
from arena.schemas.planning import MAX_BOTS, Asked, EstimateOut, EtaOut
from arena.schemas.plans import TournamentPlan
from arena.store.database import release
from arena.web.answers.planning import estimate_of, eta_of, question_of
from arena.web.http.costly_routes import AskingRoute, CostlyRoute
from arena.web.http.dependencies import Actor, InServices, InSession, InTournament
from arena.web.http.problems import documented

costly = APIRouter(tags=["planning"], responses=documented(202, 422, 429), route_class=CostlyRoute)
asking = APIRouter(tags=["planning"], responses=documented(202, 422, 429), route_class=AskingRoute)


class PlanToEstimate(TournamentPlan):
    """A tournament that somebody thinks of; it needs no name."""

    name: str = "plan"


class NewEstimate(Asked):
    """A plan, how many bots would take part, and what else is supposed."""

    plan: PlanToEstimate
    bots: int = Field(ge=2, le=MAX_BOTS)


@costly.get("/tournaments/{name}/estimate", responses=documented(404, 409))
def get_estimate(
    services: InServices, session: InSession, tournament: InTournament, asked: Annotated[Asked, Query()]
) -> EstimateOut:
    """Before the start: how many matches, how long they take, and whether that fits."""
    return estimate_of(estimates.of_tournament(session, services.settings, tournament, question_of(asked)))


@asking.post("/estimates", responses=documented(400, 401, 413))
def estimate_plan(services: InServices, session: InSession, actor: Actor, new: NewEstimate) -> EstimateOut:
    """The same for a plan that is not a tournament yet; nothing is created."""
    del actor  # whoever has a token may ask
    release(session)  # it may take a while, and writes nothing
    with services.database.reading() as reading:
        return estimate_of(estimates.of_plan(reading, services.settings, new.plan, question_of(new)))


@costly.get("/tournaments/{name}/eta", responses=documented(404, 409))
def get_eta(services: InServices, session: InSession, tournament: InTournament) -> EtaOut:
    """While it runs: how long it still takes, and how sure that is."""
    return eta_of(eta.eta(session, services.settings, tournament))
