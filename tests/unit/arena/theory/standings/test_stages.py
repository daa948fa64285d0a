"""The stages of a bracket."""

from __future__ import annotations

from itertools import permutations

from arena.theory.pairing.contract import Kind, Meeting
from arena.theory.standings.stages import Stage, Tie, stages

MEETINGS = [
    Meeting(1, 1, 2, (2, 0), 1, Kind.PLAYED, "A"),
    Meeting(2, 1, 4, (2, 2), 2, Kind.PLAYED, "semi-final"),
    Meeting(2, 3, None, (0, 0), 1, Kind.BYE, "semi-final"),
    Meeting(3, 4, 1, (3, 1), 2, Kind.PLAYED, "semi-final tie-break 1"),
    Meeting(4, 3, 4, (0, 2), 1, Kind.PLAYED, "final"),
]


def test_a_bracket_is_told_by_its_stages() -> None:
    """Groups are left out, tie-breaks stand with what they decide, and no order of the meetings matters."""
    expected = [
        Stage(
            "semi-final",
            (Tie(1, 4, (2, 2), 2, 0), Tie(3, None, (0, 0), 1, 0), Tie(4, 1, (3, 1), 2, 1)),
        ),
        Stage("final", (Tie(3, 4, (0, 2), 1, 0),)),
    ]
    assert all(stages(order) == expected for order in permutations(MEETINGS))
    assert stages(MEETINGS[:1]) == []
