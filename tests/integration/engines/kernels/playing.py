"""Games played plainly, move by move, for kernels to be compared with.

This is the simulation's loop in its simplest form: rules, players and the match's draw policy, one stream a
game. A kernel is right when its rows say the same as this, whatever the batch.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from engines.game import Game, Move, Score
from engines.kernels import Batch, Kernel, Playouts, find_kernel
from engines.strategies import Strategy, find_strategy
from engines.stream import Stream, game_stream
from workers.core.contract import Policy
from workers.play.policy import DrawWatch

ENDS = {None: 0, "repetition": 1, "ply_limit": 2}


class Played(NamedTuple):
    """One game: its moves with passes, the winning seat (-1: drawn), the score by seat, how it ended."""

    moves: tuple[Move, ...]
    winner: int
    score: Score
    end: int


def play_one(game: Game[Any], seats: tuple[Strategy, Strategy], stream: Stream, policy: Policy) -> Played:
    """One game between the players at `seats`; a limit that `policy` leaves open does not exist."""
    state = game.initial()
    history: list[Move] = []
    watch = DrawWatch(policy, state)
    while legal := game.legal_moves(state):
        if watch.reason is not None:
            return Played(tuple(history), -1, game.draw_score(), ENDS[watch.reason])
        move = game.forced_pass(state) if len(legal) == 1 else None
        if move is None:
            move = seats[game.to_move(state)].choose(state, history, stream)
        state = game.play(state, move)
        history.append(move)
        watch.played(state)
    outcome = game.outcome(state)
    assert outcome is not None
    winner = -1 if outcome.winner is None else outcome.winner
    return Played(tuple(history), winner, outcome.score, ENDS[None])


def play_plainly(game: Game[Any], first: str, second: str, batch: Batch) -> list[Played]:
    """The games of `batch` one by one."""
    players = find_strategy(first, game), find_strategy(second, game)
    policy = Policy(repetition=batch.repetition or None, max_plies=batch.max_plies or None)
    return [
        play_one(
            game,
            players[::-1] if batch.swap and index % 2 else players,
            game_stream(batch.run, index),
            policy,
        )
        for index in range(batch.start, batch.start + batch.count)
    ]


def rows(playouts: Playouts) -> list[Played]:
    """What a kernel with its moves kept says, a game a row; that plies and moves agree is checked here."""
    assert playouts.moves is not None
    found = []
    for number, (row, plies) in enumerate(zip(playouts.moves, playouts.plies, strict=True)):
        assert (row[:plies] >= 0).all()
        assert (row[plies:] == -1).all()
        score = (int(playouts.scores[number, 0]), int(playouts.scores[number, 1]))
        moves = tuple(row[:plies].tolist())
        found.append(Played(moves, int(playouts.winners[number]), score, int(playouts.ends[number])))
    return found


def kernel_of(game: Game[Any], first: str = "random", second: str = "random") -> Kernel:
    """The kernel between these players, which must exist."""
    kernel = find_kernel(game, first, second)
    assert kernel is not None
    return kernel


def check_same(game: Game[Any], batch: Batch, first: str = "random", second: str = "random") -> list[Played]:
    """Play `batch` both ways, compare move by move, and return the games.

    `batch` keeps its moves. The same batch without them must give the same results.
    """
    kernel = kernel_of(game, first, second)
    plain = play_plainly(game, first, second, batch)
    kept = kernel.play(batch)
    assert rows(kept) == plain
    bare = kernel.play(replace(batch, keep_moves=False))
    assert bare.moves is None
    for name in ("winners", "plies", "scores", "ends"):
        one, other = getattr(bare, name), getattr(kept, name)
        assert one.dtype == other.dtype
        assert one.tolist() == other.tolist()
    return plain


def check_cuts(game: Game[Any], batch: Batch, first: str = "random", second: str = "random") -> None:
    """Cut `batch`, which keeps its moves, in unequal pieces: they must be the games of the whole."""
    kernel = kernel_of(game, first, second)
    cuts = [0, 0, 1, 3, 40, batch.count]
    pieces = [
        kernel.play(replace(batch, start=batch.start + cut, count=following - cut))
        for cut, following in pairwise(cuts)
    ]
    assert [row for piece in pieces for row in rows(piece)] == rows(kernel.play(batch))


def check_seats(game: Game[Any], batch: Batch, player: str = "random") -> None:
    """With two equal players `batch`, which keeps its moves, must be the same when they swap seats."""
    kernel = kernel_of(game, player, player)
    assert rows(kernel.play(replace(batch, swap=True))) == rows(kernel.play(batch))
