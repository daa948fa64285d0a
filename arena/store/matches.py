"""Queries for matches, their results and their moves."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    CompoundSelect,
    Select,
    cast,
    delete,
    exists,
    func,
    insert,
    inspect,
    not_,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.orm import Session, joinedload, lazyload

from arena.core.terms import Ended, MatchState
from arena.store.bulk import insert_rows
from arena.store.leases import ISSUED, locked
from arena.store.models import (
    Analysis,
    Ending,
    Entry,
    Match,
    Move,
    Result,
    SupersededResult,
    Tournament,
    User,
)
from arena.theory.pairing.contract import Kind
from workers.core.contract import FaultCode

BATCH = 2000
Listed = Select[int, MatchState] | CompoundSelect[int, MatchState, int]
"""Matches by their ids, with their states."""
_SIDES = (Match.first_id, Match.second_id)
_PLAYED = select(Result.match_id).where(Result.match_id == Match.id, Result.kind == Kind.PLAYED)
UNFINISHED = (MatchState.PENDING, *ISSUED, MatchState.PARKED)


def by_number(session: Session, tournament: Tournament, number: int) -> Match | None:
    """One match of a tournament."""
    query = select(Match).where(Match.tournament_id == tournament.id, Match.number == number)
    return session.scalar(query.options(joinedload(Match.result)))


def lock(session: Session, match_id: int) -> Match:
    """The match as it is now; nobody else changes it until this transaction ends."""
    query = select(Match).where(Match.id == match_id)
    return session.scalars(locked(query, Match)).one()


def lock_free(
    session: Session, match_ids: Collection[int], within: Collection[Tournament] | None = None
) -> Sequence[Match]:
    """The matches of these ids as they are now, in this order: nobody else changes them meanwhile.

    Those that somebody else has locked are left out, and so are those of other tournaments than are given.
    Their tournaments and entries are those that the session has, or read one by one.
    """
    query = select(Match).where(Match.id.in_(match_ids)).order_by(Match.id)
    if within is not None:
        query = query.where(Match.tournament_id.in_([each.id for each in within]))
    alone = lazyload(Match.tournament), lazyload(Match.first), lazyload(Match.second)
    return session.scalars(locked(query.options(*alone), Match, skip=True)).all()


def existing(session: Session, match_ids: Collection[int]) -> set[int]:
    """Those of these ids that are a match's."""
    return set(session.scalars(select(Match.id).where(Match.id.in_(match_ids))))


def any_pending(session: Session, tournament: Tournament, served: Collection[str]) -> bool:
    """Whether a match waits to be published that one of the hosts can play."""
    query = select(Match.id).where(*_pending(tournament, served))
    return bool(session.scalar(select(exists(query))))


def count_playable(session: Session, tournament: Tournament, served: Collection[str], most: int) -> int:
    """How many matches wait to be published that one of the hosts can play; counting ends at `most`."""
    query = select(Match.id).where(*_pending(tournament, served)).limit(most)
    return session.scalar(select(func.count()).select_from(query.subquery())) or 0


def _pending(tournament: Tournament, served: Collection[str]) -> tuple[ColumnElement[bool], ...]:
    state = Match.state == MatchState.PENDING
    return Match.tournament_id == tournament.id, state, Match.needs.in_(served)


def lock_pending(
    session: Session, tournament: Tournament, served: Collection[str], limit: int
) -> Sequence[Match]:
    """The next matches to be published that one of the hosts can play, locked."""
    query = select(Match).where(*_pending(tournament, served))
    return session.scalars(locked(query.order_by(Match.number).limit(limit), Match)).all()


def count_pending(session: Session, tournament: Tournament, most: int) -> int:
    """How many matches wait to be published; counting ends at `most`."""
    query = select(Match.id).where(Match.tournament_id == tournament.id, Match.state == MatchState.PENDING)
    return session.scalar(select(func.count()).select_from(query.limit(most).subquery())) or 0


