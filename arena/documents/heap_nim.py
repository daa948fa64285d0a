"""The worked example and the rule of the heap-Nim document.

Source: 呂可名, Python 拈遊戲 (A Nim game in Python), project report, Lishan High School.
"""

from __future__ import annotations

TITLE = "Python 拈遊戲"
TITLE_IN_ENGLISH = "A Nim game in Python"

HEAPS = (3, 4, 5)
BINARY = ("011", "100", "101")
"""Table 2: the heaps in binary."""

XOR = "010"
"""Not 000, so the position is unsafe (不安全殘局)."""

HEAP, LEFT = 1, 1
"""The winning move: take two from heap 1 (numbered from 1), one is left."""

HEAPS_AFTER = (1, 4, 5)
XOR_AFTER = "000"
"""The position is safe (安全殘局): whoever has to move from it loses."""

TRUTH_TABLE = {(1, 1): 0, (1, 0): 1, (0, 1): 1, (0, 0): 0}
"""Table 1: exclusive or (異或)."""

ROWS = (3, 10)
"""The menu offers 3 to 10 heaps."""
