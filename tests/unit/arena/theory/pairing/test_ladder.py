"""Who meets next on a ladder."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from arena.theory.pairing.contract import Detail, Entrant, Kind, Meeting
from arena.theory.pairing.formats import find_format
from arena.theory.pairing.information import Rated, choose, rated
from arena.theory.rating.counts import Counts, Pair
from arena.theory.rating.davidson import Model
from arena.theory.rating.fit import PRIOR_DEVIATION, maximise
from tests.conformance.formats import entrants

MANY = np.full(4, 100)


def _variances(deviations: list[float]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    squares = np.square(deviations)
    found = squares[:, None] + squares[None, :]
    np.fill_diagonal(found, 0)
    return np.asarray(found, dtype=np.float64)


def test_equals_meet_if_all_are_known_as_well() -> None:
    """Of four strengths, the two next to each other are paired: their games are open."""
    strengths = np.array([0.0, 3.0, 0.1, 3.1])
    assert sorted(map(sorted, choose(Rated(strengths, _variances([1, 1, 1, 1])), MANY, 0))) == [
        [0, 2],
        [1, 3],
    ]


def test_those_little_is_known_of_meet_if_all_are_equal() -> None:
    """The two with the largest errors are paired first."""
    chosen = choose(Rated(np.zeros(4), _variances([1, 3, 1, 2])), MANY, 0)
    assert sorted(chosen[0]) == [1, 3]


def test_a_pairing_has_the_largest_product_of_both() -> None:
    """The first pair maximises p(1-p) times the variance of the difference."""
    chance = np.random.default_rng(5)
    strengths, deviations = chance.normal(0, 1, 9), list(chance.uniform(0.1, 2, 9))
    gain = {
        (i, j): (p := 1 / (1 + np.exp(strengths[j] - strengths[i])))
        * (1 - p)
        * (deviations[i] ** 2 + deviations[j] ** 2)
        for i in range(9)
        for j in range(i + 1, 9)
    }
    first = choose(Rated(strengths, _variances(deviations)), np.full(9, 50), 0)[0]
    assert tuple(sorted(first)) == max(gain, key=lambda pair: gain[pair])


@pytest.mark.parametrize("nu", [0.0, 0.3, 5.0])
def test_a_draw_is_an_outcome_of_its_own(nu: float) -> None:
    """What a game tells is the variance of its points by Davidson's model, summed over its three outcomes."""
    chance = np.random.default_rng(6)
    strengths, deviations = chance.normal(0, 2, 9), list(chance.uniform(0.1, 2, 9))
    gain = {}
    for i, j in combinations(range(9), 2):
        lead = strengths[i] - strengths[j]
        weights = np.array([np.exp(lead / 2), nu, np.exp(-lead / 2)])
        shares, points = weights / weights.sum(), np.array([1, 0.5, 0])
        openness = shares @ points**2 - (shares @ points) ** 2
        gain[i, j] = openness * (deviations[i] ** 2 + deviations[j] ** 2)
    first = choose(Rated(strengths, _variances(deviations), nu), np.full(9, 50), 0)[0]
    assert tuple(sorted(first)) == max(gain, key=lambda pair: gain[pair])


def test_draws_change_what_is_known_as_in_the_ratings() -> None:
    """Strengths, errors and the share of draws are those of the ratings' own model with a prior."""
    drawn = [Meeting(at, 1, 2, (1, 1)) for at in range(10)]
    split = [Meeting(at, 1, 2, (2, 0) if at % 2 else (0, 2)) for at in range(10)]
    level, decided = rated([1, 2], drawn, [1, 2]), rated([1, 2], split, [1, 2])
    assert level.draw > 1 > decided.draw == 0
    assert level.strengths == pytest.approx(decided.strengths)
    counts = Counts.of(2, [Pair(0, 1, 0, 10, 0)])
    model = Model(counts, seat=False, draws=True, precision=PRIOR_DEVIATION**-2)
    covariance = np.linalg.inv(model.hessian(maximise(model)))
    spread = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert level.variances[0, 1] == pytest.approx(spread)
    assert level.draw == pytest.approx(np.exp(maximise(model)[-1]))


