"""Solves from any position: the state at which each begins, null at the game's start."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; what was solved until now began at the start."""
    op.add_column("solves", sa.Column("position", sa.JSON(), nullable=True))
