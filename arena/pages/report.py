"""The page of a class report, for printing: the same figures that everybody can read in tables and games."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from arena.api.dependencies import InSession, InTournament
from arena.api.routes.report import References, Thresholds, report_of
from arena.api.routes.tournaments import shown
from arena.api.visibility import Viewer
from arena.pages.rendering import render

SHARES = [step / 20 for step in range(1, 21)]
"""Thresholds that the form offers, as shares of the points."""

router = APIRouter(default_response_class=HTMLResponse)


@router.get("/tournaments/{name}/report")
def show_report(
    *,
    request: Request,
    session: InSession,
    tournament: InTournament,
    thresholds: Thresholds = (),
    references: References = (),
) -> HTMLResponse:
    """The class report; who knows the thresholds can ask for verdicts by the form or in the address."""
    (plan,) = shown(session, Viewer(None), [tournament])
    asked = [threshold for threshold in thresholds if threshold]  # the form sends "" for none
    report = report_of(session, tournament, asked, references)
    bots = sorted([line.bot for line in report.items] + [reference.bot for reference in report.references])
    return render(request, "report.html", tournament=plan, report=report, bots=bots, shares=SHARES)