def test_two_draws_are_not_a_win_and_a_loss() -> None:
    """A pairing from both seats that was level either way tells which, where its games are told."""
    level = Meeting(1, 1, 2, (2, 2), 2, detail=Detail((0, 0), (0, 0), (0, 0), 2))
    won = level._replace(detail=Detail((1, 1), (0, 0), (0, 0), 2))
    assert rated([1, 2], [level], [1, 2]).draw > 0 == rated([1, 2], [won], [1, 2]).draw


def test_walkovers_tell_nothing_beside_games() -> None:
    """Of two games one was not played: what is known is what the other tells."""
    half = Detail((2, 0), (0, 0), (0, 0), 1, walkovers=(1, 0))
    begun = Meeting(1, 1, 2, (4, 0), 2, detail=half, unplayed=1)
    both, one = rated([1, 2], [begun], [1, 2]), rated([1, 2], [Meeting(1, 1, 2, (2, 0))], [1, 2])
    assert (both.strengths == one.strengths).all()
    assert (both.variances == one.variances).all()


def test_walkovers_are_no_games_of_a_newcomer() -> None:
    """With three games and a walkover 4 is below four games, and paired before the two that tell most."""
    fmt = find_format("ladder", {"newcomer_games": 4})
    met = [Meeting(1, 1, 2, (4, 4), 4), Meeting(2, 1, 3, (0, 8), 4)]
    last = Meeting(3, 4, 3, (8, 0), 4)
    told = [fmt.next_round(entrants(4), [*met, each], 4, 1) for each in (last._replace(unplayed=1), last)]
    assert [{each[0].first, each[0].second} for each in told if each] == [{3, 4}, {2, 3}]


def test_newcomers_come_first() -> None:
    """One below the floor is paired before two whose game would tell more."""
    games = np.array([50, 50, 3, 50])
    chosen = choose(Rated(np.array([0.0, 0.0, 9.0, 0.5]), _variances([3, 3, 0.1, 0.1])), games, 10)
    assert 2 in chosen[0]


def test_a_new_version_begins_again() -> None:
    """What the old version played does not count: as if it had not been."""
    old = [
        Meeting(1, 1, 2, (2, 0)),
        Meeting(1, 3, 4, (2, 0)),
        Meeting(2, 1, 3, (2, 0)),
        Meeting(2, 2, 4, (2, 0)),
    ]
    known = [Entrant(1, joined=3), *entrants(4)[1:]]
    fmt = find_format("ladder")
    others = [each for each in old if 1 not in each[1:3]]
    assert fmt.next_round(known, old, 3, 7) == fmt.next_round(known, others, 3, 7)
    assert fmt.next_round(entrants(4), old, 3, 7) != fmt.next_round(entrants(4), others, 3, 7)


def test_openings_follow_each_other_and_start_again() -> None:
    """The same two play another opening each time, from both seats, until all were played."""
    fmt, played = find_format("ladder", {}, 3), []
    meetings: list[Meeting] = []
    for number in range(1, 5):
        (pairing,) = fmt.next_round(entrants(2), meetings, number, 0) or ()
        played.append(pairing.openings)
        assert pairing.games == 2
        meetings.append(Meeting(number, pairing.first, pairing.second, (2, 2), 2))
    assert played == [(1,), (2,), (3,), (1,)]


def test_forfeits_and_byes_tell_nothing() -> None:
    """Only meetings that were played change who meets next."""
    fmt = find_format("ladder")
    idle = [Meeting(1, 1, 2, (2, 0), 1, Kind.FORFEIT), Meeting(1, 3, None, (2, 0), 1, Kind.BYE)]
    assert fmt.next_round(entrants(5), idle, 2, 1) == fmt.next_round(entrants(5), (), 2, 1)


def test_it_ends_only_when_nobody_is_left_to_meet() -> None:
    """It goes on for ever; with one left it is over, and a round in which nobody is there is empty."""
    fmt = find_format("ladder")
    assert fmt.next_round(entrants(3), (), 10**6, 0)
    assert fmt.extent(3) is None
    assert fmt.next_round([Entrant(1), Entrant(2, left=5)], (), 5, 0) is None
    assert fmt.next_round([Entrant(1), Entrant(2, absent=(5,))], (), 5, 0) == ()
