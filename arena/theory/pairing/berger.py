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
    as FIDE advises for two cycles, so that nobody has the same colour three times in a row; only
    four players in three cycles or more are not helped by it.

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
    pairings = _round(place(number, players, cycles), players)
    reversed_ = number // rounds(players) % 2 == 1
    return [(black, white) for white, black in pairings] if reversed_ else pairings


def place(number: int, players: int, cycles: int = 1) -> int:
    """Which round of a single cycle, from 0, is played as round `number` of all.

    Raises:
        ValueError: fewer than two players.
    """
    last = rounds(players) - 1
    cycle, at = divmod(number, last + 1)
    return 2 * last - 1 - at if cycle < cycles - 1 and at >= last - 1 >= 0 else at


def meeting_place(one: int, other: int, players: int) -> int:
    """The round of a single cycle, from 0, in which two numbers meet.

    Raises:
        ValueError: fewer than two players.
    """
    circle = rounds(players)
    low, high = min(one, other), max(one, other)
    return (2 * (low - 1) if high > circle else low + high - 2) % circle


def played_at(one: int, other: int, players: int, cycles: int, cycle: int) -> int:
    """As which round of all, from 0, two numbers meet in `cycle`, from 0.

    Raises:
        ValueError: fewer than two players.
    """
    before = cycle * rounds(players)
    return before + place(before + meeting_place(one, other, players), players, cycles)


def begins(one: int, other: int, players: int) -> bool:
    """Whether the first of two numbers has the first move against the other in the first cycle."""
    low, high = min(one, other), max(one, other)
    lower = 2 * low <= high if high == players + players % 2 else (low + high) % 2 == 1
    return lower == (one == low)


def leads(players: int) -> list[int]:
    """How much oftener everybody has the first move than not, in one cycle: the first one's lead first."""
    half = players // 2
    return [0] * players if players % 2 else [1] * half + [-1] * half


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
