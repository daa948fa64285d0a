"""What hosts take nothing new, and what each of their processes says that it runs and does."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.add_column("hosts", sa.Column("draining_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("worker_processes", sa.Column("version", sa.String(60), nullable=True))
    op.add_column("worker_processes", sa.Column("doing", sa.JSON(), nullable=True))
    op.add_column(
        "worker_processes", sa.Column("draining", sa.Boolean(), nullable=False, server_default=sa.false())
    )
