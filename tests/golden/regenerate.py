"""Whole games on record: `python -m tests.golden.regenerate` writes them anew; the test compares.

A transcript holds the game with its parameters and version, every move in notation, the state before each
move and after the last, and the outcome. A change in a transcript is a change of rules: raise the game's
`version` with it.
"""

from __future__ import annotations

import json
import sys
from itertools import count
from pathlib import Path
from typing import Any

from engines.game import Game
from engines.games import find_game
from engines.stream import Stream

FOLDER = Path(__file__).parent

GAMES: dict[str, tuple[str, dict[str, Any], int]] = {
    f"reversed_reversi_{size}_{'fewest' if flag else 'most'}": (
        "reversed_reversi",
        {"size": size, "reversed": flag},
        passes,
    )
    for size, passes in ((4, 2), (6, 2), (8, 2), (10, 1))
    for flag in (True, False)
} | {
    "heap_nim_3_4_5": ("heap_nim", {}, 0),
    "heap_nim_misere": ("heap_nim", {"heaps": [1, 2, 3, 4, 5, 6, 7], "misere": True}, 0),
    "heap_nim_ten_heaps": ("heap_nim", {"heaps": [9, 8, 7, 6, 5, 4, 3, 2, 1, 10]}, 0),
    "circle_nim_5": ("circle_nim", {}, 0),
    "circle_nim_7": ("circle_nim", {"rows": 7}, 0),
    "l_game": ("l_game", {}, 0),
    "rhombic_chess": ("rhombic_chess", {}, 0),
}
"""File name to (game, parameters, how many passes the game has at least)."""

LONGEST = {"l_game": 25, "rhombic_chess": 50}
"""The most plies of a record in games that can go on for long."""


def random_moves(game: Game[Any], stream: Stream) -> list[str]:
    """A whole random game in notation."""
    state = game.initial()
    moves = []
    while legal := game.legal_moves(state):
        move = stream.choice(legal)
        moves.append(game.move_to_text(move))
        state = game.play(state, move)
    return moves


def moves_with_passes(game: Game[Any], name: str, passes: int) -> list[str]:
    """The first of the random games that belong to `name` with that many passes, and short enough."""
    return next(
        moves
        for number in count()
        if (moves := random_moves(game, Stream("golden", name, number))).count("pass") >= passes
        and len(moves) <= LONGEST.get(name, len(moves))
    )


def transcript(game: Game[Any], moves: list[str]) -> dict[str, Any]:
    """What the rules say about the game that `moves` make."""
    state = game.initial()
    states = [state]
    for text in moves:
        state = game.play(state, game.move_from_text(text))
        states.append(state)
    outcome = game.outcome(state)
    return {
        "game": game.name,
        "version": game.version,
        "params": game.params,
        "moves": moves,
        "outcome": outcome and {**outcome._asdict(), "score": list(outcome.score)},
        "legal": [" ".join(map(game.move_to_text, game.legal_moves(state))) for state in states],
        "states": [game.state_to_json(state) for state in states],
        "drawn_at_the_end": game.draw(state).split("\n"),
    }


def to_text(record: dict[str, Any]) -> str:
    """JSON with a line a ply, so that a difference can be read."""
    lines = []
    for key, value in record.items():
        if isinstance(value, list) and key != "moves":
            items = ",\n".join(f"  {json.dumps(item)}" for item in value)
            lines.append(f" {json.dumps(key)}: [\n{items}\n ]")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    """Write every transcript."""
    for name, (game_name, params, passes) in GAMES.items():
        game = find_game(game_name, params)
        moves = moves_with_passes(game, name, passes)
        (FOLDER / f"{name}.json").write_text(to_text(transcript(game, moves)))
        sys.stdout.write(f"{name}: {len(moves)} plies\n")


if __name__ == "__main__":
    main()
