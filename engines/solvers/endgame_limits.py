"""Which endings of Reversed Reversi are solved; known to who only says so, without NumPy."""

from __future__ import annotations

ENDGAME_SIZES = (4, 6, 8)
MAX_EMPTY = 22
"""Empty squares of an ending: sixteen take a fraction of a second, twenty seconds, hard ones a minute."""
