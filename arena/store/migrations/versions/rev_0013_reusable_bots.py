"""Whether a tournament lets the processes of reusable bots play several matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; tournaments that were there before start their bots anew for each match."""
    op.add_column("tournaments", sa.Column("reuse", sa.Boolean(), nullable=False, server_default=sa.false()))
