"""Languages of bots, submission checks, and what the hosts can run."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


GAMES = '["reversed_reversi", "circle_nim", "heap_nim", "l_game", "rhombic_chess"]'


def upgrade() -> None:
    """Make the two tables, and say of what there is that it is Python and may play everything as before."""
    _checks()
    _hosts()
    _add("bot_versions", "language", sa.String(length=20), "python")
    _add("bot_versions", "games", sa.JSON(), GAMES)
    _add("bot_versions", "state", sa.String(length=10), "passed")
    _add("matches", "needs", sa.String(length=40), "python")
    _add("experiments", "needs", sa.String(length=40), "")


def _add(table: str, name: str, kind: sa.types.TypeEngine[Any], value: str) -> None:
    """Add a column that is never empty; the rows that there are get `value`."""
    op.add_column(table, sa.Column(name, kind, nullable=False, server_default=value))


def _checks() -> None:
    op.create_table(
        "checks",
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("needs", sa.String(length=40), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("report", sa.JSON(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=32), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("host", sa.String(length=200), nullable=True),
        sa.ForeignKeyConstraint(
            ["version_id"], ["bot_versions.id"], name=op.f("fk_checks_version_id_bot_versions")
        ),
        sa.PrimaryKeyConstraint("version_id", name=op.f("pk_checks")),
    )
    op.create_index(op.f("ix_checks_state"), "checks", ["state"])
    op.create_index(op.f("ix_checks_lease_until"), "checks", ["lease_until"])


def _hosts() -> None:
    op.create_table(
        "hosts",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("languages", sa.JSON(), nullable=False),
        sa.Column("speed", sa.Double(), nullable=True),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_hosts")),
    )
