"""A series of games between two local bots: which games, and playing them."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import NamedTuple

from arena.core.words import say
from arena.local.errors import LocalError
from arena.local.players import Player
from engines.stream import derive
from workers.core.contract import BotRef, GameSpec, MatchRecord, MatchResult, MatchSpec, Policy, TimeControl
from workers.play.match import play_fairly, play_match
from workers.play.pool import breakable, breaking_here, processes
from workers.sandbox.confinement import Startable

AHEAD = 16
"""Games given to the pool for each of its processes, so that a long one does not keep the others waiting."""


@dataclass(frozen=True)
class Series:
    """What is to be played. Games 2k and 2k+1 (from 0) use opening k, each bot in each seat once."""

    players: tuple[Player, Player]
    games: int
    game: GameSpec
    openings: tuple[tuple[str, ...], ...]
    seed: int
    time: TimeControl
    policy: Policy

    def planned(self) -> Iterator[PlannedGame]:
        """Every game in order."""
        for number in range(self.games):
            first = number % 2
            order = (self.players[first], self.players[1 - first])
            bots = (BotRef(name=order[0].name), BotRef(name=order[1].name))
            spec = MatchSpec(
                match=f"game-{number + 1}",
                game=self.game,
                bots=bots,
                opening=self.openings[number // 2 % len(self.openings)] if self.openings else (),
                seeds=(self._seed_of(number, first), self._seed_of(number, 1 - first)),
                time=self.time,
                policy=self.policy,
            )
            yield PlannedGame(number + 1, spec, (order[0].command, order[1].command), first)

    def _seed_of(self, number: int, player: int) -> int:
        return derive("series", self.seed, number, player)


class PlannedGame(NamedTuple):
    """One game; `number` counts from 1, `first` is the index of the player in seat 0."""

    number: int
    spec: MatchSpec
    commands: tuple[Startable, Startable]
    first: int


class PlayedGame(NamedTuple):
    """A game that was played; `number` counts from 1."""

    number: int
    first: int
    record: MatchRecord

    def seat_of(self, player: int) -> int:
        """The seat of that player."""
        return 0 if player == self.first else 1


UnderWay = deque[tuple[PlannedGame, Future[MatchResult]]]
"""The games given to a pool in order, each with its result to come."""


def play(series: Series, jobs: int) -> Iterator[PlayedGame]:
    """Play the games, at most `jobs` at once, and yield them in order.

    On Ctrl-C and on SIGTERM the games in play are broken off, their bots killed, finished ones still
    yielded, and then KeyboardInterrupt raised.

    Raises:
        LocalError: a process that plays was killed.
        SpecError: the game or an opening is impossible.
        LaunchError: a bot cannot be started.
    """
    if jobs == 1 or series.games == 1:
        with breaking_here():
            for game in series.planned():
                yield _played(game, _play(game.spec, game.commands))
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield from _play_in_pool(series.planned(), min(jobs, series.games))
    finally:
        signal.signal(signal.SIGTERM, before)


def _play_in_pool(planned: Iterator[PlannedGame], jobs: int) -> Iterator[PlayedGame]:
    under_way: UnderWay = deque()
    try:
        with processes(jobs) as executor:
            for game in planned:
                under_way.append((game, executor.submit(_play, game.spec, game.commands)))
                if len(under_way) == jobs * AHEAD:
                    yield _next(under_way)
            while under_way:
                yield _next(under_way)
    except BrokenProcessPool:
        yield from _finished(under_way)
        raise LocalError(say("a process that played was killed from outside, or by a bot")) from None
    except KeyboardInterrupt:
        yield from _finished(under_way)
        raise


def _play(spec: MatchSpec, commands: tuple[Startable, Startable]) -> MatchResult:
    with breakable():
        return play_fairly(lambda: play_match(spec, commands))


def _played(game: PlannedGame, result: MatchResult) -> PlayedGame:
    return PlayedGame(game.number, game.first, MatchRecord(spec=game.spec, result=result))


def _next(under_way: UnderWay) -> PlayedGame:
    """Wait for the game whose turn it is, and take it out."""
    game, future = under_way[0]
    played = _played(game, future.result())
    under_way.popleft()
    return played


def _finished(under_way: UnderWay) -> Iterator[PlayedGame]:
    """The games that ended well although their turn had not come."""
    for game, future in under_way:
        if future.done() and not future.cancelled() and not future.exception():
            yield _played(game, future.result())
