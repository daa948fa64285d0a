"""Games in which a bot's process plays: every one through the referee, as a match of a tournament is."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

from bots.protocol.messages import Answer, Ready
from engines.game import Game
from engines.strategies import Strategy, find_strategy
from engines.stream import Stream, derive, game_stream, run_key
from workers.core.contract import BotRef, Limits, MatchResult, MatchSpec
from workers.core.errors import SpecError
from workers.core.halt import Halt
from workers.core.stderr import Stderr
from workers.play import referee
from workers.play.kept import SessionPool
from workers.play.match import play_fairly, play_match
from workers.play.player import Fault, Reply
from workers.play.session import Session
from workers.sandbox.confinement import Startable
from workers.simulation.contract import Block, SimulatedPlayer, SimulationSpec
from workers.simulation.counting import Played, block_of

Commands = Callable[[SimulatedPlayer], Startable]
"""What starts the process of a player that is an archive."""


def refuse_archives(player: SimulatedPlayer) -> Startable:
    """Where there is no store of archives.

    Raises:
        SpecError: always.
    """
    raise SpecError(f"{player.name} is an archive; only a worker can play it")


class RefereedPath:
    """Plays with a process for each player that is no strategy; reusable bots are kept between games.

    In game i the process of players[p] has the seed ``derive("simulation", seed, match, i, p)``; a strategy
    draws from the game's own stream. To be used in a with block, at whose end no process is left.

    Raises:
        GameError, SpecError: a player is impossible.
    """

    def __init__(
        self, spec: SimulationSpec, game: Game[Any], commands: Commands, halt: Halt | None = None
    ) -> None:
        self._spec = spec
        self._game = game
        self._run = run_key(spec.seed, spec.match)
        self._pool = SessionPool()
        self._halt = halt
        self._host = socket.gethostname()
        self._players = [_found(player, game, commands) for player in spec.players]

    def __enter__(self) -> Self:
        """Begin; processes start when they are needed."""
        return self

    def __exit__(self, *_: object) -> None:
        """End every process that is left."""
        self._pool.close()

    def block(self, start: int, count: int) -> Block:
        """The games from index `start` on.

        Raises:
            SpecError: an opening is impossible.
            LaunchError: a process cannot be started.
        """
        return block_of(self._spec, self._game, start, map(self.game, range(start, start + count)))

    def game(self, index: int) -> Played:
        """The game of that index."""
        first = 1 if self._spec.swapped(index) else 0
        order = (first, 1 - first)
        result = play_fairly(lambda: self._play(self._match(index, order), order, index))
        return Played(
            [move.move for move in result.moves],
            result.winner,
            result.reason,
            result.score,
            tuple(sorted({forfeit.seat for forfeit in result.forfeits})),
        )

    def _match(self, index: int, order: tuple[int, int]) -> MatchSpec:
        spec = self._spec
        seeds = [derive("simulation", spec.seed, spec.match, index, player) for player in order]
        return MatchSpec(
            match=f"game-{index}",
            game=spec.game,
            bots=(BotRef(name=spec.players[order[0]].name), BotRef(name=spec.players[order[1]].name)),
            opening=spec.openings[spec.opening_number(index)] if spec.openings else (),
            seeds=(seeds[0], seeds[1]),
            time=spec.time,
            limits=spec.limits,
            policy=spec.policy,
        )

    def _play(self, match: MatchSpec, order: tuple[int, int], index: int) -> MatchResult:
        one, other = (self._players[player] for player in order)
        if isinstance(one, tuple) and isinstance(other, tuple):
            return play_match(match, (one, other), pool=self._pool, halt=self._halt)
        stream = game_stream(self._run, index)
        players = (self._seated(one, match.limits, stream), self._seated(other, match.limits, stream))
        try:
            result = referee.play(match, players, self._host)
        except BaseException:
            _end(players)
            raise
        if result.forfeits:
            _end(players)
            return result
        for contender, player in zip((one, other), players, strict=True):
            if isinstance(contender, tuple) and isinstance(player, Session):
                self._pool.release(contender, match.limits, player)
        return result

    def _seated(
        self, contender: Startable | Strategy, limits: Limits, stream: Stream
    ) -> Session | StrategyPlayer:
        if isinstance(contender, tuple):
            return self._pool.take(contender, limits, halt=self._halt)
        return StrategyPlayer(self._game, contender, stream)


def _end(players: Iterable[Session | StrategyPlayer]) -> None:
    for player in players:
        if isinstance(player, Session):
            player.kill()


def _found(player: SimulatedPlayer, game: Game[Any], commands: Commands) -> Startable | Strategy:
    if player.strategy is not None:
        return find_strategy(player.strategy, game)
    return player.command or commands(player)


class StrategyPlayer:
    """A strategy as a player that the referee asks. No clock runs while it chooses."""

    def __init__(self, game: Game[Any], strategy: Strategy, stream: Stream) -> None:
        self._game = game
        self._strategy = strategy
        self._stream = stream

    def begin(self, hello: Mapping[str, Any]) -> None:
        """Nothing needs to be got ready."""

    def ready(self, startup_ms: int) -> tuple[Ready | Fault, int]:
        """The strategy's name."""
        del startup_ms
        return Ready(self._strategy.name, "", reusable=True), 0

    def ask(self, request: Mapping[str, Any], allowed_ns: int) -> Reply:
        """Its choice; the time for it is not counted."""
        del allowed_ns
        history = [self._game.move_from_text(text) for text in request["history"]]
        state = self._game.state_from_json(request["state"])
        move = self._strategy.choose(state, history, self._stream)
        return Reply(Answer(self._game.move_to_text(move), None), 0)

    def end(self, message: Mapping[str, Any]) -> None:
        """It keeps nothing to be ended."""

    def stderr(self) -> Stderr:
        """Nothing."""
        return Stderr("", "", 0)
