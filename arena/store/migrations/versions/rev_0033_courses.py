"""How an experiment's result came about."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; of what was played before nothing is known."""
    op.add_column("experiments", sa.Column("course", sa.JSON(), nullable=False, server_default="[]"))