def last_number(session: Session, tournament: Tournament) -> int:
    """The highest number of a match, 0 when there is none."""
    return session.scalar(select(func.max(Match.number)).where(Match.tournament_id == tournament.id)) or 0


def lock_of_entry(session: Session, tournament: Tournament, entry: Entry) -> Sequence[Match]:
    """All matches of an entry by number, locked, with their results."""
    query = select(Match).where(Match.tournament_id == tournament.id, _of([entry.id])).order_by(Match.number)
    return session.scalars(locked(query, Match)).unique().all()


def lock_unfinished_of(
    session: Session, tournament: Tournament, entries: Collection[int], round_number: int
) -> Sequence[Match]:
    """The matches of a round that entries of those ids have still to play, by number, locked."""
    query = select(Match).where(Match.tournament_id == tournament.id, Match.round == round_number)
    query = query.where(Match.state.in_(UNFINISHED), _of(entries)).order_by(Match.number)
    return session.scalars(locked(query, Match)).unique().all()


def lock_round(session: Session, tournament: Tournament, round_number: int) -> Sequence[Match]:
    """The matches of a round by number, locked."""
    query = select(Match).where(Match.tournament_id == tournament.id, Match.round == round_number)
    return session.scalars(locked(query.order_by(Match.number), Match)).unique().all()


def _of(entries: Collection[int]) -> ColumnElement[bool]:
    return or_(Match.first_id.in_(entries), Match.second_id.in_(entries))


def insert_all(session: Session, rows: Iterable[dict[str, Any]]) -> int:
    """Insert matches, a batch at a time; how many there were."""
    rows, count = iter(rows), 0
    while batch := list(islice(rows, BATCH)):
        session.execute(insert(Match), batch)
        count += len(batch)
    return count


def insert_moves(session: Session, rows: list[dict[str, Any]]) -> None:
    """Insert moves, of any matches."""
    insert_rows(session, Move, rows)


def supersede(
    session: Session, match: Match, result: Result, *, why: str, by: User | None, now: dt.datetime
) -> None:
    """Put a match's result and its moves where what counts no more is kept; their analysis is thrown away."""
    columns = [column.key for column in inspect(Move).column_attrs if column.key != "match_id"]
    session.add(
        SupersededResult(
            match_id=match.id,
            attempt=result.attempt,
            **{name: getattr(result, name) for name in Ending.__annotations__},
            moves=[{name: getattr(move, name) for name in columns} for move in moves(session, match)],
            why=why,
            superseded_by=by.id if by else None,
            superseded_at=now,
        )
    )
    session.delete(result)
    session.execute(delete(Analysis).where(Analysis.match_id == match.id))
    session.execute(delete(Move).where(Move.match_id == match.id))
    session.flush()
    session.expire(match, ["result", "superseded"])


def cancel_all(session: Session, tournament: Tournament) -> int:
    """Cancel what is unfinished in a (locked) tournament, which counts it; how many matches that were.

    The token goes, so that a late report is refused. They are locked in the order in which others lock them.
    """
    open_ = select(Match.id).where(Match.tournament_id == tournament.id, Match.state.in_(UNFINISHED))
    mine = open_.order_by(Match.id).with_for_update(key_share=True)
    query = update(Match).where(Match.id.in_(mine.scalar_subquery()))
    cancelled = session.execute(
        query.values(Match.released(MatchState.CANCELLED)).returning(Match.id),
        execution_options={"synchronize_session": False},
    )
    count = len(cancelled.all())
    tournament.matches_cancelled += count
    return count


def any_in_state(session: Session, tournament: Tournament, states: Iterable[MatchState]) -> bool:
    """Whether a tournament has a match in one of these states."""
    query = select(Match.id).where(Match.tournament_id == tournament.id, Match.state.in_(tuple(states)))
    return bool(session.scalar(select(exists(query))))


