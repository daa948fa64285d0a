"""What each process of a worker host runs of the languages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; every process fills it when it is next heard of."""
    op.add_column("worker_processes", sa.Column("languages", sa.JSON(none_as_null=True)))
