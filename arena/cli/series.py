"""A series of games between two local bots: which games, and playing them."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, NamedTuple

from arena.cli.failures import CliError
from arena.cli.players import Player
from arena.supervisor.processes import die_with
from engines.stream import derive
from workers.confinement import Startable
from workers.contract import BotRef, GameSpec, MatchRecord, MatchResult, MatchSpec, Policy, TimeControl
from workers.match import play_fairly, play_match

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
        CliError: a process that plays was killed.
        SpecError: the game or an opening is impossible.
        LaunchError: a bot cannot be started.
    """
    if jobs == 1 or series.games == 1:
        yield from _play_here(series.planned())
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield from _play_in_pool(series.planned(), min(jobs, series.games))
    finally:
        signal.signal(signal.SIGTERM, before)


def _play_in_pool(planned: Iterator[PlannedGame], jobs: int) -> Iterator[PlayedGame]:
    under_way: UnderWay = deque()
    with ProcessPoolExecutor(
        jobs,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_Interrupt.listen_in_pool,
        initargs=(os.getpid(),),
    ) as executor:
        try:
            for game in planned:
                under_way.append((game, executor.submit(_play, game.spec, game.commands)))
                if len(under_way) == jobs * AHEAD:
                    yield _next(under_way)
            while under_way:
                yield _next(under_way)
        except BrokenProcessPool:
            yield from _finished(under_way)
            raise CliError("a process that played was killed from outside, or by a bot") from None
        except BaseException as error:
            _break_off(executor)
            if isinstance(error, KeyboardInterrupt):
                yield from _finished(under_way)
            raise


def _play_here(planned: Iterator[PlannedGame]) -> Iterator[PlayedGame]:
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    hook = sys.unraisablehook
    _Interrupt.listen()
    try:
        for game in planned:
            yield _played(game, _play(game.spec, game.commands))
    finally:
        for which, handler in handlers.items():
            signal.signal(which, handler)
        sys.unraisablehook = hook


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


def _break_off(executor: ProcessPoolExecutor) -> None:
    playing = multiprocessing.active_children()
    executor.shutdown(wait=False, cancel_futures=True)
    for process in playing:
        while process.pid and process.is_alive():
            with contextlib.suppress(ProcessLookupError):  # it has just ended, and the pool collected it
                os.kill(process.pid, signal.SIGINT)
            process.join(2 * _Interrupt.ONCE_SECONDS)


class _Interrupt:
    """Ctrl-C in a process that plays: breaks off the game in play, and every game that would follow.

    The same one may come from the terminal and from the parent; what follows within `ONCE_SECONDS` is not
    raised, for it would hit the killing of the bots.
    """

    ONCE_SECONDS = 0.5
    playing = False
    came = False
    ending = False
    _last = 0.0

    @classmethod
    def listen(cls) -> None:
        """Take over SIGINT and SIGTERM."""
        cls.came = False
        signal.signal(signal.SIGINT, cls._arrived)
        signal.signal(signal.SIGTERM, cls._arrived)
        sys.unraisablehook = cls._not_raised

    @classmethod
    def listen_in_pool(cls, parent: int) -> None:
        """Take over both in a process of a pool; SIGTERM and the death of `parent` also end it."""
        cls.listen()
        signal.signal(signal.SIGTERM, cls._ended)
        die_with(parent, signal.SIGTERM)

    @classmethod
    def _ended(cls, number: int, frame: object) -> None:
        cls.ending = True
        if not cls.playing:
            os._exit(1)
        cls._arrived(number, frame)

    @classmethod
    def _arrived(cls, _number: int, _frame: object) -> None:
        now = time.monotonic()
        repeated, cls._last, cls.came = now - cls._last < cls.ONCE_SECONDS, now, True
        if cls.playing and not repeated:
            raise KeyboardInterrupt

    @staticmethod
    def _not_raised(lost: Any) -> None:
        """A Ctrl-C that hit a place where nothing can be raised counts all the same, for the next game."""
        if lost.exc_type is not KeyboardInterrupt:
            sys.__unraisablehook__(lost)


def _play(spec: MatchSpec, commands: tuple[Startable, Startable]) -> MatchResult:
    _Interrupt.playing = True
    try:
        if _Interrupt.came:
            raise KeyboardInterrupt
        return play_fairly(lambda: play_match(spec, commands))
    finally:
        _Interrupt.playing = False
        if _Interrupt.ending:
            os._exit(1)
