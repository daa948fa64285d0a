"""A game that somebody plays: begun, moved in, taken back, begun again; the server alone applies the rules.

Each act is one step of a transaction that the caller commits. It takes a game that is locked.
"""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import TypeAdapter
from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.errors import ChangedError, ConflictError, ForbiddenError, InvalidError, NotFoundError
from arena.core.games import find_rules
from arena.core.settings import Settings
from arena.core.terms import MatchState
from arena.play import quotas, rules, seats, turns
from arena.play.rules import ClockTime, MoveTime, Position
from arena.play.seats import Sitting
from arena.schemas.plans import SEEDS
from arena.schemas.play import NewPlay
from arena.store import play as store
from arena.store.models import PlayGame, User
from engines.game import Game, GameError, Seat
from engines.games import find_game
from workers.core.contract import RESIGNED, FaultCode, MoveRecord
from workers.play.undo import undone

ADDRESS_BYTES = 16
_MOVES = TypeAdapter(list[MoveRecord])
SEATS: tuple[Seat, Seat] = (0, 1)


class Playing(NamedTuple):
    """Who acts in which (locked) game: a user, or somebody without an account."""

    session: Session
    row: PlayGame
    user: User | None
    settings: Settings


def begin(session: Session, user: User | None, player: str, wish: NewPlay, settings: Settings) -> PlayGame:
    """A new game of `player`, as the quotas count; where a bot begins it is asked for its turn.

    Raises:
        InvalidError: there is no such game, with such parameters; or nobody is a person.
        NotFoundError, ConflictError: a bot cannot be played against.
        ForbiddenError, TooManyError: bots play no more against this person today.
    """
    game = find_rules(wish.game, wish.params)
    now = utc_now()
    row = PlayGame(
        address=secrets.token_urlsafe(ADDRESS_BYTES),
        owner=user,
        player=player,
        game=game.name,
        params=game.params,
        game_version=game.version,
        seats=_sit(session, user, wish.seats, game),
        clock=wish.clock.model_dump() if wish.clock else None,
        moves=[],
        seed=secrets.randbelow(SEEDS),
        revision=1,
        since=now,
        created_at=now,
        changed_at=now,
    )
    store.delete_beyond(session, player, quotas.kept(user) - 1, now - quotas.DAY)
    session.add(row)
    session.flush()
    _go_on(Playing(session, row, user, settings))
    return row


def find(session: Session, address: str, *, lock: bool = False) -> PlayGame:
    """The game of that address; one whose clock has run out is over from now on.

    Raises:
        NotFoundError: there is none, or it was removed.
    """
    row = store.by_address(session, address, lock=lock)
    if row is not None and not lock and _has_run_out(row):
        row = store.by_address(session, address, lock=True)
    if row is None:
        raise NotFoundError("there is no such game; games that nobody has touched for some days are removed")
    if _has_run_out(row):
        loser = position(row).to_move
        _end(row, SEATS[1 - loser], FaultCode.TIMEOUT, loser)
        _call_off(session, row)
        _changed(row)
    return row


def may_play(user: User | None, row: PlayGame) -> bool:
    """Whether somebody who knows its address may play in a game: its owner's account, or anybody if none."""
    return row.owner is None or (user is not None and user.account_id == row.owner.account_id)


def require_player(user: User | None, row: PlayGame) -> None:
    """Let go on who may play in it.

    Raises:
        ForbiddenError: it is somebody else's.
    """
    if not may_play(user, row):
        raise ForbiddenError("this game is somebody else's: look on, or begin one of your own")


def move(playing: Playing, text: str, ply: int) -> None:
    """Play a person's move after `ply` plies.

    Raises:
        ChangedError: the game has gone on since.
        ConflictError: it is over, or a bot's turn.
        InvalidError: it is no move, or not allowed.
    """
    session, row, _, _ = playing
    if ply != len(row.moves):
        raise ChangedError(
            "the game stands after %(plies)s plies, not %(ply)s: look again, then move",
            plies=len(row.moves),
            ply=ply,
        )
    _require_going(row)
    at = position(row)
    if row.seats[at.to_move]["bot"] is not None:
        raise ConflictError("it is the turn of %(bot)s", bot=row.seats[at.to_move]["bot"])
    game = rules_of(row)
    wall_ns = max(0, round((utc_now() - row.since).total_seconds() * rules.NS))
    clock = clock_of(row)
    extension = isinstance(clock, MoveTime) and wall_ns > clock.move * rules.NS
    try:
        row.moves = dumped(rules.played(game, moves_of(row), text, wall_ns, extension=extension))
    except GameError as error:
        raise InvalidError("%(why)s; the legal moves are shown", why=error) from None
    _call_off(session, row)  # a hint for the position before
    _go_on(playing)