def playing(tournaments: Collection[int]) -> Listed:
    """Of each of these tournaments, of which there are some, the first game that is being played."""
    found = []
    for each in tournaments:
        query = select(Match.id, Match.state).where(Match.tournament_id == each)
        first = query.where(Match.state == MatchState.RUNNING).order_by(Match.number).limit(1).subquery()
        found.append(select(first.c.id, first.c.state))
    return union_all(*found)


def states(session: Session, tournament: Tournament) -> dict[str, int]:
    """How many matches of a tournament are in each state; states without a match are left out."""
    query = select(Match.state, func.count()).where(Match.tournament_id == tournament.id)
    return {str(state): count for state, count in session.execute(query.group_by(Match.state))}


@dataclass(frozen=True)
class Sought:
    """Which of a tournament's matches are asked for; None asks for nothing."""

    state: MatchState | None = None
    entry: Entry | None = None
    round: int | None = None
    ended: Ended | None = None

    @property
    def count_is_stamped(self) -> bool:
        """Whether their number cannot change where neither a revision nor the number in that state does."""
        return self.state is None or self == Sought(self.state)


def listed(tournament: Tournament, sought: Sought, offset: int, limit: int) -> Listed:
    """The ids and states of a part of those of a tournament's matches that are sought, by number.

    They are found in indexes. No match is ever taken away, so that without conditions the one after so many
    others is the one of the next number.
    """
    found: Listed
    if sought == Sought():
        found = select(Match.id, Match.state).where(Match.tournament_id == tournament.id)
        return found.where(Match.number > offset).order_by(Match.number).limit(limit)
    found = _found(tournament, sought, Match.id, Match.state, Match.number)
    return found.order_by(Match.number.key).offset(offset).limit(limit)


def count(session: Session, tournament: Tournament, sought: Sought) -> int:
    """How many matches of a tournament are sought."""
    found = _found(tournament, sought, Match.id)
    return session.scalar(select(func.count()).select_from(found.subquery())) or 0


def _found(tournament: Tournament, sought: Sought, *columns: Any) -> Any:
    """The matches that are sought; those of an entry from the indexes of both sides."""
    query = select(*columns)
    if sought.state is not None:
        query = query.where(Match.state == sought.state)
    if sought.round is not None:
        query = query.where(Match.round == sought.round)
    if sought.ended is not None:
        query = query.join(Result, Result.match_id == Match.id).where(*_ended(sought.ended))
    if sought.entry is None:
        return query.where(Match.tournament_id == tournament.id)
    return union_all(*(query.where(side == sought.entry.id) for side in _SIDES))


def _ended(how: Ended) -> tuple[ColumnElement[bool], ...]:
    by_fault = or_(Result.kind == Kind.FORFEIT, Result.reason.in_([code.value for code in FaultCode]))
    if how == Ended.FORFEIT:
        return (by_fault,)
    return not_(by_fault), Result.winner.is_not(None) if how == Ended.WON else Result.winner.is_(None)


def of_ids(session: Session, match_ids: Sequence[int]) -> Sequence[Match]:
    """The matches of these ids by number, with their results."""
    query = select(Match).where(Match.id.in_(match_ids)).order_by(Match.number)
    return session.scalars(query.options(joinedload(Match.result))).all()


def finished_last(session: Session, tournaments: Collection[int], limit: int) -> Sequence[Match]:
    """Of the newest games of each of these tournaments those whose results came last, the last one first.

    They were played: who leaves loses rounds that are to come, of which there is nothing to be seen.
    """
    newest = [
        select(
            select(Match.id)
            .where(Match.tournament_id == each, Match.state == MatchState.FINISHED, exists(_PLAYED))
            .order_by(Match.number.desc())
            .limit(limit)
            .subquery()
        )
        for each in tournaments
    ]
    ids = session.scalars(union_all(*newest)).all() if newest else []
    found = [(each.result.recorded_at, each.id, each) for each in of_ids(session, ids) if each.result]
    return [match for *_, match in sorted(found, key=itemgetter(0, 1), reverse=True)[:limit]]


