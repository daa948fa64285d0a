"""Players learned on the workers: the trainings, what is given out of them, what came of that."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "trainings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("asked_by", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("part", sa.String(10), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("next", sa.Integer(), nullable=False),
        sa.Column("given", sa.String(200), nullable=True),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("issued", sa.Integer(), nullable=False),
        sa.Column("curve", sa.JSON(), nullable=False),
        sa.Column("spent_ns", sa.BigInteger(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("started_at", MOMENT, nullable=True),
        sa.Column("recorded_at", MOMENT, nullable=True),
        sa.Column("finished_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["asked_by"], ["users.id"], name="fk_trainings_asked_by_users"),
        sa.PrimaryKeyConstraint("id", name="pk_trainings"),
    )
    op.create_index("ix_trainings_asked_by", "trainings", ["asked_by"])
    op.create_index("ix_trainings_state", "trainings", ["state"])
    op.create_table(
        "training_chunks",
        sa.Column("training_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("part", sa.String(10), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(32), nullable=True),
        sa.Column("lease_until", MOMENT, nullable=True),
        sa.Column("host", sa.String(200), nullable=True),
        sa.Column("beat", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["training_id"], ["trainings.id"], name="fk_training_chunks_training_id_trainings"
        ),
        sa.PrimaryKeyConstraint("training_id", "number", name="pk_training_chunks"),
    )
    op.create_index("ix_training_chunks_lease_until", "training_chunks", ["lease_until"])
    op.create_index("ix_training_chunks_state", "training_chunks", ["state"])
    op.create_table(
        "training_parts",
        sa.Column("training_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("part", sa.String(10), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("errors", sa.JSON(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("host", sa.String(200), nullable=True),
        sa.ForeignKeyConstraint(
            ["training_id"], ["trainings.id"], name="fk_training_parts_training_id_trainings"
        ),
        sa.PrimaryKeyConstraint("training_id", "number", name="pk_training_parts"),
    )
    op.create_index(
        "ix_training_parts_training_id_round_part",
        "training_parts",
        ["training_id", "round", "part", "first"],
    )
