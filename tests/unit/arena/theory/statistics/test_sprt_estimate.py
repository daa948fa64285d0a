"""What a sequential test's difference is estimated at, against plain estimates and random walks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from arena.theory.statistics.sprt import MAX_ELO, SCALES, Sprt, logistic_score
from arena.theory.statistics.sprt_estimate import Motion, Outcome, estimate


@pytest.mark.parametrize("drift", [-2.0, 0.0, 1.5])
def test_the_chances_are_those_of_a_random_walk(drift: float) -> None:
    """Reaching either bound, or neither, comes out as in 20,000 seeded walks of 1,000 steps."""
    random, steps, walks = np.random.default_rng(3), 1000, 20_000
    low, high, spent = -2.0, 3.0, 4.0
    size = math.sqrt(spent / steps)
    at, ended = np.zeros(walks), np.zeros(walks, dtype=int)
    for _ in range(steps):
        at = np.where(ended == 0, at + drift / steps + size * random.standard_normal(walks), at)
        ended = np.where(at >= high - 0.5826 * size, 1, np.where(at <= low + 0.5826 * size, -1, ended))
    motion = Motion(low, high, spent, drift)
    found = [motion.hits_high(), motion.hits_low(), motion.stays_above(0.5)]
    seen = [(ended == 1).mean(), (ended == -1).mean(), ((ended == 0) & (at >= 0.5)).mean()]
    assert found == pytest.approx(seen, abs=0.015)


@pytest.mark.parametrize("drift", [-40.0, -1.0, 0.0, 3.0, 60.0])
@pytest.mark.parametrize("spent", [0.01, 1.0, 50.0])
def test_something_happens(drift: float, spent: float) -> None:
    """The chances of reaching the upper bound, the lower one, and neither add up to one, however extreme."""
    motion = Motion(-2.9, 2.9, spent, drift)
    assert motion.hits_high() + motion.hits_low() + motion.stays_above(-2.9) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("scale", SCALES)
def test_far_from_the_bounds_it_is_the_plain_estimate(scale: str) -> None:
    """Bounds that were never near leave mean and interval almost as they are without a test."""
    test = Sprt.model_validate({"elo0": -1, "elo1": 1, "alpha": 1e-9, "beta": 1e-9, "elo": scale})
    counts = (90, 200, 410, 210, 90)
    found = estimate(test, counts)
    assert found is not None
    mean = sum(place / 4 * count for place, count in enumerate(counts)) / 1000
    spread = math.sqrt(sum((place / 4 - mean) ** 2 * count for place, count in enumerate(counts)) / 1000)
    low, high = (mean + sign * 1.959964 * spread / math.sqrt(1000) for sign in (-1, 1))
    if scale == "logistic":
        plain = [400 * math.log10(score / (1 - score)) for score in (mean, low, high)]
    else:
        plain = [(score - 0.5) / (spread * math.sqrt(2)) * 800 / math.log(10) for score in (mean, low, high)]
    assert list(found[:3]) == pytest.approx(plain, abs=0.05)


def test_a_test_that_stopped_early_exaggerates_and_the_estimate_knows() -> None:
    """After a decision for elo1 the median lies below the share of points, and inside the interval."""
    counts = (35, 0, 81, 0, 71)
    found = estimate(Sprt(elo0=0, elo1=20), counts)
    assert found is not None
    mean = (81 / 2 + 71) / sum(counts)
    assert found.low < found.median < 400 * math.log10(mean / (1 - mean)) < found.high


def test_the_other_players_estimate_is_the_opposite() -> None:
    """Exchanging players and hypotheses turns the estimate and its interval round."""
    counts = (3, 10, 30, 14, 9)
    there, back = estimate(Sprt(elo0=-5, elo1=9), counts), estimate(Sprt(elo0=-9, elo1=5), counts[::-1])
    assert there is not None
    assert back is not None
    turned = [-back.median, -back.high, -back.low, 1 - back.superiority]
    assert list(there) == pytest.approx(turned, abs=1e-5)


@pytest.mark.parametrize("counts", [(0, 0, 0, 0, 0), (0, 0, 9, 0, 0), (0, 0, 0, 0, 30)])
def test_games_that_all_ended_equally_tell_no_spread(counts: tuple[int, ...]) -> None:
    """Without two different ends there is no estimate."""
    assert estimate(Sprt(elo0=0, elo1=5), counts) is None


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    "counts",
    [
        (5, 14, 33),
        (0, 12, 13, 27, 28),
        (1, 20, 300, 900, 779),
        (93, 50, 14, 5, 0),
        (0, 0, 1, 5, 994),
        (9, 0, 1),
    ],
)
def test_a_greater_difference_never_makes_a_higher_outcome_less_likely(
    counts: tuple[int, ...], scale: str
) -> None:
    """The chance that is solved for rises all the way, so that every level of it has one difference."""
    model = "pentanomial" if len(counts) == 5 else "trinomial"
    test = Sprt.model_validate({"elo0": 0, "elo1": 5, "elo": scale, "model": model})
    seen = Outcome.of(test, counts)
    chances = [seen.chance_above(elo) for elo in np.linspace(-MAX_ELO, MAX_ELO, 101)]
    assert np.diff(chances).min() > -1e-12


def test_tests_that_stop_early_have_intervals_with_two_ends() -> None:
    """Of 50 tests of 0 against 20 Elo at a true 200, few reach beyond 1000; nearly all hold the 200."""
    lost = 1 - logistic_score(200)
    game = np.array([0.7 * lost, 0.6 * lost, 1 - 1.3 * lost])
    random, test = np.random.default_rng(11), Sprt(elo0=0, elo1=20)
    beyond = held = 0
    for _ in range(50):
        counts = np.zeros(5, dtype=int)
        while (counts > 0).sum() < 2 or test.verdict(counts.tolist()) == "undecided":
            counts += random.multinomial(4, np.convolve(game, game))
        found = estimate(test, counts.tolist())
        assert found is not None
        beyond += found.high == MAX_ELO
        held += found.low <= 200 <= found.high
    assert beyond <= 8
    assert held >= 45
