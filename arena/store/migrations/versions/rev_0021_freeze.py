"""Timetables of tournaments, and what is shown of those that are frozen."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
COPIED = (
    *("tournaments", "entries", "encounters", "byes", "matches", "results"),
    *("superseded_results", "void_attempts", "moves"),
)


def upgrade() -> None:
    """Add columns and tables; no tournament is frozen, and none has a timetable.

    The copies have whatever columns the tables have by now.
    """
    op.add_column("tournaments", sa.Column("freezes_at", MOMENT, nullable=True))
    op.add_column("tournaments", sa.Column("frozen_at", MOMENT, nullable=True))
    op.add_column("tournaments", sa.Column("freeze_event", sa.Integer(), nullable=True))
    op.add_column(
        "tournaments", sa.Column("shows_own", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column(
        "tournaments", sa.Column("reveal_step", sa.Integer(), nullable=False, server_default=sa.text("0"))
    )
    op.create_table(
        "timetable",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("act", sa.String(10), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("done_at", MOMENT, nullable=True),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_timetable_tournament_id_tournaments"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "act", name="pk_timetable"),
    )
    op.create_index("ix_timetable_done_at_at", "timetable", ["done_at", "at"])
    there = sa.inspect(op.get_bind())
    for name in COPIED:
        _copy(there, name)


def _copy(there: sa.Inspector, name: str) -> None:
    """An empty table like that of a name, with its indexes and without ties to others."""
    copy = f"frozen_{name}"
    keys = there.get_pk_constraint(name)["constrained_columns"]
    columns = [
        sa.Column(each["name"], each["type"], nullable=each["nullable"], autoincrement=False)
        for each in there.get_columns(name)
    ]
    op.create_table(copy, *columns, sa.PrimaryKeyConstraint(*keys, name=f"pk_{copy}"))
    unique = [map(str, each["column_names"]) for each in there.get_unique_constraints(name)]
    indexes = [each for each in there.get_indexes(name) if not each.get("duplicates_constraint")]
    for names in map(list, [*unique, *(map(str, each["column_names"]) for each in indexes)]):
        op.create_index(f"ix_{copy}_{'_'.join(names)}", copy, names)
