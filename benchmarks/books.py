"""What the champion's opening book is worth, at equal processor time for a move.

    python -m benchmarks.books [--rule fewest|most] [--lines N] [--ms N] [--seed N] [--jobs N]

A line begins at the first position: one side plays the book's moves, the other at random among those after
which the book goes on, and it is broken off by chance where the side with the book is to move. From there it
is played on twice against a champion without a book: by one with its book, and by another one without. The
difference is what the book won from there on, and the time that it left is what it saved. All lines end in
different positions.
"""

from __future__ import annotations

import argparse
import math
import random
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

from benchmarks.contest import ArenaBot, play
from benchmarks.judge import CHAMPION, RULES
from benchmarks.peers.programs import built
from bots.reference import find_reference
from bots.reference.compiling import compile_bot, program_of
from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers.reversi_book import HEAD, PAGE, packed

NORMAL_95 = 1.96
GO_ON = 0.75
"""The chance that a line goes on where it could be broken off."""
MAX_TRIES = 200
"""Lines drawn for each that is wanted, before it is said that the book has too few."""


class Programs(NamedTuple):
    """The champion with its book and without, and what has both read their own clocks."""

    booked: Path
    bookless: Path
    clock: Path


class Told(NamedTuple):
    """Of a game, by the side that may have a book: points, moves of the book, processor time of all moves."""

    points: float
    by_book: int
    seconds: float


def programs(game: ReversedReversi, folder: Path) -> Programs:
    """The programs; that without a book has an empty one, of which it has nothing to say."""
    bot = find_reference("champion")
    compile_bot(bot)
    booked = program_of(bot)
    name = f"{game.size}-{'fewest' if game.reversed else 'most'}"
    shutil.copy(booked.parent / f"{name}.weights", folder)
    (folder / f"{name}.book").write_bytes(packed(game, []))
    clock = built("processor_clock", folder, ("-O2", "-shared", "-fPIC"))
    return Programs(booked, Path(shutil.copy(booked, folder)), clock)


def pages(game: ReversedReversi) -> dict[tuple[int, int], int]:
    """The move of each position of the book that the champion has for an 8 by 8 board."""
    content = (CHAMPION / f"8-{'fewest' if game.reversed else 'most'}.book").read_bytes()
    return {(own, opp): move for own, opp, _, move in PAGE.iter_unpack(content[HEAD.size : -4])}


def lines(game: ReversedReversi, count: int, seed: int) -> Iterator[list[str]]:
    """So many lines as moves in notation, or as many as are found."""
    book, chance, seen = pages(game), random.Random(seed), set[tuple[int, int]]()
    for _ in range(MAX_TRIES * count):
        line, state, seat = list[str](), game.initial(), chance.randrange(2)
        while True:
            ours, position = state.seat == seat, game.canonical(state)[:2]
            if ours and (position not in book or chance.random() > GO_ON):
                break
            state, text = _next(game, state, book, chance, ours=ours)
            line.append(text)
        if position in book and position not in seen:
            seen.add(position)
            yield line
        if len(seen) == count:
            return


def _next(
    game: ReversedReversi,
    state: State,
    book: dict[tuple[int, int], int],
    chance: random.Random,
    *,
    ours: bool,
) -> tuple[State, str]:
    """The position after the book's move, or after a random one that keeps to the book where one does."""
    moves = list(game.legal_moves(state))
    if ours:
        own, opp = game.canonical(state)[:2]
        after = game.canonical(game.play(State(own, opp, 0), book[own, opp]))[:2]
        moves = [move for move in moves if game.canonical(game.play(state, move))[:2] == after]
    else:
        moves = [move for move in moves if game.canonical(game.play(state, move))[:2] in book] or moves
    move = chance.choice(moves)
    return game.play(state, move), game.move_to_text(move)


def one_game(
    game: ReversedReversi, both: Programs, milliseconds: int, line: Sequence[str], *, booked: bool
) -> Told:
    """A game from that line on, with or without the book."""
    seat = len(line) % 2
    tried = [both.booked if booked else both.bookless, both.bookless]
    players = [ArenaBot([each], game, seat ^ at, milliseconds, both.clock) for at, each in enumerate(tried)]
    try:
        played = play(game, line, (players[seat], players[1 - seat]))
    finally:
        for player in players:
            player.end()
    margin, turns = played.margin if seat == 0 else -played.margin, played.turns[seat]
    points = (1 + (margin > 0) - (margin < 0)) / 2
    return Told(
        points, sum(turn.words.startswith("book") for turn in turns), sum(turn.seconds for turn in turns)
    )


def told(name: str, values: Sequence[float], unit: str) -> str:
    """A mean with its 95 % interval."""
    error = NORMAL_95 * stdev(values) / math.sqrt(len(values))
    return f"{name} {mean(values):+.3f}{unit} ({mean(values) - error:+.3f} to {mean(values) + error:+.3f})"


def main() -> None:
    """Play as the options say."""
    parser = argparse.ArgumentParser(description="Measure what the champion's opening book is worth.")
    parser.add_argument("--rule", choices=RULES, default="fewest", help="so many discs win (fewest)")
    parser.add_argument("--lines", type=int, default=40, help="each is played twice (40)")
    parser.add_argument("--ms", type=int, default=100, help="time for a move (100)")
    parser.add_argument("--seed", type=int, default=1, help="decides the lines (1)")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time (1)")
    options = parser.parse_args()
    game = ReversedReversi(8, reversed=options.rule == "fewest")
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as threads:
        both = programs(game, Path(folder))
        drawn = list(lines(game, options.lines, options.seed))
        one = partial(one_game, game, both, options.ms)
        booked = threads.map(partial(one, booked=True), drawn)
        bookless = threads.map(partial(one, booked=False), drawn)
        pairs = list(zip(booked, bookless, strict=True))
    print(f"{len(pairs)} lines, {options.ms} ms, {options.rule} discs win")
    for name, side in (("with the book", 0), ("without", 1)):
        print(f"  {name}: {mean(pair[side].points for pair in pairs):.1%} of the points", end=", ")
        print(f"{mean(pair[side].by_book for pair in pairs):.1f} moves by the book", end=", ")
        print(f"{mean(pair[side].seconds for pair in pairs):.2f} s of processor time a game")
    print("  " + told("gain:", [one.points - other.points for one, other in pairs], " points a game"))
    print("  " + told("time:", [one.seconds - other.seconds for one, other in pairs], " s a game"))


if __name__ == "__main__":
    main()
