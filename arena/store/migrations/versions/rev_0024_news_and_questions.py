"""Questions and their answers, announcements to a class, and how far somebody has read the news."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
OF_CLASS = sa.text("class_id IS NOT NULL")


def upgrade() -> None:
    """Make the tables and columns. To whoever is here by now, nothing of before is new."""
    op.create_table(
        "questions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=True),
        sa.Column("tournament_id", sa.Integer(), nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("asked_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["team_id"], ["users.id"], name="fk_questions_team_id_users"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_questions_user_id_users"),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_questions_tournament_id_tournaments"
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_questions_match_id_matches"),
        sa.PrimaryKeyConstraint("id", name="pk_questions"),
    )
    op.create_index("ix_questions_team_id", "questions", ["team_id"])
    op.create_index("ix_questions_tournament_id_state", "questions", ["tournament_id", "state"])
    op.create_index("ix_questions_class_id_state", "questions", ["class_id", "state"])
    op.create_table(
        "answers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("corrects_id", sa.Integer(), nullable=True),
        sa.Column("to_all", sa.Boolean(), nullable=False),
        sa.Column("names_asker", sa.Boolean(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name="fk_answers_question_id_questions"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_answers_user_id_users"),
        sa.ForeignKeyConstraint(["corrects_id"], ["answers.id"], name="fk_answers_corrects_id_answers"),
        sa.PrimaryKeyConstraint("id", name="pk_answers"),
        sa.UniqueConstraint("corrects_id", name="uq_answers_corrects_id"),
    )
    op.create_index("ix_answers_question_id", "answers", ["question_id"])
    op.add_column("events", sa.Column("class_id", sa.Integer(), nullable=True))
    op.create_index(
        "ix_events_class_id", "events", ["class_id"], sqlite_where=OF_CLASS, postgresql_where=OF_CLASS
    )
    op.add_column("users", sa.Column("news_seen_at", MOMENT, nullable=True))
    op.execute(sa.text("UPDATE users SET news_seen_at = CURRENT_TIMESTAMP"))
