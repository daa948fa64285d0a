"""Grading: the scheme of a tournament, who gets what by it, and what the teams are told."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.results import grading
from arena.schemas.grading import GradingOut, NewRelease, OwnGradeOut, SchemeIn
from arena.schemas.paging import Page
from arena.web.answers.grading import csv_lines, grading_of, own_grade_of
from arena.web.api.routes.report import CSV
from arena.web.http.dependencies import InSession, InTournament, Player, Runner
from arena.web.http.problems import documented
from arena.web.http.responses import NOT_MODIFIED, Part, conditional, csv_file, part_of

PATH = "/tournaments/{name}/grading"
router = APIRouter(tags=["grading"], responses=documented(401, 403, 422))


@router.get(PATH, response_model=GradingOut, responses={**NOT_MODIFIED, **documented(404)})
def get_grading(request: Request, session: InSession, _staff: Runner, tournament: InTournament) -> Response:
    """How a tournament is graded, who gets what as it stands, and what its teams were told."""
    return conditional(request, grading_of(session, tournament))


@router.put(PATH, responses=documented(400, 404, 413))
def set_grading(session: InSession, staff: Runner, tournament: InTournament, scheme: SchemeIn) -> GradingOut:
    """Set how a tournament is graded; what its teams were told stays until grades are released anew."""
    grading.set_scheme(session, staff, tournament, scheme)
    return grading_of(session, tournament)


@router.post(PATH + "/preview", responses=documented(400, 404, 413))
def preview_grading(
    session: InSession, _staff: Runner, tournament: InTournament, scheme: SchemeIn
) -> GradingOut:
    """Who would get what by a scheme, which is not kept."""
    grading.check(session, tournament, scheme)
    return grading_of(session, tournament, scheme)


@router.post(PATH + "/release", status_code=201, responses=documented(400, 404, 409, 413))
def release_grades(
    session: InSession, staff: Runner, tournament: InTournament, new: NewRelease
) -> GradingOut:
    """Tell every team its grade, as it is now; what was told before stays to be read."""
    grading.release(session, staff, tournament, new.reason)
    return grading_of(session, tournament)


@router.get(PATH + ".csv", response_class=Response, responses={**CSV, **documented(404)})
def get_grades_csv(session: InSession, _staff: Runner, tournament: InTournament) -> Response:
    """The grades as they are now, for a spreadsheet."""
    return csv_file(csv_lines(grading_of(session, tournament).grades), f"{tournament.name}-grades")


@router.get("/me/grades", response_model=Page[OwnGradeOut], responses=NOT_MODIFIED)
def list_own_grades(request: Request, session: InSession, player: Player, part: Part) -> Response:
    """What one's team was told of its grades, the last first."""
    rows = [own_grade_of(each) for each in grading.own_grades(session, player.account_id)]
    return conditional(request, part_of(rows, part))
