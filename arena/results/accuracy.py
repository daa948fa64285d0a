"""How well the bots of a tournament have moved, by the analyses of its games that are there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from functools import reduce
from itertools import chain
from operator import add
from typing import Any, Final

from sqlalchemy.orm import Session

from arena.core.errors import InvalidError
from arena.store import analyses as store
from arena.store.database import is_frozen
from arena.store.models import Tournament
from arena.theory.statistics.accuracy import (
    BROKEN_OFF,
    STAGES,
    Accuracy,
    Both,
    Chosen,
    Losses,
    by_estimates,
    of_game,
)
from arena.tournaments import lifecycle
from engines.solvers.endgame_limits import ESTIMATE_DEPTH
from workers.play.analysis import Analysis, Reading
from workers.play.estimating import Estimated, Sight, sight_of

WIDTH: Final = len(fields(Losses))
"""So many numbers are kept of a stage."""
UNSOLVED: Final[list[Any]] = []
"""What is kept of a game that no solver knows."""


@dataclass(frozen=True)
class Accuracies:
    """What is known of a tournament's `games`, those that were played, and how well each bot has moved by it.

    `analysed` games are judged, of which `broken_off` ended before their time, and `unsolved` ones cannot be.
    `estimated` is what each bot's moves have cost by estimates, of games that were estimated to that `depth`,
    0 where none are.
    """

    games: int
    analysed: int
    unsolved: int
    broken_off: int
    bots: dict[str, Accuracy]
    depth: int
    estimated: dict[str, Accuracy]


def kept(reading: Reading, found: Analysis, seen: Estimated | None) -> list[Any] | None:
    """What is kept of an analysis to be added up: of each seat its judged moves, and its losses by stage.

    After it comes the same of what was estimated, if anything was, and after that how. None where nothing
    says what was at stake, as workers of before told none.
    """
    if found.unsolved is not None:
        return UNSOLVED
    chosen = list(_chosen(reading))
    if seen is None and chosen and all(each.choice is None for each in chosen):
        return None
    plies = len(reading.positions) - 1
    if seen is None:
        return _numbers(of_game(chosen, plies))
    costs = ((each.seat, each.ply + 1, each.points) for each in seen.positions)
    guesses = by_estimates(costs, plies)
    return [*_numbers(of_game(chosen, plies)), *_numbers(guesses), [seen.depth, seen.by]]


def accuracies(session: Session, tournament: Tournament) -> Accuracies:
    """What is known by now, as whoever asks may see it: nothing where the session sees a freeze.

    A game that was broken off has no stages. Estimates count that were made as they are made now.
    """
    sight = _sight_of(tournament)
    bots = {entry.id: entry.version.bot.name for entry in lifecycle.entries(session, tournament)}
    sums, guesses = ({entry: _Sum() for entry in bots} for _ in range(2))
    analysed = unsolved = broken_off = 0
    for first, second, reason, told in () if is_frozen(session) else store.accuracies(session, tournament):
        if told == UNSOLVED:
            unsolved += 1
            continue
        analysed += 1
        short = reason in BROKEN_OFF
        broken_off += short
        for seat, entry in enumerate((first, second)):
            sums[entry].add(told[seat], short=short)
            if sight and told[4:] == [[sight.depth, sight.by]]:
                guesses[entry].add(told[2 + seat], short=short)
    found, seen = ({name: each[entry].accuracy for entry, name in bots.items()} for each in (sums, guesses))
    games, depth = store.count_played(session, tournament), sight.depth if sight else 0
    return Accuracies(games, analysed, unsolved, broken_off, found, depth, seen)


class _Sum:
    """What is kept of many games, added up number by number, as there may be thousands."""

    def __init__(self) -> None:
        self._games = 0
        self._all: list[Any] = [0] * (1 + len(STAGES) * WIDTH)
        self._ended = self._all

    def add(self, seat: Sequence[float], *, short: bool) -> None:
        """One game more, which is in no stage where it was `short`."""
        self._games += seat[0] > 0
        self._all = list(map(add, self._all, seat))
        if not short:
            self._ended = list(map(add, self._ended, seat))

    @property
    def accuracy(self) -> Accuracy:
        """All of them."""
        whole = reduce(add, _stages(self._all))
        return Accuracy(self._games, self._all[0], whole, _stages(self._ended))


def _stages(numbers: Sequence[Any]) -> tuple[Losses, ...]:
    return tuple(Losses(*numbers[at : at + WIDTH]) for at in range(1, len(numbers), WIDTH))


def _numbers(both: Both) -> list[list[float]]:
    return [[each.moves, *chain.from_iterable(map(astuple, each.stages))] for each in both]


def _sight_of(tournament: Tournament) -> Sight | None:
    """How games of a tournament are estimated now; None where they are not."""
    try:
        return sight_of(lifecycle.game_of(tournament), ESTIMATE_DEPTH)
    except InvalidError:
        return None


def _chosen(reading: Reading) -> Iterable[Chosen]:
    """The moves of a game that somebody chose, between positions that are known."""
    for ply, told in enumerate(reading.positions):
        judged, value = told.judgement, told.value
        if judged is not None and value is not None:
            counted = told.worse and value.margin is not None
            points = judged.points if counted else None
            yield Chosen(reading.positions[ply - 1].seat, ply, told.choice, judged.loss, points)
