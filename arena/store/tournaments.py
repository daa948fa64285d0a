"""Queries for tournaments, their entries and their encounters."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from sqlalchemy import (
    Integer,
    Select,
    and_,
    bindparam,
    column,
    delete,
    func,
    or_,
    select,
    type_coerce,
    values,
)
from sqlalchemy.orm import Session
from sqlalchemy.types import NullType

from arena.core.terms import Leaving, TournamentState
from arena.store import freezes, timetables
from arena.store.bulk import insert_rows
from arena.store.models import (
    Base,
    Bot,
    BotVersion,
    Bye,
    Encounter,
    Entry,
    Match,
    Moment,
    OpeningTotal,
    Tournament,
    User,
)
from arena.theory.standings.tally import Tally

FIRST_SEAT = ("first_wins", "first_draws", "first_losses")
"""The columns in which it is added up how games ended for the first seat."""
ENCOUNTER = ("games", "half_points", *FIRST_SEAT)
"""The columns of an encounter in which results are added up."""


PLAYED = (TournamentState.RUNNING, TournamentState.PAUSED)
"""The states between the start and the end."""


class EntryTotals(NamedTuple):
    """What an entry has made, and how it left; from `games` on the fields of a `Tally`, in their order."""

    id: int
    number: int
    version_id: int
    left_as: Leaving | None
    left_round: int | None
    annulled: bool
    bye_half_points: int
    revision: int
    games: int
    played: int
    half_points: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    score_own: int
    score_other: int
    wall_ns: int

    @property
    def tally(self) -> Tally:
        """What it made in its games."""
        return Tally(**{each.name: getattr(self, each.name) for each in fields(Tally)})


EntryRow = tuple[Any, ...]
"""The values of an `EntryTotals` as the database has them, to be compared with others."""


_ENTRIES = Base.metadata.tables["entries"].columns
_TOTALS = (
    select(*(type_coerce(_ENTRIES[name], NullType()) for name in EntryTotals._fields))
    .where(_ENTRIES.tournament_id == bindparam("tournament"))
    .order_by(_ENTRIES.number)
)
"""Made once, and of columns alone, which are taken as they are: every reader of a new revision asks it."""


def by_name(session: Session, name: str) -> Tournament | None:
    """The tournament of that name."""
    return session.scalar(select(Tournament).where(Tournament.name == name))


def of_ids(session: Session, ids: Collection[int]) -> Sequence[Tournament]:
    """The tournaments of these ids."""
    return session.scalars(select(Tournament).where(Tournament.id.in_(ids))).all()


def names(session: Session) -> Sequence[str]:
    """The names of all tournaments."""
    return session.scalars(select(Tournament.name).order_by(Tournament.name)).all()


def lock(session: Session, tournament_id: int) -> Tournament:
    """The tournament as it is now; nobody else changes it until this transaction ends.

    Whoever locks a tournament and its matches locks the tournament first. Events that name it do not wait
    for that: who writes them may have locked one of its matches. One that is to be frozen by now is.
    """
    query = select(Tournament).where(Tournament.id == tournament_id)
    return freezes.in_time(session, session.scalars(_locked(query)).one())


def lock_of_matches(session: Session, match_ids: Sequence[int]) -> Sequence[Tournament]:
    """The tournaments of these matches as they are now, locked; those that somebody else has are left out.

    As with `lock`, one that is to be frozen by now is.
    """
    of_them = select(Match.tournament_id).where(Match.id.in_(match_ids))
    query = select(Tournament).where(Tournament.id.in_(of_them)).order_by(Tournament.id)
    return [freezes.in_time(session, each) for each in session.scalars(_locked(query, skip=True)).all()]


def _locked(query: Select[Tournament], *, skip: bool = False) -> Select[Tournament]:
    query = query.with_for_update(of=Tournament, key_share=True, skip_locked=skip)
    return query.execution_options(populate_existing=True)


def in_state(session: Session, state: TournamentState) -> Sequence[Tournament]:
    """The tournaments in that state, oldest first."""
    return session.scalars(select(Tournament).where(Tournament.state == state).order_by(Tournament.id)).all()


def all_tournaments() -> Select[Tournament]:
    """All tournaments, newest first."""
    return select(Tournament).order_by(Tournament.id.desc())


def run_by(owner_id: int, class_ids: Collection[int]) -> Select[Tournament]:
    """The tournaments that a user made or that are for one of these classes, newest first."""
    theirs = or_(Tournament.owner_id == owner_id, Tournament.class_id.in_(class_ids))
    return all_tournaments().where(theirs)


def going_on(session: Session, limit: int) -> Sequence[Tournament]:
    """The newest that are played, or stand still, or are frozen, however those are behind their freeze."""
    query = all_tournaments().where(or_(Tournament.state.in_(PLAYED), Tournament.frozen_at.is_not(None)))
    return session.scalars(query.limit(limit)).all()


def coming(session: Session, limit: int) -> Sequence[Tournament]:
    """Those that have not begun, by the first moment of their timetable that is to come, and those without.

    Drafts without a timetable are left out: nobody knows whether they will be played.
    """
    first = select(Moment.tournament_id, func.min(Moment.at).label("at")).where(timetables.NOT_DONE)
    soonest = first.group_by(Moment.tournament_id).subquery()
    query = select(Tournament).outerjoin(soonest, soonest.c.tournament_id == Tournament.id)
    known = and_(Tournament.state == TournamentState.DRAFT, soonest.c.at.is_not(None))
    query = query.where(or_(Tournament.state == TournamentState.OPEN, known))
    order = soonest.c.at.is_(None), soonest.c.at, Tournament.id.desc()
    return session.scalars(query.order_by(*order).limit(limit)).all()


def finished_last(session: Session, limit: int) -> Sequence[Tournament]:
    """Those that were finished last and are not frozen."""
    query = select(Tournament).where(
        Tournament.state == TournamentState.FINISHED, Tournament.frozen_at.is_(None)
    )
    return session.scalars(query.order_by(Tournament.finished_at.desc()).limit(limit)).all()


def of_game(session: Session, game: str, limit: int) -> Sequence[Tournament]:
    """The newest of a game."""
    return session.scalars(all_tournaments().where(Tournament.game == game).limit(limit)).all()


def entries(session: Session, tournament: Tournament) -> Sequence[Entry]:
    """The entries in the order of their numbers, with their totals as they are now."""
    query = select(Entry).where(Entry.tournament_id == tournament.id).order_by(Entry.number)
    return session.scalars(query.execution_options(populate_existing=True)).unique().all()


def entry_rows(session: Session, tournament: Tournament) -> list[EntryRow]:
    """What the entries have made, in the order of their numbers."""
    return list(map(tuple, session.execute(_TOTALS, {"tournament": tournament.id}).all()))


def totals_of(row: EntryRow) -> EntryTotals:
    """The same with the words of the arena."""
    told = EntryTotals._make(row)
    left_as = None if told.left_as is None else Leaving(told.left_as)
    return told._replace(left_as=left_as, annulled=bool(told.annulled))


def entered(session: Session, entry_ids: Collection[int]) -> dict[int, tuple[str, int, str]]:
    """Bot, version and owner of entries, by the entries' ids."""
    query = select(Entry.id, Bot.name, BotVersion.number, User.name)
    query = query.join(BotVersion, Entry.version_id == BotVersion.id)
    query = query.join(Bot, Entry.bot_id == Bot.id).join(User, Bot.owner_id == User.id)
    rows = session.execute(query.where(Entry.id.in_(entry_ids)))
    return {entry: (bot, version, owner) for entry, bot, version, owner in rows}


