"""Seasons, and their table as lines of CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy.orm import Session

from arena.interchange.tables import BOM, csv_line
from arena.people import classes
from arena.results import seasons
from arena.results.seasons import Counted, Table
from arena.schemas.seasons import (
    MadeOut,
    SeasonLineOut,
    SeasonListed,
    SeasonOut,
    SeasonTable,
    SeasonTournamentOut,
)
from arena.store import seasons as store
from arena.store.models import Season, User
from arena.theory.standings.season import SeasonLine

DIGITS = 4


def listed(session: Session, rows: Sequence[Season]) -> list[SeasonListed]:
    """Seasons with how many tournaments they have."""
    counts = store.counts(session, [row.id for row in rows])
    return [SeasonListed(name=row.name, title=row.title, tournaments=counts.get(row.id, 0)) for row in rows]


def table_of(session: Session, season: Season, viewer: User | None) -> SeasonTable:
    """The table of a season as `viewer` may see it."""
    table = seasons.table(session, season, viewer)
    return SeasonTable(season=_season(session, table), items=[_line(line) for line in table.lines])


def _season(session: Session, table: Table) -> SeasonOut:
    season = table.season
    return SeasonOut(
        name=season.name,
        title=season.title,
        class_name=classes.name_of(session, season.class_id),
        created_at=season.created_at,
        scoring=seasons.scoring_of(season),
        tournaments=[_tournament(each) for each in table.tournaments],
    )


def _tournament(counted: Counted) -> SeasonTournamentOut:
    cup = counted.tournament
    return SeasonTournamentOut(
        name=cup.name,
        title=cup.title,
        state=cup.state if counted.counts else cup.told_state,
        counts=counted.counts,
        behind_freeze=counted.behind_freeze,
    )


def _line(line: SeasonLine) -> SeasonLineOut:
    return SeasonLineOut(
        rank=line.rank,
        team=line.team,
        points=round(float(line.points), DIGITS),
        made=[
            None
            if each is None
            else MadeOut(place=each.place, points=round(float(each.points), DIGITS), counts=each.counts)
            for each in line.made
        ],
    )


def csv_lines(table: SeasonTable) -> Iterator[str]:
    """The table for a spreadsheet: a heading, then a line a team; what is left out of the sum has a 0."""
    names = [each.name for each in table.season.tournaments if each.counts]
    heading = [f"{what} {name}" for name in names for what in ("place", "points", "counts")]
    yield BOM + csv_line(["rank", "team", "points", *heading])
    for line in table.items:
        cells: list[object] = [line.rank, line.team, line.points]
        for each, cup in zip(line.made, table.season.tournaments, strict=True):
            if cup.counts:
                cells += (
                    ["", "", ""]
                    if each is None
                    else ["" if each.place is None else each.place, each.points, int(each.counts)]
                )
        yield csv_line(cells)
