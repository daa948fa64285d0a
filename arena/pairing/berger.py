"""Round robins by the FIDE Berger tables (FIDE Handbook, General Regulations for Competitions, Annex 1).

Every round follows from the last one: the highest number stays, every other moves half the table down. With
an odd number of players the highest number is nobody, and whoever meets it has a bye.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

Pairing = tuple[int, int]


def berger_table(players: int) -> Iterator[list[Pairing]]:
    """The rounds for `players` numbered from 1; each pairing is (white, black), byes left out.

    Raises:
        ValueError: fewer than two players.
    """
    return (_round(number, players) for number in range(rounds(players)))


def double_table(players: int) -> Iterator[list[Pairing]]:
    """Two cycles, the second with colours reversed.

    FIDE's advice is followed: the last two rounds of the first cycle change places, so that nobody has the
    same colour three times in a row.

    Raises:
        ValueError: fewer than two players.
    """
    numbers = list(range(rounds(players)))
    order = numbers[:-2] + numbers[-2:][::-1]
    first = (_round(number, players) for number in order)
    second = ([(black, white) for white, black in _round(number, players)] for number in numbers)
    return chain(first, second)


def rounds(players: int) -> int:
    """How many rounds one cycle has.

    Raises:
        ValueError: fewer than two players.
    """
    if players < 2:
        raise ValueError(f"a round robin needs two players or more, not {players}")
    return players - 1 + players % 2


def _round(number: int, players: int) -> list[Pairing]:
    """Round `number`, from 0."""
    even = players + players % 2
    circle = even - 1
    start = number * (even // 2) % circle
    pairs = [(start + 1, even) if number % 2 == 0 else (even, start + 1)]
    pairs += [((start + step) % circle + 1, (start - step) % circle + 1) for step in range(1, even // 2)]
    return pairs if even == players else pairs[1:]
