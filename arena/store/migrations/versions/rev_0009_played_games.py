"""How many games of an entry were played: only these have scores and time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

FORFEIT = "forfeit"
"""The kind of a result without a game."""


def upgrade() -> None:
    """Add the column, and take the scores of games that nobody played out of the totals."""
    op.add_column("entries", sa.Column("played", sa.Integer(), nullable=False, server_default="0"))
    entries = _table("entries", "id", "games", "played", "score_own", "score_other")
    matches = _table("matches", "id", "first_id", "second_id")
    results = _table("results", "match_id", "kind", "first_score", "second_score")
    op.execute(entries.update().values(played=entries.c.games))
    scores = results.c.first_score, results.c.second_score
    for entry, own, other in ((matches.c.first_id, *scores), (matches.c.second_id, *reversed(scores))):
        unplayed = (
            sa.select(entry, sa.func.count(), sa.func.sum(own), sa.func.sum(other))
            .select_from(matches.join(results, results.c.match_id == matches.c.id))
            .where(results.c.kind == FORFEIT)
            .group_by(entry)
        )
        for number, games, scored, conceded in op.get_bind().execute(unplayed).all():
            op.execute(
                entries.update()
                .where(entries.c.id == number)
                .values(
                    played=entries.c.played - games,
                    score_own=entries.c.score_own - scored,
                    score_other=entries.c.score_other - conceded,
                )
            )


def _table(name: str, *columns: str) -> sa.TableClause:
    return sa.table(name, *(sa.column(column) for column in columns))
