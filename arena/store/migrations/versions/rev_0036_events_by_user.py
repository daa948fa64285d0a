"""What somebody has done lately is found without looking through all that has happened."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

_BY_USER = sa.text("user_id IS NOT NULL")


def upgrade() -> None:
    """Make the index; what the arena does by itself is not in it."""
    op.create_index(
        "ix_events_user_id_at",
        "events",
        ["user_id", "at"],
        sqlite_where=_BY_USER,
        postgresql_where=_BY_USER,
    )
