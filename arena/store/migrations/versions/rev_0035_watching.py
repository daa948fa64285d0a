"""Who leads, what was counted, and until when a host may go on that drains."""

from __future__ import annotations

import datetime as dt

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables, with nobody who leads, and add the column."""
    leaders = op.create_table(
        "leaders",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("holder", sa.String(300), nullable=True),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("beat", sa.BigInteger(), nullable=False),
        sa.Column("ticks", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leaders")),
    )
    never = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
    op.bulk_insert(
        leaders,
        [{"name": "coordinator", "holder": None, "fence": 0, "beat": 0, "ticks": 0, "seen_at": never}],
    )
    op.create_table(
        "counters",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("label", sa.String(100), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", "label", name=op.f("pk_counters")),
    )
    op.add_column("hosts", sa.Column("drain_until", sa.DateTime(timezone=True), nullable=True))
