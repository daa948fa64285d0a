"""Seasons: tournaments that are counted together."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from arena.results import seasons
from arena.schemas.paging import Page
from arena.schemas.seasons import NewSeason, SeasonChange, SeasonListed, SeasonTable
from arena.store.models import Season
from arena.web.answers.seasons import csv_lines, listed, table_of
from arena.web.api.routes.report import CSV
from arena.web.http.dependencies import PUBLIC, InSession, InViewer, Staff
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, csv_file, page_of

PATH = "/seasons/{season}"
router = APIRouter(tags=["seasons"], responses=documented(422))


def get_named_season(session: InSession, season: Annotated[str, Path(examples=["spring-2030"])]) -> Season:
    """The season that the path names."""
    return seasons.get(session, season)


InSeason = Annotated[Season, Depends(get_named_season)]


@router.get("/seasons", response_model=Page[SeasonListed], responses=NOT_MODIFIED)
def list_seasons(request: Request, session: InSession, part: Part) -> Response:
    """All seasons, newest first."""
    rows, total = seasons.list_seasons(session, part.offset, part.limit)
    return conditional(request, page_of(listed(session, rows), total, part))


@router.post("/seasons", status_code=201, responses=documented(400, 401, 403, 404, 409, 413))
def create_season(session: InSession, staff: Staff, new: NewSeason) -> SeasonTable:
    """Make a season of tournaments that one runs."""
    return table_of(session, seasons.create(session, staff, new), staff)


@router.get(
    "/me/seasons", response_model=Page[SeasonListed], responses={**NOT_MODIFIED, **documented(401, 403)}
)
def list_own_seasons(request: Request, session: InSession, staff: Staff, part: Part) -> Response:
    """The seasons that one runs, newest first."""
    rows, total = seasons.list_own(session, staff, part.offset, part.limit)
    return conditional(request, page_of(listed(session, rows), total, part))


@router.get(
    PATH,
    response_model=SeasonTable,
    responses={**NOT_MODIFIED, **documented(401, 404)},
    openapi_extra=PUBLIC,
)
def get_season(request: Request, session: InSession, viewer: InViewer, season: InSeason) -> Response:
    """A season and its table; the staff of a frozen tournament sees it counted before its reveal."""
    return conditional(request, table_of(session, season, viewer.user))


@router.get(
    PATH + "/table.csv",
    response_class=Response,
    responses={**CSV, **documented(401, 404)},
    openapi_extra=PUBLIC,
)
def get_season_csv(session: InSession, viewer: InViewer, season: InSeason) -> Response:
    """The same table for a spreadsheet."""
    return csv_file(csv_lines(table_of(session, season, viewer.user)), f"{season.name}-season")


@router.put(PATH, responses=documented(400, 401, 403, 404, 413))
def change_season(session: InSession, staff: Staff, season: InSeason, wanted: SeasonChange) -> SeasonTable:
    """Give a season another title, other tournaments, or another way of counting."""
    seasons.change(session, staff, season, wanted)
    return table_of(session, season, staff)


@router.delete(PATH, status_code=204, responses=documented(401, 403, 404))
def remove_season(session: InSession, staff: Staff, season: InSeason) -> None:
    """Remove a season; its tournaments stay."""
    seasons.remove(session, staff, season)
