"""What is assumed of matches that nothing was recorded of."""

from __future__ import annotations

import numpy as np
import pytest

from arena.core.terms import Source
from arena.planning.assumed import (
    REST_SECONDS,
    Checked,
    budget,
    from_checks,
    of_matches,
    prior,
    rescaled,
    typical_answers,
)
from arena.planning.longest import most_answers
from engines.games import GAMES, find_game
from workers.checks.contract import CheckReport, Step, StepReport
from workers.core.contract import TimeControl

MINUTE = TimeControl(move_ms=60_000)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_typical_game_is_one_of_the_game(name: str) -> None:
    """It has some answers, not more than the longest can have, and the same ones whenever asked."""
    game = find_game(name)
    found = typical_answers(game)
    assert 1 <= found <= most_answers(game)
    assert typical_answers.__wrapped__(game) == found


def test_a_budget_is_the_time_without_extensions() -> None:
    """Move time for every answer, the bank once, the increment after each answer but the last."""
    assert budget(MINUTE, 30) == 1800
    assert budget(TimeControl(move_ms=1000, bank_ms=5000, increment_ms=500), 3) == 3 + 5 + 1


def test_the_prior_covers_every_share_of_the_time() -> None:
    """Its bots use from a hundredth to all of their time, a fifth or so on average."""
    found = prior(MINUTE, 60)
    uses = np.array([use for (use,) in found.uses.values()])
    assert (found.source, found.games, found.rest) == (Source.PRIOR, 0, (REST_SECONDS,))
    assert (uses.min(), uses.max()) == (pytest.approx(18), pytest.approx(1800))
    assert 0.15 < uses.mean() / 1800 < 0.3


def _report(**took: int) -> CheckReport:
    steps = tuple(
        StepReport(step=Step(step), game="heap_nim", passed=True, took_ms=ms) for step, ms in took.items()
    )
    return CheckReport(check="1", passed=True, language="c", steps=steps, reproduce="")


def test_a_check_tells_what_a_seat_used() -> None:
    """What three handshakes took is no part of it; a check that is incomplete tells nothing."""
    checked = Checked.of(_report(handshake=500, random=1800, self_play=2500), "heap_nim")
    assert checked is not None
    assert checked.used == pytest.approx((0.8 + 2.0) / 4)
    assert Checked.of(_report(handshake=500, random=1800), "heap_nim") is None
    assert Checked.of(_report(handshake=500, random=1800, self_play=2500), "l_game") is None


def test_a_bot_that_watches_its_clock_takes_the_same_share() -> None:
    """One that used half of its time in the check uses half here; a quick one what it needs for an answer."""
    answers = 10
    watching = Checked(0.0, 0.0, 4 * 0.5 * 5 * 0.2)
    quick = Checked(0.0, 0.0, 4 * 5 * 0.001)
    found = from_checks({1: watching, 2: quick}, MINUTE, answers, answers)
    assert list(found.uses[1]) == [pytest.approx(0.5 * 5 * 60)]
    assert list(found.uses[2]) == [pytest.approx(5 * 0.001)]
    assert found.games == 2


def test_a_bot_whose_check_was_cut_short_is_taken_to_use_all_of_its_time() -> None:
    """How long its games would have been is not known, so that the forecast is on the safe side."""
    report = _report(handshake=500, random=1800, self_play=2500)
    steps = tuple(step.model_copy(update={"cut": step.step is Step.RANDOM}) for step in report.steps)
    checked = Checked.of(report.model_copy(update={"steps": steps}), "heap_nim")
    assert checked is not None
    found = from_checks({1: checked}, MINUTE, 10, 10)
    assert list(found.uses[1]) == [5 * 60]


def test_recorded_matches_are_taken_apart() -> None:
    """Every bot has what it used; the rest is what its match took besides, never less than nothing."""
    found = of_matches(Source.HISTORY, [(1, 2, 3.0, 4.0, 8.0), (2, 1, 1.0, 1.0, 1.5)])
    assert found is not None
    assert found.uses == {1: [3.0, 1.0], 2: [4.0, 1.0]}
    assert (found.rest, found.games) == ([1.0, 0.0], 2)
    assert of_matches(Source.HISTORY, []) is None


def test_another_time_limit_scales_what_bots_use() -> None:
    """Half the time halves what bots use, and nothing else."""
    found = of_matches(Source.HISTORY, [(1, 2, 3.0, 4.0, 8.0)])
    assert found is not None
    half = rescaled(found, 0.5)
    assert (half.uses, half.rest, half.games) == ({1: [1.5], 2: [2.0]}, [1.0], 1)
