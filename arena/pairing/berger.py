"""Round robins by the FIDE Berger tables (FIDE Handbook, General Regulations for Competitions, Annex 1).

Every round follows from the last one: the highest number stays, every other moves half the table down. With
an odd number of players the highest number is nobody, and whoever meets it has a bye.
"""

from __future__ import annotations

Pairing = tuple[int, int]


def berger_table(players: int) -> list[list[Pairing]]:
    """The rounds for `players` numbered from 1; each pairing is (white, black), byes left out.

    Raises:
        ValueError: fewer than two players.
    """
    if players < 2:
        raise ValueError(f"a round robin needs two players or more, not {players}")
    return [
        [pair for pair in _round(number, players + players % 2) if max(pair) <= players]
        for number in range(players - 1 + players % 2)
    ]


def double_table(players: int) -> list[list[Pairing]]:
    """Two cycles, the second with colours reversed.

    FIDE's advice is followed: the last two rounds of the first cycle change places, so that nobody has the
    same colour three times in a row.
    """
    first = berger_table(players)
    second = [[(black, white) for white, black in pairings] for pairings in first]
    first[-2:] = reversed(first[-2:])
    return first + second


def _round(number: int, even: int) -> list[Pairing]:
    """Round `number` (from 0) of the table for an even number of players."""
    fixed, circle = even, even - 1
    start = number * (even // 2) % circle
    top = start + 1
    pairs = [(top, fixed) if number % 2 == 0 else (fixed, top)]
    for step in range(1, even // 2):
        pairs.append(((start + step) % circle + 1, (start - step) % circle + 1))
    return pairs
