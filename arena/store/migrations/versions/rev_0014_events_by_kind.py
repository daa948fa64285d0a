"""The log of a tournament is looked through by kind and match, and backwards, however long it is."""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Replace the index by tournament alone."""
    op.create_index("ix_events_tournament_id_id", "events", ["tournament_id", "id"])
    op.create_index("ix_events_tournament_id_kind_match_id", "events", ["tournament_id", "kind", "match_id"])
    op.drop_index("ix_events_tournament_id", "events")
