"""Games that are solved on the workers: the solves, what is given out of them, and what is known in them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "solves",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("asked_by", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("game", sa.JSON(), nullable=False),
        sa.Column("frontier", sa.Integer(), nullable=False),
        sa.Column("memory_mb", sa.Integer(), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("issued", sa.Integer(), nullable=False),
        sa.Column("standing", sa.JSON(), nullable=True),
        sa.Column("value", sa.Integer(), nullable=True),
        sa.Column("moves", sa.JSON(), nullable=True),
        sa.Column("nodes", sa.BigInteger(), nullable=False),
        sa.Column("spent_ns", sa.BigInteger(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("started_at", MOMENT, nullable=True),
        sa.Column("recorded_at", MOMENT, nullable=True),
        sa.Column("finished_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["asked_by"], ["users.id"], name="fk_solves_asked_by_users"),
        sa.PrimaryKeyConstraint("id", name="pk_solves"),
    )
    op.create_index("ix_solves_asked_by", "solves", ["asked_by"])
    op.create_index("ix_solves_state", "solves", ["state"])
    op.create_table(
        "solve_leaves",
        sa.Column("solve_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("position", sa.String(32), nullable=False),
        sa.Column("at_least", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(32), nullable=True),
        sa.Column("lease_until", MOMENT, nullable=True),
        sa.Column("host", sa.String(200), nullable=True),
        sa.Column("beat", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["solve_id"], ["solves.id"], name="fk_solve_leaves_solve_id_solves"),
        sa.PrimaryKeyConstraint("solve_id", "number", name="pk_solve_leaves"),
    )
    op.create_index("ix_solve_leaves_lease_until", "solve_leaves", ["lease_until"])
    op.create_index("ix_solve_leaves_state", "solve_leaves", ["state"])
    op.create_table(
        "solve_bounds",
        sa.Column("solve_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("position", sa.String(32), nullable=False),
        sa.Column("at_least", sa.Integer(), nullable=False),
        sa.Column("low", sa.Integer(), nullable=False),
        sa.Column("high", sa.Integer(), nullable=False),
        sa.Column("move", sa.Integer(), nullable=True),
        sa.Column("nodes", sa.BigInteger(), nullable=False),
        sa.Column("host", sa.String(200), nullable=True),
        sa.ForeignKeyConstraint(["solve_id"], ["solves.id"], name="fk_solve_bounds_solve_id_solves"),
        sa.PrimaryKeyConstraint("solve_id", "number", name="pk_solve_bounds"),
    )
    op.create_index("ix_solve_bounds_solve_id_position", "solve_bounds", ["solve_id", "position"])
    op.create_table(
        "solve_proofs",
        sa.Column("solve_id", sa.Integer(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["solve_id"], ["solves.id"], name="fk_solve_proofs_solve_id_solves"),
        sa.PrimaryKeyConstraint("solve_id", "part", name="pk_solve_proofs"),
    )
