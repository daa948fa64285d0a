"""Classes, members of teams, passwords, sessions of the pages, join codes and links to sign in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables and columns; who is there stays what they are, and signs in as before."""
    op.create_table(
        "classes",
        _id(),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_classes"),
        sa.UniqueConstraint("name", name="uq_classes_name"),
    )
    op.create_table(
        "class_organisers",
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        _key("class_organisers", "class_id", "classes"),
        _key("class_organisers", "user_id", "users"),
        sa.PrimaryKeyConstraint("class_id", "user_id", name="pk_class_organisers"),
    )
    for name in ("class_id", "team_id"):
        op.add_column("users", sa.Column(name, sa.Integer(), nullable=True))
        op.create_index(f"ix_users_{name}", "users", [name])
        op.add_column(
            "tournaments",
            sa.Column(name.replace("team", "owner"), sa.Integer(), nullable=True),
        )
    op.add_column("users", sa.Column("is_leader", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("users", sa.Column("password_hash", sa.String(200), nullable=True))
    op.add_column("users", sa.Column("left_at", MOMENT, nullable=True))
    op.add_column("tokens", sa.Column("name", sa.String(60), nullable=False, server_default=""))
    op.add_column("tokens", sa.Column("expires_at", MOMENT, nullable=True))
    _sessions()
    _codes_and_links()
    op.create_table(
        "sign_in_attempts",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("last_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_sign_in_attempts"),
    )
    op.create_index("ix_sign_in_attempts_last_at", "sign_in_attempts", ["last_at"])


def _sessions() -> None:
    op.create_table(
        "web_sessions",
        _id(),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("signed_in_by", sa.String(10), nullable=False),
        sa.Column("token_id", sa.Integer(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("seen_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("browser", sa.String(200), nullable=False),
        sa.Column("address", sa.String(45), nullable=False),
        _key("web_sessions", "user_id", "users"),
        _key("web_sessions", "token_id", "tokens"),
        sa.PrimaryKeyConstraint("id", name="pk_web_sessions"),
        sa.UniqueConstraint("hash", name="uq_web_sessions_hash"),
    )
    op.create_index("ix_web_sessions_user_id", "web_sessions", ["user_id"])
    op.create_index("ix_web_sessions_expires_at", "web_sessions", ["expires_at"])


def _codes_and_links() -> None:
    op.create_table(
        "join_codes",
        _id(),
        sa.Column("text", sa.String(20), nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=True),
        sa.Column("team_id", sa.Integer(), nullable=True),
        sa.Column("uses_left", sa.Integer(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        _key("join_codes", "class_id", "classes"),
        _key("join_codes", "team_id", "users"),
        sa.PrimaryKeyConstraint("id", name="pk_join_codes"),
        sa.UniqueConstraint("text", name="uq_join_codes_text"),
    )
    op.create_index("ix_join_codes_class_id", "join_codes", ["class_id"])
    op.create_index("ix_join_codes_team_id", "join_codes", ["team_id"])
    op.create_table(
        "sign_in_links",
        _id(),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        _key("sign_in_links", "user_id", "users"),
        sa.PrimaryKeyConstraint("id", name="pk_sign_in_links"),
        sa.UniqueConstraint("user_id", name="uq_sign_in_links_user_id"),
        sa.UniqueConstraint("hash", name="uq_sign_in_links_hash"),
    )


def _id() -> sa.Column[int]:
    return sa.Column("id", sa.Integer(), nullable=False)


def _key(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=f"fk_{table}_{column}_{other}")
