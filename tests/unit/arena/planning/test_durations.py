"""Durations are drawn from what is known of the bots, as uncertain as that is."""

from __future__ import annotations

import numpy as np
import pytest

from arena.core.terms import Source
from arena.planning.durations import Durations, DurationSample

MANY = 4000
PAIR = np.array([[0, 1]])


def _evidence(uses: dict[int, list[float]], rest: tuple[float, ...] = (0.0,)) -> DurationSample:
    return DurationSample(Source.HISTORY, 1, uses, rest)


def _durations(
    evidence: DurationSample, bots: list[int | None], longest: float = 1e9, resamples: int = MANY
) -> Durations:
    return Durations(evidence, bots, longest, resamples, np.random.default_rng(5))


def test_a_match_takes_what_its_bots_use_and_the_rest() -> None:
    """Where every game is known to be alike, every match drawn is just the sum."""
    durations = _durations(_evidence({7: [3.0] * 4, 8: [3.0] * 4}, (0.5,)), [7, 8])
    assert (durations.of(PAIR) == 6.5).all()


def test_slow_bots_have_slow_matches() -> None:
    """Each bot's own games decide, with one of anybody's added to them."""
    durations = _durations(_evidence({7: [1.0] * 99, 8: [9.0] * 99}), [7, 8])
    fast, slow = durations.of(np.array([[0, 0], [1, 1]])).mean(axis=0)
    assert fast == pytest.approx(2 * (0.99 * 1 + 0.01 * 5), rel=0.03)
    assert slow == pytest.approx(2 * (0.99 * 9 + 0.01 * 5), rel=0.03)


def test_an_unknown_bot_is_like_one_of_the_others() -> None:
    """In each resample it is one of them throughout: its matches are all fast or all slow."""
    durations = _durations(_evidence({7: [1.0] * 99, 8: [9.0] * 99}), [None, None])
    means = durations.of(np.zeros((50, 2), dtype=np.int64)).mean(axis=1)
    assert ((means < 6) | (means > 14)).mean() > 0.95
    assert 0.45 < (means < 10).mean() < 0.55


def test_few_games_leave_more_doubt_than_many() -> None:
    """The mean of many matches scatters by how little is known of the bots, not only by chance."""
    few = _durations(_evidence({7: [1.0, 3.0], 8: [1.0, 3.0]}), [7, 8])
    many = _durations(_evidence({7: [1.0, 3.0] * 50, 8: [1.0, 3.0] * 50}), [7, 8])
    pairs = np.repeat(PAIR, 300, axis=0)
    assert few.of(pairs).mean(axis=1).std() > 3 * many.of(pairs).mean(axis=1).std()


def test_no_match_is_longer_than_the_longest() -> None:
    """What is drawn is cut off where a match must be over, single matches and sums of many."""
    durations = _durations(_evidence({7: [1.0, 50.0]}), [7, 7], longest=10)
    assert durations.of(np.repeat(PAIR, 9, axis=0)).max() == 10
    assert durations.total(np.array([9, 9])).max() <= 90


def test_the_sum_of_many_has_the_moments_of_single_ones() -> None:
    """A sum drawn as a whole has the mean and the scatter of a sum of matches drawn one by one."""
    evidence = _evidence({7: [1.0, 2.0, 6.0], 8: [3.0, 4.0]}, (0.5, 1.5))
    durations = _durations(evidence, [7, 8])
    pairs = np.repeat(PAIR, 40, axis=0)
    single, whole = durations.of(pairs).sum(axis=1), durations.total(np.array([40, 40]))
    assert whole.mean() == pytest.approx(single.mean(), rel=0.02)
    assert whole.std() == pytest.approx(single.std(), rel=0.08)


def test_what_is_left_of_a_match_is_what_it_can_still_take() -> None:
    """A match that is past its short durations has a long one; one past all of them is about to end."""
    durations = _durations(_evidence({7: [1.0] * 50 + [10.0] * 50}), [7], resamples=500)
    pairs = np.array([[0, 0]])
    assert set(np.unique(durations.left(pairs, np.array([11.5])))) <= {0.0, 8.5}
    assert (durations.left(pairs, np.array([11.5])) == 8.5).mean() > 0.9
    assert (durations.left(pairs, np.array([30.0])) == 0).all()


def test_nothing_known_is_an_error() -> None:
    """Without any game, or without the rest of any match, nothing can be drawn."""
    with pytest.raises(ValueError, match="one bot or more"):
        _durations(_evidence({7: []}), [7])
    with pytest.raises(ValueError, match="one match or more"):
        _durations(_evidence({7: [1.0]}, ()), [7])
