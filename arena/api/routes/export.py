"""A tournament to take home."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from arena import tournaments
from arena.api.dependencies import PUBLIC, InServices, InTournament, InViewer
from arena.api.export import csv_lines, record_lines
from arena.api.problems import documented

router = APIRouter(tags=["tournaments"], responses=documented(401, 404, 422))

LINES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A line a match.",
        "content": {
            "text/csv": {"schema": {"type": "string"}},
            "application/jsonl": {"schema": {"type": "string"}},
        },
    }
}


class ExportFormat(StrEnum):
    """`csv`: every match in a table. `jsonl`: the whole record of every finished match."""

    CSV = "csv"
    JSONL = "jsonl"


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
    """All matches of a tournament: a table for a spreadsheet, or record lines to show and replay."""

    def lines() -> Iterator[str]:
        with services.database.reading() as session:
            found = tournaments.get(session, tournament.name)
            if format is ExportFormat.CSV:
                yield from csv_lines(session, found)
            else:
                yield from record_lines(session, found, viewer)

    media_type = {ExportFormat.CSV: "text/csv; charset=utf-8", ExportFormat.JSONL: "application/jsonl"}[
        format
    ]
    name = f'attachment; filename="{tournament.name}.{format}"'
    return StreamingResponse(lines(), media_type=media_type, headers={"Content-Disposition": name})
