"""The Berger tables, against FIDE's own."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from arena.theory.pairing.berger import begins, berger_table, leads, meeting_place, played_at

PUBLISHED = {
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        "1-8 2-7 3-6 4-5",
        "8-5 6-4 7-3 1-2",
        "2-8 3-1 4-7 5-6",
        "8-6 7-5 1-4 2-3",
        "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ],
    10: [
        "1-10 2-9 3-8 4-7 5-6",
        "10-6 7-5 8-4 9-3 1-2",
        "2-10 3-1 4-9 5-8 6-7",
        "10-7 8-6 9-5 1-4 2-3",
        "3-10 4-2 5-1 6-9 7-8",
        "10-8 9-7 1-6 2-5 3-4",
        "4-10 5-3 6-2 7-1 8-9",
        "10-9 1-8 2-7 3-6 4-5",
        "5-10 6-4 7-3 8-2 9-1",
    ],
    12: [
        "1-12 2-11 3-10 4-9 5-8 6-7",
        "12-7 8-6 9-5 10-4 11-3 1-2",
        "2-12 3-1 4-11 5-10 6-9 7-8",
        "12-8 9-7 10-6 11-5 1-4 2-3",
        "3-12 4-2 5-1 6-11 7-10 8-9",
        "12-9 10-8 11-7 1-6 2-5 3-4",
        "4-12 5-3 6-2 7-1 8-11 9-10",
        "12-10 11-9 1-8 2-7 3-6 4-5",
        "5-12 6-4 7-3 8-2 9-1 10-11",
        "12-11 1-10 2-9 3-8 4-7 5-6",
        "6-12 7-5 8-4 9-3 10-2 11-1",
    ],
    14: [
        "1-14 2-13 3-12 4-11 5-10 6-9 7-8",
        "14-8 9-7 10-6 11-5 12-4 13-3 1-2",
        "2-14 3-1 4-13 5-12 6-11 7-10 8-9",
        "14-9 10-8 11-7 12-6 13-5 1-4 2-3",
        "3-14 4-2 5-1 6-13 7-12 8-11 9-10",
        "14-10 11-9 12-8 13-7 1-6 2-5 3-4",
        "4-14 5-3 6-2 7-1 8-13 9-12 10-11",
        "14-11 12-10 13-9 1-8 2-7 3-6 4-5",
        "5-14 6-4 7-3 8-2 9-1 10-13 11-12",
        "14-12 13-11 1-10 2-9 3-8 4-7 5-6",
        "6-14 7-5 8-4 9-3 10-2 11-1 12-13",
        "14-13 1-12 2-11 3-10 4-9 5-8 6-7",
        "7-14 8-6 9-5 10-4 11-3 12-2 13-1",
    ],
}
"""FIDE Handbook, General Regulations for Competitions, Annex 1: Details of Berger Tables."""


def _shown(table: list[list[tuple[int, int]]]) -> list[str]:
    return [" ".join(f"{white}-{black}" for white, black in pairings) for pairings in table]


@pytest.mark.parametrize("players", PUBLISHED)
def test_tables_are_those_that_fide_publishes(players: int) -> None:
    """Every round of the published tables, pairing for pairing and colour for colour."""
    assert _shown(list(berger_table(players))) == PUBLISHED[players]


@pytest.mark.parametrize("players", PUBLISHED)
def test_odd_numbers_use_the_next_table_with_a_bye(players: int) -> None:
    """With one player fewer, whoever would meet the highest number has a bye and nothing else changes."""
    odd = list(berger_table(players - 1))
    full = list(berger_table(players))
    assert odd == [[pair for pair in pairings if players not in pair] for pairings in full]


@pytest.mark.parametrize("players", range(2, 41))
def test_everybody_meets_everybody_once(players: int) -> None:
    """A cycle has every pair exactly once and nobody twice in a round; with a bye each sits out once."""
    rounds = list(berger_table(players))
    met = Counter(frozenset(pair) for pairings in rounds for pair in pairings)
    assert met == Counter(frozenset(pair) for pair in combinations(range(1, players + 1), 2))
    for pairings in rounds:
        seated = [player for pair in pairings for player in pair]
        assert len(set(seated)) == len(seated) == players - players % 2


@pytest.mark.parametrize("cycles", [1, 2, 3, 4])
@pytest.mark.parametrize("players", range(2, 31))
def test_colours_are_balanced(players: int, cycles: int) -> None:
    """Nobody has one colour oftener than the other, but by one in an odd number of cycles."""
    colours: Counter[int] = Counter()
    for pairings in berger_table(players, cycles):
        for white, black in pairings:
            colours[white] += 1
            colours[black] -= 1
    assert [colours[player] for player in range(1, players + 1)] == [
        lead * (cycles % 2) for lead in leads(players)
    ]
    assert all(abs(lead) <= 1 for lead in leads(players))


@pytest.mark.parametrize("cycles", [2, 3, 4])
@pytest.mark.parametrize("players", range(6, 31, 2))
def test_no_colour_comes_three_times_in_a_row(players: int, cycles: int) -> None:
    """With the last two rounds of all cycles but the last exchanged, that happens to nobody."""
    colours: dict[int, str] = dict.fromkeys(range(1, players + 1), "")
    for pairings in berger_table(players, cycles):
        for white, black in pairings:
            colours[white] += "w"
            colours[black] += "b"
    assert not any("www" in row or "bbb" in row for row in colours.values())


@pytest.mark.parametrize("players", range(2, 25))
def test_every_cycle_has_every_pair_once(players: int) -> None:
    """Three cycles are three round robins, the second with all colours reversed."""
    table = list(berger_table(players, 3))
    length = len(table) // 3
    first, second, third = (
        Counter(pair for pairings in table[at : at + length] for pair in pairings)
        for at in range(0, 3 * length, length)
    )
    assert first == third
    assert second == Counter({(black, white): 1 for white, black in first})


@pytest.mark.parametrize("players", range(2, 25))
def test_the_round_in_which_two_meet_is_known(players: int) -> None:
    """For every pair, the table has it in the round that is told without the table."""
    for number, pairings in enumerate(berger_table(players)):
        assert all(meeting_place(*pair, players) == number for pair in pairings)


@pytest.mark.parametrize("cycles", [1, 2, 3])
@pytest.mark.parametrize("players", range(2, 25))
def test_when_two_meet_and_who_begins_is_known(players: int, cycles: int) -> None:
    """For every pair and cycle, without the table: the round of all, and who has the first move."""
    table = list(berger_table(players, cycles))
    for one, other in combinations(range(1, players + 1), 2):
        for cycle in range(cycles):
            pairings = table[played_at(one, other, players, cycles, cycle)]
            first = begins(one, other, players) == (cycle % 2 == 0)
            assert ((one, other) if first else (other, one)) in pairings
        assert begins(one, other, players) != begins(other, one, players)


def test_double_cycle_is_fides_recommendation() -> None:
    """Four players: rounds 1, 3, 2, and then the table again with colours reversed."""
    assert _shown(list(berger_table(4, 2))) == [
        "1-4 2-3",
        "2-4 3-1",
        "4-3 1-2",
        "4-1 3-2",
        "3-4 2-1",
        "4-2 1-3",
    ]


@pytest.mark.parametrize("players", [-1, 0, 1])
def test_one_player_is_no_round_robin(players: int) -> None:
    """Fewer than two players are refused at once."""
    with pytest.raises(ValueError, match="two players or more"):
        berger_table(players)


def test_no_cycle_is_no_round_robin() -> None:
    """A number of cycles below one is refused at once."""
    with pytest.raises(ValueError, match="one cycle or more"):
        berger_table(4, 0)
