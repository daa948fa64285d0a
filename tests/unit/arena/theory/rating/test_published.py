"""Ratings against figures that others published, by the games that make another model the same as ours."""

from __future__ import annotations

import math

import pytest

from arena.theory.rating.counts import Counts, Pair
from arena.theory.rating.fit import fit
from arena.theory.rating.scale import ELO
from arena.theory.rating.superiority import difference_variances
from arena.theory.rating.table import Entrant, rate

# American League East, 1987: home and away wins, as A. Agresti, *Categorical Data Analysis* (2002), section
# 10.6, and the R package BradleyTerry2 have them.
TEAMS = ("Baltimore", "Boston", "Cleveland", "Detroit", "Milwaukee", "New York", "Toronto")
BASEBALL = """
Milwaukee: Detroit 4-3, Toronto 4-2, New York 4-3, Boston 6-1, Cleveland 4-2, Baltimore 6-0
Detroit: Milwaukee 3-3, Toronto 4-2, New York 4-3, Boston 6-0, Cleveland 6-1, Baltimore 4-3
Toronto: Milwaukee 2-5, Detroit 4-3, New York 2-4, Boston 4-3, Cleveland 4-2, Baltimore 6-0
New York: Milwaukee 3-3, Detroit 5-1, Toronto 2-5, Boston 4-3, Cleveland 4-2, Baltimore 6-1
Boston: Milwaukee 5-1, Detroit 2-5, Toronto 3-3, New York 4-2, Cleveland 5-2, Baltimore 6-0
Cleveland: Milwaukee 2-5, Detroit 3-3, Toronto 3-4, New York 4-3, Boston 4-2, Baltimore 2-4
Baltimore: Milwaukee 2-5, Detroit 1-5, Toronto 1-6, New York 2-4, Boston 1-6, Cleveland 3-4
"""

# With the advantage of playing at home: estimates against Baltimore and standard errors, as R printed them
# (`tests/baseball.Rout.save` of BradleyTerry2).
PRINTED = {
    "Boston": ("1.1438", "0.3378"),
    "Cleveland": ("0.7047", "0.3350"),
    "Detroit": ("1.4754", "0.3446"),
    "Milwaukee": ("1.6196", "0.3474"),
    "New York": ("1.2813", "0.3404"),
    "Toronto": ("1.3271", "0.3403"),
}
PRINTED_HOME = ("0.3023", "0.1309")

# Three programs, 30 games of each two: K. Laskos, "EloStat, Bayeselo and Ordo", talkchess.com, 24 June 2012,
# who works out 191, 0 and -191 by hand for the logistic curve with draws as half a win.
HALF_POINTS = [Pair(0, 1, 18, 9, 3), Pair(1, 2, 18, 9, 3), Pair(0, 2, 24, 6, 0)]


def _baseball() -> list[Pair]:
    pairs = []
    for line in BASEBALL.strip().splitlines():
        home, _, scores = line.partition(": ")
        for score in scores.split(", "):
            away, _, wins = score.rpartition(" ")
            won, lost = map(int, wins.split("-"))
            pairs.append(Pair(TEAMS.index(home), TEAMS.index(away), won, 0, lost))
    return pairs


def test_bradley_and_terry_with_the_advantage_of_home_as_r_prints_it() -> None:
    """Six differences, the advantage and all standard errors are those of R, to its last digit."""
    found = fit(Counts.of(7, _baseball()))
    spread = difference_variances(found)
    for team, printed in PRINTED.items():
        at = TEAMS.index(team)
        difference, error = found.strengths[at] - found.strengths[0], math.sqrt(spread[at, 0])
        assert (f"{difference:.4f}", f"{error:.4f}") == printed
    assert found.seat is not None
    assert (f"{found.seat[0]:.4f}", f"{found.seat[1]:.4f}") == PRINTED_HOME


def _as_half_points(pairs: list[Pair]) -> list[Pair]:
    """Every game twice, a draw as one won and one lost: the logistic model of points that Ordo fits."""
    return [Pair(a, b, 2 * wins + draws, 0, 2 * losses + draws) for a, b, wins, draws, losses in pairs]


def test_half_points_give_the_logistic_curves_ratings() -> None:
    """75 %, 75 % and 90 % are 191 Elo, twice; with Ordo's own scale, 202 for 76 %, 192.5."""
    entrants = [Entrant(at, at, name, 1, "team") for at, name in enumerate(("houdini", "strelka", "komodo"))]
    found = rate(entrants, _as_half_points(HALF_POINTS))
    assert [f"{line.rating:.0f}" for line in found.lines] == ["191", "0", "-191"]
    assert found.lines[0].rating == pytest.approx(400 * math.log10(3), abs=1e-3)
    ordo = 202 / math.log(0.76 / 0.24) / ELO
    assert [f"{(line.rating or 0) * ordo:.1f}" for line in found.lines] == ["192.5", "0.0", "-192.5"]


def test_half_points_solve_ordos_equations() -> None:
    """The points of everybody, and of the first movers, are what Ordo's manual demands of its ratings.

    That is its section *Model for rating calculation* and that on the white advantage: predicted points are
    the sum of 1 / (1 + exp(-beta (difference + advantage))), and equal those that were made.
    """
    pairs = [
        Pair(0, 1, 5, 3, 2), Pair(1, 0, 4, 1, 5), Pair(0, 2, 6, 2, 2), Pair(2, 0, 3, 4, 3),
        Pair(1, 3, 2, 5, 3), Pair(3, 2, 7, 0, 3), Pair(3, 0, 1, 2, 6),
    ]  # fmt: skip
    found = fit(Counts.of(4, _as_half_points(pairs)))
    assert found.seat is not None
    made, predicted = [0.0] * 4, [0.0] * 4
    first_made = first_predicted = 0.0
    for a, b, wins, draws, losses in pairs:
        share = 1 / (1 + math.exp(-(found.strengths[a] - found.strengths[b] + found.seat[0])))
        games, points = wins + draws + losses, wins + draws / 2
        first_made, first_predicted = first_made + points, first_predicted + games * share
        for entry, own, expected in ((a, points, share), (b, games - points, 1 - share)):
            made[entry] += own
            predicted[entry] += games * expected
    assert predicted == pytest.approx(made, abs=1e-6)
    assert first_predicted == pytest.approx(first_made, abs=1e-6)


def test_with_draws_differences_are_odds_of_wins_to_losses() -> None:
    """Near equality Davidson's difference is (2 + nu) / 2 times that of the points, as the documents say."""
    entrants = [Entrant(at, at, str(at), 1, "team") for at in range(2)]
    pairs = [Pair(0, 1, 110, 200, 100), Pair(1, 0, 98, 204, 106)]
    ours, halves = rate(entrants, pairs), rate(entrants, _as_half_points(pairs))
    assert ours.draw is not None
    assert (ours.lines[0].rating or 0) * 2 / (2 + ours.draw[0]) == pytest.approx(
        halves.lines[0].rating, rel=1e-3
    )
