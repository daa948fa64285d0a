"""The page of a class report, for printing: the same figures that everybody can read in tables and games."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from arena.api.dependencies import InSession, InTournament
from arena.api.routes.report import References, Thresholds, report_of
from arena.api.routes.tournaments import shown
from arena.api.visibility import Viewer
from arena.pages.rendering import render

router = APIRouter(default_response_class=HTMLResponse)


@router.get("/tournaments/{name}/report")
def show_report(
    *,
    request: Request,
    session: InSession,
    tournament: InTournament,
    thresholds: Thresholds = [],  # noqa: B006  (FastAPI copies it)
    references: References = [],  # noqa: B006
) -> HTMLResponse:
    """The class report; who knows the thresholds can ask for verdicts in the address."""
    (plan,) = shown(session, Viewer(None), [tournament])
    report = report_of(session, tournament, thresholds, references)
    return render(request, "report.html", tournament=plan, report=report)
