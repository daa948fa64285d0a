"""How alike the bots of a class or a tournament are, for whoever runs it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from arena.results import likeness
from arena.results.likeness import USUAL_THRESHOLD
from arena.schemas.likeness import LikenessOut, SideBySide
from arena.web.answers.likeness import likeness_of, side_by_side_of
from arena.web.http.costly_routes import PersonalRoute
from arena.web.http.dependencies import InClass, InServices, InSession, InTournament, Runner, Staff
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, conditional

router = APIRouter(responses=documented(202, 401, 403, 404, 422, 429), route_class=PersonalRoute)
Threshold = Annotated[
    float, Query(ge=0.1, le=1, description="How alike a pair has to be to be listed, from 0.1 to 1.")
]


@router.get(
    "/tournaments/{name}/likeness",
    response_model=LikenessOut,
    responses=NOT_MODIFIED,
    tags=["tournaments"],
)
def get_likeness(
    *,
    request: Request,
    services: InServices,
    session: InSession,
    staff: Runner,
    tournament: InTournament,
    threshold: Threshold = USUAL_THRESHOLD,
) -> Response:
    """The pairs of different teams' bots in a tournament that have much of their source in common."""
    versions = likeness.versions_of_tournament(session, tournament)
    found = likeness.likeness(services.archives, staff, versions, threshold)
    return conditional(request, likeness_of(found, threshold))


@router.get(
    "/tournaments/{name}/likeness/{first}/{second}",
    response_model=SideBySide,
    responses=NOT_MODIFIED,
    tags=["tournaments"],
)
def get_side_by_side(
    *,
    request: Request,
    services: InServices,
    session: InSession,
    staff: Runner,
    tournament: InTournament,
    first: str,
    second: str,
) -> Response:
    """Two bots of a tournament with their source, and what of it is the same in both."""
    versions = likeness.versions_of_tournament(session, tournament)
    return conditional(
        request, side_by_side_of(*likeness.two(services.archives, staff, versions, first, second))
    )


@router.get("/classes/{name}/likeness", response_model=LikenessOut, responses=NOT_MODIFIED, tags=["classes"])
def get_class_likeness(
    *,
    request: Request,
    services: InServices,
    session: InSession,
    staff: Staff,
    school_class: InClass,
    threshold: Threshold = USUAL_THRESHOLD,
) -> Response:
    """The pairs of different teams' bots in a class, each by its newest version, that have much in common."""
    versions = likeness.versions_of_class(session, school_class)
    found = likeness.likeness(services.archives, staff, versions, threshold)
    return conditional(request, likeness_of(found, threshold))


@router.get(
    "/classes/{name}/likeness/{first}/{second}",
    response_model=SideBySide,
    responses=NOT_MODIFIED,
    tags=["classes"],
)
def get_class_side_by_side(
    *,
    request: Request,
    services: InServices,
    session: InSession,
    staff: Staff,
    school_class: InClass,
    first: str,
    second: str,
) -> Response:
    """Two bots of a class with their source, and what of it is the same in both."""
    versions = likeness.versions_of_class(session, school_class)
    return conditional(
        request, side_by_side_of(*likeness.two(services.archives, staff, versions, first, second))
    )
