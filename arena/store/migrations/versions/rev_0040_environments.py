"""Environments for Python bots: which packages each name means, now and before.

A match that is played again names exactly which, so what it needs is longer.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table, and make room."""
    op.create_table(
        "environments",
        sa.Column("name", sa.String(12), nullable=False),
        sa.Column("digest", sa.String(16), nullable=False),
        sa.Column("told", sa.String(200), nullable=False),
        sa.Column("chosen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", "digest", name="pk_environments"),
    )
    with op.batch_alter_table("repeats") as table:
        table.alter_column("needs", existing_type=sa.String(40), type_=sa.String(80), existing_nullable=False)
