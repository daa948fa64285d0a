"""Random openings that leave both sides a fair game.

An opening is played before anyone is asked. Candidates are random legal moves from the initial state; how
even one is, random games from its end tell: seat 0's share of their points (1 a win, ½ a draw) should lie
within a band around one half. Where too few candidates lie in the narrowest band, the next one is used
for the rest, and the widest takes any. Everything is drawn from one seed with integers only, so the same
call gives the same openings on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from typing import Any

from engines.game import Game, GameError, Move
from engines.stream import Stream

BANDS = (10, 20, 30, 50)
"""How far seat 0's share may lie from one half, in percentage points, from the band tried first."""

PLAYOUTS = 64
"""Random games that estimate one candidate's balance: their standard error is about 6 points."""

CANDIDATES_EACH = 8
"""Candidates rated for each opening that is wanted, before a wider band is used."""

DRAWS_EACH = 200
"""Random openings drawn for each that is wanted, before the game is said to have too few."""


class OpeningsError(GameError):
    """The game has not that many openings of that length; ask for fewer, or for longer ones."""


def balanced_openings(game: Game[Any], count: int, plies: int, seed: int) -> tuple[tuple[str, ...], ...]:
    """`count` openings of `plies` moves in notation, no two ending in the same state, none finished.

    Passes that the rules force are moves of an opening too. The balanced ones come first.

    Raises:
        OpeningsError: the game has too few, or `count` or `plies` is negative.
    """
    if count < 0 or plies < 0:
        raise OpeningsError(
            "count and plies cannot be negative (given: %(count)s and %(plies)s)", count=count, plies=plies
        )
    stream = Stream("openings", game.name, game.version, json.dumps(game.params, sort_keys=True), plies, seed)
    candidates = list(_candidates(game, count, plies, stream))
    if len(candidates) < count:
        raise OpeningsError(
            "%(game)s with %(params)s has only %(found)s different unfinished openings of %(plies)s plies "
            "where %(count)s were asked for; ask for fewer or longer ones",
            game=game.name,
            params=game.params,
            found=len(candidates),
            plies=plies,
            count=count,
        )
    chosen = _most_balanced(game, candidates, count, stream)
    return tuple(tuple(map(game.move_to_text, moves)) for moves in chosen)


def _candidates(
    game: Game[Any], count: int, plies: int, stream: Stream
) -> Iterator[tuple[Hashable, tuple[Move, ...]]]:
    """Different unfinished openings as (last state, moves), in the order drawn."""
    seen = set()
    for _ in range(DRAWS_EACH * count):
        state, moves = _random_walk(game, plies, stream)
        if state in seen or len(moves) < plies or not game.legal_moves(state):
            continue
        seen.add(state)
        yield state, moves
        if len(seen) == CANDIDATES_EACH * count:
            return


def _random_walk(game: Game[Any], plies: int, stream: Stream) -> tuple[Any, tuple[Move, ...]]:
    """The state after `plies` random moves, or fewer where the game ends before, and those moves."""
    state = game.initial()
    moves: list[Move] = []
    while len(moves) < plies and (legal := game.legal_moves(state)):
        moves.append(stream.choice(legal))
        state = game.play(state, moves[-1])
    return state, tuple(moves)


def _most_balanced(
    game: Game[Any], candidates: list[tuple[Hashable, tuple[Move, ...]]], count: int, stream: Stream
) -> list[tuple[Move, ...]]:
    """The first `count` in the narrowest band, filled up from the wider ones."""
    banded: list[list[tuple[Move, ...]]] = [[] for _ in BANDS]
    for state, moves in candidates:
        if len(banded[0]) == count:
            break
        banded[_band(game, state, stream)].append(moves)
    return [moves for band in banded for moves in band][:count]


def _band(game: Game[Any], state: Any, stream: Stream) -> int:
    """The index in `BANDS` of the narrowest band that holds the state's estimated share."""
    points = sum(_half_points(game, state, stream) for _ in range(PLAYOUTS))
    off = abs(points - PLAYOUTS)
    return next(i for i, band in enumerate(BANDS) if 100 * off <= 2 * PLAYOUTS * band)


def _half_points(game: Game[Any], state: Any, stream: Stream) -> int:
    """Seat 0's half points (2, 1 or 0) in one random game from `state`."""
    while legal := game.legal_moves(state):
        state = game.play(state, stream.choice(legal))
    ended = game.outcome(state)
    winner = ended.winner if ended else None
    return 1 if winner is None else 2 if winner == 0 else 0
