"""The rules of the games. Pure: no processes, no network, no clock."""

USUAL_GAME = "reversed_reversi"
"""What is meant where nobody names a game."""