def undo(playing: Playing) -> None:
    """Take back the last move that a person chose, and what a bot has answered or is about to.

    Raises:
        ConflictError: there is none.
    """
    session, row, _, _ = playing
    people = [each["bot"] is None for each in row.seats]
    before = undone(moves_of(row), people)
    if before is None:
        raise ConflictError("there is no move of yours to take back")
    row.moves, row.ended = dumped(before), None
    _call_off(session, row)
    _go_on(playing)


def restart(
    playing: Playing, wish: Sequence[str | None] | None, params: Mapping[str, Any] | None = None
) -> None:
    """Begin the game again, between others or with other parameters if they are named.

    Raises:
        InvalidError, NotFoundError, ConflictError, ForbiddenError, TooManyError: as at the beginning.
    """
    session, row, user, _ = playing
    if params is not None:
        game = find_rules(row.game, params)
        row.params, row.game_version = game.params, game.version
        wish = wish or [each["bot"] for each in row.seats]
    if wish is not None:
        row.seats = _sit(session, user, wish, rules_of(row))
    row.moves, row.ended, row.seed = [], None, secrets.randbelow(SEEDS)
    _call_off(session, row)
    _go_on(playing)


def change(playing: Playing, wish: Sequence[str | None]) -> None:
    """Let others sit there from now on: another level, another opponent, or the sides exchanged.

    Whoever gave up, or has failed, plays on. The time that a person to move has thought so far goes on.

    Raises:
        InvalidError, NotFoundError, ConflictError, ForbiddenError, TooManyError: as at the beginning.
    """
    session, row, user, _ = playing
    row.seats = _sit(session, user, wish, rules_of(row))
    row.ended = None
    _call_off(session, row)
    _go_on(playing, since=row.since)


def resign(playing: Playing) -> None:
    """The person gives up: who is to move where two sit at one screen, or who waits for a bot.

    Raises:
        ConflictError: the game is over.
    """
    session, row, _, _ = playing
    _require_going(row)
    to_move = position(row).to_move
    loser = to_move if row.seats[to_move]["bot"] is None else SEATS[1 - to_move]
    _end(row, SEATS[1 - loser], RESIGNED, loser)
    _call_off(session, row)
    _changed(row)


def ask_hint(playing: Playing) -> None:
    """Have found out what is best where a person is to move; nothing where it was asked for already.

    Raises:
        ConflictError: the game is over, or a bot's turn.
        ForbiddenError, TooManyError: this person has no more hints today.
    """
    session, row, user, settings = playing
    _require_going(row)
    at = position(row)
    if row.seats[at.to_move]["bot"] is not None:
        raise ConflictError("hints are for a person's turn")
    found = store.turn_at(session, row, hint=True)
    if found is not None and found.state != MatchState.PARKED:
        return
    quotas.require(session, user, row.player, settings.play_moves)
    turns.ask(session, row, rules_of(row), None)
    _changed(row)


def remove_old(session: Session, days: int) -> int:
    """Remove games that nobody has touched for so long, some of them at once; how many these were."""
    return store.delete_old(session, utc_now() - dt.timedelta(days=days))


def rules_of(row: PlayGame) -> Game[Any]:
    """The game with its parameters.

    Raises:
        ConflictError: it is not here any more, or in another version.
    """
    try:
        game = find_game(row.game, row.params)
    except GameError as error:
        raise ConflictError("this game cannot be played any more: %(why)s", why=error) from None
    if game.version != row.game_version:
        raise ConflictError(
            "the rules of %(game)s have changed since this game began; begin another one", game=row.game
        )
    return game


def moves_of(row: PlayGame) -> list[MoveRecord]:
    """Its moves."""
    return _MOVES.validate_python(row.moves)


def dumped(moves: Sequence[MoveRecord]) -> list[dict[str, Any]]:
    """The same as a row has them."""
    return list(_MOVES.dump_python(list(moves), mode="json", exclude_defaults=True))


