"""A tournament to take home."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from arena.core.terms import ExportFormat
from arena.tournaments import lifecycle
from arena.web.api.export import check_format, lines
from arena.web.http.dependencies import PUBLIC, InServices, InTournament, InViewer
from arena.web.http.download import Download, Texts
from arena.web.http.problems import documented

router = APIRouter(tags=["tournaments"], responses=documented(401, 404, 409, 422))

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
    services: InServices,
    viewer: InViewer,
    tournament: InTournament,
    format: Annotated[ExportFormat, Query()] = ExportFormat.CSV,  # noqa: A002  (the parameter's public name)
) -> Download:
    """All matches of a tournament: for a spreadsheet, to show and replay, or for other programs."""
    check_format(tournament, format)

    def pieces() -> Texts:
        with services.database.reading() as session:
            yield from lines(session, lifecycle.get(session, tournament.name), format, viewer)

    media_type = MEDIA_TYPES[format]
    charset = "" if media_type.startswith("application/") else "; charset=utf-8"
    filename = f"{tournament.name}.{TEXTS.get(format, format)}"
    return Download(services.downloads, pieces, filename, f"{media_type}{charset}")
