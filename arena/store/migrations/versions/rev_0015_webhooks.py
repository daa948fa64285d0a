"""Webhooks and what was told to each; the log of events by match, and what was announced."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from arena.store.types import UtcDateTime

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables and the indexes."""
    announced = sa.text("kind = 'announcement'")
    op.create_index("ix_events_match_id", "events", ["match_id"])
    op.create_index(
        "ix_events_announced", "events", ["kind"], sqlite_where=announced, postgresql_where=announced
    )
    op.create_table(
        "webhooks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("url", sa.String(2000), nullable=False),
        sa.Column("secret", sa.String(100), nullable=False),
        sa.Column("kinds", sa.JSON(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("trouble", sa.String(500), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_webhooks_tournament_id_tournaments"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_webhooks"),
    )
    op.create_table(
        "deliveries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("webhook_id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", UtcDateTime(), nullable=True),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("trouble", sa.String(500), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("done_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["webhook_id"],
            ["webhooks.id"],
            name="fk_deliveries_webhook_id_webhooks",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_deliveries_event_id_events"),
        sa.PrimaryKeyConstraint("id", name="pk_deliveries"),
        sa.UniqueConstraint("webhook_id", "event_id", name="uq_deliveries_webhook_id_event_id"),
    )
    op.create_index("ix_deliveries_state_next_at", "deliveries", ["state", "next_at"])
