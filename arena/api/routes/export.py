"""A tournament to take home."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from arena import tournaments
from arena.api.dependencies import PUBLIC, InServices, InTournament, InViewer
from arena.api.export import ExportFormat, check_format, lines
from arena.api.problems import documented

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
    response_class=StreamingResponse,
    responses=LINES,
    openapi_extra=PUBLIC,
)
def export_tournament(
    services: InServices,
    viewer: InViewer,
    tournament: InTournament,
    format: Annotated[ExportFormat, Query()] = ExportFormat.CSV,  # noqa: A002  (the parameter's public name)
) -> StreamingResponse:
    """All matches of a tournament: for a spreadsheet, to show and replay, or for other programs."""
    check_format(tournament, format)

    def pieces() -> Iterator[str]:
        with services.database.reading() as session:
            yield from lines(session, tournaments.get(session, tournament.name), format, viewer)

    told = pieces()
    first = next(told, "")
    media_type = MEDIA_TYPES[format]
    charset = "" if media_type.startswith("application/") else "; charset=utf-8"
    name = f'attachment; filename="{tournament.name}.{TEXTS.get(format, format)}"'
    return StreamingResponse(
        chain((first,), told), media_type=f"{media_type}{charset}", headers={"Content-Disposition": name}
    )
