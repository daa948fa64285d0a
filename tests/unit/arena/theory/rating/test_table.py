"""The table of ratings: scale, order, superiority, newcomers, resampling."""

from __future__ import annotations

import math
import random

import pytest

from arena.theory.rating.counts import Pair
from arena.theory.rating.resampling import OpeningPair, resample
from arena.theory.rating.scale import ELO
from arena.theory.rating.table import Entrant, RatingOptions, rate

NAMES = "abcd"
ENTRANTS = [Entrant(10 + at, at + 1, name, 1, "team") for at, name in enumerate(NAMES)]
PAIRS = [
    Pair(10, 11, 8, 0, 2),
    Pair(11, 10, 5, 0, 5),
    Pair(10, 12, 7, 1, 2),
    Pair(12, 10, 4, 2, 4),
    Pair(11, 12, 5, 0, 5),
    Pair(12, 11, 6, 1, 3),
]


def test_ratings_are_on_the_elo_scale_around_nought() -> None:
    """Odds of ten to one between two bots are 400 points, half to each side of the mean of 0."""
    found = rate(ENTRANTS[:2], [Pair(10, 11, 10, 0, 1), Pair(11, 10, 1, 0, 10)])
    assert [line.rating for line in found.lines] == [200, -200]
    assert found.seat is not None
    assert list(found.seat) == pytest.approx([0, ELO * math.sqrt(11 / 10 / 2)], abs=1e-3)


def test_the_table_is_the_same_in_every_order() -> None:
    """Shuffled entrants and results give an equal table, with the resampled errors too."""
    openings = [OpeningPair(10, 11, (1, 0, 0), (0, 0, 1), 4), OpeningPair(11, 12, (0, 1, 0), (1, 0, 0), 5)]
    openings += [OpeningPair(10, 12, (0, 0, 1), (0, 0, 1), 3), OpeningPair(10, 12, (1, 0, 0), (0, 1, 0), 3)]
    wish = RatingOptions(resamples=20, seed=4, pairwise=True)
    table = rate(ENTRANTS, PAIRS, openings, wish)
    chance = random.Random(3)
    for _ in range(5):
        entrants, pairs = list(ENTRANTS), list(PAIRS)
        chance.shuffle(entrants)
        chance.shuffle(pairs)
        chance.shuffle(openings)
        assert rate(entrants, pairs, openings, wish) == table


def test_who_has_not_played_stands_last_without_a_rating() -> None:
    """A newcomer, and one whose games were all forfeited by both, change nobody's rating."""
    with_newcomer = rate(ENTRANTS, [*PAIRS, Pair(10, 13, 0, 0, 0)])
    alone = rate(ENTRANTS[:3], PAIRS)
    assert with_newcomer.lines[:3] == alone.lines
    assert (with_newcomer.lines[3].rank, with_newcomer.lines[3].rating) == (None, None)
    assert rate(ENTRANTS, []).lines[0].rating is None


def test_superiority_is_the_normal_probability_of_the_difference() -> None:
    """Two likelihoods add up to one, fall along the table, and for two bots follow from rating and error."""
    found = rate(ENTRANTS[:3], PAIRS, wish=RatingOptions(pairwise=True))
    over = [line.over or () for line in found.lines]
    assert [over[at][at] for at in range(3)] == [None] * 3
    assert (over[0][1] or 0) + (over[1][0] or 0) == pytest.approx(1)
    assert (over[0][2] or 0) > (over[0][1] or 0) > 0.5
    assert found.lines[0].over_next == over[0][1]
    assert found.lines[2].over_next is None
    best = rate(ENTRANTS[:2], PAIRS[:2]).lines[0]
    expected = 0.5 * math.erfc(-(best.rating or 0) / (best.error or 1) / math.sqrt(2))
    assert best.over_next == pytest.approx(expected, abs=1e-5)


def test_equal_ratings_share_a_rank() -> None:
    """Bots that cannot be told apart have one rank, in the order of their entries."""
    found = rate(ENTRANTS[:2], [Pair(10, 11, 2, 0, 2), Pair(11, 10, 2, 0, 2)])
    assert [(line.rank, line.entrant.bot, line.rating) for line in found.lines] == [(1, "a", 0), (1, "b", 0)]


def test_resampling_whole_pairs_sees_that_their_games_go_together() -> None:
    """Where a pair's two games are always won by one bot, the error is √2 times that of independent games."""
    times = 400
    together = [
        OpeningPair(0, 1, (1, 0, 0), (0, 0, 1), times // 2),
        OpeningPair(0, 1, (0, 0, 1), (1, 0, 0), times // 2),
    ]
    table = rate(ENTRANTS[:2], [Pair(10, 11, 200, 0, 200), Pair(11, 10, 200, 0, 200)])
    found = resample(2, together, 400, seed=1)
    error = (table.lines[0].error or 0) / ELO
    assert found.errors[0] == pytest.approx(math.sqrt(2) * error, rel=0.15)
    assert found.with_prior == 0


def test_resampling_tells_how_often_a_prior_was_needed() -> None:
    """Few pairs of games leave somebody unbeaten in some resamples, and that is counted."""
    few = [OpeningPair(0, 1, (1, 0, 0), (0, 0, 1), 1), OpeningPair(0, 1, (0, 0, 1), (1, 0, 0), 1)]
    assert 0 < resample(2, few, 50, seed=1).with_prior < 50


def test_resamples_belong_to_their_seed() -> None:
    """The same seed draws the same errors, another one others; one resample tells no error."""
    pairs = [OpeningPair(0, 1, (1, 0, 0), (0, 0, 1), 9), OpeningPair(0, 1, (0, 0, 1), (1, 0, 0), 7)]
    errors = [resample(2, pairs, 10, seed).errors.tolist() for seed in (1, 1, 2)]
    assert errors[0] == errors[1] != errors[2]
    with pytest.raises(ValueError, match="two resamples"):
        resample(2, pairs, 1, seed=1)
