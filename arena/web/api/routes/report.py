"""The class report of a tournament, for the staff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field
from sqlalchemy.orm import Session

from arena.results.class_report import class_report, thresholds_of
from arena.schemas.report import ClassReportOut
from arena.store.models import Tournament
from arena.web.answers.report import class_report_of, csv_lines
from arena.web.http.costly_routes import PersonalRoute
from arena.web.http.dependencies import InSession, InTournament, Runner
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, conditional, csv_file

CSV: dict[int | str, dict[str, Any]] = {
    200: {"description": "A line a bot.", "content": {"text/csv": {"schema": {"type": "string"}}}}
}

router = APIRouter(
    tags=["tournaments"], responses=documented(202, 401, 403, 404, 422, 429), route_class=PersonalRoute
)

Thresholds = Annotated[
    Sequence[Annotated[str, Field(json_schema_extra={"pattern": r"^.+=(0(\.[0-9]+)?|1(\.0+)?)$"})]],
    Query(
        alias="threshold",
        description="`BOT=SHARE`: the least share of the points against that bot that passes; repeatable.",
        examples=[["random=0.9"]],
    ),
]
References = Annotated[
    Sequence[str],
    Query(
        alias="reference",
        description="A bot that others are measured by; may be repeated. Where none is named, the staff's.",
    ),
]


@router.get("/tournaments/{name}/report", response_model=ClassReportOut, responses=NOT_MODIFIED)
def get_class_report(
    *,
    request: Request,
    session: InSession,
    _staff: Runner,
    tournament: InTournament,
    thresholds: Thresholds = (),
    references: References = (),
) -> Response:
    """What every bot of the class made: place, games, forfeits, time, and results against reference bots."""
    return conditional(request, report_of(session, tournament, thresholds, references))


@router.get("/tournaments/{name}/report.csv", response_class=Response, responses=CSV)
def get_class_report_csv(
    *,
    session: InSession,
    _staff: Runner,
    tournament: InTournament,
    thresholds: Thresholds = (),
    references: References = (),
) -> Response:
    """The same for a spreadsheet."""
    lines = csv_lines(report_of(session, tournament, thresholds, references))
    return csv_file(lines, f"{tournament.name}-report")


def report_of(
    session: Session, tournament: Tournament, thresholds: Sequence[str], references: Sequence[str]
) -> ClassReportOut:
    """The report with these thresholds and reference bots."""
    told = class_report(session, tournament, thresholds=thresholds_of(thresholds), references=references)
    return class_report_of(tournament, told)
