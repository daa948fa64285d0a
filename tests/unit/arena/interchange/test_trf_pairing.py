"""A report says enough to go on from: formats pair the next round of what was read as of what was played."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.interchange.trf import read, write
from arena.interchange.trf_tournament import pairable, report_of, tournament_of
from arena.theory.pairing.contract import Entrant, Kind, Meeting
from arena.theory.pairing.formats import find_format
from arena.theory.standings.counted import table_of_rounds

ROUNDS = 4
ORDER = ("points", "buchholz_cut1", "buchholz", "sonneborn_berger", "wins", "progressive", "koya")
COLOURS = {"w": "first", "b": "second"}


@pytest.mark.parametrize("name", ["swiss_dutch", "swiss"])
@settings(max_examples=12, deadline=None)
@given(data=st.data(), size=st.integers(4, 9), seed=st.integers(0, 99))
def test_pairings_and_tie_breaks_are_the_same(name: str, data: st.DataObject, size: int, seed: int) -> None:
    """After every round of a Swiss with byes, forfeits, late entries and leaving, nothing was lost."""
    entrants = [Entrant(number) for number in range(1, size + 1)]
    entrants[-1] = entrants[-1]._replace(joined=data.draw(st.sampled_from([1, 2])))
    form = find_format(name, {"rounds": ROUNDS})
    meetings: list[Meeting] = []
    for number in range(1, ROUNDS + 1):
        if number == 3 and size > 5:
            entrants[2] = entrants[2]._replace(left=3)
        pairings = form.next_round(entrants, meetings, number, seed)
        if number > 1:
            text = "".join(write(report_of(entrants, {}, meetings, rounds=ROUNDS)))
            told = tournament_of(read(text))
            options: dict[str, object] = {"rounds": told.rounds}
            if name == "swiss_dutch" and told.first_colour:
                options["first_colour"] = COLOURS[told.first_colour]
            again = find_format(name, options)
            assert again.next_round(pairable(told), told.meetings, told.played + 1, seed) == pairings
            expected = table_of_rounds(entrants, meetings, ORDER, swiss=True).standings
            found = table_of_rounds(told.entrants, told.meetings, ORDER, swiss=True).standings
            assert [(line.rank, line.number, line.tie_breaks) for line in found] == [
                (line.rank, line.number, line.tie_breaks) for line in expected
            ]
        for pairing in pairings or ():
            if pairing.second is None:
                meetings.append(Meeting(number, pairing.first, None, (2, 0), kind=Kind.BYE))
                continue
            kind = data.draw(st.sampled_from([Kind.PLAYED] * 5 + [Kind.FORFEIT]))
            result = data.draw(st.sampled_from([(2, 0), (0, 2), (1, 1)][: 3 if kind is Kind.PLAYED else 2]))
            meetings.append(Meeting(number, pairing.first, pairing.second, result, kind=kind))
