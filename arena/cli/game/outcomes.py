"""What is said of a Reversi that was solved."""

from __future__ import annotations

from arena.core.words import say, say_many
from engines.games.reversed_reversi import SYMBOLS, ReversedReversi


def heading(game: ReversedReversi) -> str:
    """Which one."""
    if game.reversed:
        return say("Reversi on {size} by {size} squares, fewer discs win", size=game.size)
    return say("Reversi on {size} by {size} squares, more discs win", size=game.size)


def outcome(game: ReversedReversi, value: int) -> str:
    """Who wins, and by how much."""
    if value == 0:
        return say("With perfect play nobody wins")
    winner, margin = SYMBOLS[value < 0], abs(value)
    if game.reversed:
        return say_many(
            "With perfect play {winner} wins, with {number} disc less",
            "With perfect play {winner} wins, with {number} discs less",
            margin,
            winner=winner,
        )
    return say_many(
        "With perfect play {winner} wins, with {number} disc more",
        "With perfect play {winner} wins, with {number} discs more",
        margin,
        winner=winner,
    )
