"""When a submission check must be over, whatever its worker says."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; a check that is being done gets its end with the next sign of life."""
    op.add_column("checks", sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True))