def position(row: PlayGame) -> Position:
    """Where it stands."""
    return rules.position_of(rules_of(row), [each["move"] for each in row.moves])


def is_over(row: PlayGame) -> bool:
    """Whether nobody moves in it any more."""
    return row.ended is not None or position(row).outcome is not None


def running_seconds(row: PlayGame) -> float:
    """How long the side to move has had its turn, of a game that goes on."""
    return max(0.0, (utc_now() - row.since).total_seconds())


def clock_of(row: PlayGame) -> ClockTime | MoveTime | None:
    """Its clock, if it has one."""
    return rules.clock_of(row.clock)


def left_seconds(row: PlayGame, seat: int) -> float | None:
    """What a side had left at the beginning of its turn, with an extension if any; None without a clock."""
    clock = clock_of(row)
    return None if clock is None else rules.left_seconds(clock, moves_of(row), seat)


def shown_seconds(row: PlayGame, seat: int) -> tuple[float | None, int | None]:
    """The same as it is shown, and how many extensions are left.

    One is spent once its time has begun; a person who has lost on time has nothing left.
    """
    clock, person = clock_of(row), row.seats[seat]["bot"] is None
    late = row.ended is not None and row.ended["reason"] == FaultCode.TIMEOUT and row.ended["winner"] != seat
    if not isinstance(clock, MoveTime):
        return (0.0 if late and person else left_seconds(row, seat)), None
    extensions = rules.extensions_left(clock, moves_of(row), seat)
    if late and person:
        return 0.0, 0
    runs = person and not is_over(row) and position(row).to_move == seat
    if runs and extensions > 0 and running_seconds(row) > clock.move:
        return clock.extension, extensions - 1
    return clock.move, extensions


def take_turn(session: Session, row: PlayGame, more: Sequence[MoveRecord]) -> None:
    """A bot has played: its moves, and passes, follow those of the (locked) game."""
    del session
    row.moves = dumped([*moves_of(row), *more])
    row.since = utc_now()
    _changed(row)


def fail(row: PlayGame, loser: Seat, reason: str, detail: str = "") -> None:
    """A bot has given up or failed in a (locked) game, which is over."""
    _end(row, SEATS[1 - loser], reason, loser, detail)
    _changed(row)


def _sit(
    session: Session, user: User | None, wish: Sequence[str | None], game: Game[Any]
) -> list[dict[str, Any]]:
    if all(each is not None for each in wish):
        raise InvalidError("at least one seat is a person's: give null for it, not a bot")
    found: list[Sitting] = [seats.sit(session, user, each, game) for each in wish]
    return [dict(each) for each in found]


def _go_on(playing: Playing, since: dt.datetime | None = None) -> None:
    """Have the bot asked whose turn it is, if it is one's; a pass that must be played is."""
    session, row, user, settings = playing
    row.since = since or utc_now()
    row.moves = dumped(rules.with_passes(rules_of(row), moves_of(row)))
    at = position(row)
    sitting = row.seats[at.to_move]
    if at.outcome is None and sitting["bot"] is not None:
        seats.require_still(session, user, Sitting(**sitting))  # type: ignore[typeddict-item]
        quotas.require(session, user, row.player, settings.play_moves)
        turns.ask(session, row, rules_of(row), at.to_move)
    _changed(row)


def _require_going(row: PlayGame) -> None:
    if is_over(row):
        raise ConflictError("the game is over: take a move back, or begin again")


def _has_run_out(row: PlayGame) -> bool:
    """Whether a person to move has no time left."""
    if row.clock is None or row.ended is not None:
        return False
    at = position(row)
    if at.outcome is not None or row.seats[at.to_move]["bot"] is not None:
        return False
    return (left_seconds(row, at.to_move) or 0.0) <= running_seconds(row)


def _end(row: PlayGame, winner: Seat, reason: str, loser: Seat, detail: str = "") -> None:
    row.ended = {
        "winner": winner,
        "reason": reason,
        "score": list(rules_of(row).forfeit_score(loser)),
        "detail": detail,
    }


def _call_off(session: Session, row: PlayGame) -> None:
    """Nobody waits for a bot any more, nor for a hint."""
    for turn in store.lock_unfinished(session, row):
        turn.release(MatchState.CANCELLED)


def _changed(row: PlayGame) -> None:
    row.revision += 1
    row.changed_at = utc_now()
