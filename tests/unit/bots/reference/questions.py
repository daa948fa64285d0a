"""Questions put to reference bots in this process, and random positions to ask about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bots.reference import make
from bots.sdk.arena_bot import Match, Request
from engines.game import Game, Move
from engines.games.reversed_reversi import ReversedReversi, State
from engines.stream import Stream


def hello(game: Game[Any], seat: int = 0, seed: int = 1) -> dict[str, Any]:
    """What a bot is told of a match of `game`."""
    return {
        "type": "hello",
        "protocols": ["arena/1"],
        "match": "test",
        "game": {"name": game.name, "params": game.params, "version": game.version},
        "seat": seat,
        "seed": seed,
        "time": {"extension_ms": 0, "increment_ms": 0},
    }


def question(
    game: Game[Any], state: Any, move_ms: int = 1000, history: Sequence[Move] = ()
) -> dict[str, Any]:
    """The request for a move in `state`."""
    return {
        "type": "move",
        "id": 1,
        "ply": 0,
        "state": game.state_to_json(state),
        "legal": [game.move_to_text(move) for move in game.legal_moves(state)],
        "history": [game.move_to_text(move) for move in history],
        "time": {"move_ms": move_ms, "extensions_left": 0, "bank_ms": None, "last_ms": 0},
    }


def started(name: str, game: Game[Any]) -> Any:
    """The reference bot, told of a match of `game`."""
    bot = make(name)
    if hasattr(bot, "start"):
        bot.start(hello(game))
    return bot


def ask(bot: Any, game: Game[Any], state: Any, move_ms: int = 1000, history: Sequence[Move] = ()) -> str:
    """The bot's move in `state`."""
    match = Match(hello(game, game.to_move(state)))
    choice = bot.choose(Request(question(game, state, move_ms, history), match))
    move: str = choice[0] if isinstance(choice, tuple) else choice
    return move


def walks(game: Game[Any], count: int, seed: int = 0) -> Iterator[Any]:
    """Positions from `count` random games, of every stage, in which the mover is asked."""
    yield from (state for state, _ in walks_with_moves(game, count, seed))


def walks_with_moves(game: Game[Any], count: int, seed: int = 0) -> Iterator[tuple[Any, tuple[Move, ...]]]:
    """The same positions, each with the moves that led to it."""
    for number in range(count):
        stream, state, moves = Stream("walks", seed, number), game.initial(), list[Move]()
        while game.legal_moves(state):
            if game.forced_pass(state) is None:
                yield state, tuple(moves)
            moves.append(stream.choice(game.legal_moves(state)))
            state = game.play(state, moves[-1])


def endings(game: ReversedReversi, count: int, empty: int) -> list[State]:
    """`count` positions with at most `empty` empty squares, one a random game."""
    squares = game.size * game.size
    found: list[State] = []
    for number in range(4 * count):
        for state in walks(game, 1, seed=number):
            if squares - (state.own | state.opp).bit_count() <= empty:
                found.append(state)
                break
    return found[:count]
