"""What the moves of a game that was analysed have cost, and games that are analysed in idle time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.add_column("analyses", sa.Column("accuracy", sa.JSON(), nullable=True))
    op.add_column("analyses", sa.Column("idle", sa.Boolean(), nullable=False, server_default=sa.false()))
    for table in ("tournaments", "frozen_tournaments"):
        op.add_column(table, sa.Column("analysed_for", sa.Integer(), nullable=True))
