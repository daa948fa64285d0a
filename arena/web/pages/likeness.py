"""The staff's pages of how alike bots are: pairs above a threshold, and two bots side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from arena.results import likeness
from arena.results.likeness import USUAL_THRESHOLD
from arena.store.models import BotVersion, User
from arena.web.answers.likeness import likeness_of, side_by_side_of
from arena.web.answers.people import class_of
from arena.web.answers.tournaments import shown
from arena.web.http.dependencies import InServices, InSession, Services
from arena.web.http.visibility import Viewer
from arena.web.http.visited_routes import VisitedRoute
from arena.web.http.web_sessions import StaffVisitor, VisitedClass
from arena.web.pages.managing import NOTHING_REFUSED, InManagement, ManagementRequest
from arena.web.pages.rendering import render

Percent = Annotated[int, Query(ge=10, le=100)]
USUAL_PERCENT = round(100 * USUAL_THRESHOLD)
router = APIRouter(default_response_class=HTMLResponse, route_class=VisitedRoute)


def _pairs(services: Services, visitor: User, versions: Sequence[BotVersion], percent: int) -> dict[str, Any]:
    threshold = percent / 100
    found = likeness.likeness(services.archives, visitor, versions, threshold)
    return {"found": likeness_of(found, threshold), "percent": percent}


def _tournament(management: ManagementRequest) -> dict[str, Any]:
    told = shown(management.session, Viewer(management.visitor), [management.tournament])[0]
    return {
        "tournament": told,
        "school_class": None,
        "base": f"{management.home}/likeness",
        **NOTHING_REFUSED,
    }


def _class(school_class: VisitedClass) -> dict[str, Any]:
    base = f"/classes/{quote(school_class.name)}/likeness"
    return {"tournament": None, "school_class": class_of(school_class), "base": base, **NOTHING_REFUSED}


@router.get("/manage/{name}/likeness")
def of_tournament(
    management: InManagement, services: InServices, percent: Percent = USUAL_PERCENT
) -> HTMLResponse:
    """The pairs of bots in a tournament that have much in common."""
    versions = likeness.versions_of_tournament(management.session, management.tournament)
    pairs = _pairs(services, management.visitor, versions, percent)
    return render(management.request, "likeness.html", **_tournament(management), **pairs)


@router.get("/manage/{name}/likeness/{first}/{second}")
def two_of_tournament(
    management: InManagement, services: InServices, first: str, second: str
) -> HTMLResponse:
    """Two bots of a tournament side by side."""
    versions = likeness.versions_of_tournament(management.session, management.tournament)
    pair = side_by_side_of(*likeness.two(services.archives, management.visitor, versions, first, second))
    return render(management.request, "side_by_side.html", **_tournament(management), pair=pair)


@router.get("/classes/{name}/likeness")
def of_class(
    *,
    request: Request,
    session: InSession,
    services: InServices,
    visitor: StaffVisitor,
    school_class: VisitedClass,
    percent: Percent = USUAL_PERCENT,
) -> HTMLResponse:
    """The pairs of bots in a class that have much in common, each by its newest version."""
    versions = likeness.versions_of_class(session, school_class)
    pairs = _pairs(services, visitor, versions, percent)
    return render(request, "likeness.html", **_class(school_class), **pairs)


@router.get("/classes/{name}/likeness/{first}/{second}")
def two_of_class(
    *,
    request: Request,
    session: InSession,
    services: InServices,
    visitor: StaffVisitor,
    school_class: VisitedClass,
    first: str,
    second: str,
) -> HTMLResponse:
    """Two bots of a class side by side."""
    versions = likeness.versions_of_class(session, school_class)
    pair = side_by_side_of(*likeness.two(services.archives, visitor, versions, first, second))
    return render(request, "side_by_side.html", **_class(school_class), pair=pair)
