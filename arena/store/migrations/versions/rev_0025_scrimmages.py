"""Scrimmages: their games and results, and who lets them be played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables; no bot takes scrimmages before its owner says so, and every class may have them."""
    op.add_column(
        "bots", sa.Column("takes_scrimmages", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column(
        "classes", sa.Column("has_scrimmages", sa.Boolean(), nullable=False, server_default=sa.true())
    )
    _make_scrimmages()
    _make_games()
    _make_results()


def _make_scrimmages() -> None:
    op.create_table(
        "scrimmages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("asked_by", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("opponent_id", sa.Integer(), nullable=True),
        sa.Column("reference", sa.String(60), nullable=True),
        sa.Column("archive", sa.String(64), nullable=True),
        sa.Column("tournament_id", sa.Integer(), nullable=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("params", sa.JSON(), nullable=False),
        sa.Column("game_version", sa.Integer(), nullable=False),
        sa.Column("time", sa.JSON(), nullable=False),
        sa.Column("limits", sa.JSON(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        _key("scrimmages", "owner_id", "users"),
        _key("scrimmages", "asked_by", "users"),
        _key("scrimmages", "version_id", "bot_versions"),
        _key("scrimmages", "opponent_id", "bot_versions"),
        _key("scrimmages", "tournament_id", "tournaments"),
        sa.PrimaryKeyConstraint("id", name="pk_scrimmages"),
    )
    op.create_index("ix_scrimmages_owner_id_created_at", "scrimmages", ["owner_id", "created_at"])
    op.create_index("ix_scrimmages_opponent_id", "scrimmages", ["opponent_id"])


def _make_games() -> None:
    op.create_table(
        "scrimmage_games",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("scrimmage_id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("opening", sa.JSON(), nullable=False),
        sa.Column("needs", sa.String(40), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("unplayed", sa.String(10), nullable=True),
        sa.Column("was_void", sa.Boolean(), nullable=False),
        sa.Column("started_at", MOMENT, nullable=True),
        sa.Column("ends_at", MOMENT, nullable=True),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(32), nullable=True),
        sa.Column("lease_until", MOMENT, nullable=True),
        sa.Column("host", sa.String(200), nullable=True),
        _key("scrimmage_games", "scrimmage_id", "scrimmages"),
        _key("scrimmage_games", "owner_id", "users"),
        sa.PrimaryKeyConstraint("id", name="pk_scrimmage_games"),
        sa.UniqueConstraint("scrimmage_id", "number", name="uq_scrimmage_games_scrimmage_id_number"),
    )
    op.create_index("ix_scrimmage_games_state_owner_id", "scrimmage_games", ["state", "owner_id"])
    op.create_index("ix_scrimmage_games_lease_until", "scrimmage_games", ["lease_until"])


def _make_results() -> None:
    op.create_table(
        "scrimmage_results",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("moves", sa.JSON(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("reason", sa.String(40), nullable=False),
        sa.Column("first_score", sa.Integer(), nullable=False),
        sa.Column("second_score", sa.Integer(), nullable=False),
        sa.Column("first_half_points", sa.Integer(), nullable=False),
        sa.Column("second_half_points", sa.Integer(), nullable=False),
        sa.Column("forfeits", sa.JSON(), nullable=False),
        sa.Column("seats", sa.JSON(), nullable=False),
        sa.Column("host", sa.String(200), nullable=False),
        sa.Column("host_speed", sa.Double(), nullable=True),
        sa.Column("recorded_at", MOMENT, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("manual_reason", sa.Text(), nullable=True),
        sa.Column("decided_by", sa.Integer(), nullable=True),
        _key("scrimmage_results", "game_id", "scrimmage_games"),
        sa.PrimaryKeyConstraint("game_id", name="pk_scrimmage_results"),
    )


def _key(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{to}.id"], name=f"fk_{table}_{column}_{to}")
