"""Circle Nim between random players, and with the three algorithms of its document in any seat.

Games of two random players stop where no two circles are neighbours any more: the rest go one by one,
whichever is drawn, and every game has a stream of its own. Up to five rows all lines fit one word, which is
faster.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from engines.game import Game
from engines.games.circle_nim import CircleNim, lines
from engines.kernels import Kernel
from engines.kernels.arithmetic import U64, game_state, popcount
from engines.kernels.circle_nim_best import BestLines
from engines.kernels.circle_nim_lines import NONE, Tables, draw, draw_length, end, pick, tables, take
from engines.kernels.circle_nim_records import GamesWithRecords
from engines.kernels.jit import Games, Int32s, Policy, Results, Words, compiled
from engines.kernels.random_games import RandomGames
from engines.strategies import find_strategy
from engines.strategies.algorithms import Algorithm
from engines.strategies.best_response import BestResponse
from engines.strategies.circle_nim import RandomByCount, kinds, untouched
from engines.strategies.perfect import Perfect

WORD = 64


def find(game: Game[Any], first: str, second: str) -> Kernel | None:
    """The kernel for two players; None for an algorithm against one that chooses by position, and for others.

    Raises:
        StrategyError: one of the two is no player of circle Nim.
    """
    players = find_strategy(first, game), find_strategy(second, game)
    if not isinstance(game, CircleNim):
        return None
    if not all(isinstance(player, RandomByCount | Algorithm) for player in players):
        by_position = all(isinstance(player, RandomByCount | Perfect | BestResponse) for player in players)
        return BestLines.between(game, *players) if by_position else None
    if any(isinstance(player, Algorithm) for player in players):
        return GamesWithRecords(tables(game.rows), players)
    if len(lines(game.rows).masks) <= WORD:
        return RandomGames((tables(game.rows), *_one_word(game.rows)), _play_in_one_word, _note)
    return RandomGames((tables(game.rows),), _play, _note)


def reasons(_game: CircleNim) -> tuple[str, str]:
    """What the rules call the end of a game that was won, and of one that was drawn, if any is."""
    return ("left_the_last", "")


@cache
def _one_word(rows: int) -> tuple[Words, Words]:
    """The lines by their length, and what each line leaves, every line at the bit of its number."""
    return np.array(kinds(rows), np.uint64), np.array(untouched(rows), np.uint64)


@compiled
def _play_in_one_word(
    tables: tuple[Tables, Words, Words], games: Games, policy: Policy, results: Results
) -> None:
    """Games whose lines are bits of one word."""
    _, kinds, left = tables
    (run, start), (_, limit) = games, policy
    ones, twos, threes = kinds
    for game in range(len(results[0])):
        state, lines, made = game_state(run, start + U64(game)), ones | twos | threes, 0
        while lines & twos:
            kind, state = draw_length(lines & threes, state)
            move, state = pick(lines & kinds[kind], NONE, state)
            lines &= left[move]
            made += 1
        end(results, game, made + int(popcount(lines & ones)), limit)


@compiled
def _play(tables: tuple[Tables], games: Games, policy: Policy, results: Results) -> None:
    """Games whose lines are bits of three words."""
    full, first, left = tables[0]
    (run, start), (_, limit) = games, policy
    for game in range(len(results[0])):
        state, lines, made = game_state(run, start + U64(game)), full, 0
        while lines[1]:
            move, state = draw(lines, first, state)
            lines = take(lines, left, move)
            made += 1
        end(results, game, made + int(popcount(lines[0])), limit)


@compiled
def _note(tables: tuple[Tables, *tuple[Words, ...]], games: Games, plies: Int32s, moves: Int32s) -> None:
    """The moves of games that have so many plies."""
    full, first, left = tables[0]
    run, start = games
    for game in range(len(plies)):
        state, lines = game_state(run, start + U64(game)), full
        for ply in range(plies[game]):
            move, state = draw(lines, first, state)
            lines = take(lines, left, move)
            moves[game, ply] = move
