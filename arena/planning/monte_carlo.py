"""What a format will ask for, found out by letting it pair: its stages, one result or another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from arena.planning.stages import TAIL, Stage, stage_of
from arena.theory.pairing.contract import Entrant, Kind, Meeting, Pairing
from arena.theory.pairing.format import Format, FormatError, Planned, Round
from arena.theory.pairing.knockout import Eliminating
from arena.theory.pairing.schedule import expand

Points = Callable[[int], tuple[int, int]]
"""The half points of both sides of a pairing of so many games."""


def level(games: int) -> tuple[int, int]:
    """Both have as many: a bracket goes on as long as it can."""
    return games, games


def by_chance(random: np.random.Generator) -> Points:
    """Each game is won by one of two equals, none drawn."""

    def points(games: int) -> tuple[int, int]:
        won = int(random.binomial(games, 0.5))
        return 2 * won, 2 * (games - won)

    return points


MAX_SIMULATED = 256
"""Entrants of a format that is simulated."""


def depends_on_results(fmt: Format) -> bool:
    """Whether there are more or fewer games by how they end."""
    return isinstance(fmt, Eliminating)


class Progress(NamedTuple):
    """Who takes part, what came of the rounds that are paired, and which is the last of these."""

    entrants: Sequence[Entrant]
    meetings: Sequence[Meeting] = ()
    paired: int = 0
    seed: int = 0


def at_the_start(count: int) -> Progress:
    """So many who take part from the beginning."""
    return Progress([Entrant(number) for number in range(1, count + 1)])


def stages(fmt: Format, now: Progress, points: Points, random: np.random.Generator) -> Iterator[Stage]:
    """The stages of the rounds that are still to be paired, with results as `points` has them.

    Entrants are known by their places. Of a Swiss it is not asked who meets whom, which changes neither the
    number of games nor how often anybody plays: they are paired at random.

    Raises:
        FormatError: the format cannot be played by so many.
        EndlessError: it has no end.
    """
    if isinstance(fmt, Planned):
        yield _planned(fmt, now._replace(entrants=tuple(now.entrants), meetings=()))
    elif depends_on_results(fmt):
        if len(now.entrants) > MAX_SIMULATED:
            raise FormatError(
                "a bracket is simulated with at most %(most)s bots; ask for fewer", most=MAX_SIMULATED
            )
        yield from _eliminating(fmt, now, points)
    else:
        yield from _by_rounds(fmt, now, random)


class EndlessError(ValueError):
    """The format goes on until somebody ends it."""


@lru_cache(maxsize=32)
def _planned(fmt: Planned, now: Progress) -> Stage:
    return _stage(fmt.rounds(now.entrants, now.paired), now)


def _stage(rounds: Iterable[Round], now: Progress) -> Stage:
    """The stage of all these rounds; only the games of the last ones are ever held."""
    places = {entrant.number: place for place, entrant in enumerate(now.entrants)}
    early = [0] * len(places)
    kept: deque[tuple[int, Round]] = deque()
    held = 0
    for each in _without_walkovers(rounds, now):
        count = sum(pairing.games for pairing in each[1] if pairing.second is not None)
        kept.append((count, each))
        held += count
        while held - kept[0][0] >= TAIL:
            count, (_, pairings) = kept.popleft()
            held -= count
            _seat(pairings, places, early)
    games = (game for _, (number, pairings) in kept for game in expand(pairings, number))
    last = stage_of(((places[game.first], places[game.second]) for game in games), len(places))
    return Stage(last.last, last.seats + np.array(early, dtype=np.int64))


def _without_walkovers(rounds: Iterable[Round], now: Progress) -> Iterator[Round]:
    """The rounds without the pairings of who has left by then: nobody plays these."""
    left = [each for each in now.entrants if each.left is not None]
    for number, pairings in rounds:
        gone = {each.number for each in left if each.has_left(number)}
        here = pairings
        if gone:
            here = tuple(each for each in pairings if each.first not in gone and each.second not in gone)
        yield number, here


def _seat(pairings: Iterable[Pairing], places: dict[int, int], seats: list[int]) -> None:
    """Add the games of these pairings to those that everybody has."""
    for first, second, _, games, _ in pairings:
        if second is not None:
            seats[places[first]] += games
            seats[places[second]] += games


def _eliminating(fmt: Format, now: Progress, points: Points) -> Iterator[Stage]:
    """Round by round; those that are known in advance are one stage."""
    meetings = list(now.meetings)
    waiting: list[Round] = []
    number = now.paired + 1
    while True:
        early = fmt.in_advance(now.entrants, number, now.seed)
        pairings = fmt.next_round(now.entrants, () if early else meetings, number, now.seed)
        if pairings is None:
            break
        if waiting and not early:
            yield _stage(waiting, now)
            waiting = []
        waiting.append((number, pairings))
        meetings += [met(pairing, number, points) for pairing in pairings]
        number += 1
    if waiting:
        yield _stage(waiting, now)


def met(pairing: Pairing, number: int, points: Points) -> Meeting:
    """What a pairing comes to, with results as `points` has them; a bye brings nothing but the next round."""
    first, second, phase, games, _ = pairing
    if second is None:
        return Meeting(number, first, None, (0, 0), games, Kind.BYE, phase)
    return Meeting(number, first, second, points(games), games, Kind.PLAYED, phase)


def _by_rounds(fmt: Format, now: Progress, random: np.random.Generator) -> Iterator[Stage]:
    last, two = fmt.length(now.entrants), fmt.extent(2)
    if last is None or two is None:
        raise EndlessError("a tournament without a number of rounds goes on until the staff ends it")
    games = two.games_most // two.rounds_most
    for number in range(now.paired + 1, last + 1):
        if sum(not each.has_left(number) for each in now.entrants) < 2:
            return
        here = [place for place, each in enumerate(now.entrants) if each.plays_in(number)]
        order = random.permutation(here).tolist()
        pairs = list(zip(order[::2], order[1::2], strict=False))
        yield stage_of(pairs * games, len(now.entrants))
