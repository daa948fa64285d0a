"""How well the bots of a tournament have moved, by the analyses of its games that are there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from functools import reduce
from operator import add
from typing import Any, Final

from sqlalchemy.orm import Session

from arena.store import analyses as store
from arena.store.database import is_frozen
from arena.store.models import Tournament
from arena.theory.statistics.accuracy import BROKEN_OFF, Accuracy, Chosen, Losses, of_game
from arena.tournaments import lifecycle
from workers.play.analysis import Analysis, Reading

UNSOLVED: Final[list[Any]] = []
"""What is kept of a game that no solver knows."""


@dataclass(frozen=True)
class Accuracies:
    """What is known of a tournament's `games`, those that were played, and how well each bot has moved by it.

    `analysed` games are judged, of which `broken_off` ended before their time, and `unsolved` ones cannot be.
    """

    games: int
    analysed: int
    unsolved: int
    broken_off: int
    bots: dict[str, Accuracy]


def kept(reading: Reading, found: Analysis) -> list[Any] | None:
    """What is kept of an analysis to be added up: of each seat its moves that are judged; losses by stage.

    None where nothing says what was at stake, as workers of before told none.
    """
    if found.unsolved is not None:
        return UNSOLVED
    chosen = list(_chosen(reading))
    if chosen and all(each.choice is None for each in chosen):
        return None
    both = of_game(chosen, len(reading.positions) - 1)
    return [[each.moves, *(list(astuple(stage)) for stage in each.stages)] for each in both]


def accuracies(session: Session, tournament: Tournament) -> Accuracies:
    """What is known by now, as whoever asks may see it: nothing where the session sees a freeze.

    A game that was broken off has no stages.
    """
    bots = {entry.id: entry.version.bot.name for entry in lifecycle.entries(session, tournament)}
    found = dict.fromkeys(bots.values(), Accuracy())
    analysed = unsolved = broken_off = 0
    for first, second, reason, told in () if is_frozen(session) else store.accuracies(session, tournament):
        if told == UNSOLVED:
            unsolved += 1
            continue
        analysed += 1
        short = reason in BROKEN_OFF
        broken_off += short
        for entry, seat in ((first, told[0]), (second, told[1])):
            one = _read(seat)
            found[bots[entry]] += one.without_stages if short else one
    return Accuracies(store.count_played(session, tournament), analysed, unsolved, broken_off, found)


def _chosen(reading: Reading) -> Iterable[Chosen]:
    """The moves of a game that somebody chose, between positions that are known."""
    for ply, told in enumerate(reading.positions):
        judged, value = told.judgement, told.value
        if judged is not None and value is not None:
            counted = told.worse and value.margin is not None
            points = judged.points if counted else None
            yield Chosen(reading.positions[ply - 1].seat, ply, told.choice, judged.loss, points)


def _read(seat: list[Any]) -> Accuracy:
    moves, *stages = seat
    losses = tuple(Losses(*stage) for stage in stages)
    return Accuracy(int(moves > 0), moves, reduce(add, losses), losses)
