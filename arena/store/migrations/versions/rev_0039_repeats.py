"""Laboratory PCs: what share of a host's matches is played again elsewhere, and what came of that."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add the columns and the table; all hosts that there are are trusted."""
    for table in ("worker_keys", "enrolment_codes"):
        op.add_column(table, sa.Column("repeat_share", sa.Double(), nullable=True))
    op.create_table(
        "repeats",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("result_attempt", sa.Integer(), nullable=False),
        sa.Column("played_on", sa.String(200), nullable=False),
        sa.Column("needs", sa.String(40), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.Column("first", sa.JSON(), nullable=True),
        sa.Column("outcome", sa.String(10), nullable=True),
        sa.Column("differs_at", sa.Integer(), nullable=True),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("recorded_at", MOMENT, nullable=True),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(32), nullable=True),
        sa.Column("lease_until", MOMENT, nullable=True),
        sa.Column("host", sa.String(200), nullable=True),
        sa.Column("beat", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_repeats_match_id_matches"),
        sa.PrimaryKeyConstraint("id", name="pk_repeats"),
    )
    op.create_index("ix_repeats_match_id", "repeats", ["match_id"])
    op.create_index("ix_repeats_lease_until", "repeats", ["lease_until"])
    op.create_index("ix_repeats_played_on_outcome", "repeats", ["played_on", "outcome"])
    op.create_index("ix_repeats_state_id", "repeats", ["state", "id"])
