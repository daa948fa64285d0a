"""Indexes by which the matches of a bot and of two bots are found."""

from __future__ import annotations

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the indexes."""
    op.create_index("ix_matches_first_id_number", "matches", ["first_id", "number"])
    op.create_index("ix_matches_second_id_number", "matches", ["second_id", "number"])
    op.create_index("ix_matches_first_id_second_id", "matches", ["first_id", "second_id"])
