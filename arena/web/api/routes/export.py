"""A tournament to take home."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from arena.core.terms import ExportFormat
from arena.web.answers.tournament_export import MEDIA_TYPES, export_of
from arena.web.http.costly_routes import ExportRoute
from arena.web.http.dependencies import PUBLIC, InTournament, InViewer
from arena.web.http.download import Download
from arena.web.http.problems import documented

router = APIRouter(
    tags=["tournaments"], responses=documented(202, 401, 404, 409, 422, 429), route_class=ExportRoute
)

LINES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The tournament in lines.",
        "content": {kind: {"schema": {"type": "string"}} for kind in sorted(set(MEDIA_TYPES.values()))},
    }
}


@router.get(
    "/tournaments/{name}/export",
    response_class=Response,
    responses=LINES,
    openapi_extra=PUBLIC,
)
def export_tournament(
    request: Request,
    viewer: InViewer,
    tournament: InTournament,
    format: Annotated[ExportFormat, Query()] = ExportFormat.CSV,  # noqa: A002  (the parameter's public name)
) -> Download:
    """All matches of a tournament: for a spreadsheet, to show and replay, or for other programs."""
    return export_of(request, tournament, format, viewer)
