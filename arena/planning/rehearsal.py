"""What a format will ask for, found out by letting it pair: its stages, one result or another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from arena.pairing.contract import Entrant, Kind, Meeting, Pairing
from arena.pairing.format import Format, Planned
from arena.pairing.knockout import Eliminating
from arena.pairing.schedule import expand
from arena.planning.stages import Stage, stage_of

Points = Callable[[int], tuple[int, int]]
"""The half points of both sides of a pairing of so many games."""


def level(games: int) -> tuple[int, int]:
    """Both have as many: a bracket goes on as long as it can."""
    return games, games


def first_wins(games: int) -> tuple[int, int]:
    """All games are the first one's: a bracket is as short as it can be."""
    return 2 * games, 0


def by_chance(random: np.random.Generator) -> Points:
    """Each game is won by one of two equals, none drawn."""

    def points(games: int) -> tuple[int, int]:
        won = int(random.binomial(games, 0.5))
        return 2 * won, 2 * (games - won)

    return points


def depends_on_results(fmt: Format) -> bool:
    """Whether there are more or fewer games by how they end."""
    return isinstance(fmt, Eliminating)


class Situation(NamedTuple):
    """Who takes part, what came of the rounds that are paired, and which is the last of these."""

    entrants: Sequence[Entrant]
    meetings: Sequence[Meeting] = ()
    paired: int = 0
    seed: int = 0


def at_the_start(count: int) -> Situation:
    """So many who take part from the beginning."""
    return Situation([Entrant(number) for number in range(1, count + 1)])


def stages(fmt: Format, now: Situation, points: Points, random: np.random.Generator) -> Iterator[Stage]:
    """The stages of the rounds that are still to be paired, with results as `points` has them.

    Entrants are known by their places. Of a Swiss it is not asked who meets whom, which changes neither the
    number of games nor how often anybody plays: they are paired at random.

    Raises:
        FormatError: the format cannot be played by so many.
        EndlessError: it has no end.
    """
    if isinstance(fmt, Planned):
        rounds = fmt.rounds(now.entrants, now.paired)
        yield _stage((each for number, pairings in rounds for each in _games(pairings, number)), now)
    elif depends_on_results(fmt):
        yield from _eliminating(fmt, now, points)
    else:
        yield from _by_rounds(fmt, now, random)


class EndlessError(ValueError):
    """The format goes on until somebody ends it."""


def _games(pairings: Iterable[Pairing], number: int) -> Iterator[tuple[int, int]]:
    return ((game.first, game.second) for game in expand(pairings, number))


def _stage(games: Iterable[tuple[int, int]], now: Situation) -> Stage:
    places = {entrant.number: place for place, entrant in enumerate(now.entrants)}
    return stage_of(((places[first], places[second]) for first, second in games), len(places))


def _eliminating(fmt: Format, now: Situation, points: Points) -> Iterator[Stage]:
    """Round by round; those that are known in advance are one stage."""
    meetings = list(now.meetings)
    waiting: list[Iterator[tuple[int, int]]] = []
    number = now.paired + 1
    while (pairings := fmt.next_round(now.entrants, meetings, number, now.seed)) is not None:
        if waiting and not fmt.in_advance(now.entrants, number):
            yield _stage(chain(*waiting), now)
            waiting = []
        waiting.append(_games(pairings, number))
        meetings += [met(pairing, number, points) for pairing in pairings]
        number += 1
    if waiting:
        yield _stage(chain(*waiting), now)


def met(pairing: Pairing, number: int, points: Points) -> Meeting:
    """What a pairing comes to, with results as `points` has them; a bye brings nothing but the next round."""
    first, second, phase, games, _ = pairing
    if second is None:
        return Meeting(number, first, None, (0, 0), games, Kind.BYE, phase)
    return Meeting(number, first, second, points(games), games, Kind.PLAYED, phase)


def _by_rounds(fmt: Format, now: Situation, random: np.random.Generator) -> Iterator[Stage]:
    count = len(now.entrants)
    extent = fmt.extent(count)
    if extent is None:
        raise EndlessError("a tournament without a number of rounds goes on until the staff ends it")
    games = extent.games_most // max(1, extent.rounds_most * (count // 2))
    for number in range(now.paired + 1, extent.rounds_most + 1):
        here = [place for place, each in enumerate(now.entrants) if each.plays_in(number)]
        order = random.permutation(here).tolist()
        pairs = list(zip(order[::2], order[1::2], strict=False))
        yield stage_of(pairs * games, count)
