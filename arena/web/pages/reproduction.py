"""The report on the documents: all five, and each with everything that it says beside what came out here."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import HTMLResponse

from arena.documents.inventory import ClaimKind, Standing
from arena.schemas.reproduction import ClaimOut, ExhibitOut
from arena.web.answers.reproduction import document_of, documents_of, figure_of
from arena.web.http.dependencies import InServices
from arena.web.pages.rendering import render
from arena.web.pages.wording import N_

VERDICTS = {
    "agrees exactly": N_("agrees exactly"),
    "agrees within error": N_("agrees within error"),
    "differs": N_("differs"),
    "contradicts itself": N_("contradicts itself"),
}
MARKS = {"differs": "differs", "contradicts itself": "slip"}
STANDINGS = {
    Standing.REPRODUCED: N_("reproduced"),
    Standing.CONTRADICTED: N_("contradicted"),
    Standing.WORKS: N_("works as"),
    Standing.UNKNOWN: N_("cannot be known"),
}
KINDS = {
    ClaimKind.TABLE: N_("table"),
    ClaimKind.FIGURE: N_("figure"),
    ClaimKind.BOARD: N_("board"),
    ClaimKind.NUMBER: N_("number"),
    ClaimKind.CLAIM: N_("statement"),
    ClaimKind.OPTION: N_("program"),
}
METHODS = {
    "exact count": N_("exact count"),
    "arithmetic from the document's own figures": N_("from the document's own figures"),
    "exact binomial test": N_("exact binomial test"),
    "chi-square test of a standard deviation": N_("chi-square test"),
    "prediction from repeated record sets (t)": N_("prediction from record sets (t)"),
}
EFFORT = {
    "record_sets": N_("record sets a cell"),
    "set_games": N_("games a set"),
    "reversi_games": N_("Reversi games a seat"),
    "person_games": N_("games for each number of hints"),
    "million_sets": N_("sets of 1,000,000 records"),
}
"""What was played, by the names that the report has for it."""
DRAWN = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cache-Control": "no-cache",
}
"""A drawing styles itself, and can do nothing else."""
Key = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,80}$")]
router = APIRouter(default_response_class=HTMLResponse)


@router.get("/reproduction")
def show_all(request: Request, services: InServices) -> HTMLResponse:
    """The documents, how many of their figures agree, and what became of their claims."""
    documents = documents_of(services.settings.data_dir)
    return render(
        request,
        "reproduction.html",
        documents=[(each, standings(each.claims)) for each in documents],
        verdicts=VERDICTS,
        standings=STANDINGS,
    )


@router.get("/reproduction/{document}")
def show(request: Request, services: InServices, document: str) -> HTMLResponse:
    """One document: its tables beside ours, the figures, and every claim with what does it now."""
    told = document_of(services.settings.data_dir, document)
    return render(
        request,
        "reproduction_document.html",
        document=told,
        counts=standings(told.claims),
        exhibits=[(each, marks(each)) for each in told.computed.exhibits] if told.computed else [],
        verdicts=VERDICTS,
        standings=STANDINGS,
        kinds=KINDS,
        methods=METHODS,
        effort=EFFORT,
    )


@router.get("/reproduction/{document}/figures/{key}.svg", response_class=Response)
def show_figure(services: InServices, document: str, key: Key) -> Response:
    """A drawing of the report."""
    drawn = figure_of(services.settings.data_dir, document, key)
    return Response(drawn, media_type="image/svg+xml", headers=DRAWN)


def standings(claims: list[ClaimOut]) -> dict[Standing | None, int]:
    """How many claims came to each standing; None are those that have to be computed."""
    all_of = [claim.standing for claim in claims]
    return {standing: all_of.count(standing) for standing in (*Standing, None)}


def marks(exhibit: ExhibitOut) -> dict[tuple[int, int], str]:
    """The cells of the document's table that are not confirmed, each with the name of its mark."""
    return {
        each.cell: MARKS[each.verdict]
        for each in exhibit.comparisons
        if each.cell is not None and each.verdict in MARKS
    }
