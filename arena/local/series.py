"""A series of games between local bots, every two of which meet: which games, and playing them."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from arena.local.encounters import Encounters, Pair
from arena.local.errors import LocalError
from arena.local.players import Player
from arena.theory.statistics.sprt import Sprt
from engines.stream import derive
from workers.core.contract import (
    BotRef,
    GameSpec,
    MatchRecord,
    MatchResult,
    MatchSpec,
    Policy,
    Seat,
    TimeControl,
)
from workers.play.match import play_fairly, play_match
from workers.play.pool import breakable, breaking_here, processes
from workers.sandbox.confinement import Startable

AHEAD = 16
"""Games given to the pool for each of its processes, so that a long one does not keep the others waiting."""


@dataclass(frozen=True)
class Series:
    """What is to be played: `games` of every two players.

    Games 2k and 2k+1 (from 0) of two players use opening k, each player in each seat once. All pairs play
    opening k before anybody plays the next one, so that what was broken off is as even as it can be. With
    `sprt` the games of a pair end once the test is decided between them.
    """

    players: tuple[Player, ...]
    games: int
    game: GameSpec
    openings: tuple[tuple[str, ...], ...]
    seed: int
    time: TimeControl
    policy: Policy
    sprt: Sprt | None = None

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Who meets whom, by the players' indices."""
        return tuple(combinations(range(len(self.players)), 2))

    @property
    def total(self) -> int:
        """The games of all pairs."""
        return self.games * len(self.pairs)

    def planned(self) -> Iterator[PlannedGame]:
        """Every game in order."""
        return map(self.game_at, range(self.total))

    def game_at(self, place: int) -> PlannedGame:
        """The game of that place in the order, counted from 0."""
        opening, within = divmod(place, 2 * len(self.pairs))
        of_pair, number = divmod(within, min(2, self.games - 2 * opening))
        pair, number = self.pairs[of_pair], 2 * opening + number
        seats = pair if number % 2 == 0 else (pair[1], pair[0])
        one, other = (self.players[player] for player in seats)
        spec = MatchSpec(
            match=f"game-{place + 1}",
            game=self.game,
            bots=(BotRef(name=one.name), BotRef(name=other.name)),
            opening=self.openings[opening % len(self.openings)] if self.openings else (),
            seeds=(self._seed_of(place, seats[0]), self._seed_of(place, seats[1])),
            time=self.time,
            policy=self.policy,
        )
        return PlannedGame(place + 1, spec, (one.command, other.command), seats, number)

    def _seed_of(self, place: int, player: int) -> int:
        return derive("series", self.seed, place, player)


class PlannedGame(NamedTuple):
    """One game; `number` counts from 1, `seats` are the indices of the players in seat 0 and seat 1.

    `of_pair` is its number among the games of these two, from 0.
    """

    number: int
    spec: MatchSpec
    commands: tuple[Startable, Startable]
    seats: Pair
    of_pair: int

    @property
    def pair(self) -> Pair:
        """The two players, whoever sits where."""
        one, other = self.seats
        return (min(one, other), max(one, other))


class PlayedGame(NamedTuple):
    """A game that was played."""

    planned: PlannedGame
    record: MatchRecord

    @property
    def number(self) -> int:
        """Its number, counted from 1."""
        return self.planned.number

    @property
    def seats(self) -> Pair:
        """The indices of the players in seat 0 and seat 1."""
        return self.planned.seats

    def seat_of(self, player: int) -> Seat:
        """The seat of that player, one of the two."""
        return 0 if player == self.seats[0] else 1

    def half_points_of(self, player: int) -> int:
        """What that player, one of the two, made of it: 2, 1 or 0."""
        return self.record.result.half_points[self.seat_of(player)]

    def count_in(self, encounters: Encounters) -> None:
        """Count it among the games of its two players."""
        one, other = self.planned.pair
        made = self.half_points_of(one), self.half_points_of(other)
        encounters.add((one, other), self.planned.of_pair, made)


UnderWay = deque[tuple[PlannedGame, Future[MatchResult]]]
"""The games given to a pool in order, each with its result to come."""


def play(series: Series, jobs: int, known: Mapping[str, MatchRecord] | None = None) -> Iterator[PlayedGame]:
    """Play the games, at most `jobs` at once, and yield them in order.

    What is `known`, by the name of the match, is yielded in its place without being played again. On Ctrl-C
    and on SIGTERM the games in play are broken off, their bots killed, finished ones still yielded, and then
    KeyboardInterrupt raised.

    Raises:
        LocalError: a process that plays was killed.
        SpecError: the game or an opening is impossible.
        LaunchError: a bot cannot be started.
    """
    known, encounters = known or {}, Encounters(series.sprt)
    if jobs == 1 or series.total == 1:
        with breaking_here():
            for game in series.planned():
                if not encounters.over(game.pair):
                    record = known.get(game.spec.match)
                    result = record.result if record else _play(game.spec, game.commands)
                    yield _counted(encounters, game, result)
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield from _play_in_pool(series, min(jobs, series.total), known, encounters)
    finally:
        signal.signal(signal.SIGTERM, before)


def _play_in_pool(
    series: Series, jobs: int, known: Mapping[str, MatchRecord], encounters: Encounters
) -> Iterator[PlayedGame]:
    under_way: UnderWay = deque()
    try:
        with processes(jobs) as executor:
            for game in series.planned():
                if encounters.over(game.pair):
                    continue
                future = _known(known.get(game.spec.match))
                under_way.append((game, future or executor.submit(_play, game.spec, game.commands)))
                if len(under_way) == jobs * AHEAD:
                    yield from _next(under_way, encounters)
            while under_way:
                yield from _next(under_way, encounters)
    except BrokenProcessPool:
        yield from _finished(under_way, encounters)
        raise LocalError("a process that played was killed from outside, or by a bot") from None
    except KeyboardInterrupt:
        yield from _finished(under_way, encounters)
        raise


def _known(record: MatchRecord | None) -> Future[MatchResult] | None:
    """What has come of a game that was played before."""
    if record is None:
        return None
    future: Future[MatchResult] = Future()
    future.set_result(record.result)
    return future


def _play(spec: MatchSpec, commands: tuple[Startable, Startable]) -> MatchResult:
    with breakable():
        return play_fairly(lambda: play_match(spec, commands))


def _played(game: PlannedGame, result: MatchResult) -> PlayedGame:
    return PlayedGame(game, MatchRecord(spec=game.spec, result=result))


def _counted(encounters: Encounters, game: PlannedGame, result: MatchResult) -> PlayedGame:
    played = _played(game, result)
    played.count_in(encounters)
    return played


def _next(under_way: UnderWay, encounters: Encounters) -> Iterator[PlayedGame]:
    """Wait for the game whose turn it is, and take it out; what its pair needs no more is not played."""
    game, future = under_way[0]
    if encounters.over(game.pair):
        future.cancel()
        under_way.popleft()
        return
    played = _counted(encounters, game, future.result())
    under_way.popleft()
    yield played


def _finished(under_way: UnderWay, encounters: Encounters) -> Iterator[PlayedGame]:
    """The games that ended well although their turn had not come."""
    for game, future in under_way:
        ended = future.done() and not future.cancelled() and not future.exception()
        if ended and not encounters.over(game.pair):
            yield _played(game, future.result())
