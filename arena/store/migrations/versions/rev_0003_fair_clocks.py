"""Fair clocks: what lay on the host during each move, and the attempts that do not count for it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of void attempts; of moves recorded before nothing is known about their host."""
    op.create_table(
        "void_attempts",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("forfeits", sa.JSON(), nullable=False),
        sa.Column("seats", sa.JSON(), nullable=False),
        sa.Column("host", sa.String(length=200), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_void_attempts_match_id_matches")),
        sa.PrimaryKeyConstraint("match_id", "attempt", name=op.f("pk_void_attempts")),
    )
    op.add_column("results", sa.Column("host_speed", sa.Double(), nullable=True))
    for name in ("waited_ns", "pressure_ns", "steal_ns"):
        op.add_column("moves", sa.Column(name, sa.BigInteger(), nullable=True))
    for name in ("off_turn_ns", "lost_ns"):
        op.add_column("moves", sa.Column(name, sa.BigInteger(), nullable=False, server_default="0"))
