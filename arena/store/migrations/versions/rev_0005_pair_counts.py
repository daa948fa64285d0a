"""Pair counts by who moved first, and experiments that end by a sequential test."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

HALF_POINTS = {"first_wins": (2, 0), "first_draws": (1, 1), "first_losses": (0, 2)}
"""What the two seats have of a game that is counted there; one that both forfeited is nowhere."""


def upgrade() -> None:
    """Add the three counts, counting the games that are recorded, and the test."""
    op.add_column("experiments", sa.Column("sprt", sa.JSON(), nullable=True))
    with op.batch_alter_table("encounters") as table:
        for name in HALF_POINTS:
            table.add_column(sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    encounters = sa.table("encounters", *(sa.column(name) for name in ("entry_id", "other_id", *HALF_POINTS)))
    matches = sa.table("matches", *(sa.column(name) for name in ("id", "first_id", "second_id")))
    results = sa.table(
        "results", *(sa.column(name) for name in ("match_id", "first_half_points", "second_half_points"))
    )
    for name, (first, second) in HALF_POINTS.items():
        count = (
            sa.select(sa.func.count())
            .select_from(matches.join(results, results.c.match_id == matches.c.id))
            .where(matches.c.first_id == encounters.c.entry_id, matches.c.second_id == encounters.c.other_id)
            .where(results.c.first_half_points == first, results.c.second_half_points == second)
        )
        op.execute(encounters.update().values({name: count.scalar_subquery()}))
