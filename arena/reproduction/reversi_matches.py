"""The program of group 8 at play, its results in the form of its class's tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arena.documents.texts import Words
from arena.reproduction.effort import Effort
from arena.reproduction.findings import Comment, Grid
from arena.reproduction.record_sets import Where
from arena.reproduction.texts import comment
from bots.reference import group8, make
from engines.games.reversed_reversi import ReversedReversi
from engines.kernels import one_sided
from engines.stream import derive
from workers.core.contract import BotRef, GameSpec, MatchResult, MatchSpec
from workers.play import referee
from workers.play.inprocess import InProcessPlayer

NAME = "group8"
ONCE, OFTEN = "greedy", "random"
"""Opponents: the first always plays the same game against it, the second never."""

PLANNED = tuple((opponent, seat) for opponent in (ONCE, OFTEN) for seat in (0, 1))
PART = 50
REACH = 1.959964
"""The 97.5 % point of the normal distribution."""


class Played(NamedTuple):
    """A match of the program in `seat` (0 is X) against `opponent`."""

    opponent: str
    seat: int
    result: MatchResult

    @property
    def discs(self) -> tuple[int, int]:
        """Its discs and the opponent's."""
        return self.result.score[self.seat], self.result.score[1 - self.seat]

    @property
    def seconds(self) -> tuple[float, float]:
        """The time it took and the opponent took."""
        used = self.result.seats
        return used[self.seat].wall_ns / 1e9, used[1 - self.seat].wall_ns / 1e9


Series = Sequence[Played]


class Games(NamedTuple):
    """What the program in `seat` came to in games against random moves; a rate counts a draw as half."""

    seat: int
    games: int
    won: int
    drawn: int
    mean_discs: float

    @property
    def rate(self) -> float:
        """Its winning rate."""
        return (self.won + self.drawn / 2) / self.games

    @property
    def low(self) -> float:
        """Where the 95 % interval of the share of games won and half drawn begins."""
        return self._interval[0]

    @property
    def high(self) -> float:
        """Where it ends."""
        return self._interval[1]

    @property
    def _interval(self) -> tuple[float, float]:
        points = self.won + self.drawn / 2
        variance = (self.won + self.drawn / 4) / self.games - (points / self.games) ** 2
        half = REACH * math.sqrt(variance / self.games)
        return self.rate - half, self.rate + half


def steps(_effort: Effort) -> int:
    """How often progress is told."""
    return len(PLANNED) + 2


def play(where: Where, advance: Callable[[], None]) -> Series:
    """One match a seat against each opponent; `advance` counts them.

    One at a time, in this process: its times are those of the program alone.
    """
    played = []
    for opponent, seat in PLANNED:
        played.append(_match(opponent, seat, where.seed))
        advance()
    return played


def play_many(effort: Effort, where: Where, advance: Callable[[], None]) -> tuple[Games, Games]:
    """Games against random moves, as many a seat as the effort says, by compiled code that plays the same."""
    with ThreadPoolExecutor(where.jobs) as pool:
        parts = {
            seat: [
                pool.submit(_many, seat, derive("reproduction group8", where.seed, seat, part), count)
                for part, count in enumerate(_shares(effort.reversi_games))
            ]
            for seat in (0, 1)
        }
        sums = []
        for seat in (0, 1):
            sums.append(_summed(seat, np.concatenate([each.result() for each in parts[seat]])))
            advance()
    return sums[0], sums[1]


def _shares(games: int) -> list[int]:
    """The games in parts, always the same ones, so that jobs make no difference."""
    return [min(PART, games - start) for start in range(0, games, PART)]


def _many(seat: int, run: int, count: int) -> npt.NDArray[np.int16]:
    discs: npt.NDArray[np.int16] = one_sided.games(group8.WEIGHTS, group8.DEPTH, seat, run, count)
    return discs


def _summed(seat: int, discs: npt.NDArray[np.int16]) -> Games:
    own, other = discs.T
    return Games(seat, len(discs), int((own < other).sum()), int((own == other).sum()), float(own.mean()))


def _match(opponent: str, seat: int, seed: int) -> Played:
    game = ReversedReversi()
    names = (NAME, opponent) if seat == 0 else (opponent, NAME)
    spec = MatchSpec(
        match=f"{opponent}-{seat}",
        game=GameSpec(name=game.name, params=game.params, version=game.version),
        bots=(BotRef(name=names[0]), BotRef(name=names[1])),
        seeds=(derive("reproduction", seed, seat, 0), derive("reproduction", seed, seat, 1)),
    )
    players = (InProcessPlayer(make(names[0])), InProcessPlayer(make(names[1])))
    return Played(opponent, seat, referee.play(spec, players, host=""))


def grid(series: Series, places: tuple[str, str]) -> Grid:
    """The first match of each kind in the form of the class's tables."""
    columns, rows = ["組別"], [["對戰比分"], ["花費時間"], ["排名"]]
    for opponent in (ONCE, OFTEN):
        for seat in (0, 1):
            played = next(each for each in series if (each.opponent, each.seat) == (opponent, seat))
            names = (f"{NAME} ({'XO'[seat]})", f"{opponent} ({'XO'[1 - seat]})")
            for name, discs, seconds, place in zip(
                names, played.discs, played.seconds, _order(played), strict=True
            ):
                columns.append(name)
                shown = "並列" if place is None else places[place]
                for row, cell in zip(rows, (str(discs), f"{seconds:.3f}s", shown), strict=True):
                    row.append(cell)
    return Grid(tuple(columns), tuple(map(tuple, rows)))


def _order(played: Played) -> tuple[int | None, int | None]:
    """The places of the program and of the opponent, from 0."""
    winner = played.result.winner
    if winner is None:
        return None, None
    return (0, 1) if winner == played.seat else (1, 0)


AS_RANDOM = Words(
    "兩方都看不出比隨機強或弱。它的搜尋從不換邊，每一層都只放自己的棋子。",
    "In neither seat can it be told from random. Its search never changes sides: at every level it places its"
    " own discs.",
)
UNLIKE_RANDOM = Words("至少一方與隨機有差別。", "In one seat at least it differs from random.")


def on_strength(games: Sequence[Games]) -> Comment:
    """How strong the program is in each seat, judged by its games against random moves."""
    shown_zh = "；".join(
        f"執 {'XO'[each.seat]} 勝 {each.won} 和 {each.drawn}（勝率 {each.rate:.3f}，95 % 信賴區間"
        f" {each.low:.3f}–{each.high:.3f}，平均 {each.mean_discs:.1f} 子）"
        for each in games
    )
    shown_en = "; ".join(
        f"as {'XO'[each.seat]} it won {each.won} and drew {each.drawn} (rate {each.rate:.3f}, 95 % interval"
        f" {each.low:.3f}–{each.high:.3f}, {each.mean_discs:.1f} discs on average)"
        for each in games
    )
    compared = AS_RANDOM if all(each.low <= 0.5 <= each.high for each in games) else UNLIKE_RANDOM
    shown = Words(shown_zh, shown_en)
    about = ("results",)
    return comment(
        "reversed_reversi", "strength", about, games=games[0].games, shown=shown, compared=compared
    )
