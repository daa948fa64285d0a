"""What is changed in a tournament that has begun: who leaves, what is played again, what the staff decides.

Every amendment says why and is an event of whoever made it; a result that it replaces is kept.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import ConflictError, NotFoundError
from arena.core.terms import Leaving, MatchState, TournamentState, Winner
from arena.schemas.plans import BRACKETS, SWISS
from arena.store import events
from arena.store import matches as match_store
from arena.store import tournaments as store
from arena.store.leases import ISSUED
from arena.store.models import Bot, Entry, Match, Tournament, User
from arena.store.models.event_types import EntryLeft, EntryStruckOut, MatchRerun, RoundRerun
from arena.theory.pairing.contract import Kind
from arena.tournaments import decisions, freezing, lifecycle, rounds

MANUAL = "manual"
SETTLED = (TournamentState.RUNNING, TournamentState.PAUSED, TournamentState.FINISHED)


@events.one_act
def withdraw(session: Session, actor: User, tournament: Tournament, bot: Bot, reason: str) -> None:
    """Take a bot out. Before the start its entry is gone; later its opponents win what is not played yet.

    Raises:
        ForbiddenError: the bot is another user's.
        NotFoundError: it is not entered.
        ConflictError: the tournament is over or frozen, or the bot has left before.
    """
    if not permissions.runs(actor, tournament):
        permissions.require_owner(actor, bot, "withdraw your own")
    tournament = store.lock(session, tournament.id)
    freezing.require_thawed(actor, tournament)
    entry = lifecycle.entry_of(session, tournament, bot)
    if tournament.state in lifecycle.ENTERING:
        _strike_out(session, actor, tournament, entry, reason)
        return
    if tournament.state not in lifecycle.PLAYING:
        raise ConflictError(
            "%(tournament)r is %(state)s; nobody can leave it now",
            tournament=tournament.name,
            state=tournament.state,
        )
    if entry.left_as is not None:
        raise ConflictError(
            "%(bot)r has left %(tournament)r already: it was %(left_as)s",
            bot=bot.name,
            tournament=tournament.name,
            left_as=entry.left_as,
        )
    _leave(session, actor, entry, Leaving.WITHDRAWN, reason)


@events.one_act
def disqualify(
    session: Session, actor: User, tournament: Tournament, bot: Bot, reason: str, *, annul: bool = False
) -> None:
    """Expel a bot. Its games stay and its opponents win the others, or none counts when they are annulled.

    So may be who has withdrawn before, and when all is over; games that were left to count can be annulled
    later.

    Raises:
        NotFoundError: it is not entered.
        ConflictError: the tournament has not begun or is cancelled, the bot is disqualified already, or its
            games cannot be annulled because other rounds are built on them.
    """
    tournament = _settled(session, tournament)
    entry = lifecycle.entry_of(session, tournament, bot)
    if annul and tournament.format in BRACKETS | SWISS:
        raise ConflictError(
            "other rounds are built on the games of %(bot)r, so they cannot be annulled; leave that out",
            bot=bot.name,
        )
    if entry.left_as == Leaving.DISQUALIFIED and (entry.annulled or not annul):
        raise ConflictError("%(bot)r is disqualified already", bot=bot.name)
    _leave(session, actor, entry, Leaving.DISQUALIFIED, reason, annul=annul)


@events.one_act
def rerun(session: Session, actor: User, match: Match, reason: str) -> None:
    """Have a finished match played again; its result counts no more, and is kept.

    Raises:
        ConflictError: the match is not finished, a later round was paired by its result, or a bot has left.
    """
    tournament = _settled(session, match.tournament)
    match = match_store.lock(session, match.id)
    _check_rerun(session, tournament, [match])
    _play_again(session, actor, match, reason)
    _go_on(session, actor, tournament)


@events.one_act
def rerun_round(session: Session, actor: User, tournament: Tournament, round_number: int, reason: str) -> int:
    """Have all matches of a round played again that were played; how many those are.

    Raises:
        NotFoundError: there is no such round.
        ConflictError: it is still being played, none of its matches can be played again, or a later round
            was paired by its results.
    """
    tournament = _settled(session, tournament)
    matches = match_store.lock_round(session, tournament, round_number)
    if not matches:
        raise NotFoundError(
            "%(tournament)r has no matches in a round %(round_number)s",
            tournament=tournament.name,
            round_number=round_number,
        )
    if any(match.state in match_store.UNFINISHED for match in matches):
        raise ConflictError(
            "round %(round_number)s of %(tournament)r is still being played; wait for it",
            round_number=round_number,
            tournament=tournament.name,
        )
    again = [match for match in matches if _can_be_played(match)]
    if not again:
        raise ConflictError(
            "round %(round_number)s of %(tournament)r has no match that can be replayed",
            round_number=round_number,
            tournament=tournament.name,
        )
    _check_rerun(session, tournament, again)
    for match in again:
        _play_again(session, actor, match, reason)
    event = RoundRerun(round_number, len(again), reason)
    events.log(session, event, actor=actor, tournament=tournament)
    _go_on(session, actor, tournament)
    return len(again)


def rerun_those(
    session: Session, actor: User, tournament: Tournament, ids: Sequence[int], reason: str
) -> int:
    """Have some matches of a tournament played again that are finished, an act each; how many those are.

    Raises:
        ConflictError: a later round was paired by the result of one, or a bot of it has left.
    """
    tournament = _settled(session, tournament)
    matches = [match_store.lock(session, each) for each in ids]
    again = [each for each in matches if each.state == MatchState.FINISHED]
    for match in again:
        _check_rerun(session, tournament, [match])
        with events.act(session):
            _play_again(session, actor, match, reason)
    if again:
        with events.act(session):
            _go_on(session, actor, tournament)
    return len(again)


@events.one_act
def set_result(session: Session, actor: User, match: Match, winner: Winner, reason: str) -> None:
    """Let the staff decide a match that waits, is parked, or was played; what it was before is kept.

    Raises:
        ConflictError: the match is being played or was called off, or a later round was paired by its result.
    """
    tournament = _settled(session, match.tournament)
    match = match_store.lock(session, match.id)
    if match.state in (*ISSUED, MatchState.CANCELLED):
        raise ConflictError(
            "match %(match)s is %(state)s; only a pending, parked or finished one can be decided",
            match=match.number,
            state=match.state,
        )
    played = None
    if match.state == MatchState.FINISHED:
        _require_last(session, tournament, match)
        if match.result and match.result.kind == Kind.PLAYED:
            played = match.result.seats
        decisions.supersede(session, match, reason, actor)
    decisions.decide(session, match, winner, reason=MANUAL, why=reason, played=played, actor=actor)
    _go_on(session, actor, tournament)


def _strike_out(session: Session, actor: User, tournament: Tournament, entry: Entry, reason: str) -> None:
    """Remove an entry before the start; those behind it move up."""
    event = EntryStruckOut(entry.version.bot.name, entry.number, reason)
    following = [each for each in store.entries(session, tournament) if each.number > entry.number]
    session.delete(entry)
    session.flush()
    for each in following:
        each.number -= 1
        session.flush()
    tournament.revision += 1
    events.log(session, event, actor=actor, tournament=tournament)
    session.flush()


def _leave(
    session: Session, actor: User, entry: Entry, how: Leaving, reason: str, *, annul: bool = False
) -> None:
    """Take an entry out of a (locked) tournament; who has left before did so then."""
    tournament, name = entry.tournament, entry.version.bot.name
    if entry.left_round is None:
        entry.left_round = tournament.rounds_paired + 1
    entry.left_as = how
    entry.annulled = annul
    tournament.revision += 1
    session.flush()
    event = EntryLeft(how, name, entry.number, entry.left_round, annul, reason)
    events.log(session, event, actor=actor, tournament=tournament)
    if annul:
        decisions.annul(session, tournament, entry, reason, actor)
        return
    for match in match_store.lock_of_entry(session, tournament, entry):
        if match.state in match_store.UNFINISHED:
            rounds.walk_over(session, match)


def _settled(session: Session, tournament: Tournament) -> Tournament:
    tournament = store.lock(session, tournament.id)
    lifecycle.require(tournament, SETTLED, "amended")
    return tournament


def _can_be_played(match: Match) -> bool:
    return match.state == MatchState.FINISHED and not (match.first.left_as or match.second.left_as)


def _check_rerun(session: Session, tournament: Tournament, matches: Sequence[Match]) -> None:
    for match in matches:
        if match.state != MatchState.FINISHED:
            raise ConflictError(
                "match %(match)s is %(state)s; only a finished one is played again",
                match=match.number,
                state=match.state,
            )
        if not _can_be_played(match):
            raise ConflictError(
                "match %(match)s cannot be played again, because one of its bots has left", match=match.number
            )
    _require_last(session, tournament, matches[0])


def _require_last(session: Session, tournament: Tournament, match: Match) -> None:
    """A result stands once a later round has been paired by it."""
    if match.round < tournament.rounds_paired and not rounds.known_in_advance(session, tournament):
        raise ConflictError(
            "round %(rounds_paired)s of %(tournament)r was paired by the results of round %(round)s, "
            "which stand therefore; pause a tournament before the round ends that you would change",
            rounds_paired=tournament.rounds_paired,
            tournament=tournament.name,
            round=match.round,
        )


def _play_again(session: Session, actor: User, match: Match, reason: str) -> None:
    decisions.supersede(session, match, reason, actor)
    decisions.close(match, MatchState.PENDING)
    match.lost = 0
    events.log(session, MatchRerun(reason), actor=actor, match=match)


def _go_on(session: Session, actor: User, tournament: Tournament) -> None:
    tournament.revision += 1
    lifecycle.reopen(session, actor, tournament)
    session.flush()
