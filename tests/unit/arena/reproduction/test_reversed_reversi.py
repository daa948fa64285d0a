"""The Reversed Reversi section: the opening, the results' form, and the group's program at play."""

from __future__ import annotations

import pytest

from arena.reproduction import reversed_reversi, reversi_matches
from arena.reproduction.effort import Effort
from arena.reproduction.findings import Section, Verdict

FEW = Effort(record_sets=2, set_games=3000, matches=1)


@pytest.fixture(scope="module")
def section() -> Section:
    """The section from one match of each kind."""
    done: list[None] = []
    made = reversed_reversi.reproduce(FEW, 0, 1, lambda: done.append(None))
    assert len(done) == reversi_matches.steps(FEW)
    return made


def test_the_opening_is_ours_and_its_example_is_not_in_it(section: Section) -> None:
    """Discs and playable squares agree; the example move and both places contradict the document itself."""
    found = {each.key: each.verdict for each in section.comparisons()}
    assert found["opening/playable"] is Verdict.EXACT
    slips = [key for key, verdict in found.items() if verdict is Verdict.SLIP]
    assert slips == ["opening/example", "results/1/place", "results/2/place"]
    assert not any(verdict is Verdict.DIFFERS for verdict in found.values())


def test_our_matches_stand_in_the_form_of_the_class(section: Section) -> None:
    """Four matches: discs of both sides, times in seconds, and the side with fewer discs placed first."""
    results = next(exhibit for exhibit in section.exhibits if exhibit.key == "results")
    assert results.ours is not None
    assert results.document is not None
    assert [row[0] for row in results.ours.rows] == [row[0] for row in results.document.rows]
    discs, times, places = (row[1:] for row in results.ours.rows)
    assert all(time.endswith("s") and float(time[:-1]) >= 0 for time in times)
    for at in range(0, 8, 2):
        first, second = int(discs[at]), int(discs[at + 1])
        expected = ("並列", "並列") if first == second else ("第一名", "第二名")
        assert places[at : at + 2] == (expected if first <= second else expected[::-1])


def test_squares_follow_the_array_row_by_row() -> None:
    """Row 2, column 4 of the document's array is e3."""
    assert reversed_reversi.square(2, 4) == "e3"
