"""Totals of what entries used and of openings, grades, seasons, and events that belong to one act."""

from __future__ import annotations

from collections import Counter
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0025"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
BATCH = 2000
USE = ("answers", "extensions", "slowest_ns")
ENDED = ("first_wins", "first_draws", "first_losses")
COLUMN = {(2, 0): 0, (1, 1): 1, (0, 2): 2}
"""Where a game is counted by the half points of its seats."""


def upgrade() -> None:
    """Make tables and columns, and count once what is counted with every result from now on."""
    for prefix in ("", "frozen_"):
        _totals(prefix)
        _count(prefix)
    op.add_column("events", sa.Column("act", sa.Integer(), nullable=True))
    partly = sa.text("act IS NOT NULL")
    op.create_index("ix_events_act", "events", ["act"], sqlite_where=partly, postgresql_where=partly)
    _grades()
    _seasons()


def _totals(prefix: str) -> None:
    entries, openings = f"{prefix}entries", f"{prefix}opening_totals"
    for name in USE:
        kind = sa.Integer() if name == "extensions" else sa.BigInteger()
        op.add_column(entries, sa.Column(name, kind, nullable=False, server_default=sa.text("0")))
    op.add_column(
        entries, sa.Column("forfeits_by", sa.JSON(), nullable=False, server_default=sa.text("'{}'"))
    )
    tied = [] if prefix else [_key("opening_totals", "tournament_id", "tournaments")]
    op.create_table(
        openings,
        *(
            sa.Column(name, sa.Integer(), nullable=False, autoincrement=False)
            for name in ("tournament_id", "number", *ENDED)
        ),
        *tied,
        sa.PrimaryKeyConstraint("tournament_id", "number", name=f"pk_{openings}"),
    )


def _count(prefix: str) -> None:
    """Go through all results once."""
    names = ("answers", "extensions", "slowest_ns", "forfeits_by")
    entries = sa.table(f"{prefix}entries", *_columns("id", *names[:3]), sa.column("forfeits_by", sa.JSON))
    with_openings = _with_openings(prefix)
    used: dict[int, Counter[str]] = {}
    forfeits: dict[int, Counter[str]] = {}
    ended: dict[tuple[int, int], Counter[str]] = {}
    for row in _results(prefix):
        points = row.first_half_points, row.second_half_points
        for seat, entry in enumerate((row.first_id, row.second_id)):
            mine, sums = row.seats[seat], used.setdefault(entry, Counter())
            sums["answers"] += int(mine["answers"])
            sums["extensions"] += int(mine["extensions_used"])
            sums["slowest_ns"] = max(sums["slowest_ns"], int(mine["slowest_ns"]))
            kinds = [each["code"] for each in row.forfeits if each["seat"] == seat]
            if row.kind == "forfeit" and points[seat] == 0:
                kinds.append("walkover")
            forfeits.setdefault(entry, Counter()).update(kinds)
        if row.kind == "played" and points in COLUMN and row.tournament_id in with_openings:
            by = ended.setdefault((row.tournament_id, row.opening_number), Counter())
            by[ENDED[COLUMN[points]]] += 1
    for entry, sums in used.items():
        told = {name: sums[name] for name in USE} | {"forfeits_by": dict(sorted(forfeits[entry].items()))}
        op.execute(entries.update().where(entries.c.id == entry).values(**told))
    openings = sa.table(f"{prefix}opening_totals", *_columns("tournament_id", "number", *ENDED))
    for (cup, number), by in ended.items():
        row_ = {"tournament_id": cup, "number": number} | {name: by[name] for name in ENDED}
        op.execute(openings.insert().values(**row_))


def _with_openings(prefix: str) -> set[int]:
    cups = sa.table(f"{prefix}tournaments", sa.column("id"), sa.column("opening_moves", sa.JSON))
    return {number for number, moves in op.get_bind().execute(sa.select(cups)) if moves}


def _results(prefix: str) -> Any:
    matches = sa.table(
        f"{prefix}matches", *_columns("id", "tournament_id", "first_id", "second_id", "opening_number")
    )
    results = sa.table(
        f"{prefix}results",
        *_columns("match_id", "kind", "first_half_points", "second_half_points"),
        sa.column("forfeits", sa.JSON),
        sa.column("seats", sa.JSON),
    )
    both = matches.join(results, results.c.match_id == matches.c.id)
    query = sa.select(matches, results).select_from(both).execution_options(yield_per=BATCH)
    return op.get_bind().execute(query)


def _columns(*names: str) -> list[sa.ColumnClause[Any]]:
    return [sa.column(name) for name in names]


def _grades() -> None:
    op.create_table(
        "gradings",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("scheme", sa.JSON(), nullable=False),
        sa.Column("set_at", MOMENT, nullable=False),
        _key("gradings", "tournament_id", "tournaments"),
        sa.PrimaryKeyConstraint("tournament_id", name="pk_gradings"),
    )
    op.create_table(
        "grade_releases",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("scheme", sa.JSON(), nullable=False),
        _key("grade_releases", "tournament_id", "tournaments"),
        _key("grade_releases", "user_id", "users"),
        sa.PrimaryKeyConstraint("id", name="pk_grade_releases"),
        sa.UniqueConstraint("tournament_id", "number", name="uq_grade_releases_tournament_id_number"),
    )
    op.create_table(
        "grades",
        sa.Column("release_id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        _key("grades", "release_id", "grade_releases"),
        _key("grades", "owner_id", "users"),
        sa.PrimaryKeyConstraint("release_id", "owner_id", name="pk_grades"),
    )
    op.create_index("ix_grades_owner_id", "grades", ["owner_id"])


def _seasons() -> None:
    op.create_table(
        "seasons",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("title", sa.String(100), nullable=True),
        sa.Column("owner_id", sa.Integer(), nullable=True),
        sa.Column("class_id", sa.Integer(), nullable=True),
        sa.Column("scoring", sa.JSON(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_seasons"),
        sa.UniqueConstraint("name", name="uq_seasons_name"),
    )
    for name in ("owner_id", "class_id"):
        op.create_index(f"ix_seasons_{name}", "seasons", [name])
    op.create_table(
        "season_tournaments",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        _key("season_tournaments", "season_id", "seasons"),
        _key("season_tournaments", "tournament_id", "tournaments"),
        sa.PrimaryKeyConstraint("season_id", "tournament_id", name="pk_season_tournaments"),
        sa.UniqueConstraint("season_id", "position", name="uq_season_tournaments_season_id_position"),
    )
    op.create_index("ix_season_tournaments_tournament_id", "season_tournaments", ["tournament_id"])


def _key(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=f"fk_{table}_{column}_{other}")
