"""Games between in-process players, move by move: what every faster way has to agree with."""

from __future__ import annotations

from typing import Any, NamedTuple

from engines.game import Game, GameError, Move
from engines.games import find_game
from engines.strategies import find_strategy
from engines.stream import game_stream, run_key
from workers.core.contract import Policy
from workers.core.errors import SpecError
from workers.play.policy import DrawWatch, policy_of
from workers.simulation.contract import Block, SimulationSpec
from workers.simulation.counting import Played, block_of


def game_of(spec: SimulationSpec) -> Game[Any]:
    """The game that `spec` asks for.

    Raises:
        SpecError: it is here in another version.
        GameError: there is no such game, or not with those parameters.
    """
    game = find_game(spec.game.name, spec.game.params)
    if game.version != spec.game.version:
        raise SpecError(f"{game.name} is here in version {game.version}, not {spec.game.version}")
    return game


class Position(NamedTuple):
    """Where a game stands when its players are asked first: the state, and the moves and states so far."""

    state: Any
    moves: tuple[Move, ...]
    states: tuple[Any, ...]


class PlainPath:
    """Plays with the rules and the players as they are written.

    Raises:
        GameError: a player or an opening is impossible.
    """

    def __init__(self, spec: SimulationSpec, game: Game[Any]) -> None:
        self._spec = spec
        self._game = game
        first, second = (find_strategy(player.strategy or "", game) for player in spec.players)
        self._seated = ((first.choose, second.choose), (second.choose, first.choose))
        self._run = run_key(spec.seed, spec.match)
        policy = policy_of(game, spec.policy)
        self._policy = None if policy == Policy() else policy
        self._passes = type(game).forced_pass is not Game.forced_pass
        self._positions = [_position(game, moves) for moves in spec.openings or ((),)]

    def block(self, start: int, count: int) -> Block:
        """The games from index `start` on."""
        return block_of(self._spec, self._game, start, map(self.game, range(start, start + count)))

    def game(self, index: int) -> Played:
        """The game of that index."""
        game, policy = self._game, self._policy
        stream = game_stream(self._run, index)
        seats = self._seated[self._spec.swapped(index)]
        state, opening, states = self._positions[self._spec.opening_number(index)]
        history = list(opening)
        watch = None if policy is None else _watch(policy, game, states)
        while (outcome := game.outcome(state)) is None:
            if watch is not None and watch.reason is not None:
                return Played(history, None, watch.reason, game.draw_score())
            move = game.forced_pass(state) if self._passes else None
            if move is None:
                move = seats[game.to_move(state)](state, history, stream)
            state = game.play(state, move)
            history.append(move)
            if watch is not None:
                watch.played(state)
        return Played(history, *outcome)


def _position(game: Game[Any], opening: tuple[str, ...]) -> Position:
    state = game.initial()
    moves, states = [], []
    for text in opening:
        try:
            moves.append(game.move_from_text(text))
            state = game.play(state, moves[-1])
        except GameError as error:
            raise SpecError(f"the opening cannot be played: {error}") from error
        states.append(state)
    return Position(state, tuple(moves), tuple(states))


def _watch(policy: Policy, game: Game[Any], states: tuple[Any, ...]) -> DrawWatch:
    """A watch that has seen the opening's `states`."""
    watch = DrawWatch(policy, game.initial())
    for state in states:
        watch.played(state)
    return watch
