"""Every table against a recount of every game, in tournaments in which a lot goes otherwise than planned."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.results import tables
from arena.theory.standings.order import TIE_BREAKS
from tests.conformance.recount import recount
from tests.conformance.stories import PLANS, Story
from tests.conformance.test_tournaments import MakeWorld, make_world

__all__ = ["make_world"]

BOARD = {"game": "reversed_reversi", "params": {"size": 4}, "opening_plies": 2}
NAMES = [name for name in TIE_BREAKS if name not in {"direct", "average_rating", "buchholz_cut2", "lot"}]
LEAST = {"discs", "time"}
"""What is the better the less it is; the fewest discs win in the stories' game."""


@pytest.mark.parametrize("fmt", PLANS)
@given(seed=st.integers(0, 2**32), rounds=st.sampled_from([3, 3, 9]))
@settings(max_examples=1, deadline=None)
def test_every_table_is_what_its_games_add_up_to(
    make_world: MakeWorld, fmt: str, seed: int, rounds: int
) -> None:
    """After byes, walkovers, withdrawals, late entries, annulments and decisions by the staff.

    What is shown is a recount's to the last digit, and everybody stands where these numbers say.
    """
    story = Story(make_world(), fmt, seed, seed + 1, game=BOARD)
    if "rounds" in PLANS[fmt].get("options", {}):
        story.plan = PLANS[fmt] | {"options": {"rounds": rounds}}
    story.tell()
    check_recounted(story)


@pytest.mark.parametrize("reports", [51, pytest.param(83, marks=pytest.mark.long)])
@pytest.mark.parametrize("fmt", PLANS)
def test_every_table_is_so_while_games_are_to_be_played(
    make_world: MakeWorld, fmt: str, reports: int
) -> None:
    """Also where a pairing has one game of two: every tie-break counts the same games.

    Two stories of a format are looked at after so many results, and earlier.
    """
    looks = list[int]()

    def look(story: Story) -> None:
        if story.reported in {7, 23, 51, reports}:
            check_recounted(story)
            looks.append(story.reported)

    plan = PLANS[fmt] | {"openings": 1}
    if "rounds" in plan.get("options", {}):
        plan |= {"options": {"rounds": 9}}
    story = Story(make_world(), fmt, reports, reports + 1, BOARD, plan, reports=reports, look=look)
    story.tell()
    check_recounted(story)
    assert 7 in looks


def check_recounted(story: Story) -> None:
    """What is shown is a recount's, and everybody stands where that says."""
    with story.world.database.reading() as session:
        cup = story.world.get(session)
        expected = recount(session, cup, json.loads)
        for name in NAMES:
            if name not in expected:
                continue
            cup.standings_order = [name]
            found = tables.table(session, cup)
            shown = {line.number: line.tie_breaks[0] for line in found.standings}
            units = TIE_BREAKS[name].units
            assert shown == {
                number: None if value is None else round(float(value / units), 3)
                for number, value in expected[name].items()
            }, name
            if not found.bracket and not any(line.left_as == "disqualified" for line in found.standings):
                values = [expected[name][line.number] for line in found.standings]
                for better, worse in pairwise(values):
                    assert worse is None or (
                        better is not None and (better <= worse if name in LEAST else better >= worse)
                    ), name
        session.rollback()
