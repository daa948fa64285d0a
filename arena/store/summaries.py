"""Queries that sum up many rows of a list at once."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import BindParameter, Select, bindparam, func, select
from sqlalchemy.orm import Session, joinedload

from arena.core.terms import MatchState
from arena.store.leases import ISSUED
from arena.store.models import Base, Bot, BotVersion, Tournament

OUT = (*ISSUED, MatchState.PARKED)


def newest_versions(session: Session, bots: Sequence[Bot]) -> dict[int, BotVersion]:
    """The version submitted last with its check, by the bot's id."""
    newest = (
        select(BotVersion.bot_id, func.max(BotVersion.number).label("number"))
        .where(BotVersion.bot_id.in_([bot.id for bot in bots]))
        .group_by(BotVersion.bot_id)
        .subquery()
    )
    query = select(BotVersion).join(
        newest, (BotVersion.bot_id == newest.c.bot_id) & (BotVersion.number == newest.c.number)
    )
    query = query.options(joinedload(BotVersion.check))
    return {version.bot_id: version for version in session.scalars(query)}


def newest_version_until(session: Session, bot: Bot, at: dt.datetime) -> BotVersion | None:
    """The version of a bot submitted last until that moment, with its check."""
    return session.scalar(checked_versions(bot).where(BotVersion.created_at <= at).limit(1))


def versions(bot: Bot) -> Select[BotVersion]:
    """All versions of a bot, newest first."""
    return select(BotVersion).where(BotVersion.bot_id == bot.id).order_by(BotVersion.number.desc())


def checked_versions(bot: Bot) -> Select[BotVersion]:
    """The same with their checks."""
    return versions(bot).options(joinedload(BotVersion.check))


_ENTRIES, _MATCHES = (Base.metadata.tables[name].columns for name in ("entries", "matches"))
_OF: BindParameter[Sequence[int]] = bindparam("tournaments", expanding=True)
_ENTERED = (
    select(_ENTRIES.tournament_id, func.count())
    .where(_ENTRIES.tournament_id.in_(_OF))
    .group_by(_ENTRIES.tournament_id)
)
_OUT = (
    select(_MATCHES.tournament_id, _MATCHES.state, func.count())
    .where(_MATCHES.tournament_id.in_(_OF), _MATCHES.state.in_(OUT))
    .group_by(_MATCHES.tournament_id, _MATCHES.state)
)


def entry_counts(session: Session, tournaments: Sequence[Tournament]) -> dict[int, int]:
    """How many bots are entered, by the tournament's id."""
    rows = session.execute(_ENTERED, {"tournaments": [each.id for each in tournaments]})
    return {row[0]: row[1] for row in rows}


def match_counts(session: Session, tournaments: Sequence[Tournament]) -> dict[int, dict[MatchState, int]]:
    """How many matches are in each state, by the tournament's id; states without any are left out.

    The tournaments keep count of all and of those that are over; only the few that are out or parked are
    looked for.
    """
    out: dict[int, dict[MatchState, int]] = defaultdict(dict)
    for tournament, state, count in session.execute(_OUT, {"tournaments": [each.id for each in tournaments]}):
        out[tournament][state] = count
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
