"""Groups and the bracket that follows."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from arena.theory.pairing.bracket import slots_of
from arena.theory.pairing.contract import Entrant, Meeting
from arena.theory.pairing.format import FormatError
from arena.theory.pairing.formats import find_format
from arena.theory.pairing.groups import Groups, by_points, letters, spread
from tests.conformance.formats import entrants, play


def _groups(**options: int) -> Groups:
    fmt = find_format("groups", options)
    assert isinstance(fmt, Groups)
    return fmt


def test_seeding_is_a_snake() -> None:
    """Eleven in three groups: 1 2 3, then 6 5 4, and so on; no group is stronger by its numbers."""
    divided = _groups(groups=3).divided(entrants(11), 0)
    assert [[each.number for each in group] for group in divided] == [[1, 6, 7], [2, 5, 8, 11], [3, 4, 9, 10]]


def test_who_joins_late_comes_to_the_smallest_group() -> None:
    """A twelfth comes to the group of three, a thirteenth to the first of those equal in size."""
    late = [Entrant(12, joined=2), Entrant(13, joined=3)]
    divided = _groups(groups=3).divided([*entrants(11), *late], 0)
    assert [[each.number for each in group][-1] for group in divided] == [13, 11, 10]


def test_who_joins_after_the_groups_planned_rounds_has_rounds_of_its_own() -> None:
    """Until the bracket is paired a newcomer meets everybody of its group; another may join meanwhile."""
    fmt, known = _groups(groups=2), [*entrants(8), Entrant(9, joined=4)]
    extra = [fmt.next_round(known, (), number, 0) for number in range(4, 8)]
    met = [{first, second} for pairings in extra for first, second, *_ in pairings or ()]
    assert len(met) == 4
    assert set().union(*met) == {1, 4, 5, 8, 9}
    assert [fmt.in_advance(known, number, 0) for number in (7, 8)] == [True, False]
    assert [fmt.takes_late(known, number, 0) for number in (8, 9)] == [True, False]


def test_who_joins_too_late_does_not_play() -> None:
    """Once the bracket's first round is paired nobody can join any more, and a joining is without effect."""
    fmt, known = _groups(groups=2), entrants(8)
    assert fmt.takes_late(known, 4, 0)
    assert not fmt.takes_late(known, 5, 0)
    assert fmt.divided([*known, Entrant(9, joined=5)], 0) == fmt.divided(known, 0)


