"""The longest match is exactly what clocks and rules allow."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest

from arena.planning.longest import OVERHEAD_SECONDS, answering_ms, longest_match, most_answers
from engines.games import find_game
from workers.core.contract import Limits, Policy, TimeControl
from workers.play.clock import NS_PER_MS, Clock


def _longest_by_trying(clock: Clock, answers: int) -> int:
    """The most that `clock` lets a bot take, by every sequence of whole milliseconds."""
    if answers == 0:
        return 0
    best = 0
    for took in range(1, clock.allowed_ns() // NS_PER_MS + 1):
        after = copy(clock)
        if after.charge(took * NS_PER_MS).in_time:
            best = max(best, took + _longest_by_trying(after, answers - 1))
    return best


@pytest.mark.parametrize("answers", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "control",
    [
        {"extensions": 0},
        {"extensions": 0, "grace_ms": 1},
        {"extensions": 1, "extension_ms": 5},
        {"extensions": 2, "extension_ms": 4, "grace_ms": 1},
        {"extensions": 0, "bank_ms": 3, "increment_ms": 1},
        {"extensions": 1, "extension_ms": 6, "bank_ms": 2},
        {"extensions": 1, "extension_ms": 6, "bank_ms": 0, "increment_ms": 3},
        {"extensions": 2, "extension_ms": 5, "bank_ms": 1, "increment_ms": 2, "grace_ms": 1},
        {"extensions": 2, "extension_ms": 2, "bank_ms": 4},
    ],
)
def test_a_bot_can_take_that_long_and_no_longer(control: dict[str, Any], answers: int) -> None:
    """The formula is the most that a clock allows over all ways to spend bank, increments, extensions."""
    time = TimeControl(move_ms=2, **{"grace_ms": 0, **control})
    assert answering_ms(time, answers) == _longest_by_trying(Clock(time), answers)


def test_rules_and_policy_bound_the_answers() -> None:
    """Empty squares, stones and the limit of plies do, whichever is less; those of an opening are gone."""
    reversi = find_game("reversed_reversi", {"size": 4})
    assert most_answers(reversi) == 12
    assert most_answers(reversi, ("c1", "b1")) == 10
    assert most_answers(reversi, ("c1", "b1"), Policy(max_plies=7)) == 5
    assert most_answers(reversi, ("c1", "b1"), Policy(max_plies=1)) == 0
    assert most_answers(find_game("heap_nim", {"heaps": [3, 4, 5]})) == 12
    assert most_answers(find_game("circle_nim", {"rows": 5})) == 15
    assert most_answers(find_game("l_game")) == 500


def test_the_longest_match_has_starts_and_both_bots() -> None:
    """Both starts, both bots' answers and what is allowed besides add up, each bot within its limit."""
    control = TimeControl(move_ms=1000, extensions=1, extension_ms=3000, startup_ms=500, grace_ms=0)
    assert longest_match(control, Limits(), 5) == 5 + 2 * 2 + 2 * 0.5 + OVERHEAD_SECONDS
    assert longest_match(control, Limits(wall_seconds=3), 5) == 3 + 3 + 1 + OVERHEAD_SECONDS
    assert longest_match(control, Limits(), 0) == 1 + OVERHEAD_SECONDS


def test_answers_may_fall_unevenly_to_the_bots() -> None:
    """Where one bot can use what both could not, it counts: a bot that is asked twice adds an increment."""
    control = TimeControl(move_ms=1000, extensions=0, bank_ms=0, increment_ms=2000, grace_ms=0)
    assert longest_match(control, Limits(), 2) == 1 + 3 + 20 + OVERHEAD_SECONDS
