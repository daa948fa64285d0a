"""Analyses of games that are no matches: those that people play, and those of scrimmages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
KEPT = (
    "match_id, result_attempt, asked_by, answer, refused, trouble, created_at, ends_at,"
    " state, attempt, lost, token, lease_until, host, beat"
)


def upgrade() -> None:
    """Make the table anew, with a number of its own for each analysis; what was found out is kept."""
    op.execute("CREATE TEMPORARY TABLE analyses_before AS SELECT * FROM analyses")
    op.drop_table("analyses")
    op.create_table(
        "analyses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("result_attempt", sa.Integer(), nullable=True),
        sa.Column("digest", sa.String(64), nullable=True),
        sa.Column("game", sa.JSON(), nullable=True),
        sa.Column("moves", sa.JSON(), nullable=True),
        sa.Column("asked_by", sa.Integer(), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=True),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("ends_at", MOMENT, nullable=True),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(32), nullable=True),
        sa.Column("lease_until", MOMENT, nullable=True),
        sa.Column("host", sa.String(200), nullable=True),
        sa.Column("beat", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_analyses_match_id_matches"),
        sa.ForeignKeyConstraint(["asked_by"], ["users.id"], name="fk_analyses_asked_by_users"),
        sa.PrimaryKeyConstraint("id", name="pk_analyses"),
        sa.UniqueConstraint("match_id", name="uq_analyses_match_id"),
        sa.UniqueConstraint("digest", name="uq_analyses_digest"),
    )
    op.create_index("ix_analyses_state_asked_by", "analyses", ["state", "asked_by"])
    op.create_index("ix_analyses_asked_by_created_at", "analyses", ["asked_by", "created_at"])
    op.create_index("ix_analyses_lease_until", "analyses", ["lease_until"])
    op.execute(f"INSERT INTO analyses ({KEPT}) SELECT {KEPT} FROM analyses_before ORDER BY created_at")  # noqa: S608
    op.execute("DROP TABLE analyses_before")
