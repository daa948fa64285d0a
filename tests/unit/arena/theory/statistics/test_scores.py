"""Mean scores and their errors."""

from __future__ import annotations

import math
import random
import statistics

import pytest

from arena.theory.statistics.intervals import wilson
from arena.theory.statistics.scores import effective_interval, multinomial_error, paired_error, score_estimate
from arena.theory.statistics.shares import share_interval

POINTS = {0: 1.0, 1: 0.5, 2: 0.0}


@pytest.mark.parametrize("counts", [(5, 3, 2), (100, 0, 50), (1, 1, 1), (0, 7, 3)])
def test_the_error_is_that_of_the_list_of_scores(counts: tuple[int, int, int]) -> None:
    """Mean and standard error are those of the scores written out one by one."""
    scores = [POINTS[column] for column, count in enumerate(counts) for _ in range(count)]
    estimate = score_estimate(counts)
    assert estimate.mean == pytest.approx(statistics.fmean(scores))
    assert estimate.error == pytest.approx(statistics.pstdev(scores) / math.sqrt(len(scores)))
    assert multinomial_error(counts) == estimate.error


def test_without_draws_the_score_is_the_share_of_wins() -> None:
    """The interval is then that of the share, by the method asked for."""
    for method in ("wilson", "clopper-pearson"):
        estimate = score_estimate((30, 0, 70), confidence=0.9, method=method)
        assert estimate.method == method
        assert estimate.interval == share_interval(30, 100, 0.9, method)
    assert effective_interval(0.3, multinomial_error((30, 0, 70)), 100) == pytest.approx(wilson(30, 100))


def test_draws_make_the_interval_narrower() -> None:
    """With many games it is the mean with 1.96 multinomial errors to each side, less than wins alone have."""
    estimate = score_estimate((30_000, 40_000, 30_000))
    assert estimate.method == "multinomial"
    assert estimate.error == pytest.approx(math.sqrt(0.25 - 0.1) / math.sqrt(100_000))
    assert estimate.interval == pytest.approx(
        (0.5 - 1.96 * estimate.error, 0.5 + 1.96 * estimate.error), abs=1e-6
    )
    assert estimate.interval.half_width < wilson(50_000, 100_000).half_width


@pytest.mark.parametrize("counts", [(10, 0, 0), (0, 10, 0), (0, 0, 10), (9, 1, 0), (0, 1, 9)])
def test_few_equal_games_do_not_make_a_sure_score(counts: tuple[int, int, int]) -> None:
    """Where the error is nothing or next to it, the interval is neither empty nor beyond 0 and 1."""
    low, high = score_estimate(counts).interval
    assert 0 <= low <= score_estimate(counts).mean <= high <= 1
    assert high - low > 0.2


def test_the_interval_covers_the_true_mean() -> None:
    """Of 2,000 samples of 60 games with draws about 95 % have the true mean in their interval."""
    chance = random.Random(1)
    covered = 0
    for _ in range(2000):
        games = chance.choices((0, 1, 2), (0.2, 0.3, 0.5), k=60)
        low, high = score_estimate((games.count(0), games.count(1), games.count(2))).interval
        covered += low <= 0.35 <= high
    assert 0.93 < covered / 2000 < 0.97


def test_pairs_have_an_error_of_their_own() -> None:
    """It is that of the list of the pairs' mean scores; pairs that even out tell more than their games."""
    pairs = (10, 20, 100, 30, 15)
    means = [half_points / 4 for half_points, count in enumerate(pairs) for _ in range(count)]
    assert paired_error(pairs) == pytest.approx(statistics.pstdev(means) / math.sqrt(len(means)))
    counts = (110, 150, 90)
    paired = score_estimate(counts, pairs)
    assert paired.method == "pentanomial"
    assert paired.mean == pytest.approx(statistics.fmean(means))
    assert paired.error < score_estimate(counts).error


def test_independent_games_have_the_same_error_in_pairs() -> None:
    """Where two games of a pair have nothing to do with each other, both errors agree."""
    wins, games = 0.3, 100_000
    pairs = (games * 0.49, 0, games * 0.42, 0, games * 0.09)
    by_games = multinomial_error((int(2 * games * wins), 0, int(2 * games * (1 - wins))))
    assert paired_error([round(count) for count in pairs]) == pytest.approx(by_games)


def test_no_games_have_no_score() -> None:
    """An estimate from nothing is refused."""
    with pytest.raises(ValueError, match="without games"):
        score_estimate((0, 0, 0))
