"""Queries for tournaments, their entries and their encounters."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from sqlalchemy import Select, delete, select, tuple_
from sqlalchemy.orm import Session

from arena.core.terms import Leaving, TournamentState
from arena.store.bulk import insert_rows
from arena.store.models import Bot, BotVersion, Bye, Encounter, Entry, Match, Tournament, User
from arena.theory.standings.tally import Tally

ENCOUNTER = ("games", "half_points", "first_wins", "first_draws", "first_losses")
"""The columns of an encounter in which results are added up."""
_TALLY = [getattr(Entry, field.name) for field in fields(Tally)]
_TOTALS = (
    *(Entry.id, Entry.number, Bot.name, BotVersion.number, User.name),
    *(Entry.left_as, Entry.left_round, Entry.annulled, Entry.bye_half_points, Entry.revision, *_TALLY),
)
_BEFORE = len(_TOTALS) - len(_TALLY)


class EntryTotals(NamedTuple):
    """An entry with what it has made; `tally` has the fields of a `Tally`, in their order."""

    id: int
    number: int
    bot: str
    version: int
    owner: str
    left_as: Leaving | None
    left_round: int | None
    annulled: bool
    bye_half_points: int
    revision: int
    tally: tuple[int, ...]


def by_name(session: Session, name: str) -> Tournament | None:
    """The tournament of that name."""
    return session.scalar(select(Tournament).where(Tournament.name == name))


def names(session: Session) -> Sequence[str]:
    """The names of all tournaments."""
    return session.scalars(select(Tournament.name).order_by(Tournament.name)).all()


def lock(session: Session, tournament_id: int) -> Tournament:
    """The tournament as it is now; nobody else changes it until this transaction ends.

    Whoever locks a tournament and its matches locks the tournament first.
    """
    query = select(Tournament).where(Tournament.id == tournament_id)
    query = query.with_for_update(of=Tournament).execution_options(populate_existing=True)
    return session.scalars(query).one()


def lock_of_matches(session: Session, match_ids: Sequence[int]) -> Sequence[Tournament]:
    """The tournaments of these matches as they are now, locked in the order of their ids."""
    of_them = select(Match.tournament_id).where(Match.id.in_(match_ids))
    query = select(Tournament).where(Tournament.id.in_(of_them)).order_by(Tournament.id)
    query = query.with_for_update(of=Tournament).execution_options(populate_existing=True)
    return session.scalars(query).all()


def in_state(session: Session, state: TournamentState) -> Sequence[Tournament]:
    """The tournaments in that state, oldest first."""
    return session.scalars(select(Tournament).where(Tournament.state == state).order_by(Tournament.id)).all()


def all_tournaments() -> Select[Tournament]:
    """All tournaments, newest first."""
    return select(Tournament).order_by(Tournament.id.desc())


def entries(session: Session, tournament: Tournament) -> Sequence[Entry]:
    """The entries in the order of their numbers, with their totals as they are now."""
    query = select(Entry).where(Entry.tournament_id == tournament.id).order_by(Entry.number)
    return session.scalars(query.execution_options(populate_existing=True)).unique().all()


def entry_totals(session: Session, tournament: Tournament) -> list[EntryTotals]:
    """The same without more than a table shows of them."""
    query = select(*_TOTALS).join(BotVersion, Entry.version_id == BotVersion.id)
    query = query.join(Bot, Entry.bot_id == Bot.id).join(User, Bot.owner_id == User.id)
    query = query.where(Entry.tournament_id == tournament.id).order_by(Entry.number)
    made = [(*row[:_BEFORE], tuple(row[_BEFORE:])) for row in session.execute(query)]
    return list(map(EntryTotals._make, made))


def entrants(session: Session, tournament: Tournament) -> Sequence[Any]:
    """The number of every entry, and the rounds from which on it takes part and does so no more."""
    query = select(Entry.number, Entry.joined_round, Entry.left_round)
    return session.execute(query.where(Entry.tournament_id == tournament.id).order_by(Entry.number)).all()


def seats(session: Session, tournament: Tournament) -> Sequence[Any]:
    """Number, id, language, way of leaving and annulment of every entry."""
    query = select(Entry.number, Entry.id, BotVersion.language, Entry.left_as, Entry.annulled)
    query = query.join(BotVersion, Entry.version_id == BotVersion.id)
    return session.execute(query.where(Entry.tournament_id == tournament.id).order_by(Entry.number)).all()


def entry_by_number(session: Session, tournament: Tournament, number: int) -> Entry:
    """The entry of that number, which there is."""
    query = select(Entry).where(Entry.tournament_id == tournament.id, Entry.number == number)
    return session.scalars(query).unique().one()


def entry_of_bot(session: Session, tournament: Tournament, bot: Bot) -> Entry | None:
    """The entry of a bot in a tournament."""
    query = select(Entry).where(Entry.tournament_id == tournament.id, Entry.bot_id == bot.id)
    return session.scalar(query)


def entries_of(session: Session, entry_ids: Collection[int]) -> Sequence[Entry]:
    """The entries of these ids, with their totals as they are now."""
    query = select(Entry).where(Entry.id.in_(entry_ids))
    return session.scalars(query.execution_options(populate_existing=True)).unique().all()


def encounter(session: Session, entry: Entry, other: Entry) -> Encounter:
    """The totals of `entry` against `other`, made when there are none; lock the tournament before."""
    pair = entry.id, other.id
    return session.get(Encounter, pair) or encounters_of(session, [pair])[0]


def encounters_of(session: Session, pairs: Collection[tuple[int, int]]) -> list[Encounter]:
    """The totals of each (entry's id, other's id), made where there are none; lock the tournaments before."""
    there = _encounters_of(session, pairs)
    missing = sorted({*pairs} - {(each.entry_id, each.other_id) for each in there})
    counts = dict.fromkeys(ENCOUNTER, 0)
    insert_rows(
        session, Encounter, [{"entry_id": one, "other_id": other, **counts} for one, other in missing]
    )
    return [*there, *_encounters_of(session, missing)]


def _encounters_of(session: Session, pairs: Collection[tuple[int, int]]) -> Sequence[Encounter]:
    query = select(Encounter).where(tuple_(Encounter.entry_id, Encounter.other_id).in_(pairs))
    return session.scalars(query.execution_options(populate_existing=True)).all() if pairs else []


def encounters(session: Session, tournament: Tournament) -> Sequence[Encounter]:
    """What every entry made against every other that it has met."""
    query = select(Encounter).join(Entry, Encounter.entry_id == Entry.id)
    query = query.where(Entry.tournament_id == tournament.id)
    return session.scalars(query.execution_options(populate_existing=True)).all()


def byes(session: Session, tournament: Tournament) -> Sequence[Bye]:
    """All byes, by round."""
    query = select(Bye).where(Bye.tournament_id == tournament.id).order_by(Bye.round, Bye.entry_id)
    return session.scalars(query).all()


def delete_byes(session: Session, entry: Entry) -> int:
    """Forget the byes of an entry; how many there were."""
    deleted = session.execute(delete(Bye).where(Bye.entry_id == entry.id).returning(Bye.id))
    return len(deleted.all())
