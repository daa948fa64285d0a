"""Which endings of Reversed Reversi are solved, and how deep what comes before is searched to be estimated.

Known to who only says so, without NumPy.
"""

from __future__ import annotations

LONGEST_SIDE = 8
"""The most rows and columns of a board whose endings are solved."""
MAX_EMPTY = 22
"""Empty squares of an ending: sixteen take a fraction of a second, twenty seconds, hard ones a minute."""
MAX_CUT_EMPTY = 38
"""The empty squares of a position that is cut up to be solved, as many as the start of 6 by 7 squares has."""
ESTIMATE_DEPTH = 10
"""The plies of an estimate, unless somebody says otherwise: some milliseconds a position."""
DEEPEST_ESTIMATE = 20
"""The most plies of an estimate; each costs about twice what the one before did."""
