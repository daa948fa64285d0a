"""Queries for what is kept for a while only: what bots wrote beside their moves."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Text, cast, func, inspect, or_, select, update
from sqlalchemy.orm import Session

from arena.core.terms import TournamentState
from arena.store.models import (
    Experiment,
    Match,
    Move,
    Result,
    ScrimmageResult,
    SupersededResult,
    Tournament,
    VoidAttempt,
)

WRITTEN = ("stderr_head", "stderr_tail", "request", "received")
"""What of a seat, or of a forfeit, is text by a bot, or was sent to it; how long it was is kept."""
OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)


def tournaments_over(session: Session, before: dt.datetime) -> Sequence[int]:
    """The tournaments that were over before then, and are not frozen."""
    query = select(Tournament.id).where(Tournament.state.in_(OVER), Tournament.frozen_at.is_(None))
    ended = func.coalesce(Tournament.finished_at, Tournament.started_at, Tournament.created_at)
    return session.scalars(query.where(ended < before).order_by(Tournament.id)).all()


def clear_tournament(session: Session, tournament_id: int) -> int:
    """Take what bots wrote out of all games of a tournament; in how many records there was any."""
    matches = select(Match.id).where(Match.tournament_id == tournament_id)
    told = update(Move).where(Move.match_id.in_(matches), Move.debug.is_not(None)).values(debug=None)
    cleared = len(set(session.scalars(told.returning(Move.match_id)))) + sum(
        _clear(session, model, model.match_id.in_(matches))
        for model in (Result, SupersededResult, VoidAttempt)
    )
    if cleared:
        grown = update(Tournament).where(Tournament.id == tournament_id)
        session.execute(grown.values(revision=Tournament.revision + 1))
    return cleared


def clear_scrimmages(session: Session, before: dt.datetime) -> int:
    """The same of the games of scrimmages that were recorded before then."""
    return _clear(session, ScrimmageResult, ScrimmageResult.recorded_at < before)


def experiments_over(session: Session, before: dt.datetime) -> Sequence[int]:
    """The experiments with games in columns that were over before then."""
    query = select(Experiment.id).where(Experiment.columns.is_not(None), Experiment.finished_at < before)
    return session.scalars(query.order_by(Experiment.id)).all()


def _clear(session: Session, model: Any, wanted: ColumnElement[bool]) -> int:
    columns = [name for name in ("seats", "forfeits", "moves") if name in inspect(model).columns]
    key = inspect(model).primary_key
    read = [getattr(model, name) for name in columns]
    names = (*WRITTEN, "debug")
    some = or_(
        *(cast(column, Text).contains(f'"{name}"', autoescape=True) for column in read for name in names)
    )
    count = 0
    for row in session.execute(select(*key, *read).where(wanted, some)).all():
        number, told = row[: len(key)], row[len(key) :]
        cleared = {name: list(_cleared(rows)) for name, rows in zip(columns, told, strict=True)}
        if list(cleared.values()) != list(told):
            place = [part == value for part, value in zip(key, number, strict=True)]
            session.execute(update(model).where(*place).values(cleared))
            count += 1
    return count


def _cleared(rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        yield {
            name: "" if name in WRITTEN else None if name == "debug" else value for name, value in row.items()
        }
