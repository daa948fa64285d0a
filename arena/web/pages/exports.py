"""A tournament's games as files: as everybody may have them, and all of them for those who run it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from arena.core.terms import ExportFormat
from arena.web.answers.tournament_export import export_of
from arena.web.http.costly_routes import PublicExportRoute
from arena.web.http.dependencies import InTournament
from arena.web.http.download import Download
from arena.web.http.visibility import Viewer
from arena.web.http.visited_routes import VisitedExportRoute
from arena.web.pages.managing import InManagement

PUBLIC = Viewer(None)
public = APIRouter(route_class=PublicExportRoute)
managed = APIRouter(route_class=VisitedExportRoute)
Form = Annotated[ExportFormat, Query(alias="format")]


@public.get("/tournaments/{name}/export", response_class=Response)
def export(request: Request, tournament: InTournament, form: Form = ExportFormat.CSV) -> Download:
    """All matches as the public sees them."""
    return export_of(request, tournament, form, PUBLIC)


@managed.get("/manage/{name}/export", response_class=Response)
def export_all(management: InManagement, form: Form = ExportFormat.CSV) -> Download:
    """All matches, also behind a freeze, with what the bots wrote."""
    return export_of(management.request, management.tournament, form, Viewer(management.visitor))
