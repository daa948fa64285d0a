"""Round robins by the FIDE Berger tables (FIDE Handbook, General Regulations for Competitions, Annex 1).

Every round follows from the last one: the highest number stays, every other moves half the table down. With
an odd number of players the highest number is nobody, and whoever meets it has a bye.
"""

from __future__ import annotations

from collections.abc import Iterator

Pairing = tuple[int, int]


def berger_table(players: int, cycles: int = 1) -> Iterator[list[Pairing]]:
    """The rounds for `players` numbered from 1; each pairing is (white, black), byes left out.

    Every other cycle has the colours reversed. In all cycles but the last the last two rounds change places,
    as FIDE advises for two cycles, so that nobody has the same colour three times in a row.

    Raises:
        ValueError: fewer than two players, or no cycle.
    """
    if cycles < 1:
        raise ValueError(f"a round robin has one cycle or more, not {cycles}")
    return (berger_round(number, players, cycles) for number in range(rounds(players) * cycles))


def berger_round(number: int, players: int, cycles: int = 1) -> list[Pairing]:
    """Round `number` of the table, from 0, over all cycles.

    Raises:
        ValueError: fewer than two players.
    """
    last = rounds(players) - 1
    cycle, place = divmod(number, last + 1)
    if cycle < cycles - 1 and place >= last - 1 >= 0:
        place = 2 * last - 1 - place
    pairings = _round(place, players)
    return [(black, white) for white, black in pairings] if cycle % 2 else pairings


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
