"""Matches that were decided because the bot of a person left whose data is erased: they name it no more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None

GONE = "left the tournament"
LEFT = ("withdrawn", "disqualified")


def upgrade() -> None:
    """Do for whom was erased before what erasing does now."""
    matches = sa.table("matches", sa.column("id"), sa.column("first_id"), sa.column("second_id"))
    entries = sa.table("entries", sa.column("id"), sa.column("bot_id"))
    bots = sa.table("bots", sa.column("id"), sa.column("owner_id"))
    users = sa.table("users", sa.column("id"), sa.column("erased_at"))
    owners = sa.select(users.c.id).where(users.c.erased_at.is_not(None))
    theirs = sa.select(bots.c.id).where(bots.c.owner_id.in_(owners))
    entered = sa.select(entries.c.id).where(entries.c.bot_id.in_(theirs))
    played = sa.select(matches.c.id).where(matches.c.first_id.in_(entered) | matches.c.second_id.in_(entered))
    for name in ("results", "superseded_results", "frozen_results", "frozen_superseded_results"):
        results = sa.table(name, sa.column("match_id"), sa.column("reason"), sa.column("manual_reason"))
        named = results.c.match_id.in_(played), results.c.reason.in_(LEFT)
        op.execute(results.update().where(*named).values(manual_reason=GONE))
    _rewrite_log(played)


def _rewrite_log(played: sa.Select[tuple[int]]) -> None:
    """Take the names out of the events that told of it."""
    connection = op.get_bind()
    told, kind = sa.column("data", sa.JSON()), sa.column("kind", sa.Text())
    events = sa.table("events", sa.column("id"), sa.column("match_id"), kind, told)
    decided = sa.select(events.c.id, told).where(kind == "match.decided", events.c.match_id.in_(played))
    for number, data in connection.execute(decided).all():
        if data.get("reason") in LEFT:
            without = events.update().where(events.c.id == number).values(data={**data, "why": GONE})
            connection.execute(without)
