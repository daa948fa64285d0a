"""Tournaments: draft → open → running ⇄ paused → finished, or cancelled before they finish."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena import checks, submissions
from arena.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from arena.moments import utc_now
from arena.names import could_exist
from arena.pairing.schedule import CYCLES, schedule
from arena.plans import Format, TournamentPlan
from arena.store import events
from arena.store import matches as match_store
from arena.store import tournaments as store
from arena.store.database import release
from arena.store.models import Bot, Entry, MatchState, Role, Tournament, TournamentState, User
from arena.store.paging import page
from engines.game import Game, GameError
from engines.games import find_game
from engines.openings import OpeningsError, balanced_openings
from engines.stream import derive
from workers.serving import needs

MAX_OPENINGS = 40
"""In all cycles of a tournament; drawing so many takes some seconds on the largest board."""

ENTERING = (TournamentState.DRAFT, TournamentState.OPEN)
OVER = (TournamentState.FINISHED, TournamentState.CANCELLED)


def create(session: Session, actor: User, plan: TournamentPlan) -> Tournament:
    """A new tournament in draft, with its openings drawn.

    That can take seconds, so the session is released meanwhile: nothing may have been written in it before.

    Raises:
        InvalidError: the game, its parameters or that many openings do not exist.
        ConflictError: the name is taken.
    """
    game = _game(plan.game, plan.params)
    release(session)
    drawn = _draw(game, plan)
    tournament = Tournament(
        name=plan.name,
        state=TournamentState.DRAFT,
        format=plan.format,
        options={},
        standings_order=[],
        game=game.name,
        params=game.params,
        game_version=game.version,
        time=plan.time.model_dump(mode="json"),
        limits=plan.limits.model_dump(mode="json"),
        openings=plan.openings,
        opening_plies=plan.opening_plies,
        opening_moves=drawn,
        seed=plan.seed,
        created_at=utc_now(),
    )
    try:
        with session.begin_nested():
            session.add(tournament)
    except IntegrityError:
        raise ConflictError(f"there is a tournament {plan.name!r} already; choose another name") from None
    events.log(session, "tournament.created", actor=actor, tournament=tournament, name=plan.name)
    return tournament


def get(session: Session, name: str) -> Tournament:
    """The tournament of that name.

    Raises:
        NotFoundError: there is none.
    """
    tournament = store.by_name(session, name) if could_exist(name) else None
    if tournament is None:
        raise NotFoundError(f"there is no tournament {name!r}")
    return tournament


def list_tournaments(session: Session, offset: int, limit: int) -> tuple[Sequence[Tournament], int]:
    """One page of the tournaments, newest first, and how many there are in all."""
    return page(session, store.all_tournaments(), offset, limit)


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
        raise NotFoundError(f"the bot {bot.name!r} is not entered in {tournament.name!r}")
    return entry


def open_(session: Session, actor: User, tournament: Tournament) -> None:
    """Let teams enter their bots.

    Raises:
        ConflictError: it is no draft any more.
    """
    _change(session, actor, tournament, (TournamentState.DRAFT,), TournamentState.OPEN)


def enter(
    session: Session, actor: User, tournament: Tournament, bot: Bot, version_number: int | None = None
) -> Entry:
    """The entry of a bot; entering again takes another version (the newest unless one is named).

    Raises:
        ForbiddenError: the bot is another user's.
        NotFoundError: there is no such version.
        ConflictError: the tournament does not take entries, or not yet from teams; or the version has not
            passed its check in the tournament's game.
    """
    tournament = store.lock(session, tournament.id)
    if actor.role != Role.ADMIN and bot.owner_id != actor.id:
        raise ForbiddenError(f"the bot {bot.name!r} belongs to {bot.owner.name!r}; enter your own")
    _require(tournament, ENTERING if actor.role == Role.ADMIN else (TournamentState.OPEN,), "entered")
    version = submissions.get_version(session, bot, version_number)
    checks.require_playable(version, tournament.game)
    entry = store.entry_of_bot(session, tournament, bot)
    if entry is None:
        number = len(store.entries(session, tournament)) + 1
        entry = Entry(tournament_id=tournament.id, number=number, bot_id=bot.id)
        session.add(entry)
    entry.version = version
    tournament.revision += 1
    session.flush()
    events.log(
        session, "entry.made", actor=actor, tournament=tournament, bot=bot.name, version=version.number
    )
    return entry


def start(session: Session, actor: User, tournament: Tournament) -> None:
    """Make all matches, and let the coordinator begin.

    Raises:
        ConflictError: it is not open, has fewer than two entries, or one that is not fit to play any more.
    """
    tournament = store.lock(session, tournament.id)
    _require(tournament, (TournamentState.OPEN,), "started")
    entered = store.entries(session, tournament)
    if len(entered) < 2:
        raise ConflictError(
            f"{tournament.name!r} has {len(entered)} of the 2 entries that it needs; enter more bots"
        )
    for entry in entered:
        checks.require_playable(entry.version, tournament.game)
    languages = {entry.id: entry.version.language for entry in entered}
    count = match_store.insert_all(session, _rows(tournament, languages))
    tournament.started_at = utc_now()
    _move_to(session, actor, tournament, TournamentState.RUNNING, matches=count)


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
    _require(tournament, tuple(state for state in TournamentState if state not in OVER), "cancelled")
    count = match_store.cancel_all(session, tournament)
    tournament.finished_at = utc_now()
    _move_to(session, actor, tournament, TournamentState.CANCELLED, matches=count)


def finish(session: Session, tournament: Tournament) -> bool:
    """Finish a running tournament in which nothing is left to be played; whether it was so."""
    tournament = store.lock(session, tournament.id)
    unfinished = match_store.any_in_state(session, tournament, match_store.UNFINISHED)
    if tournament.state != TournamentState.RUNNING or unfinished:
        return False
    tournament.finished_at = utc_now()
    _move_to(session, None, tournament, TournamentState.FINISHED)
    return True


def game_of(tournament: Tournament) -> Game[Any]:
    """The rules that the tournament is played by.

    Raises:
        InvalidError: this installation does not know them any more.
    """
    return _game(tournament.game, tournament.params)


def _game(name: str, params: dict[str, Any]) -> Game[Any]:
    try:
        return find_game(name, params)
    except GameError as error:
        raise InvalidError(str(error)) from None


def _draw(game: Game[Any], plan: TournamentPlan) -> list[list[str]]:
    """The openings of all cycles."""
    count = plan.openings * CYCLES[plan.format]
    if count > MAX_OPENINGS:
        raise InvalidError(
            f"a tournament has at most {MAX_OPENINGS} openings in all its cycles, and {plan.openings} in each"
            f" of {CYCLES[plan.format]} make {count}; ask for fewer"
        )
    try:
        drawn = balanced_openings(game, count, plan.opening_plies, derive(plan.seed, "openings"))
    except OpeningsError as error:
        raise InvalidError(f"{error} (every cycle has openings of its own)") from None
    return [list(opening) for opening in drawn]


def _rows(tournament: Tournament, languages: dict[int, str]) -> Iterator[dict[str, Any]]:
    """The matches between the entries whose ids and languages these are."""
    drawn = tournament.opening_moves
    for planned in schedule(list(languages), Format(tournament.format), tournament.openings):
        yield {
            "tournament_id": tournament.id,
            "number": planned.number,
            "round": planned.round,
            "first_id": planned.first,
            "second_id": planned.second,
            "opening_number": planned.opening_number,
            "opening": drawn[planned.opening_number - 1] if planned.opening_number else [],
            "needs": needs((languages[planned.first], languages[planned.second])),
            "state": MatchState.PENDING,
        }


def _change(
    session: Session,
    actor: User,
    tournament: Tournament,
    before: tuple[TournamentState, ...],
    after: TournamentState,
) -> None:
    tournament = store.lock(session, tournament.id)
    _require(tournament, before, f"set to {after}")
    _move_to(session, actor, tournament, after)


def _require(tournament: Tournament, states: tuple[TournamentState, ...], what: str) -> None:
    if tournament.state not in states:
        raise ConflictError(
            f"{tournament.name!r} is {tournament.state} and cannot be {what}; it would have to be "
            f"{' or '.join(states)}"
        )


def _move_to(
    session: Session, actor: User | None, tournament: Tournament, state: TournamentState, **data: Any
) -> None:
    tournament.state = state
    tournament.revision += 1
    events.log(session, f"tournament.{state}", actor=actor, tournament=tournament, **data)
    session.flush()
