"""The organisers' page of whether a tournament's totals are those that its results add up to."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from arena.tournaments import audit
from arena.web.answers.tournaments import shown
from arena.web.http.visibility import Viewer
from arena.web.http.visited_routes import VisitedRoute
from arena.web.pages.managing import NOTHING_REFUSED, InManagement
from arena.web.pages.rendering import render

router = APIRouter(default_response_class=HTMLResponse, route_class=VisitedRoute)


@router.get("/manage/{name}/verification")
def verify_totals(management: InManagement) -> HTMLResponse:
    """Every difference between the totals that are kept and those recomputed; none when all is well."""
    return render(
        management.request,
        "verification.html",
        tournament=shown(management.session, Viewer(management.visitor), [management.tournament])[0],
        differences=audit.verify(management.session, management.tournament),
        **NOTHING_REFUSED,
    )
