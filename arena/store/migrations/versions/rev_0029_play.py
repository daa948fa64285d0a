"""Games that people play, and the turns that bots play in them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "play_games",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(32), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=True),
        sa.Column("player", sa.String(80), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("params", sa.JSON(), nullable=False),
        sa.Column("game_version", sa.Integer(), nullable=False),
        sa.Column("seats", sa.JSON(), nullable=False),
        sa.Column("clock", sa.JSON(), nullable=True),
        sa.Column("moves", sa.JSON(), nullable=False),
        sa.Column("ended", sa.JSON(), nullable=True),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("since", MOMENT, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("changed_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name="fk_play_games_owner_id_users"),
        sa.PrimaryKeyConstraint("id", name="pk_play_games"),
        sa.UniqueConstraint("address", name="uq_play_games_address"),
    )
    op.create_index("ix_play_games_owner_id", "play_games", ["owner_id"])
    op.create_index("ix_play_games_player_changed_at", "play_games", ["player", "changed_at"])
    op.create_index("ix_play_games_changed_at", "play_games", ["changed_at"])
    _make_turns()


def _make_turns() -> None:
    op.create_table(
        "play_turns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("player", sa.String(80), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("spec", sa.JSON(), nullable=False),
        sa.Column("needs", sa.String(40), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=True),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("was_void", sa.Boolean(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("ends_at", MOMENT, nullable=True),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(32), nullable=True),
        sa.Column("lease_until", MOMENT, nullable=True),
        sa.Column("host", sa.String(200), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["play_games.id"], name="fk_play_turns_game_id_play_games"),
        sa.PrimaryKeyConstraint("id", name="pk_play_turns"),
    )
    op.create_index("ix_play_turns_game_id", "play_turns", ["game_id"])
    op.create_index("ix_play_turns_state_player", "play_turns", ["state", "player"])
    op.create_index("ix_play_turns_player_created_at", "play_turns", ["player", "created_at"])
    op.create_index("ix_play_turns_lease_until", "play_turns", ["lease_until"])
