"""Matches that end without being played, and results that count no more.

Whoever calls has locked the tournament and the match.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.terms import MatchState, Winner
from arena.store import events
from arena.store import matches as store
from arena.store import tournaments as tournament_store
from arena.store.models import Entry, Match, Result, Tournament, User
from arena.store.models.event_types import EntryAnnulled, MatchDecided, MatchSuperseded
from arena.theory.pairing.contract import Kind
from arena.tournaments import totals
from engines.game import Game, Score
from engines.games import find_game
from workers.core.contract import SeatUse

HALF_POINTS: dict[Winner, tuple[int, int]] = {
    "first": (2, 0),
    "second": (0, 2),
    "draw": (1, 1),
    "nobody": (0, 0),
}
SEATS: dict[Winner, int | None] = {"first": 0, "second": 1, "draw": None, "nobody": None}


def decide(
    session: Session,
    match: Match,
    winner: Winner,
    *,
    reason: str,
    why: str,
    played: Sequence[dict[str, Any]] | None = None,
    actor: User | None = None,
) -> None:
    """Give an unfinished match a result that no game has led to; who loses has the game's worst score.

    A game was `played` if it is told what the seats used in it. A report of an attempt that is still in play
    will be refused.
    """
    game = find_game(match.tournament.game, match.tournament.params)
    score = _score(game, winner)
    match.attempt += 1
    result = Result(
        match_id=match.id,
        attempt=match.attempt,
        winner=SEATS[winner],
        reason=reason,
        first_score=score[0],
        second_score=score[1],
        first_half_points=HALF_POINTS[winner][0],
        second_half_points=HALF_POINTS[winner][1],
        forfeits=[],
        seats=list(played or [SeatUse().model_dump(mode="json") for _ in range(2)]),
        host="",
        recorded_at=utc_now(),
        kind=Kind.PLAYED if played else Kind.FORFEIT,
        manual_reason=why,
        decided_by=actor.id if actor else None,
    )
    session.add(result)
    close(match, MatchState.FINISHED)
    totals.add(session, match, result)
    session.expire(match, ["result"])
    events.log(session, MatchDecided(match.attempt, winner, reason, why), actor=actor, match=match)


def supersede(session: Session, match: Match, why: str, actor: User | None = None) -> None:
    """Let a finished match's result count no more; it stays to be read, with its moves.

    The match is left finished without a result: the caller says what becomes of it.
    """
    result = match.result
    assert result is not None  # noqa: S101  (a finished match has one)
    totals.take_away(session, match, result)
    store.supersede(session, match, result, why=why, by=actor, now=utc_now())
    events.log(session, MatchSuperseded(result.attempt, why), actor=actor, match=match)


def annul(
    session: Session, tournament: Tournament, entry: Entry, why: str, actor: User | None = None
) -> None:
    """Let no game and no bye of an entry count any more; what is not played yet is called off."""
    for match in store.lock_of_entry(session, tournament, entry):
        if match.state == MatchState.FINISHED:
            supersede(session, match, why, actor)
        close(match, MatchState.CANCELLED)
    if entry.bye_half_points:
        totals.add_bye(entry, -entry.bye_half_points)
    count = tournament_store.delete_byes(session, entry)
    session.flush()
    events.log(session, EntryAnnulled(entry.number, count, why), actor=actor, tournament=tournament)


def close(match: Match, state: MatchState) -> None:
    """Give a match a state in which nobody is waited for."""
    match.release(state)
    match.trouble = None


def _score(game: Game[Any], winner: Winner) -> Score:
    if winner == "draw":
        return game.draw_score()
    if winner == "nobody":
        return game.forfeit_score(0)[0], game.forfeit_score(1)[1]
    return game.forfeit_score(1 if winner == "first" else 0)
