"""Every format with the options that the laws are tried on, and whole tournaments with random results."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from arena.theory.pairing.contract import Entrant, Kind, Meeting, Pairing
from arena.theory.pairing.format import Format, FormatError
from arena.theory.pairing.formats import find_format


class Case(NamedTuple):
    """A format, its options, its openings, and up to how many entrants it is tried with."""

    name: str
    options: dict[str, Any]
    openings: int = 0
    most: int = 40

    @property
    def format(self) -> Format:
        """The format itself."""
        return find_format(self.name, self.options, self.openings)


CASES = [
    Case("round_robin", {}),
    Case("round_robin", {"cycles": 3}, 1, 20),
    Case("double_round_robin", {}, 2, 20),
    Case("swiss_dutch", {}, 0, 14),
    Case("swiss_dutch", {"rounds": 5, "seeding": "lot"}, 1, 9),
    Case("swiss", {}),
    Case("swiss", {"rounds": 9, "seeding": "lot"}, 2),
    Case("knockout", {}),
    Case("knockout", {"best_of": 3, "third_place": True, "tie_breaks": 1, "seeding": "lot"}, 1),
    Case("groups", {"groups": 1}),
    Case("groups", {"groups": 4, "qualifiers": 2, "third_place": True, "seeding": "lot"}, 1),
    Case("groups", {"groups": 3, "qualifiers": 3, "cycles": 2, "best_of": 2}),
    Case("gauntlet", {}),
    Case("gauntlet", {"heroes": (2, 1), "cycles": 2}, 1),
    Case("ladder", {"rounds": 8, "newcomer_games": 3}),
    Case("ladder", {"rounds": 8}, 3),
]

LATE = 3
"""How many join late at most."""

TABLES = ("round_robin", "double_round_robin", "gauntlet")


class Round(NamedTuple):
    """A round that was paired, and who was known then."""

    number: int
    pairings: tuple[Pairing, ...]
    entrants: tuple[Entrant, ...]


class Story(NamedTuple):
    """A whole tournament."""

    entrants: tuple[Entrant, ...]
    meetings: tuple[Meeting, ...]
    rounds: tuple[Round, ...]


def entrants(count: int) -> list[Entrant]:
    """So many, all there from the start."""
    return [Entrant(number) for number in range(1, count + 1)]


def fits(fmt: Format, count: int) -> bool:
    """Whether so many can begin."""
    try:
        fmt.check(count)
    except FormatError:
        return False
    return True


def play(fmt: Format, count: int, seed: int, *, restless: bool = False) -> Story:
    """A tournament with random results; if `restless`, some leave, join late and miss rounds."""
    chance, known = Random(seed), entrants(count)
    meetings: list[Meeting] = []
    rounds: list[Round] = []
    while True:
        number = len(rounds) + 1
        if restless and number > 1:
            _disturb(fmt, known, number, seed, chance)
        pairings = fmt.next_round(known, meetings, number, seed)
        if pairings is None:
            return Story(tuple(known), tuple(meetings), tuple(rounds))
        rounds.append(Round(number, pairings, tuple(known)))
        meetings += [_met(fmt, each, known, number, chance) for each in pairings]


def _disturb(fmt: Format, known: list[Entrant], number: int, seed: int, chance: Random) -> None:
    here = [at for at, each in enumerate(known) if each.plays_in(number)]
    if len(here) > 2 and chance.random() < 0.2:
        at = chance.choice(here)
        known[at] = known[at]._replace(left=number)
    if chance.random() < 0.2:
        at = chance.choice(here or [0])
        known[at] = known[at]._replace(absent=(*known[at].absent, number))
    late = sum(each.joined > 1 for each in known)
    if late < LATE and fmt.takes_late(known, number, seed) and chance.random() < 0.15:
        known.append(Entrant(len(known) + 1, joined=number))


def _met(fmt: Format, pairing: Pairing, known: list[Entrant], number: int, chance: Random) -> Meeting:
    first, second, phase, games, _ = pairing
    if second is None:
        worth = 2 * max(1, 2 * fmt.openings)
        return Meeting(number, first, None, (worth, 0), 1, Kind.BYE, phase)
    gone = [known[each - 1].has_left(number) for each in (first, second)]
    if any(gone):
        points = (0 if gone[0] else 2 * games, 0 if gone[1] else 2 * games)
        return Meeting(number, first, second, points, games, Kind.FORFEIT, phase)
    half = sum(chance.choice((0, 0, 1, 2, 2)) for _ in range(games))
    return Meeting(number, first, second, (half, 2 * games - half), games, Kind.PLAYED, phase)
