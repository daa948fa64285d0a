"""Matches, as work that is given out: a bounded number waits for the workers, never all of them.

A match that was lost too often is parked for the staff.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from arena.coordinator import repeats
from arena.coordinator.endings import ending_of, flat_moves
from arena.coordinator.leases import Verdict, WorkType
from arena.coordinator.messages import Message
from arena.coordinator.result_counters import count_result
from arena.coordinator.result_validation import fit_result
from arena.coordinator.sharing import Turns
from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.core.terms import MatchState, TournamentState
from arena.store import events, leases, worker_keys
from arena.store import matches as store
from arena.store import tournaments as tournament_store
from arena.store.models import Match, Result, VoidAttempt
from arena.store.models.event_types import (
    MatchLost,
    MatchParked,
    MatchPublished,
    MatchPutBack,
    MatchRecorded,
    MatchStarted,
    MatchVoid,
)
from arena.submissions import hosts
from arena.tournaments import totals
from arena.tournaments.specs import match_spec
from workers.core.contract import MatchResult
from workers.programs.serving import MATCHES


class Gathered(NamedTuple):
    """The rows that results change, which the session keeps while they are held, and moves to be written.

    `elsewhere` are the ids of matches that somebody else has locked, they or their tournaments, and
    `untrusted` the hosts of which so large a share is played again.
    """

    held: object
    elsewhere: Collection[int]
    moves: list[dict[str, Any]]
    untrusted: Mapping[str, float]


class Matches(WorkType[Match, Message, MatchResult]):
    """Given out for running tournaments, which share the window evenly: each has as many waiting there."""

    kind = MATCHES
    model = Match
    unfit = "the reported result does not fit"

    def __init__(self) -> None:
        self._turns = Turns[int]()

    def publishable(self, session: Session, settings: Settings) -> bool:
        """Whether there is a match to publish that a host can play, and room for it."""
        running = tournament_store.in_state(session, TournamentState.RUNNING)
        if not running or self._room(session, settings) <= 0:
            return False
        can = self.served(session, settings)
        return any(store.any_pending(session, each, can) for each in running)

    def due(self, session: Session, settings: Settings) -> Sequence[Match]:
        """The next matches of the running tournaments.

        What none of the hosts could play is left for later: it would only keep the others waiting.
        """
        published = leases.published_of(session, Match.tournament_id)
        room = hosts.window(session, settings) - sum(published.values())
        if room <= 0:
            return []
        running = tournament_store.in_state(session, TournamentState.RUNNING)
        can = self.served(session, settings)
        there = {each.id: store.count_playable(session, each, can, room) for each in running}
        parts = self._turns.parts_of(room, {each: published.get(each, 0) for each in there}, there)
        return [
            row for each in sorted(parts) if parts[each] for row in _due_of(session, can, each, parts[each])
        ]

    def _room(self, session: Session, settings: Settings) -> int:
        """How many more may wait for a worker."""
        return hosts.window(session, settings) - leases.count_published(session, Match)

    def issued(self, session: Session, row: Match, token: str) -> Message:
        """The message has the whole spec, the same for every attempt."""
        events.log(session, MatchPublished(row.attempt), match=row)
        return Message(match_spec(row), row.attempt, token, row.needs)

    def gather(self, session: Session, keys: Sequence[tuple[int, ...]], *, counting: bool) -> Gathered:
        """The matches; before them their tournaments and then all totals, where results change these.

        Nobody is waited for: while staff are busy with one tournament the others' results are recorded.
        """
        numbers = [number for (number,) in keys]
        cups = tournament_store.lock_of_matches(session, numbers) if counting else None
        rows = store.lock_free(session, numbers, cups)
        rest = {*numbers}.difference(row.id for row in rows)
        elsewhere = store.existing(session, rest) if rest else ()
        held = (cups, rows, totals.gather(session, rows) if counting else ())
        return Gathered(held, elsewhere, [], worker_keys.laboratory(session) if counting else {})

    def is_elsewhere(self, key: tuple[int, ...], gathered: Gathered) -> bool:
        """Whether somebody else has locked that match, or its tournament."""
        return key[0] in gathered.elsewhere

    def lock(self, session: Session, key: tuple[int, ...]) -> tuple[Match | None, Match | None]:
        """The match of that id, which keeps its own ledger."""
        match = session.get(Match, key)
        return match, match

    def alive(self, session: Session, row: Match, host: str) -> None:
        """The first sign of life says that a match has begun, and where."""
        if row.state == MatchState.PUBLISHED:
            super().alive(session, row, host)
            events.log(session, MatchStarted(row.attempt, host), match=row)

    def lost(self, session: Session, row: Match, trouble: str) -> None:
        """The match is to be played again, or waits for the staff."""
        row.trouble = trouble
        event = MatchParked if row.state == MatchState.PARKED else MatchLost
        events.log(session, event(row.attempt, row.lost, trouble), match=row)

    def requeued(self, session: Session, row: Match, why: str) -> None:
        """The match is to be played as if it had not been given out."""
        events.log(session, MatchPutBack(row.attempt, why), match=row)

    def needs(self, row: Match) -> str:
        """Those of both bots."""
        return row.needs

    def fit(self, row: Match, report: Mapping[str, Any]) -> MatchResult:
        """The result of the match, its moves played again."""
        return fit_result(report, match_spec(row), row.host)

    def write(self, session: Session, row: Match, fit: MatchResult, gathered: Gathered) -> Verdict:
        """Write down a result with its moves, totals and event.

        One that the pressure on its host explains is void: its evidence is kept and the match played again,
        once for every result that it comes to.
        """
        if fit.void and not _was_void(row):
            _void(session, row, fit)
            return Verdict.VOID
        _write(session, row, fit, gathered.moves)
        row.tournament.revision += 1
        repeats.draw(session, row, fit, gathered.untrusted)
        return Verdict.TAKEN

    def write_rest(self, session: Session, gathered: Gathered) -> None:
        """Write down all moves."""
        store.insert_moves(session, gathered.moves)


WORK = Matches()


def _due_of(session: Session, can: Collection[str], number: int, limit: int) -> Sequence[Match]:
    tournament = tournament_store.lock(session, number)
    running = tournament.state == TournamentState.RUNNING
    return store.lock_pending(session, tournament, can, limit) if running else []


def _was_void(match: Match) -> bool:
    """Whether an attempt was void since the match's last result, if it had one that counts no more."""
    before = max((each.attempt for each in match.superseded), default=0)
    return any(each.attempt > before for each in match.voids)


def _void(session: Session, match: Match, result: MatchResult) -> None:
    told = result.model_dump(mode="json")
    session.add(
        VoidAttempt(
            match_id=match.id,
            attempt=match.attempt,
            forfeits=told["forfeits"],
            seats=told["seats"],
            host=result.host,
            recorded_at=utc_now(),
        )
    )
    match.release(MatchState.PENDING)
    events.log(session, MatchVoid(match.attempt, result.reason), match=match)


def _write(session: Session, match: Match, result: MatchResult, moves: list[dict[str, Any]]) -> None:
    row = Result(match_id=match.id, attempt=match.attempt, **ending_of(result))
    session.add(row)
    moves += [{"match_id": match.id, **move} for move in flat_moves(result)]
    totals.add(session, match, row)
    count_result(session, result)
    match.finish()
    match.host = result.host
    match.trouble = None
    events.log(session, MatchRecorded(match.attempt, result.winner, result.reason), match=match)
