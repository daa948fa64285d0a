"""What a position is worth, and what is best there: with perfect play, or else as it is estimated."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from bots.reference.estimates import find_estimator
from engines.game import Game, Move
from engines.games import find_presentation
from engines.solvers import Oracle, Progress, SolverError, Value, find_oracle
from engines.solvers.endgame_limits import ESTIMATE_DEPTH
from engines.solvers.judging import Stoppable, find_judge
from engines.solvers.oracle import before, rank
from engines.strategies.perfect import best_moves
from workers.core.halt import Halt, stopping
from workers.play.estimating import is_fewest, sight_of

WORDS = {1: "won", 0: "drawn", -1: "lost"}
MAX_VALUED = 512
"""Where there are more legal moves, only the best are told."""
SEARCH_SECONDS = 6.0
"""So long at most a position is searched that no table has, and as long estimated: a person waits."""


def hint(
    game: Game[Any],
    state: Any,
    progress: Progress,
    halt: Halt | None = None,
    seconds: float = SEARCH_SECONDS,
) -> dict[str, Any]:
    """The position's value for the side to move, its best moves, and what each move is worth; fit for JSON.

    Of a finished game there are no moves. The best are those that the perfect player chooses from. A move's
    value is its mover's, its plies to the end count it; the best comes first. Where the game is not solved
    its judge searches for so many seconds at most, and tells also by which `margin` of the score it ends.
    Where that is too short the position is `estimated`, for as many, and has no `result`. A move of which
    nothing was found out in time is not among the values.

    Raises:
        SolverError: the game cannot be solved with its parameters, nor this position, nor is it estimated.
        HaltError: `halt` broke it off.
    """
    try:
        told = _solved(game, state, find_oracle(game, progress))
    except SolverError:
        found = _judged(game, state, halt, seconds) or _estimated(game, state, halt, seconds)
        if found is None:
            raise
        told = found
    return {
        "game": game.name,
        "params": game.params,
        "state": game.state_to_json(state),
        "seat": game.to_move(state),
        **told,
    }


def _solved(game: Game[Any], state: Any, oracle: Oracle[Any]) -> dict[str, Any]:
    """What tables of the whole game say."""
    presentation, legal = find_presentation(game.name), game.legal_moves(state)
    best = best_moves(game, oracle, state) if legal else []

    def valued(move: Move) -> dict[str, Any]:
        after = game.play(state, move)
        value = before(oracle.value(after))
        drawn = value.result == 0 and presentation.chance.english
        return _told(value) | ({"chance": float(oracle.promise(after))} if drawn else {})

    def order(move: Move) -> Any:
        after = game.play(state, move)
        return rank(oracle.value(after)), oracle.promise(after)

    moves = [
        _named(game, move)
        | {name: told for name, told in valued(move).items() if name == "chance"}
        | presentation.hinted(game, state, move)
        for move in best
    ]
    return {**_told(oracle.value(state)), "moves": moves, "values": _values(game, legal, order, valued)}


def _judged(game: Game[Any], state: Any, halt: Halt | None, seconds: float) -> dict[str, Any] | None:
    """What the game's judge finds out within so many seconds; None where that is nothing.

    Raises:
        SolverError: the game has none, or not with these parameters.
    """
    judge, legal = find_judge(game), game.legal_moves(state)
    with _in_time(halt, seconds) as stop:
        if isinstance(judge, Stoppable):
            judge.stop_by(stop)
        worth = judge.worth(state)
        if worth is None or stop[0]:
            return None
        known = dict.fromkeys(worth.best, (worth.value, worth.margin))
        for move in legal if len(legal) <= MAX_VALUED else ():
            if move in known:
                continue
            after = judge.worth(game.play(state, move))
            if after is None or stop[0]:
                break
            known[move] = before(after.value), None if after.margin is None else -after.margin

    def order(move: Move) -> Any:
        (result, distance), margin = known[move][0], known[move][1] or 0
        return result, -result * (distance or 0), -margin if is_fewest(game) else margin

    def valued(move: Move) -> dict[str, Any]:
        return _told(known[move][0]) | {"margin": known[move][1]}

    return {
        **_told(worth.value),
        "margin": worth.margin,
        "moves": [_named(game, move) for move in worth.best],
        "values": _values(game, list(known), order, valued),
    }


def _estimated(game: Game[Any], state: Any, halt: Halt | None, seconds: float) -> dict[str, Any] | None:
    """What analyses estimate, of other moves than the best what is found out within so many seconds; or None.

    Raises:
        SolverError: what is compiled was not built.
        HaltError: it was broken off.
    """
    sight, legal = sight_of(game, ESTIMATE_DEPTH), game.legal_moves(state)
    if sight is None or not legal:
        return None
    estimator, sign, began = find_estimator(game), -1 if is_fewest(game) else 1, time.monotonic()
    seen = estimator.estimate(state, sight.depth)
    worth = {seen.best: seen.value}
    for move in legal:
        if halt is not None:
            halt.check()
        if move != seen.best and time.monotonic() < began + seconds:
            worth[move] = min(estimator.estimate(state, sight.depth, move).played, seen.value)
    best = _named(game, seen.best)
    return {
        "result": None,
        "plies": None,
        "estimated": {"margin": sign * seen.value, "best": best["move"], **sight.model_dump()},
        "moves": [best],
        "values": _values(
            game, list(worth), worth.__getitem__, lambda move: {"estimate": sign * worth[move]}
        ),
    }


@contextmanager
def _in_time(halt: Halt | None, seconds: float) -> Iterator[bytearray]:
    """A byte that is set after so many seconds, or when nobody wants what is searched in the block any more.

    Raises:
        HaltError: afterwards, where `halt` broke it off.
    """
    bound = halt or Halt()
    try:
        with bound.until(time.monotonic() + seconds), stopping(bound) as stop:
            yield stop
        bound.check()
    finally:
        if halt is None:
            bound.close()


def _values(
    game: Game[Any],
    moves: Sequence[Move],
    order: Callable[[Move], Any],
    valued: Callable[[Move], dict[str, Any]],
) -> list[dict[str, Any]]:
    """What each of these moves is worth to who makes it, the best first; nothing where there are too many."""
    if len(moves) > MAX_VALUED:
        return []
    return [_named(game, move) | valued(move) for move in sorted(moves, key=order, reverse=True)]


def _named(game: Game[Any], move: Move) -> dict[str, Any]:
    return {"move": game.move_to_text(move)}


def _told(value: Value) -> dict[str, Any]:
    return {"result": WORDS[value.result], "plies": value.distance}
