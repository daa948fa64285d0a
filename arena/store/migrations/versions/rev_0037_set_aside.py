"""Keys of worker hosts, codes to enrol them, and what stood in the broker's queues and was no message.

And the number of the last sign of life of an attempt, so that none counts twice.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

_GOOD = sa.text("revoked_at IS NULL")
_LEASED = (
    *("matches", "frozen_matches", "checks", "experiment_chunks"),
    *("scrimmage_games", "play_turns", "analyses"),
)


def upgrade() -> None:
    """Add the tables and columns."""
    op.create_table(
        "set_aside",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("why", sa.String(20), nullable=False),
        sa.Column("detail", sa.String(500), nullable=False),
        sa.Column("queue", sa.String(200), nullable=False),
        sa.Column("host", sa.String(200), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("head", sa.String(300), nullable=False),
    )
    op.create_table(
        "worker_keys",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("host", sa.String(200), nullable=False),
        sa.Column("public", sa.String(64), nullable=False, unique=True),
        sa.Column("enrolled_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("enrolled_by", sa.Integer(), sa.ForeignKey("users.id"), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_index(
        "ix_worker_keys_host",
        "worker_keys",
        ["host"],
        unique=True,
        sqlite_where=_GOOD,
        postgresql_where=_GOOD,
    )
    op.create_table(
        "enrolment_codes",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("made_by", sa.Integer(), sa.ForeignKey("users.id"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
    )
    for table in _LEASED:
        op.add_column(table, sa.Column("beat", sa.Integer(), nullable=True))