def after(tournament: Tournament, state: MatchState | None, number: int) -> Select[Match]:
    """The matches of a tournament after that number, with their results; of one state if given."""
    query = select(Match).where(Match.tournament_id == tournament.id, Match.number > number)
    if state is not None:
        query = query.where(Match.state == state)
    return query.order_by(Match.number).options(joinedload(Match.result))


def moves(session: Session, match: Match) -> Sequence[Move]:
    """The recorded moves of a match, in order."""
    return session.scalars(select(Move).where(Move.match_id == match.id).order_by(Move.ply)).all()


def ended(session: Session, tournament: Tournament) -> Iterator[tuple[int, int, int, int, int]]:
    """Every game that was played: both entries, the opening's number, and the half points of both seats."""
    query = select(
        Match.first_id,
        Match.second_id,
        Match.opening_number,
        Result.first_half_points,
        Result.second_half_points,
    ).join(Result, Result.match_id == Match.id)
    query = query.where(Match.tournament_id == tournament.id, Result.kind == Kind.PLAYED)
    for row in session.execute(query):
        yield row[0], row[1], row[2], row[3], row[4]


def games(session: Session, tournament: Tournament, *, detailed: bool = False) -> Iterator[Any]:
    """Every game that was not called off, by round and number, with its points where it has ended.

    In detail with the scores of both seats, and what they used.
    """
    columns = [
        *(Match.round, Match.phase, Match.first_id, Match.second_id, Match.state),
        *(Result.first_half_points, Result.second_half_points, Result.kind),
        *((Result.first_score, Result.second_score, Result.seats) if detailed else ()),
    ]
    query = select(*columns).outerjoin(Result, Result.match_id == Match.id)
    query = query.where(Match.tournament_id == tournament.id, Match.state != MatchState.CANCELLED)
    query = query.order_by(Match.round, Match.number).execution_options(yield_per=BATCH)
    yield from session.execute(query)


def slowest(session: Session, entry: Entry, *, without: Match) -> int:
    """The slowest answer of an entry in its recorded games but one."""
    found = []
    for seat, side in enumerate((Match.first_id, Match.second_id)):
        told = cast(Result.seats[seat, "slowest_ns"].as_string(), BigInteger)
        query = select(func.max(told)).join(Match, Match.id == Result.match_id)
        found.append(session.scalar(query.where(side == entry.id, Match.id != without.id)) or 0)
    return max(found)


def newest_round(session: Session, tournament: Tournament) -> int:
    """The round of the match with the highest number that was played; 0 while there is none.

    What was decided without a game says nothing of how far it is: who leaves loses rounds that are to come.
    """
    query = select(Match.round).where(
        Match.tournament_id == tournament.id, Match.state == MatchState.FINISHED, exists(_PLAYED)
    )
    return session.scalar(query.order_by(Match.number.desc()).limit(1)) or 0


def of_two_minds(session: Session, tournament: Tournament) -> Sequence[int]:
    """The numbers of matches that are finished and have no result, or have one and are not finished."""
    query = select(Match.number).outerjoin(Result, Result.match_id == Match.id).order_by(Match.number)
    unlike = (Match.state == MatchState.FINISHED) != Result.match_id.is_not(None)
    return session.scalars(query.where(Match.tournament_id == tournament.id, unlike)).all()


def endings(session: Session, tournament: Tournament, from_round: int = 1) -> Iterator[Any]:
    """Every result from a round on with its match's number and entries, never all held at once."""
    query = select(
        Match.number,
        Match.first_id,
        Match.second_id,
        Match.opening_number,
        Result.match_id,
        Result.attempt,
        Result.first_score,
        Result.second_score,
        Result.first_half_points,
        Result.second_half_points,
        Result.forfeits,
        Result.seats,
        Result.kind,
    ).join(Result, Result.match_id == Match.id)
    query = query.where(Match.tournament_id == tournament.id).order_by(Match.number)
    if from_round > 1:
        query = query.where(Match.round >= from_round)
    yield from session.execute(query.execution_options(yield_per=BATCH))
