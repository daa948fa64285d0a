"""Tournaments: draft → open → running ⇄ paused → finished, or cancelled before they finish."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Sequence
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import AnyOf, ChangedError, ConflictError, NotFoundError, Term
from arena.core.games import find_rules
from arena.core.lookalikes import check_distinct
from arena.core.names import could_exist
from arena.core.terms import OVER, TournamentState
from arena.people import classes
from arena.schemas.plans import SEEDS, TournamentPlan
from arena.store import events, pending
from arena.store import matches as match_store
from arena.store import tournaments as store
from arena.store.database import release
from arena.store.models import Bot, BotVersion, Entry, Tournament, User
from arena.store.models.event_types import EntryMade, TournamentCreated, TournamentEnded, TournamentMoved
from arena.submissions import checks, versions
from arena.theory.pairing.contract import FormatName
from arena.theory.pairing.format import FormatError
from arena.theory.standings.order import check_order
from arena.tournaments import decisions, drawing, freezing, heroes, history, rounds
from engines.game import Game

ENTERING = (TournamentState.DRAFT, TournamentState.OPEN)
PLAYING = (TournamentState.RUNNING, TournamentState.PAUSED)


def create(session: Session, actor: User, plan: TournamentPlan) -> Tournament:
    """A new tournament in draft, with its openings drawn.

    That can take seconds, so the session is released meanwhile: nothing may have been written in it before.

    Raises:
        InvalidError: the game, its parameters, an option of the format, a tie-break or that many openings do
            not exist.
        NotFoundError: there is no class of that name.
        ForbiddenError: the user makes no tournaments, or none for that class.
        ConflictError: the name is taken, or looks like another tournament's.
    """
    permissions.require_staff(actor)
    check_distinct("tournament", plan.name, store.names(session))
    game = find_rules(plan.game, plan.params)
    fmt = drawing.format_of(plan)
    order = _order(plan)
    school_class = classes.chosen(session, actor, plan.class_name)
    release(session)
    seed = secrets.randbelow(SEEDS) if plan.seed is None else plan.seed
    drawn = drawing.draw(game, plan, fmt, seed)
    tournament = Tournament(
        name=plan.name,
        title=plan.title,
        state=TournamentState.DRAFT,
        format=plan.format,
        options=fmt.model_dump(mode="json", exclude={"openings"}) | heroes.as_option(plan.heroes),
        standings_order=order,
        game=game.name,
        params=game.params,
        game_version=game.version,
        time=plan.time.model_dump(mode="json"),
        limits=plan.limits.model_dump(mode="json"),
        openings=plan.openings,
        opening_plies=plan.opening_plies,
        opening_moves=drawn,
        seed=seed,
        owner_id=actor.id,
        class_id=school_class.id if school_class else None,
        reuse=plan.reuse,
        created_at=utc_now(),
    )
    try:
        with session.begin_nested():
            session.add(tournament)
    except IntegrityError:
        raise ConflictError("there is a tournament %(cup)r already; choose another", cup=plan.name) from None
    events.log(session, TournamentCreated(plan.name), actor=actor, tournament=tournament)
    return tournament


def _order(plan: TournamentPlan) -> list[str]:
    """The chain that a plan names; groups have one in any case, as it tells who goes on."""
    groups = plan.format == FormatName.GROUPS
    named = plan.standings_order or groups
    return list(check_order(plan.standings_order, groups=groups)) if named else []


def get(session: Session, name: str) -> Tournament:
    """The tournament of that name.

    Raises:
        NotFoundError: there is none.
    """
    tournament = store.by_name(session, name) if could_exist(name) else None
    if tournament is None:
        raise NotFoundError("there is no tournament %(name)r", name=name)
    return tournament


def entries(session: Session, tournament: Tournament) -> Sequence[Entry]:
    """The entries in the order of their numbers."""
    return store.entries(session, tournament)


def entry_of(session: Session, tournament: Tournament, bot: Bot) -> Entry:
    """The entry of a bot.

    Raises:
        NotFoundError: the bot is not entered.
    """
    entry = store.entry_of_bot(session, tournament, bot)
    if entry is None:
        raise NotFoundError(
            "the bot %(bot)r is not entered in %(tournament)r", bot=bot.name, tournament=tournament.name
        )
    return entry


def open_(session: Session, actor: User | None, tournament: Tournament) -> None:
    """Let teams enter their bots.

    Raises:
        ConflictError: it is no draft any more.
    """
    _change(session, actor, tournament, (TournamentState.DRAFT,), TournamentState.OPEN)


@events.one_act
def enter(
    session: Session,
    actor: User,
    tournament: Tournament,
    bot: Bot,
    version_number: int | None = None,
    *,
    asked_at: dt.datetime | None = None,
) -> Entry:
    """The entry of a bot; entering again takes another version (the newest unless one is named).

    Where that was `asked_at` an earlier time, the entries may have been closed since.

    While it runs, the staff may still enter a bot where the format allows it; it joins in the next round. A
    ladder takes bots from everybody, and other versions of theirs: a new version begins anew, and the games
    of the one before count no more.

    Raises:
        ForbiddenError: the bot is another user's, or the tournament for another class.
        NotFoundError: there is no such version.
        ConflictError: the tournament does not take entries, or not yet from teams; or the version has not
            passed its check in the tournament's game; or it is frozen.
    """
    tournament = store.lock(session, tournament.id)
    permissions.require_entrant(actor, tournament, bot)
    freezing.require_thawed(actor, tournament)
    freezing.require_unclosed(session, actor, tournament, asked_at)
    require(tournament, entering(actor, tournament), "entered")
    version = versions.get_version(session, bot, version_number)
    checks.require_playable(version, tournament.game)
    entry = store.entry_of_bot(session, tournament, bot)
    late = tournament.state in PLAYING
    if entry is None:
        number = len(store.entrants(session, tournament)) + 1
        entry = Entry(tournament_id=tournament.id, number=number, bot_id=bot.id)
        if late:
            _join_late(session, tournament, entry)
        session.add(entry)
    elif late:
        _begin_anew(session, tournament, entry, version)
    entry.version = version
    pending.forget(session, tournament, bot)
    tournament.revision += 1
    session.flush()
    made = EntryMade(bot.name, version.number, entry.number, entry.joined_round)
    events.log(session, made, actor=actor, tournament=tournament)
    return entry


def entering(actor: User, tournament: Tournament, *, before: bool = False) -> tuple[TournamentState, ...]:
    """The states in which a user may enter a bot; with `before`, those before it is played."""
    if permissions.runs(actor, tournament):
        return ENTERING if before else (*ENTERING, *PLAYING)
    ladder = PLAYING if tournament.format == FormatName.LADDER and not before else ()
    return (TournamentState.OPEN, *ladder)


def _join_late(session: Session, tournament: Tournament, entry: Entry) -> None:
    number = tournament.rounds_paired + 1
    entrants = history.entrants(session, tournament)
    ended = tournament.format == FormatName.LADDER and tournament.all_paired
    if ended or not rounds.format_of(tournament).takes_late(entrants, number, tournament.seed):
        raise ConflictError(
            "%(tournament)r is %(state)s, and its format takes nobody in any more",
            tournament=tournament.name,
            state=tournament.state,
        )
    entry.joined_round = number
    reopen_rounds(tournament)


def _begin_anew(session: Session, tournament: Tournament, entry: Entry, version: BotVersion) -> None:
    """Another version of a bot on a ladder: what the one before did counts no more."""
    if tournament.format != FormatName.LADDER:
        raise ConflictError(
            "%(tournament)r is %(state)s and plays with the versions that it has; only a ladder takes others",
            tournament=tournament.name,
            state=tournament.state,
        )
    if entry.left_as is not None:
        raise ConflictError(
            "%(bot)r has left %(tournament)r", bot=version.bot.name, tournament=tournament.name
        )
    if entry.version.id == version.id:
        raise ConflictError(
            "version %(version)s of %(bot)r is entered already", version=version.number, bot=version.bot.name
        )
    number = tournament.rounds_paired + 1
    if tournament.all_paired or not rounds.format_of(tournament).takes_late((), number, tournament.seed):
        raise ConflictError(
            "%(tournament)r has no round left in which another version could play", tournament=tournament.name
        )
    decisions.annul(session, tournament, entry, f"version {version.number} takes its place")
    entry.joined_round = number


@events.one_act
def start(session: Session, actor: User | None, tournament: Tournament) -> None:
    """Make the first rounds, and let the coordinator begin.

    Pairing can take long, so the session is released meanwhile: nothing may have been written in it before.

    Raises:
        ConflictError: it is not open, was changed, or has too few entries, or one not fit to play any more.
    """
    require(tournament, (TournamentState.OPEN,), "started")
    question = rounds.ask(session, tournament)
    release(session)
    proposal = _first_round(tournament.name, question)
    tournament = store.lock(session, tournament.id)
    require(tournament, (TournamentState.OPEN,), "started")
    entered = store.entries(session, tournament)
    if tournament.revision != question.revision:
        raise ChangedError(
            "the entries of %(tournament)r have just changed; start it again", tournament=tournament.name
        )
    for entry in entered:
        checks.require_playable(entry.version, tournament.game)
    heroes.number(tournament, entered)
    tournament.started_at = utc_now()
    rounds.accept(session, tournament, proposal)
    _move_to(session, actor, tournament, TournamentState.RUNNING, matches=tournament.matches_total)


def _first_round(name: str, question: rounds.Question) -> rounds.Proposal:
    count = len(question.entrants)
    if count < 2:
        raise ConflictError(
            "%(name)r has %(count)s of the 2 entries that it needs; enter more bots", name=name, count=count
        )
    try:
        question.format.check(count)
        return rounds.answer(question)
    except FormatError as error:
        raise ConflictError(error.message, **error.values) from None


def pause(session: Session, actor: User, tournament: Tournament) -> None:
    """Issue no more matches; those issued are played to their end and recorded.

    Raises:
        ConflictError: it is not running.
    """
    _change(session, actor, tournament, (TournamentState.RUNNING,), TournamentState.PAUSED)


def resume(session: Session, actor: User, tournament: Tournament) -> None:
    """Issue matches again.

    Raises:
        ConflictError: it is not paused.
    """
    _change(session, actor, tournament, (TournamentState.PAUSED,), TournamentState.RUNNING)


def cancel(session: Session, actor: User, tournament: Tournament) -> None:
    """End it for good. What is recorded stays; what is not will be refused.

    Raises:
        ConflictError: it is over already.
    """
    tournament = store.lock(session, tournament.id)
    require(tournament, tuple(state for state in TournamentState if state not in OVER), "cancelled")
    count = match_store.cancel_all(session, tournament)
    tournament.finished_at = utc_now()
    _move_to(session, actor, tournament, TournamentState.CANCELLED, matches=count)


@events.one_act
def advance(session: Session, proposal: rounds.Proposal) -> bool:
    """Go on with a running tournament as proposed: its next round, or its end; whether it is over."""
    tournament = store.lock(session, proposal.tournament_id)
    if tournament.state != TournamentState.RUNNING or not rounds.accept(session, tournament, proposal):
        return False
    tournament.finished_at = utc_now()
    _move_to(session, None, tournament, TournamentState.FINISHED)
    return True


def end(session: Session, actor: User, tournament: Tournament) -> None:
    """Let a ladder end, which would never by itself: what is planned already is still played.

    Raises:
        ConflictError: it is not running, or another format, which ends by itself.
    """
    tournament = store.lock(session, tournament.id)
    require(tournament, (TournamentState.RUNNING, TournamentState.PAUSED), "ended")
    if tournament.format != FormatName.LADDER:
        raise ConflictError(
            "%(tournament)r ends by itself; cancel it to give it up", tournament=tournament.name
        )
    tournament.all_paired = True
    tournament.revision += 1
    events.log(session, TournamentEnded(), actor=actor, tournament=tournament)
    session.flush()


def reopen(session: Session, actor: User, tournament: Tournament) -> None:
    """Let a (locked) finished tournament go on, because a result changed: another round may follow now."""
    reopen_rounds(tournament)
    if tournament.state == TournamentState.FINISHED:
        tournament.finished_at = None
        _move_to(session, actor, tournament, TournamentState.RUNNING)


def reopen_rounds(tournament: Tournament) -> None:
    """Ask the format again whether rounds follow; a ladder that was ended stays so."""
    if tournament.format != FormatName.LADDER:
        tournament.all_paired = False


def game_of(tournament: Tournament) -> Game[Any]:
    """The rules that the tournament is played by.

    Raises:
        InvalidError: this installation does not know them any more.
    """
    return find_rules(tournament.game, tournament.params)


def _change(
    session: Session,
    actor: User | None,
    tournament: Tournament,
    before: tuple[TournamentState, ...],
    after: TournamentState,
) -> None:
    tournament = store.lock(session, tournament.id)
    require(tournament, before, f"set to {after}")
    _move_to(session, actor, tournament, after)


def require(tournament: Tournament, states: tuple[TournamentState, ...], what: str) -> None:
    """Let nothing be done to a tournament in another state.

    Raises:
        ConflictError: it is in another one.
    """
    if tournament.state not in states:
        raise ConflictError(
            "%(tournament)r is %(state)s and cannot be %(what)s; it would have to be %(states)s",
            tournament=tournament.name,
            state=tournament.state,
            what=Term(what),
            states=AnyOf(states),
        )


def _move_to(
    session: Session,
    actor: User | None,
    tournament: Tournament,
    state: TournamentState,
    matches: int | None = None,
) -> None:
    tournament.state = state
    tournament.revision += 1
    events.log(session, TournamentMoved(state, matches), actor=actor, tournament=tournament)
    session.flush()