@pytest.mark.parametrize("groups", range(1, 17))
def test_mates_are_in_opposite_halves(groups: int) -> None:
    """With two of each group, the winner and the second of it can only meet in the final."""
    seeds = spread([[10 * group + 1, 10 * group + 2] for group in range(groups)])
    leaves = slots_of(seeds)
    half = len(leaves) // 2
    for group in range(groups):
        places = [leaves.index(10 * group + rank) // half for rank in (1, 2)]
        assert sorted(places) == [0, 1]
    assert seeds[:groups] == [10 * group + 1 for group in range(groups)]


@pytest.mark.parametrize("groups", [2, 4, 8])
def test_four_mates_are_in_different_quarters(groups: int) -> None:
    """With four of each group, no two of it can meet before the semi-finals."""
    leaves = slots_of(spread([[10 * group + rank for rank in range(1, 5)] for group in range(groups)]))
    quarter = len(leaves) // 4
    for group in range(groups):
        assert len({leaves.index(10 * group + rank) // quarter for rank in range(1, 5)}) == 4


def test_winners_meet_seconds_first() -> None:
    """Two groups: A1 meets B2 and B1 meets A2, as in every such tournament."""
    assert slots_of(spread([[11, 12], [21, 22]])) == [11, 22, 21, 12]


def test_the_order_in_a_group_is_points_direct_encounter_wins_and_lot() -> None:
    """Two with as many points are ordered by their own game, two who drew it by their wins."""
    rows = [(1, 2, 0), (1, 3, 2), (1, 4, 2), (2, 3, 0), (2, 4, 2), (3, 4, 0)]
    met = [Meeting(1, one, other, (half, 2 - half)) for one, other, half in rows]
    assert by_points((1, 2, 3, 4), met, 0) == [2, 1, 4, 3]
    rows = [(1, 2, 1), (1, 3, 1), (1, 4, 1), (2, 3, 2), (2, 4, 0), (3, 4, 1)]
    drawn = [Meeting(1, one, other, (half, 2 - half)) for one, other, half in rows]
    assert by_points((1, 2, 3, 4), drawn, 0) == [4, 2, 1, 3]
    assert {by_points((1, 2), (), seed)[0] for seed in range(20)} == {1, 2}


def test_another_order_can_be_given() -> None:
    """Who qualifies follows from the order that is handed in, such as the published chain of tie-breaks."""
    fmt = _groups(groups=2, qualifiers=1)
    story = play(fmt, 8, 3)
    start = next(number for number, pairings, _ in story.rounds if pairings[0].phase == "final")
    before = [each for each in story.meetings if each.round < start]
    other = fmt.ordered_by(lambda group, _, __: sorted(group, reverse=True))
    final = other.next_round(entrants(8), before, start, 3)
    assert final is not None
    assert {final[0].first, final[0].second} == {7, 8}


def test_who_left_does_not_qualify() -> None:
    """The next of its group goes on in the place of one who is gone when the bracket begins."""
    fmt = _groups(groups=2, qualifiers=1)
    known = [Entrant(1, left=2), *entrants(4)[1:]]
    meetings = [Meeting(1, 1, 4, (2, 0), phase="A"), Meeting(1, 2, 3, (2, 0), phase="B")]
    final = fmt.next_round(known, meetings, 2, 0)
    assert final is not None
    assert {final[0].first, final[0].second} == {4, 2}


@pytest.mark.parametrize(
    ("options", "count", "wrong"),
    [
        ({"groups": 3}, 5, "make fewer groups"),
        ({"groups": 2, "qualifiers": 4}, 7, "let fewer qualify"),
        ({"groups": 1, "qualifiers": 1}, 4, "two entrants or more"),
    ],
)
def test_groups_that_are_too_small_are_refused(options: dict[str, int], count: int, wrong: str) -> None:
    """What cannot be divided is an error that says what to change, before anything begins."""
    with pytest.raises(FormatError, match=wrong):
        _groups(**options).check(count)


def test_groups_have_letters() -> None:
    """Groups are lettered from A to Z and go on with AA."""
    assert [letters(group) for group in (0, 25, 26, 63)] == ["A", "Z", "AA", "BL"]


def test_there_are_no_places_while_a_group_plays() -> None:
    """A later round may end before an earlier one; only when all have met does the bracket begin."""
    fmt = _groups(groups=2, qualifiers=1)
    met = [each for each in play(fmt, 8, 3).meetings if each.phase in ("A", "B")]
    assert fmt.places(entrants(8), met, 3) is not None
    for missing in met:
        assert fmt.places(entrants(8), [each for each in met if each is not missing], 3) is None


def test_who_is_disqualified_gives_its_place_in_the_group_to_the_next() -> None:
    """Those behind it are beside who came as far in another group; it comes last itself."""
    fmt = _groups(groups=2, qualifiers=1)
    known, meetings, _ = play(fmt, 8, 3)
    *bracket, seconds, thirds, fourths = fmt.places(known, meetings, 3) or ()
    tables = fmt.group_tables(known, meetings, 3)
    out = tables["A"][1]
    assert ({out, tables["B"][1]}, {*seconds, *thirds, *fourths}) == (
        {*seconds},
        {*range(1, 9)} - _all(bracket),
    )
    told = fmt.places([each._replace(disqualified=each.number == out) for each in known], meetings, 3)
    after = ((tables["A"][2], tables["B"][1]), (tables["A"][3], tables["B"][2]), (tables["B"][3],), (out,))
    assert told == (*bracket, *(tuple(sorted(tier)) for tier in after))


def test_who_withdraws_keeps_its_place_in_the_group() -> None:
    """The winner of a group that is gone when the bracket begins comes next behind those in it."""
    fmt = _groups(groups=2, qualifiers=1)
    known, meetings, rounds = play(fmt, 8, 3)
    begins = (
        max(each.number for each in rounds if {pairing.phase for pairing in each.pairings} == {"A", "B"}) + 1
    )
    played = [each for each in meetings if each.phase in {"A", "B"}]
    winner = fmt.group_tables(known, played, 3)["A"][0]
    without = [each._replace(left=begins) if each.number == winner else each for each in known]
    final = fmt.next_round(without, played, begins, 3)
    assert final is not None
    ended = [*played, *(Meeting(begins, each.first, each.second, (2, 0), phase=each.phase) for each in final)]
    assert winner not in {each.first for each in final} | {each.second for each in final}
    assert (fmt.places(without, ended, 3) or ())[2] == (winner,)


def _all(tiers: Iterable[tuple[int, ...]]) -> set[int]:
    return {each for tier in tiers for each in tier}
