"""People whose data was erased."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; nobody was erased before."""
    op.add_column("users", sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True))
