"""Queries that sum up many rows of a list at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from arena.core.terms import MatchState
from arena.store.leases import ISSUED
from arena.store.models import Bot, BotVersion, Entry, Match, Tournament

OUT = (*ISSUED, MatchState.PARKED)


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
    """How many matches are in each state, by the tournament's id; states without any are left out.

    The tournaments keep count of all and of those that are over; only the few that are out or parked are
    looked for.
    """
    query = select(Match.tournament_id, Match.state, func.count()).group_by(Match.tournament_id, Match.state)
    query = query.where(Match.tournament_id.in_([each.id for each in tournaments]), Match.state.in_(OUT))
    out: dict[int, dict[MatchState, int]] = defaultdict(dict)
    for tournament_id, state, count in session.execute(query):
        out[tournament_id][state] = count
    return {each.id: _counts(each, out[each.id]) for each in tournaments}


def _counts(tournament: Tournament, out: dict[MatchState, int]) -> dict[MatchState, int]:
    over = tournament.matches_finished + tournament.matches_cancelled
    counts = {
        MatchState.CANCELLED: tournament.matches_cancelled,
        MatchState.FINISHED: tournament.matches_finished,
        MatchState.PENDING: tournament.matches_total - over - sum(out.values()),
        **out,
    }
    return {state: counts[state] for state in sorted(counts) if counts[state]}
