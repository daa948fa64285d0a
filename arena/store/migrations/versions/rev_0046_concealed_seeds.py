"""Tournaments whose seed cannot be worked out from what their bots are told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; matches of tournaments that there are keep the seeds that they were played with."""
    for table in ("tournaments", "frozen_tournaments"):
        op.add_column(
            table, sa.Column("conceals_seed", sa.Boolean(), nullable=False, server_default=sa.false())
        )
