"""Experiments: simulations that the workers play in chunks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the three tables."""
    _experiments()
    _chunks()
    _games()


def _experiments() -> None:
    op.create_table(
        "experiments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("spec", sa.JSON(), nullable=False),
        sa.Column("opening_plies", sa.Integer(), nullable=False),
        sa.Column("stop_when_ci", sa.Double(), nullable=True),
        sa.Column("interval", sa.String(length=20), nullable=False),
        sa.Column("confidence", sa.Double(), nullable=False),
        sa.Column("chunk", sa.BigInteger(), nullable=False),
        sa.Column("chunk_fixed", sa.Boolean(), nullable=False),
        sa.Column("issued", sa.BigInteger(), nullable=False),
        sa.Column("done", sa.BigInteger(), nullable=False),
        sa.Column("ahead", sa.BigInteger(), nullable=False),
        sa.Column("tally", sa.JSON(), nullable=False),
        sa.Column("stopped", sa.Boolean(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_experiments")),
    )
    op.create_index(op.f("ix_experiments_state"), "experiments", ["state"])


def _chunks() -> None:
    op.create_table(
        "experiment_chunks",
        sa.Column("experiment_id", sa.Integer(), nullable=False),
        sa.Column("start", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=32), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("host", sa.String(length=200), nullable=True),
        sa.Column("blocks", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(
            ["experiment_id"], ["experiments.id"], name=op.f("fk_experiment_chunks_experiment_id_experiments")
        ),
        sa.PrimaryKeyConstraint("experiment_id", "start", name=op.f("pk_experiment_chunks")),
    )
    op.create_index(op.f("ix_experiment_chunks_state"), "experiment_chunks", ["state"])
    op.create_index(op.f("ix_experiment_chunks_lease_until"), "experiment_chunks", ["lease_until"])


def _games() -> None:
    op.create_table(
        "experiment_games",
        sa.Column("experiment_id", sa.Integer(), nullable=False),
        sa.Column("index", sa.BigInteger(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("reason", sa.String(length=40), nullable=False),
        sa.Column("first_score", sa.Integer(), nullable=False),
        sa.Column("second_score", sa.Integer(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("moves", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["experiment_id"], ["experiments.id"], name=op.f("fk_experiment_games_experiment_id_experiments")
        ),
        sa.PrimaryKeyConstraint("experiment_id", "index", name=op.f("pk_experiment_games")),
    )
