"""How many matches a tournament has, and how many of them are over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, and count the matches that are there."""
    names = "matches_total", "matches_finished", "matches_cancelled"
    for name in names:
        op.add_column("tournaments", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    tournaments = sa.table("tournaments", sa.column("id"), *(sa.column(name) for name in names))
    matches = sa.table("matches", sa.column("tournament_id"), sa.column("state"))
    count = sa.select(sa.func.count()).where(matches.c.tournament_id == tournaments.c.id)
    op.execute(
        tournaments.update().values(
            matches_total=count.scalar_subquery(),
            matches_finished=count.where(matches.c.state == "finished").scalar_subquery(),
            matches_cancelled=count.where(matches.c.state == "cancelled").scalar_subquery(),
        )
    )
