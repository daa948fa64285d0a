"""The documents that the arena began with, what they say, and what came out here."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from arena.schemas.reproduction import DocumentOut
from arena.web.answers.reproduction import document_of
from arena.web.http.dependencies import InServices
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, conditional

router = APIRouter(tags=["experiments"], responses=documented(422))


@router.get(
    "/reproduction/{document}", response_model=DocumentOut, responses={**NOT_MODIFIED, **documented(404)}
)
def get_document(
    request: Request, services: InServices, document: Annotated[str, Path(examples=["nim"])]
) -> Response:
    """A document: every claim with what became of it, and its tables beside ours where they were computed."""
    return conditional(request, document_of(services.settings.data_dir, document))
