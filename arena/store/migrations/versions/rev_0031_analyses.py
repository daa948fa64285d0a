"""Games that are analysed by exact solvers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "analyses",
        sa.Column("match_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("result_attempt", sa.Integer(), nullable=False),
        sa.Column("asked_by", sa.Integer(), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=True),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("ends_at", MOMENT, nullable=True),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(32), nullable=True),
        sa.Column("lease_until", MOMENT, nullable=True),
        sa.Column("host", sa.String(200), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_analyses_match_id_matches"),
        sa.ForeignKeyConstraint(["asked_by"], ["users.id"], name="fk_analyses_asked_by_users"),
        sa.PrimaryKeyConstraint("match_id", name="pk_analyses"),
    )
    op.create_index("ix_analyses_state_asked_by", "analyses", ["state", "asked_by"])
    op.create_index("ix_analyses_asked_by_created_at", "analyses", ["asked_by", "created_at"])
    op.create_index("ix_analyses_lease_until", "analyses", ["lease_until"])
