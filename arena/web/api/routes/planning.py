"""The planner: does it fit, and when is it over?"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from arena.planning import estimates, eta
from arena.store.database import release
from arena.web.http.dependencies import Actor, InServices, InSession, InTournament
from arena.web.http.problems import documented
from arena.web.schemas.planning import Asked, EstimateOut, EtaOut, NewEstimate

router = APIRouter(tags=["planning"], responses=documented(422))


@router.get("/tournaments/{name}/estimate", responses=documented(404, 409))
def get_estimate(
    services: InServices, session: InSession, tournament: InTournament, asked: Annotated[Asked, Query()]
) -> EstimateOut:
    """Before the start: how many matches, how long they take, and whether that fits."""
    return EstimateOut.of(estimates.of_tournament(session, services.settings, tournament, asked.question))


@router.post("/estimates", responses=documented(400, 401, 413))
def estimate_plan(services: InServices, session: InSession, actor: Actor, new: NewEstimate) -> EstimateOut:
    """The same for a plan that is not a tournament yet; nothing is created."""
    del actor  # whoever has a token may ask
    release(session)  # it may take a while, and writes nothing
    with services.database.reading() as reading:
        return EstimateOut.of(estimates.of_plan(reading, services.settings, new.plan, new.question))


@router.get("/tournaments/{name}/eta", responses=documented(404, 409))
def get_eta(services: InServices, session: InSession, tournament: InTournament) -> EtaOut:
    """While it runs: how long it still takes, and how sure that is."""
    return EtaOut.of(eta.eta(session, services.settings, tournament))
