"""The program of group 8 at play, its results in the form of its class's tables."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from arena.reproduction.agreement import binomial
from arena.reproduction.effort import Effort
from arena.reproduction.findings import LEVEL, Comment, Grid, Words
from bots.reference import make
from engines.games.reversed_reversi import ReversedReversi
from engines.stream import derive
from workers import referee
from workers.contract import BotRef, GameSpec, MatchResult, MatchSpec
from workers.inprocess import InProcessPlayer

NAME = "group8"
ONCE, OFTEN = "greedy", "random"
"""Opponents: the first always plays the same game against it, the second never."""


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


def steps(effort: Effort) -> int:
    """How many matches are played."""
    return 2 + 2 * effort.matches


def play(effort: Effort, seed: int, advance: Callable[[], None]) -> Series:
    """One match a seat against `ONCE`, as many as the effort says against `OFTEN`; `advance` counts them.

    One at a time, in this process: its times are those of the program alone.
    """
    planned = [(ONCE, seat, 0) for seat in (0, 1)]
    planned += [(OFTEN, seat, number) for number in range(effort.matches) for seat in (0, 1)]
    played = []
    for opponent, seat, number in planned:
        played.append(_match(opponent, seat, number, seed))
        advance()
    return played


def _match(opponent: str, seat: int, number: int, seed: int) -> Played:
    game = ReversedReversi()
    names = (NAME, opponent) if seat == 0 else (opponent, NAME)
    spec = MatchSpec(
        match=f"{opponent}-{seat}-{number}",
        game=GameSpec(name=game.name, params=game.params, version=game.version),
        bots=(BotRef(name=names[0]), BotRef(name=names[1])),
        seeds=(derive("reproduction", seed, seat, number, 0), derive("reproduction", seed, seat, number, 1)),
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


def comments(series: Series) -> Iterator[Comment]:
    """How strong the program is, judged by its matches against random moves."""
    games = {
        seat: [each for each in series if (each.opponent, each.seat) == (OFTEN, seat)] for seat in (0, 1)
    }
    won = {seat: sum(each.result.winner == seat for each in games[seat]) for seat in games}
    discs = {seat: statistics.fmean(each.discs[0] for each in games[seat]) for seat in games}
    shown = {seat: f"{won[seat]} / {len(games[seat])}" for seat in games}
    decided = sum(each.result.winner is not None for seat in games for each in games[seat])
    p = binomial(won[0] + won[1], decided, 0.5).p
    level = p >= LEVEL
    yield Comment(
        ("results",),
        Words(
            f"第 8 組的程式對隨機：執 X 勝 {shown[0]} 場（平均 {discs[0]:.1f} 子），執 O 勝 {shown[1]} 場"
            f"（平均 {discs[1]:.1f} 子）。與勝負各半相比 p = {p:.2g}，"
            + (
                "看不出比隨機強或弱。它的搜尋從不換邊，每一層都只放自己的棋子。"
                if level
                else "與隨機有差別。"
            ),
            f"The group's program against random: as X it won {shown[0]} ({discs[0]:.1f} discs on"
            f" average), as O {shown[1]} ({discs[1]:.1f} discs). Tested against one half, p = {p:.2g}: "
            + (
                "it cannot be told from random. Its search never changes sides: at every level it places"
                " its own discs."
                if level
                else "it differs from random."
            ),
        ),
    )
