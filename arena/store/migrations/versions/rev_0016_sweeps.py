"""Sweeps of experiments, whose experiments are, and how many games they have and what these took."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

EXPERIMENTS = sa.table(
    "experiments", sa.column("id", sa.Integer), sa.column("spec", sa.JSON), sa.column("games", sa.BigInteger)
)


def upgrade() -> None:
    """Add table and columns; experiments that there are belong to the staff and to no sweep."""
    op.create_table(
        "sweeps",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sweeps")),
        sa.UniqueConstraint("name", name=op.f("uq_sweeps_name")),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_sweeps_owner_id_users")),
    )
    op.create_index(op.f("ix_sweeps_owner_id"), "sweeps", ["owner_id"])
    for name, table in (("owner_id", "users"), ("sweep_id", "sweeps")):
        referring = sa.Column(name, sa.Integer(), sa.ForeignKey(f"{table}.id"), nullable=True)
        op.add_column("experiments", referring, inline_references=True)
        op.create_index(op.f(f"ix_experiments_{name}"), "experiments", [name])
    op.add_column("experiments", sa.Column("cell", sa.Integer(), nullable=True))
    op.add_column("experiments", sa.Column("columns", sa.String(length=4), nullable=True))
    for name in ("games", "spent_ns"):
        op.add_column("experiments", sa.Column(name, sa.BigInteger(), nullable=False, server_default="0"))
    connection = op.get_bind()
    for number, spec in connection.execute(sa.select(EXPERIMENTS.c.id, EXPERIMENTS.c.spec)).all():
        filled = sa.update(EXPERIMENTS).where(EXPERIMENTS.c.id == number).values(games=spec["games"])
        connection.execute(filled)
