"""Round robins and gauntlets, and who joins them late."""

from __future__ import annotations

from collections import Counter
from itertools import islice, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.theory.pairing.contract import Entrant, Pairing
from arena.theory.pairing.format import FormatError, Planned
from arena.theory.pairing.formats import find_format
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
    """A fifth joins four in round 3: after their three rounds it meets each of them.

    1 and 2 began twice in three games, so the fifth begins against them, and the others against it.
    """
    known = [*entrants(4), Entrant(5, joined=3)]
    assert _shown(_planned("round_robin"), known, after=3) == ["4: 5-2", "5: 3-5", "6: 4-5", "7: 5-1"]


def test_who_had_left_is_not_met_by_who_joins_later() -> None:
    """Extra rounds are only against those who were there when the newcomer joined."""
    known = [Entrant(1, left=2), *entrants(4)[1:], Entrant(5, joined=3)]
    late = _shown(_planned("round_robin"), known, after=3)
    assert len(late) == 3
    assert not any("1" in line.split(": ")[1].split("-") for line in late)


def _leads(fmt: Planned, known: list[Entrant]) -> Counter[int]:
    """How much oftener everybody begins than not, walkovers left out."""
    found: Counter[int] = Counter({each.number: 0 for each in known})
    for number, pairings in fmt.rounds(known):
        gone = {each.number for each in known if each.has_left(number)}
        for first, second, _, games, _ in pairings:
            if second is not None and not gone & {first, second}:
                found[first] += games % 2
                found[second] -= games % 2
    return found


@pytest.mark.parametrize("cycles", [1, 2, 3])
@pytest.mark.parametrize("count", range(2, 9))
def test_who_comes_one_a_round_begins_as_often_as_anybody(count: int, cycles: int) -> None:
    """Up to nine newcomers, one in each round: nobody has a seat more than once oftener than the other."""
    fmt = _planned("round_robin", {"cycles": cycles})
    for late in range(10):
        known = [*entrants(count), *(Entrant(count + at, joined=1 + at) for at in range(1, late + 1))]
        assert max(map(abs, _leads(fmt, known).values())) <= cycles % 2


@settings(deadline=None)
@given(
    st.integers(2, 12), st.lists(st.integers(2, 30), max_size=12), st.sampled_from([(1,), (1, 2), (2, 1, 3)])
)
def test_nobody_is_ahead_in_seats_whoever_joins_whenever(
    count: int, joining: list[int], heroes: tuple[int, ...]
) -> None:
    """Any numbers of newcomers in any rounds of a round robin or gauntlet: no lead is greater than one."""
    late = [Entrant(count + 2 + at, joined=number) for at, number in enumerate(sorted(joining))]
    for fmt in (_planned("round_robin"), _planned("gauntlet", {"heroes": heroes})):
        assert max(map(abs, _leads(fmt, [*entrants(count + 1), *late]).values())) <= 1


@settings(deadline=None)
@given(st.data(), st.integers(3, 5), st.sampled_from([1, 3]))
def test_after_somebody_has_left_seats_are_as_even_as_possible(
    data: st.DataObject, count: int, cycles: int
) -> None:
    """Of all ways to seat a newcomer's pairs, given who begun before, none has a smaller greatest lead."""
    fmt = _planned("round_robin", {"cycles": cycles})
    length = len(list(fmt.rounds(entrants(count))))
    known = [
        each._replace(left=data.draw(st.one_of(st.none(), st.integers(2, length + 1))))
        for each in entrants(count)
    ]
    before = _leads(fmt, known)
    late = Entrant(count + 1, joined=length + 1)
    after = _leads(fmt, [*known, late])
    met = [each.number for each in known if not each.has_left(length + 1)]
    ways = []
    for seats in product((1, -1), repeat=len(met)):
        leads = [before[other] - seat for other, seat in zip(met, seats, strict=True)]
        ways.append(max(map(abs, [*leads, sum(seats)])))
    assert max((abs(after[each]) for each in (*met, late.number)), default=0) == min(ways)


def test_newcomers_do_not_change_who_begins_in_what_is_paired() -> None:
    """The extra rounds of one newcomer are the same before and after the next one is there."""
    fmt, known = _planned("round_robin"), entrants(4)
    first = [*known, Entrant(5, joined=2)]
    second = [*first, Entrant(6, joined=6)]
    assert list(fmt.rounds(first)) == list(fmt.rounds(second))[: fmt.length(first)]


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
