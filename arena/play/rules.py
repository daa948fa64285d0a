"""What follows from a game's moves: the position, its end, and the clocks.

Pure: nothing here asks a clock or a database. A seat is None where a person sits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engines.game import Game, IllegalMoveError, Outcome, Seat
from workers.core.contract import MoveRecord, Policy
from workers.play.policy import watch_of

NS = 10**9


class Position(NamedTuple):
    """Where a game stands. `outcome` says how it ended by its moves, also where its policy drew it."""

    state: Any
    to_move: Seat
    outcome: Outcome | None


class ClockTime(NamedTuple):
    """What each side has for the whole game, and what each of its moves adds; in seconds."""

    seconds: float
    increment: float


class MoveTime(NamedTuple):
    """What each side has for a move, and how often one may take up to `extension` in all; in seconds."""

    move: float
    extensions: int
    extension: float


def clock_of(told: Mapping[str, Any] | None) -> ClockTime | MoveTime | None:
    """The clock as a game's row has it."""
    if told is None:
        return None
    return MoveTime(**told) if "move" in told else ClockTime(**told)


def position_of(game: Game[Any], moves: Sequence[str]) -> Position:
    """The position after these moves.

    Raises:
        GameError: they cannot be played.
    """
    state, watch = game.initial(), watch_of(game, Policy())
    for text in moves:
        state = game.play(state, game.move_from_text(text))
        if watch is not None:
            watch.played(state)
    outcome = game.outcome(state)
    if outcome is None and watch is not None and watch.reason is not None:
        outcome = Outcome(None, watch.reason, game.draw_score())
    return Position(state, game.to_move(state), outcome)


def played(
    game: Game[Any], moves: Sequence[MoveRecord], text: str, wall_ns: int, *, extension: bool = False
) -> list[MoveRecord]:
    """The moves with one more, and the passes that the rules leave no choice but to make after it.

    `extension` says that it has spent one of its side's.

    Raises:
        GameError: it is no move of this game, or not allowed here.
    """
    at = position_of(game, [move.move for move in moves])
    move = game.move_from_text(text)
    if at.outcome is not None or move not in game.legal_moves(at.state):
        raise IllegalMoveError("%(move)r is not allowed here", move=text)
    text = game.move_to_text(move)
    made = MoveRecord(len(moves), at.to_move, text, wall_ns=wall_ns, extension=extension)
    return with_passes(game, [*moves, made])


def with_passes(game: Game[Any], moves: Sequence[MoveRecord]) -> list[MoveRecord]:
    """The moves, and the passes after them that nobody is asked for."""
    more = list(moves)
    while True:
        at = position_of(game, [move.move for move in more])
        legal = game.legal_moves(at.state) if at.outcome is None else ()
        forced = game.forced_pass(at.state) if len(legal) == 1 else None
        if forced is None:
            return more
        more.append(MoveRecord(len(more), at.to_move, game.move_to_text(forced), asked=False))


def used_seconds(moves: Sequence[MoveRecord], seat: int) -> float:
    """What a side has thought in all, as it is charged."""
    return sum(move.charged_ns for move in moves if move.seat == seat and move.asked) / NS


def extensions_left(clock: MoveTime, moves: Sequence[MoveRecord], seat: int) -> int:
    """How often a side may still take longer."""
    return clock.extensions - sum(move.extension for move in moves if move.seat == seat)


def left_seconds(clock: ClockTime | MoveTime, moves: Sequence[MoveRecord], seat: int) -> float:
    """What a side has left at the beginning of its next turn, with an extension if it has one."""
    if isinstance(clock, MoveTime):
        return clock.extension if extensions_left(clock, moves, seat) > 0 else clock.move
    answers = sum(move.seat == seat and move.asked for move in moves)
    return clock.seconds + answers * clock.increment - used_seconds(moves, seat)
