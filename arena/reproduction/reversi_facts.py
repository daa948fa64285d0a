"""What group 8's report says of its program beyond its results, computed."""

from __future__ import annotations

import math
from typing import NamedTuple

from bots.reference import group8
from engines.bitboards import bits, flips, geometry, placements
from engines.games.reversed_reversi import ReversedReversi, State
from engines.stream import Stream

RANDOM_GAMES = 300
BOARDS = 200
"""Boards on which the program chooses for either side, a few plies into random games."""

FIRST_ROW = 0xFF
EIGHT = geometry(8)


class Facts(NamedTuple):
    """`misjudged` of so many random games `reversi` announces otherwise than the discs say.

    `searched_rows` is how many of the first moves leave a playable square in the first row, which is all that
    the printed listing looks at. `nodes` are the boards that the program judges for its first move, without
    pruning and with the printed one. `differing` is on how many of so many `boards` it chooses for O what it
    does not choose for X with the same discs for its own.
    """

    games: int
    misjudged: int
    first_moves: int
    searched_rows: int
    nodes: tuple[int, int]
    boards: int
    differing: int


def facts(seed: int) -> Facts:
    """All of it."""
    game = ReversedReversi()
    misjudged = sum(_misjudged(game, seed, index) for index in range(RANDOM_GAMES))
    start = game.initial()
    after = [game.play(start, move) for move in game.legal_moves(start)]
    seen = sum(bool(placements(state.own, state.opp, EIGHT) & FIRST_ROW) for state in after)
    nodes = searched(group8.DEPTH, pruned=False).judged, searched(group8.DEPTH, pruned=True).judged
    differing = sum(_chooses_by_colour(game, seed, index) for index in range(BOARDS))
    return Facts(RANDOM_GAMES, misjudged, len(after), seen, nodes, BOARDS, differing)


class Searched(NamedTuple):
    """The program's first move as X with its score, and how many boards it judged to find it."""

    square: int
    score: float
    judged: int


def searched(depth: int, *, pruned: bool) -> Searched:
    """The printed `myAI` from the opening by its own steps, calling `alpha_beta` with `depth` levels."""
    start = ReversedReversi().initial()
    counted: list[int] = []
    best = Searched(-1, -math.inf, 0)
    for square in bits(placements(start.own, start.opp, EIGHT)):
        after = _placed((start.own, start.opp), square)
        score = _alpha_beta(after, depth, (-math.inf, math.inf), counted, maximising=True, pruned=pruned)
        if score > best.score:
            best = Searched(square, score, 0)
    return best._replace(judged=len(counted))


def _alpha_beta(
    discs: tuple[int, int],
    depth: int,
    window: tuple[float, float],
    counted: list[int],
    *,
    maximising: bool,
    pruned: bool,
) -> float:
    """The printed `alpha_beta`, called for X: a cutoff leaves the loop over columns only.

    The judgement of every board that it comes to is added to `counted`.
    """
    own, opp = discs
    marked = placements(opp, own, EIGHT) or placements(own, opp, EIGHT)
    if depth == 0 or not marked:
        counted.append(_weight(opp) - _weight(own))
        return counted[-1]
    value = -math.inf if maximising else math.inf
    better = max if maximising else min
    alpha, beta = window
    for row in range(8):
        for square in bits(marked & FIRST_ROW << 8 * row):
            after = _placed(discs, square)
            child_value = _alpha_beta(
                after, depth - 1, (alpha, beta), counted, maximising=not maximising, pruned=pruned
            )
            value = better(value, child_value)
            alpha, beta = (max(alpha, value), beta) if maximising else (alpha, min(beta, value))
            if pruned and alpha >= beta:
                break
    return value


def _placed(discs: tuple[int, int], square: int) -> tuple[int, int]:
    """The mover's discs and the other side's after the mover's is put there, whether it turns any or none."""
    own, opp = discs
    line = flips(own, opp, square, EIGHT)
    return own | line | 1 << square, opp ^ line


def _weight(discs: int) -> int:
    return sum(group8.WEIGHTS[square] for square in bits(discs))


def _chooses_by_colour(game: ReversedReversi, seed: int, index: int) -> bool:
    """Whether the program chooses otherwise as O than as X where its own discs are the same.

    It looks one level ahead, which shows which way it judges.
    """
    stream = Stream("reproduction", "colours", seed, index)
    state = game.initial()
    for _ in range(4 + index % 20):
        if game.outcome(state) is None:
            state = game.play(state, stream.choice(game.legal_moves(state)))
    x, o = (group8.best_move(state.own, state.opp, is_x=each, depth=1)[0] for each in (True, False))
    return x != o


def _misjudged(game: ReversedReversi, seed: int, index: int) -> bool:
    """Whether the board before the last disc, which the printed program counts, names another winner."""
    stream = Stream("reproduction", "last disc", seed, index)
    state, before = game.initial(), game.initial()
    while game.outcome(state) is None:
        forced = game.forced_pass(state)
        if forced is None:
            before = state
        state = game.play(state, stream.choice(game.legal_moves(state)) if forced is None else forced)
    return _leader(before) != _leader(state)


def _leader(state: State) -> int:
    """The seat with fewer discs, -1 if both have as many."""
    own, other = state.own.bit_count(), state.opp.bit_count()
    return -1 if own == other else state.seat if own < other else 1 - state.seat


def board(state: State) -> list[str]:
    """The rows of a board, X, O or a dot a square."""
    x, o = (state.own, state.opp) if state.seat == 0 else (state.opp, state.own)
    cells = "".join("X" if x >> at & 1 else "O" if o >> at & 1 else "." for at in range(64))
    return [cells[at : at + 8] for at in range(0, 64, 8)]


def playable(state: State) -> list[tuple[int, int]]:
    """Row and column of the squares where the side to move may place a disc."""
    return [divmod(square, 8) for square in bits(placements(state.own, state.opp, EIGHT))]
