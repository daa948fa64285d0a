"""Round robins and gauntlets, and who joins them late."""

from __future__ import annotations

from itertools import islice

import pytest

from arena.pairing.contract import Entrant, Pairing
from arena.pairing.format import FormatError, Planned
from arena.pairing.formats import find_format
from tests.conformance.formats import entrants


def _planned(name: str, options: dict[str, object] | None = None, openings: int = 0) -> Planned:
    fmt = find_format(name, options, openings)
    assert isinstance(fmt, Planned)
    return fmt


def _shown(fmt: Planned, known: list[Entrant], after: int = 0) -> list[str]:
    return [
        f"{number}: " + " ".join(f"{each.first}-{each.second}" for each in pairings)
        for number, pairings in fmt.rounds(known, after)
    ]


def test_a_double_round_robin_is_fides() -> None:
    """Four entrants: the printed table with its last two rounds exchanged, and then with colours reversed."""
    assert _shown(_planned("double_round_robin"), entrants(4)) == [
        *("1: 1-4 2-3", "2: 2-4 3-1", "3: 4-3 1-2", "4: 4-1 3-2", "5: 3-4 2-1", "6: 4-2 1-3")
    ]


def test_who_joins_late_meets_everybody_in_extra_rounds() -> None:
    """A fifth joins four in round 3: after their three rounds it meets each of them, with both colours."""
    known = [*entrants(4), Entrant(5, joined=3)]
    assert _shown(_planned("round_robin"), known, after=3) == ["4: 2-5", "5: 5-3", "6: 4-5", "7: 5-1"]


def test_who_had_left_is_not_met_by_who_joins_later() -> None:
    """Extra rounds are only against those who were there when the newcomer joined."""
    known = [Entrant(1, left=2), *entrants(4)[1:], Entrant(5, joined=3)]
    late = _shown(_planned("round_robin"), known, after=3)
    assert len(late) == 3
    assert not any("1" in line.split(": ")[1].split("-") for line in late)


def test_two_who_join_together_meet_too() -> None:
    """Newcomers of one round share the extra rounds and meet each other in them."""
    known = [*entrants(4), Entrant(5, joined=2), Entrant(6, joined=2)]
    late = list(_planned("round_robin").rounds(known, 3))
    met = {frozenset(pair[:2]) for _, pairings in late for pair in pairings}
    assert met == {frozenset((new, old)) for new in (5, 6) for old in range(1, 7) if new != old}
    assert len(late) == 5


def test_every_cycle_has_openings_of_its_own() -> None:
    """Two cycles with three openings: six games a pairing, from openings 1 to 3 and then 4 to 6."""
    fmt = _planned("double_round_robin", openings=3)
    (_, first), (_, second) = fmt.rounds(entrants(2))
    assert first == (Pairing(1, 2, "", 6, range(1, 4)),)
    assert second == (Pairing(2, 1, "", 6, range(4, 7)),)
    assert fmt.drawn == 6


def test_a_thousand_are_never_held() -> None:
    """The rounds come one by one, and the last ones as quickly as the first."""
    fmt = _planned("round_robin", {"cycles": 20})
    number, pairings = next(islice(fmt.rounds(entrants(1000), 19_970), 1))
    assert number == 19_971
    assert len(pairings) == 500


def test_a_gauntlet_without_such_a_hero_is_refused() -> None:
    """A hero's number must be an entrant's, and no hero is named twice."""
    with pytest.raises(FormatError, match="hero's number 7"):
        find_format("gauntlet", {"heroes": (2, 7)}).check(6)
    with pytest.raises(FormatError, match="name each once"):
        find_format("gauntlet", {"heroes": (2, 2)})


def test_who_joins_a_gauntlet_meets_the_heroes_only() -> None:
    """A newcomer plays as many pairings as there are heroes."""
    known = [*entrants(5), Entrant(6, joined=2)]
    fmt = _planned("gauntlet", {"heroes": (1, 3)})
    last = max(number for number, _ in fmt.rounds(entrants(5)))
    late = {frozenset(pair[:2]) for _, pairings in fmt.rounds(known, last) for pair in pairings}
    assert late == {frozenset((1, 6)), frozenset((3, 6))}


def test_two_entrants_with_one_number_are_refused() -> None:
    """Numbers tell entrants apart."""
    with pytest.raises(ValueError, match="two entrants have the number 2"):
        find_format("round_robin").next_round([Entrant(1), Entrant(2), Entrant(2)], (), 1, 0)
