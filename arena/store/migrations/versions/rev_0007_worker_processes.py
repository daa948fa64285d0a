"""How many matches the hosts can play at once: their processes, and the cores that matches may have."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the table; they fill when the hosts next say that they are there."""
    op.add_column("hosts", sa.Column("cores", sa.Integer(), nullable=True))
    op.create_table(
        "worker_processes",
        sa.Column("host", sa.String(length=200), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["host"], ["hosts.name"], name=op.f("fk_worker_processes_host_hosts")),
        sa.PrimaryKeyConstraint("host", "name", name=op.f("pk_worker_processes")),
    )
