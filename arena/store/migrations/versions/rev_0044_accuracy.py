"""What the moves of a game that was analysed have cost."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("analyses", sa.Column("accuracy", sa.JSON(), nullable=True))
