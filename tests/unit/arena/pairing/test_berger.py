"""The Berger tables, against FIDE's own."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from arena.pairing.berger import berger_table

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


@pytest.mark.parametrize("players", range(2, 41))
def test_colours_are_balanced(players: int) -> None:
    """In one cycle nobody has one colour more than once oftener than the other; in two, never."""
    for table, allowed in ((berger_table(players), 1), (berger_table(players, 2), 0)):
        colours: Counter[int] = Counter()
        for pairings in table:
            for white, black in pairings:
                colours[white] += 1
                colours[black] -= 1
        assert all(abs(colours[player]) <= allowed for player in range(1, players + 1))


@pytest.mark.parametrize("players", range(4, 41, 2))
def test_double_cycle_avoids_three_same_colours_in_a_row(players: int) -> None:
    """With the last two rounds of the first cycle exchanged, nobody has a colour three times in a row."""
    colours: dict[int, str] = dict.fromkeys(range(1, players + 1), "")
    for pairings in berger_table(players, 2):
        for white, black in pairings:
            colours[white] += "w"
            colours[black] += "b"
    assert not any("www" in row or "bbb" in row for row in colours.values())


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
