"""Queries for seasons and their tournaments."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Select, delete, func, or_, select
from sqlalchemy.orm import Session

from arena.store.bulk import insert_rows
from arena.store.models import Bot, Entry, Season, SeasonTournament, Tournament, User


def by_name(session: Session, name: str) -> Season | None:
    """The season of that name."""
    return session.scalar(select(Season).where(Season.name == name))


def lock(session: Session, season_id: int) -> Season | None:
    """The season as it is now, unless it was removed; nobody else changes it until this transaction ends."""
    query = select(Season).where(Season.id == season_id).with_for_update()
    return session.scalars(query.execution_options(populate_existing=True)).one_or_none()


def listed() -> Select[Season]:
    """All seasons, newest first."""
    return select(Season).order_by(Season.id.desc())


def run_by(owner_id: int, class_ids: Collection[int]) -> Select[Season]:
    """The seasons that a user made or that are for one of these classes, newest first."""
    return listed().where(or_(Season.owner_id == owner_id, Season.class_id.in_(class_ids)))


def counts(session: Session, seasons: Collection[int]) -> dict[int, int]:
    """How many tournaments each of these seasons has."""
    query = select(SeasonTournament.season_id, func.count()).where(SeasonTournament.season_id.in_(seasons))
    return {row[0]: row[1] for row in session.execute(query.group_by(SeasonTournament.season_id))}


def tournaments(session: Session, season: Season) -> Sequence[Tournament]:
    """The tournaments of a season in their order."""
    query = select(Tournament).join(SeasonTournament, SeasonTournament.tournament_id == Tournament.id)
    query = query.where(SeasonTournament.season_id == season.id).order_by(SeasonTournament.position)
    return session.scalars(query).all()


def set_tournaments(session: Session, season: Season, ids: Sequence[int]) -> None:
    """Let a (locked) season have these tournaments, in this order."""
    session.execute(delete(SeasonTournament).where(SeasonTournament.season_id == season.id))
    rows = [
        {"season_id": season.id, "tournament_id": each, "position": at}
        for at, each in enumerate(ids, start=1)
    ]
    insert_rows(session, SeasonTournament, rows)


def remove(session: Session, season: Season) -> None:
    """Remove a (locked) season; its tournaments stay."""
    set_tournaments(session, season, ())
    session.delete(season)
    session.flush()


def entered_by(
    session: Session, tournaments: Collection[Tournament], roles: Collection[str]
) -> dict[int, frozenset[int]]:
    """By the id of each tournament, the ids of its entries whose owners have one of these roles."""
    ids = [tournament.id for tournament in tournaments]
    query = select(Entry.tournament_id, Entry.id).join(Bot, Bot.id == Entry.bot_id)
    query = query.join(User, User.id == Bot.owner_id)
    rows = session.execute(query.where(Entry.tournament_id.in_(ids), User.role.in_(roles))).all()
    return {each: frozenset(entry for of, entry in rows if of == each) for each in ids}
