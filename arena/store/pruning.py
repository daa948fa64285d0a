"""Queries for what is kept for a while only: what bots wrote beside their moves, and tokens of before."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Text, cast, delete, func, inspect, or_, select, update
from sqlalchemy.orm import Session

from arena.core.terms import OVER
from arena.store.models import (
    Experiment,
    Match,
    Move,
    Result,
    ScrimmageResult,
    SupersededResult,
    Token,
    Tournament,
    VoidAttempt,
    WebSession,
)

WRITTEN = ("stderr_head", "stderr_tail", "request", "received")
"""What of a seat, or of a forfeit, is text by a bot, or was sent to it; how long it was is kept."""


def tournaments_over(session: Session, before: dt.datetime) -> Sequence[int]:
    """The tournaments that were over before then, and are not frozen."""
    query = select(Tournament.id).where(Tournament.state.in_(OVER), Tournament.frozen_at.is_(None))
    ended = func.coalesce(Tournament.finished_at, Tournament.started_at, Tournament.created_at)
    return session.scalars(query.where(ended < before).order_by(Tournament.id)).all()


def matches_of(session: Session, tournament_id: int) -> Sequence[int]:
    """The ids of all matches of a tournament."""
    query = select(Match.id).where(Match.tournament_id == tournament_id)
    return session.scalars(query.order_by(Match.id)).all()


def clear_matches(session: Session, tournament_id: int, ids: Sequence[int]) -> int:
    """Take what bots wrote out of some matches of a tournament; in how many records there was any."""
    told = update(Move).where(Move.match_id.in_(ids), Move.debug.is_not(None)).values(debug=None)
    cleared = len(set(session.scalars(told.returning(Move.match_id)))) + sum(
        _clear(session, model, model.match_id.in_(ids)) for model in (Result, SupersededResult, VoidAttempt)
    )
    if cleared:
        grown = update(Tournament).where(Tournament.id == tournament_id)
        session.execute(grown.values(revision=Tournament.revision + 1))
    return cleared


def scrimmage_games(session: Session, before: dt.datetime) -> Sequence[int]:
    """The ids of the games of scrimmages that were recorded before then."""
    query = select(ScrimmageResult.game_id).where(ScrimmageResult.recorded_at < before)
    return session.scalars(query.order_by(ScrimmageResult.game_id)).all()


def clear_scrimmage_games(session: Session, ids: Sequence[int]) -> int:
    """The same of some games of scrimmages."""
    return _clear(session, ScrimmageResult, ScrimmageResult.game_id.in_(ids))


def experiments_over(session: Session, before: dt.datetime) -> Sequence[int]:
    """The experiments with games in columns that were over before then."""
    query = select(Experiment.id).where(Experiment.columns.is_not(None), Experiment.finished_at < before)
    return session.scalars(query.order_by(Experiment.id)).all()


def remove_tokens(session: Session, before: dt.datetime) -> int:
    """Remove the tokens that were revoked, or ended, before then; how many. Those of sessions stay."""
    over = or_(Token.revoked_at < before, Token.expires_at < before)
    used = select(WebSession.token_id).where(WebSession.token_id == Token.id).exists()
    return len(session.scalars(delete(Token).where(over, ~used).returning(Token.id)).all())


def _clear(session: Session, model: Any, wanted: ColumnElement[bool]) -> int:
    columns = [name for name in ("seats", "forfeits", "moves") if name in inspect(model).columns]
    key = inspect(model).primary_key
    read = [getattr(model, name) for name in columns]
    some = or_(*(_has(column, name) for column in read for name in (*WRITTEN, "debug")))
    query = select(*key, *read).where(wanted, some).with_for_update(key_share=True)
    changed = [
        {part.name: value for part, value in zip(key, row, strict=False)}
        | {name: list(_cleared(rows)) for name, rows in zip(columns, row[len(key) :], strict=True)}
        for row in session.execute(query)
    ]
    if changed:
        session.execute(update(model), changed)
    return len(changed)


def _has(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """Whether in JSON, as it is stored, some text stands by that name that is not empty."""
    others = func.replace(cast(column, Text), f'"{name}": ""', "")
    return others.contains(f'"{name}": "', autoescape=True)


def _cleared(rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        yield {
            name: "" if name in WRITTEN else None if name == "debug" else value for name, value in row.items()
        }
