"""The story of a tournament: what was done to it, an act a line."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from arena.core.terms import Acts
from arena.results import story
from arena.schemas.paging import Page
from arena.schemas.story import ActOut, PartOut
from arena.web.answers.story import ENGLISH, act_of, csv_lines, part_of
from arena.web.api.routes.report import CSV
from arena.web.http.dependencies import InSession, InTournament, Runner
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, csv_file, page_of

PATH = "/tournaments/{name}/story"
router = APIRouter(tags=["amendments"], responses=documented(401, 403, 404, 422))

Which = Annotated[Acts, Query(description="Those of people, of the arena itself, or that change results.")]
Number = Annotated[int, Path(ge=1, lt=2**31, examples=[1])]


@router.get(PATH, response_model=Page[ActOut], responses=NOT_MODIFIED)
def get_story(
    *,
    request: Request,
    session: InSession,
    _staff: Runner,
    tournament: InTournament,
    part: Part,
    which: Which = Acts.ALL,
) -> Response:
    """What was done to a tournament, the last first, each act once; the daily round is left out."""
    rows, total = story.acts(session, tournament, which, part.offset, part.limit)
    return conditional(request, page_of([act_of(act) for act in rows], total, part))


@router.get(PATH + "/{number}", response_model=Page[PartOut], responses=NOT_MODIFIED)
def get_act(
    *,
    request: Request,
    session: InSession,
    _staff: Runner,
    tournament: InTournament,
    number: Number,
    part: Part,
) -> Response:
    """The events of one act, in order."""
    act = story.act(session, tournament, number)
    rows = [part_of(each, act.names) for each in story.parts(session, act, part.offset, part.limit)]
    return conditional(request, page_of(rows, act.size, part))


@router.get(PATH + ".csv", response_class=Response, responses=CSV)
def get_story_csv(
    session: InSession, _staff: Runner, tournament: InTournament, which: Which = Acts.ALL
) -> Response:
    """All of it for a spreadsheet, the first first."""
    lines = csv_lines(story.all_acts(session, tournament, which), ENGLISH)
    return csv_file(lines, f"{tournament.name}-story")
