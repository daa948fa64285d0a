"""A team's entries are found by its bots, in whatever tournament; tokens say what they are good for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the index and the column; tokens of before are good for everything, as they were."""
    op.create_index("ix_entries_bot_id", "entries", ["bot_id"])
    op.add_column("tokens", sa.Column("scope", sa.String(10), nullable=False, server_default="all"))
