"""Which kinds of work a worker process takes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

KINDS = '["checks", "matches", "simulations"]'


def upgrade() -> None:
    """Add the column; a process that is known takes every kind until it next says that it is there."""
    op.add_column("worker_processes", sa.Column("takes", sa.JSON(), nullable=False, server_default=KINDS))
