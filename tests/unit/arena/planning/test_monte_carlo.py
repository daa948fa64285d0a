"""A rehearsal finds the matches that the format itself will ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from arena.planning.monte_carlo import (
    EndlessError,
    Progress,
    at_the_start,
    by_chance,
    level,
    met,
    stages,
)
from arena.planning.stages import Stage
from arena.theory.pairing.contract import Entrant, Meeting
from arena.theory.pairing.format import Format
from arena.theory.pairing.formats import find_format
from arena.theory.pairing.schedule import expand

FORMATS: list[tuple[str, dict[str, Any], int]] = [
    ("round_robin", {"cycles": 3}, 0),
    ("double_round_robin", {}, 2),
    ("gauntlet", {"heroes": (1, 3)}, 1),
    ("swiss", {}, 1),
    ("swiss", {"rounds": 3}, 0),
    ("knockout", {}, 0),
    ("knockout", {"best_of": 3, "third_place": True}, 2),
    ("knockout", {"tie_breaks": 0}, 1),
    ("groups", {"groups": 2, "qualifiers": 2}, 1),
]
COUNTS = (5, 8, 13)


def _random() -> np.random.Generator:
    return np.random.default_rng(3)


def _stages(fmt: Format, now: Progress, *, longest: bool = False) -> list[Stage]:
    random = _random()
    return list(stages(fmt, now, level if longest else by_chance(random), random))


def _total(found: list[Stage]) -> int:
    return sum(stage.matches for stage in found)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize(("name", "options", "openings"), FORMATS)
def test_there_are_as_many_matches_as_the_format_says(
    name: str, options: Mapping[str, Any], openings: int, count: int
) -> None:
    """By chance there are no fewer and no more than the format's own bounds; with level results the most."""
    fmt = find_format(name, options, openings)
    extent = fmt.extent(count)
    assert extent is not None
    assert extent.games_least <= _total(_stages(fmt, at_the_start(count))) <= extent.games_most
    assert _total(_stages(fmt, at_the_start(count), longest=True)) == extent.games_most


@pytest.mark.parametrize("options", [{}, {"rounds": 4}])
@pytest.mark.parametrize("count", [4, 5, 8, 9])
def test_who_comes_late_makes_a_swiss_no_longer(count: int, options: dict[str, Any]) -> None:
    """Whoever joins or leaves, the rounds that are foreseen are those that the format itself will pair."""
    fmt = find_format("swiss", options)
    for late in range(6):
        known = [Entrant(number, left=3 if number <= count - 4 else None) for number in range(1, count + 1)]
        known += [Entrant(count + at, joined=2) for at in range(1, late + 1)]
        paired, meetings = 0, list[Meeting]()
        matches = []
        while (pairings := fmt.next_round(known, meetings, paired + 1, 0)) is not None:
            paired += 1
            meetings += [met(each, paired, level) for each in pairings]
            matches.append(sum(each.second is not None for each in pairings))
        for done in range(paired):
            found = _stages(fmt, Progress(known, (), done))
            assert [stage.matches for stage in found] == matches[done:]


def test_a_swiss_of_which_one_is_left_is_foreseen_to_be_over() -> None:
    """Three of four leave after the first round: nothing more is paired, however many rounds were meant."""
    known = [Entrant(1), *(Entrant(number, left=2) for number in (2, 3, 4))]
    assert _stages(find_format("swiss", {"rounds": 5}), Progress(known, (), 1)) == []


@pytest.mark.parametrize("name", ["round_robin", "swiss"])
def test_everybody_plays_as_often_as_in_the_tournament(name: str) -> None:
    """With an even number of bots each has the same number of games."""
    fmt = find_format(name, {}, 1)
    found = _stages(fmt, at_the_start(8))
    played = sum(stage.seats + np.bincount(stage.last.ravel(), minlength=8) for stage in found)
    assert len(set(np.asarray(played).tolist())) == 1


def test_groups_play_at_once_and_a_bracket_in_stages() -> None:
    """All group games are one stage; every stage of the bracket waits for the one before."""
    fmt = find_format("groups", {"groups": 2, "qualifiers": 2, "tie_breaks": 0}, 0)
    assert [stage.matches for stage in _stages(fmt, at_the_start(8))] == [12, 2, 1]


@pytest.mark.parametrize(("name", "options", "openings"), FORMATS)
def test_what_is_left_after_some_rounds_is_the_rest(
    name: str, options: Mapping[str, Any], openings: int
) -> None:
    """The matches of the rounds that are paired and those that are left make up a whole tournament."""
    fmt, start = find_format(name, options, openings), at_the_start(8)
    meetings: list[Meeting] = []
    games = 0
    for number in (1, 2):
        pairings = fmt.next_round(start.entrants, meetings, number, 0)
        assert pairings is not None
        games += sum(1 for _ in expand(pairings, number))
        meetings += [met(pairing, number, level) for pairing in pairings]
    rest = _stages(fmt, start._replace(meetings=meetings, paired=2), longest=True)
    extent = fmt.extent(8)
    assert extent is not None
    assert games + _total(rest) == extent.games_most


def test_who_has_left_plays_no_more() -> None:
    """From the round in which somebody leaves, its pairings of a round robin are walkovers and missing."""
    fmt, start = find_format("round_robin"), at_the_start(6)
    entrants = [each._replace(left=3) if each.number == 2 else each for each in start.entrants]
    (found,) = _stages(fmt, Progress(entrants))
    assert found.matches == 15 - 3
    assert (found.last == 1).sum() == 2


def test_a_ladder_without_end_says_so() -> None:
    """What goes on until somebody ends it has no stages."""
    with pytest.raises(EndlessError):
        _stages(find_format("ladder"), at_the_start(4))
