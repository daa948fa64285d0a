"""Formats with options, rounds that follow from results, byes, and results that are taken back."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

STARTED = ("running", "paused", "finished", "cancelled")


def upgrade() -> None:
    """Add the columns and tables; whatever has begun before has all of its rounds."""
    _add("tournaments", "options", sa.JSON(), "{}")
    _add("tournaments", "standings_order", sa.JSON(), "[]")
    _add("tournaments", "rounds_paired", sa.Integer(), "0")
    _add("tournaments", "all_paired", sa.Boolean(), sa.false())
    _add("entries", "joined_round", sa.Integer(), "1")
    _add("entries", "bye_half_points", sa.Integer(), "0")
    _add("entries", "annulled", sa.Boolean(), sa.false())
    op.add_column("entries", sa.Column("left_round", sa.Integer(), nullable=True))
    op.add_column("entries", sa.Column("left_as", sa.String(length=20), nullable=True))
    _add("matches", "phase", sa.String(length=40), "")
    op.create_index("ix_matches_tournament_id_round", "matches", ["tournament_id", "round"])
    _add("results", "kind", sa.String(length=20), "played")
    op.add_column("results", sa.Column("manual_reason", sa.Text(), nullable=True))
    op.add_column("results", sa.Column("decided_by", sa.Integer(), nullable=True))
    _byes()
    _superseded()
    _count_rounds()


def _add(table: str, name: str, kind: sa.types.TypeEngine[Any], value: Any) -> None:
    """Add a column that is never empty; the rows that there are get `value`."""
    op.add_column(table, sa.Column(name, kind, nullable=False, server_default=value))


def _byes() -> None:
    op.create_table(
        "byes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("half_points", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("phase", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_byes_tournament_id_tournaments")
        ),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_byes_entry_id_entries")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_byes")),
        sa.UniqueConstraint(
            "tournament_id", "round", "entry_id", name=op.f("uq_byes_tournament_id_round_entry_id")
        ),
    )


def _superseded() -> None:
    op.create_table(
        "superseded_results",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("reason", sa.String(length=40), nullable=False),
        sa.Column("first_score", sa.Integer(), nullable=False),
        sa.Column("second_score", sa.Integer(), nullable=False),
        sa.Column("first_half_points", sa.Integer(), nullable=False),
        sa.Column("second_half_points", sa.Integer(), nullable=False),
        sa.Column("forfeits", sa.JSON(), nullable=False),
        sa.Column("seats", sa.JSON(), nullable=False),
        sa.Column("host", sa.String(length=200), nullable=False),
        sa.Column("host_speed", sa.Double(), nullable=True),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("manual_reason", sa.Text(), nullable=True),
        sa.Column("decided_by", sa.Integer(), nullable=True),
        sa.Column("moves", sa.JSON(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("superseded_by", sa.Integer(), nullable=True),
        sa.Column("superseded_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_superseded_results_match_id_matches")
        ),
        sa.ForeignKeyConstraint(
            ["superseded_by"], ["users.id"], name=op.f("fk_superseded_results_superseded_by_users")
        ),
        sa.PrimaryKeyConstraint("match_id", "attempt", name=op.f("pk_superseded_results")),
    )


def _count_rounds() -> None:
    tournaments = sa.table(
        "tournaments", *(sa.column(name) for name in ("id", "state", "rounds_paired", "all_paired"))
    )
    matches = sa.table("matches", sa.column("tournament_id"), sa.column("round"))
    last = sa.select(sa.func.coalesce(sa.func.max(matches.c.round), 0)).where(
        matches.c.tournament_id == tournaments.c.id
    )
    op.execute(
        tournaments.update()
        .where(tournaments.c.state.in_(STARTED))
        .values(rounds_paired=last.scalar_subquery(), all_paired=sa.true())
    )
