"""Analyses of games by exact solvers: who may ask for one, how many, and what there is of a game.

That of a match belongs to it, and a freeze hides it. What else is played (games of people, scrimmages) is
known by its rules and moves alone: who sees such a game sees what was found out of these, whoever asked.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import math
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, ForbiddenError, NotFoundError, PendingError, TooManyError
from arena.core.terms import MatchState
from arena.store import analyses as store
from arena.store import matches as match_store
from arena.store import tournaments, users
from arena.store.analyses import Left
from arena.store.database import has_news, is_frozen
from arena.store.models import Analysis, Match, Tournament, User
from engines.game import UnknownGameError
from engines.games import find_row
from workers.core.contract import GameSpec

DAY = dt.timedelta(days=1)
RETRY_SECONDS = 2


class Played(NamedTuple):
    """A game that is over: its rules, its moves, how many of these are its opening's, and who has won."""

    game: GameSpec
    moves: Sequence[str]
    opening: int
    winner: int | None

    @property
    def digest(self) -> str:
        """The same for every game of these rules and moves, and of no other."""
        told = json.dumps([self.game.model_dump(mode="json"), list(self.moves)], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()


def find(session: Session, match: Match) -> Analysis | None:
    """The analysis of the game that gave a match its result; none where the session sees a freeze."""
    if is_frozen(session) or match.result is None:
        return None
    row = store.find(session, match)
    return row if row is not None and row.result_attempt == match.result.attempt else None


def done(session: Session, match: Match) -> Analysis:
    """The analysis of a match, which is over, or was before it is made again.

    Raises:
        NotFoundError: nobody has asked for it.
        PendingError: it is under way.
        ConflictError: it was given up.
    """
    row = find(session, match)
    if row is not None and row.answer is not None:
        return row
    if row is None:
        raise NotFoundError(
            "nobody has had match %(match)s analysed; whoever has an account may ask for it",
            match=match.number,
        )
    if row.state == MatchState.PARKED:
        raise ConflictError(
            "the analysis of match %(match)s was given up after %(lost)s attempts; ask for it again",
            match=match.number,
            lost=row.lost,
        )
    raise PendingError(f"match {match.number} is being analysed", RETRY_SECONDS)


def is_offered(session: Session, match: Match) -> bool:
    """Whether a match has a game that could be analysed, as far as the session sees it."""
    return not is_frozen(session) and match.result is not None and _has_solver(match)


def has_solver(name: str, version: int) -> bool:
    """Whether the rules of a game are here as it was played by, and bring a solver."""
    try:
        row = find_row(name)
    except UnknownGameError:
        return False
    return row.solver is not None and row.rules.version == version


def ask(session: Session, actor: User, match: Match, most: int) -> Analysis:
    """Have the game of a match analysed, of which somebody may have `most` in a day; or what there is of it.

    The caller has seen to it that the actor is shown the match (`matches.get_shown`).

    Raises:
        ConflictError: there is no game yet, or no solver for it.
        ForbiddenError, TooManyError: the actor may not have one more now.
    """
    match = match_store.lock(session, match.id)
    session.refresh(match, ["result"])
    result = match.result
    if result is None or not match_store.moves(session, match):
        raise ConflictError(
            "match %(match)s has no game to be analysed: it is %(state)s",
            match=match.number,
            state=match.state,
        )
    if not _has_solver(match):
        raise _unsolvable(match.tournament.game)
    row = store.find(session, match, lock=True)
    if row is not None and row.result_attempt == result.attempt and row.state != MatchState.PARKED:
        if row.idle and row.state != MatchState.FINISHED:
            _require_allowance(session, actor, most)
            row.idle, row.asked_by, row.created_at = False, actor.id, utc_now()
            has_news(session)
        return row
    _require_allowance(session, actor, most)
    row = row or Analysis(match_id=match.id)
    if row.result_attempt != result.attempt:
        row.result_attempt, row.answer, row.accuracy = result.attempt, None, None
    return _wait(session, row, actor.id)


def ask_all(session: Session, actor: User, tournament: Tournament, most: int) -> Left:
    """Have all games of a tournament analysed in idle time, those that are still to be played too.

    Analyses that were given up, or do not say what was at stake, are made again. The caller has seen to it
    that the actor runs the tournament; `most` is how many games anybody may have analysed in a day.

    Raises:
        ConflictError: there is no solver for its game.
        ForbiddenError: nothing is analysed here.
    """
    if not permissions.is_admin(actor):
        _require_any(most)
    if not has_solver(tournament.game, tournament.game_version):
        raise _unsolvable(tournament.game)
    tournament = tournaments.lock(session, tournament.id)
    tournament.analysed_for = actor.id
    for row in store.lock_without_accuracy(session, tournament.id):
        _wait(session, row, actor.id, idle=True)
    has_news(session)
    session.flush()
    return store.left(session, tournament.id)


def call_off(session: Session, tournament: Tournament) -> None:
    """Have no more games of a tournament analysed for who runs it; what waits already is still made."""
    tournaments.lock(session, tournament.id).analysed_for = None
    session.flush()


def begin_idle(session: Session, match: Match) -> Analysis | None:
    """The analysis of a (locked) match in idle time, to be given out; None where there is one, or no game.

    It is whose wish all of the tournament's are; else of who runs it, or whose bot has played first.
    """
    session.refresh(match, ["result"])
    cup, result = match.tournament, match.result
    if result is None or store.find(session, match, lock=True) is not None:
        return None
    asked_by = cup.analysed_for or cup.owner_id or match.first.version.bot.owner_id
    return _wait(session, Analysis(match=match, result_attempt=result.attempt), asked_by, idle=True)


def find_played(session: Session, played: Played) -> Analysis | None:
    """The analysis of a game that is no match's, whoever has asked for it."""
    return store.by_digest(session, played.digest)


def done_played(session: Session, played: Played) -> Analysis:
    """The same, which is over.

    Raises:
        NotFoundError: nobody has asked for it.
        PendingError: it is under way.
        ConflictError: it was given up.
    """
    row = find_played(session, played)
    if row is None:
        raise NotFoundError("nobody has had this game analysed; whoever plays in it may ask for it")
    if row.state == MatchState.PARKED:
        raise ConflictError(
            "the analysis of this game was given up after %(lost)s attempts; ask for it again", lost=row.lost
        )
    if row.state != MatchState.FINISHED:
        raise PendingError("the game is being analysed", RETRY_SECONDS)
    return row


def ask_played(session: Session, actor: User, played: Played, most: int) -> Analysis:
    """Have a game that is no match's analysed; it counts among the `most` that somebody may have in a day.

    The caller has seen to it that the game is over, and that the actor may ask.

    Raises:
        ConflictError: nothing was played, or there is no solver for it.
        ForbiddenError, TooManyError: the actor may not have one more now.
    """
    if not played.moves:
        raise ConflictError("nothing was played that could be analysed")
    if not has_solver(played.game.name, played.game.version):
        raise _unsolvable(played.game.name)
    row = store.by_digest(session, played.digest, lock=True)
    if row is not None and row.state != MatchState.PARKED:
        return row
    _require_allowance(session, actor, most)
    if row is None:
        row = Analysis(
            digest=played.digest, game=played.game.model_dump(mode="json"), moves=list(played.moves)
        )
    return _wait(session, row, actor.id)


def remove_old(session: Session, days: int) -> int:
    """Remove analyses of games that are no matches', as old as games of people that are removed."""
    return store.delete_old(session, utc_now() - dt.timedelta(days=days))


def _has_solver(match: Match) -> bool:
    return has_solver(match.tournament.game, match.tournament.game_version)


def _unsolvable(game: str) -> ConflictError:
    return ConflictError("there is no solver here for %(game)s", game=game)


def _wait(session: Session, row: Analysis, asked_by: int, *, idle: bool = False) -> Analysis:
    """It is to be made, or made again, for who asks now, or in idle time; what there is stays meanwhile."""
    session.add(row)
    row.release(MatchState.PENDING)
    row.asked_by, row.created_at, row.idle = asked_by, utc_now(), idle
    row.attempt, row.lost, row.refused = row.attempt or 0, 0, row.refused or 0
    row.trouble = None
    session.flush()
    has_news(session)
    return row


def _require_any(most: int) -> None:
    """Let go on where games are analysed.

    Raises:
        ForbiddenError: none are.
    """
    if most == 0:
        raise ForbiddenError("no games are analysed on this arena")


def _require_allowance(session: Session, actor: User, most: int) -> None:
    """Let go on who may have one more; their other orders wait until this transaction ends.

    Raises:
        ForbiddenError: nothing is analysed here.
        TooManyError: there were as many as may be in a day; with when there is one again.
    """
    if permissions.is_admin(actor):
        return
    _require_any(most)
    users.lock(session, actor)
    now = utc_now()
    used, first = store.asked_since(session, actor.id, now - DAY)
    if used >= most and first is not None:
        again = first + DAY
        raise TooManyError(
            "you have had as many games analysed as may be in 24 hours (%(most)s): ask again from"
            " %(moment)s UTC on",
            max(1, math.ceil((again - now).total_seconds())),
            most=most,
            moment=f"{again:%Y-%m-%d %H:%M}",
        )