def entrants(session: Session, tournament: Tournament) -> Sequence[Any]:
    """The number of every entry, the rounds from which on it takes part and does no more, and how it left."""
    query = select(Entry.number, Entry.joined_round, Entry.left_round, Entry.left_as)
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
    """As rows to join: SQLite has no index for pairs in a list, and would go through all encounters."""
    if not pairs:
        return []
    asked = values(column("one", Integer), column("two", Integer)).data(list(pairs)).cte("asked")
    both = and_(Encounter.entry_id == asked.c.one, Encounter.other_id == asked.c.two)
    query = select(Encounter).join(asked, both).execution_options(populate_existing=True)
    return session.scalars(query).all()


def encounters(session: Session, tournament: Tournament) -> Sequence[Encounter]:
    """What every entry made against every other that it has met."""
    query = select(Encounter).join(Entry, Encounter.entry_id == Entry.id)
    query = query.where(Entry.tournament_id == tournament.id)
    return session.scalars(query.execution_options(populate_existing=True)).all()


def opening_total(session: Session, tournament_id: int, number: int) -> OpeningTotal:
    """The totals of an opening, made when there are none; lock the tournament before."""
    key = tournament_id, number
    return session.get(OpeningTotal, key) or opening_totals_of(session, [key])[0]


def opening_totals_of(session: Session, keys: Collection[tuple[int, int]]) -> list[OpeningTotal]:
    """The totals of openings, by tournaments' ids and numbers, made where there are none."""
    there = _opening_totals_of(session, keys)
    missing = sorted({*keys} - {(each.tournament_id, each.number) for each in there})
    counts = dict.fromkeys(FIRST_SEAT, 0)
    rows = [{"tournament_id": cup, "number": number, **counts} for cup, number in missing]
    insert_rows(session, OpeningTotal, rows)
    return [*there, *_opening_totals_of(session, missing)]


def _opening_totals_of(session: Session, keys: Collection[tuple[int, int]]) -> Sequence[OpeningTotal]:
    if not keys:
        return []
    cups, numbers = ({*each} for each in zip(*keys, strict=True))
    query = select(OpeningTotal).where(OpeningTotal.tournament_id.in_(cups), OpeningTotal.number.in_(numbers))
    rows = session.scalars(query.execution_options(populate_existing=True))
    return [row for row in rows if (row.tournament_id, row.number) in {*keys}]


def opening_totals(session: Session, tournament: Tournament) -> Sequence[OpeningTotal]:
    """How games ended, by their openings' numbers, in a tournament that has openings."""
    query = select(OpeningTotal).where(OpeningTotal.tournament_id == tournament.id)
    query = query.order_by(OpeningTotal.number).execution_options(populate_existing=True)
    return session.scalars(query).all()


def byes(session: Session, tournament: Tournament) -> Sequence[Bye]:
    """All byes, by round."""
    query = select(Bye).where(Bye.tournament_id == tournament.id).order_by(Bye.round, Bye.entry_id)
    return session.scalars(query).all()


def delete_byes(session: Session, entry: Entry) -> int:
    """Forget the byes of an entry; how many there were."""
    deleted = session.execute(delete(Bye).where(Bye.entry_id == entry.id).returning(Bye.id))
    return len(deleted.all())
