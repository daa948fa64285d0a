"""A tournament to take home."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from arena.core.terms import OVER, ExportFormat
from arena.store import stamps
from arena.tournaments import lifecycle
from arena.web.api.export import check_format, lines
from arena.web.http import freezing
from arena.web.http.answer_cache import cacheable
from arena.web.http.costly_routes import ExportRoute
from arena.web.http.dependencies import PUBLIC, InServices, InTournament, InViewer
from arena.web.http.download import Download, Texts
from arena.web.http.problems import documented

router = APIRouter(
    tags=["tournaments"], responses=documented(202, 401, 404, 409, 422, 429), route_class=ExportRoute
)

MEDIA_TYPES = {
    ExportFormat.CSV: "text/csv",
    ExportFormat.JSONL: "application/jsonl",
    ExportFormat.PGN: "application/vnd.chess-pgn",
    ExportFormat.GGF: "text/plain",
    ExportFormat.TRF: "text/plain",
    ExportFormat.TRANSCRIPTS: "text/plain",
}
TEXTS = {ExportFormat.TRANSCRIPTS: "txt"}
"""Endings of file names that are not the format's own name."""
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
    services: InServices,
    viewer: InViewer,
    tournament: InTournament,
    format: Annotated[ExportFormat, Query()] = ExportFormat.CSV,  # noqa: A002  (the parameter's public name)
) -> Download:
    """All matches of a tournament: for a spreadsheet, to show and replay, or for other programs."""
    check_format(tournament, format)

    def pieces() -> Texts:
        with freezing.reading(request, services.database) as session:
            now = lifecycle.get(session, tournament.name)
            if viewer.user is None and (format is not ExportFormat.CSV or now.state in OVER):
                cacheable(request, stamps.of_tournament(session, now))  # a CSV tells of what is being played
            yield from lines(session, now, format, viewer)

    media_type = MEDIA_TYPES[format]
    charset = "" if media_type.startswith("application/") else "; charset=utf-8"
    filename = f"{tournament.name}.{TEXTS.get(format, format)}"
    return Download(pieces, filename, f"{media_type}{charset}")
