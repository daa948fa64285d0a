"""Accounts at a school's OpenID provider, and who was sent there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "identities",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("issuer", sa.String(255), nullable=False),
        sa.Column("subject", sa.String(255), nullable=False),
        sa.Column("label", sa.String(100), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("used_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_identities_user_id_users"),
        sa.PrimaryKeyConstraint("id", name="pk_identities"),
        sa.UniqueConstraint("issuer", "subject", name="uq_identities_issuer_subject"),
        sa.UniqueConstraint("user_id", "issuer", name="uq_identities_user_id_issuer"),
    )
    op.create_table(
        "openid_requests",
        sa.Column("state_hash", sa.String(64), nullable=False),
        sa.Column("browser_hash", sa.String(64), nullable=False),
        sa.Column("provider_hash", sa.String(64), nullable=False),
        sa.Column("redirect_uri", sa.String(500), nullable=False),
        sa.Column("onward", sa.String(1000), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("code", sa.String(20), nullable=True),
        sa.Column("member", sa.String(60), nullable=False),
        sa.Column("team", sa.String(60), nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_openid_requests_user_id_users"),
        sa.PrimaryKeyConstraint("state_hash", name="pk_openid_requests"),
    )
    op.create_index("ix_openid_requests_user_id", "openid_requests", ["user_id"])
    op.create_index("ix_openid_requests_expires_at", "openid_requests", ["expires_at"])
