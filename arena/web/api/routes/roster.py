"""Rosters: a whole class is let in at once."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, UploadFile

from arena.interchange.roster import Encoding, read_roster
from arena.people import classes, rosters
from arena.schemas.roster import AdmissionOut, RosterOut
from arena.web.answers.copying import copied
from arena.web.http.dependencies import InSession, Staff
from arena.web.http.problems import documented

router = APIRouter(tags=["users"], responses=documented(422))


@router.post("/roster", responses=documented(400, 401, 403, 404, 409, 413))
def import_roster(
    *,
    session: InSession,
    staff: Staff,
    file: UploadFile,
    dry_run: Annotated[bool, Query(description="Only say what would be done.")] = False,
    encoding: Annotated[
        Encoding, Query(description="How the file's characters are written.")
    ] = Encoding.UTF_8,
    class_name: Annotated[
        str | None,
        Query(max_length=60, description="The new users' class; an organiser names one of theirs."),
    ] = None,
) -> RosterOut:
    """Let everybody in whom a CSV file names, in columns `user`, `team`, `role` and `bot`: all or nobody.

    With `user` and `team` a line is a member of a team; teams are made where they are not there.

    New users get a token, shown this once. Users who are there already stay as they are.
    """
    roster = read_roster(file.file.read(), encoding)
    school_class = classes.chosen(session, staff, class_name)
    admitted = rosters.admit(session, staff, roster, dry_run=dry_run, school_class=school_class)
    return RosterOut(
        dry_run=dry_run,
        columns=roster.columns,
        ignored=list(roster.ignored),
        warnings=[f"line {number}: {warning}" for number, warning in roster.warnings],
        items=[copied(AdmissionOut, admission) for admission in admitted],
    )
