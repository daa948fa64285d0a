"""Queries that sum up many rows of a list at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from arena.core.terms import MatchState
from arena.store.models import Bot, BotVersion, Entry, Match, Tournament


def newest_versions(session: Session, bots: Sequence[Bot]) -> dict[int, BotVersion]:
    """The version submitted last, by the bot's id."""
    newest = (
        select(BotVersion.bot_id, func.max(BotVersion.number).label("number"))
        .where(BotVersion.bot_id.in_([bot.id for bot in bots]))
        .group_by(BotVersion.bot_id)
        .subquery()
    )
    query = select(BotVersion).join(
        newest, (BotVersion.bot_id == newest.c.bot_id) & (BotVersion.number == newest.c.number)
    )
    return {version.bot_id: version for version in session.scalars(query)}


def versions(bot: Bot) -> Select[BotVersion]:
    """All versions of a bot, newest first."""
    return select(BotVersion).where(BotVersion.bot_id == bot.id).order_by(BotVersion.number.desc())


def entry_counts(session: Session, tournaments: Sequence[Tournament]) -> dict[int, int]:
    """How many bots are entered, by the tournament's id."""
    query = select(Entry.tournament_id, func.count()).group_by(Entry.tournament_id)
    rows = session.execute(query.where(Entry.tournament_id.in_([each.id for each in tournaments])))
    return {row[0]: row[1] for row in rows}


def match_counts(session: Session, tournaments: Sequence[Tournament]) -> dict[int, dict[MatchState, int]]:
    """How many matches are in each state, by the tournament's id; states without any are left out."""
    query = select(Match.tournament_id, Match.state, func.count()).group_by(Match.tournament_id, Match.state)
    counts: dict[int, dict[MatchState, int]] = defaultdict(dict)
    for tournament_id, state, count in session.execute(
        query.where(Match.tournament_id.in_([each.id for each in tournaments]))
    ):
        counts[tournament_id][state] = count
    return counts
