"""Grades, and their lines of CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy.orm import Session

from arena.interchange.tables import BOM, csv_line
from arena.results import grading
from arena.results.grading import OwnGrade
from arena.schemas.grading import GradeOut, GradingOut, OwnGradeOut, ReleaseOut, SchemeIn
from arena.store import grading as store
from arena.store.models import Tournament

COLUMNS = ("team", "points", "place", "teams", "bot", "games", "base")


def grading_of(session: Session, tournament: Tournament, scheme: SchemeIn | None = None) -> GradingOut:
    """How a tournament is graded: by the scheme that was set, or by one that is only looked at."""
    kept = grading.scheme_of(session, tournament)
    by = scheme or kept or SchemeIn()
    grades = grading.grades(session, tournament, by)
    rows = store.releases(session, tournament, grading.MAX_RELEASES)
    return GradingOut(
        tournament=tournament.name,
        state=tournament.state,
        scheme=scheme or kept,
        grades=grades,
        releases=[
            ReleaseOut(number=each.release.number, at=each.release.at, by=each.by, reason=each.release.reason)
            for each in rows
        ],
        changed=grading.changed(session, rows[0].release, grades) if rows else [],
    )


def own_grade_of(own: OwnGrade) -> OwnGradeOut:
    """What a team was told."""
    cup = own.release.tournament
    return OwnGradeOut(
        tournament=cup.name,
        title=cup.title,
        release=own.release.number,
        at=own.release.at,
        reason=own.release.reason,
        before=None if own.before is None else float(own.before),
        grade=own.grade,
    )


def csv_lines(grades: Sequence[GradeOut]) -> Iterator[str]:
    """Grades for a spreadsheet: a heading, then a line a team, with what each point is for."""
    asked = [(each.bot, each.share) for each in grades[0].passed] if grades else []
    names = [f"vs {bot} {share:f}" for bot, share in asked]
    compared = [f"{what} {name}" for name in names for what in ("made", "games", "points")]
    yield BOM + csv_line([*COLUMNS, *compared, "band", "points band", "limited", "disqualified"])
    for grade in grades:
        told = grade.model_dump(mode="json")
        cells = [told[name] for name in COLUMNS]
        for each in told["passed"]:
            cells += [each["made"], each["games"], each["points"]]
        band = grade.band
        cells += ["", ""] if band is None else [f"{band.up_to} {band.unit}", float(band.points)]
        yield csv_line([*cells, int(grade.limited), int(grade.disqualified)])
