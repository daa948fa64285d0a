"""Tournaments have titles, and are found by who runs them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the indexes; tournaments that were there before are called by their names."""
    op.add_column("tournaments", sa.Column("title", sa.String(100), nullable=True))
    op.create_index("ix_tournaments_owner_id", "tournaments", ["owner_id"])
    op.create_index("ix_tournaments_class_id", "tournaments", ["class_id"])
