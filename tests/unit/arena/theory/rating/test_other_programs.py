"""The models of other programs against what these print."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.optimize import check_grad

from arena.theory.rating.bayeselo import RaoKupper, fit_bayeselo
from arena.theory.rating.counts import Counts, Pair
from arena.theory.rating.fit import UnratableError
from arena.theory.rating.models import ModelName
from arena.theory.rating.ordo import fit_ordo
from arena.theory.rating.scale import ELO
from arena.theory.rating.table import Entrant, RatingOptions, Ratings, rate

# Five players who met in both seats, and a sixth who won all of two games in either seat against each.
PAIRS = [
    Pair(0, 1, 2, 3, 4), Pair(0, 2, 6, 1, 0), Pair(0, 3, 7, 1, 1), Pair(0, 4, 3, 1, 0),
    Pair(1, 0, 2, 1, 1), Pair(1, 2, 3, 1, 0), Pair(1, 3, 4, 2, 3), Pair(1, 4, 2, 1, 1),
    Pair(2, 0, 4, 1, 3), Pair(2, 1, 3, 2, 4), Pair(2, 3, 2, 2, 0), Pair(2, 4, 3, 5, 1),
    Pair(3, 0, 2, 2, 1), Pair(3, 1, 0, 1, 3), Pair(3, 2, 3, 1, 3), Pair(3, 4, 4, 1, 0),
    Pair(4, 0, 1, 2, 3), Pair(4, 1, 0, 0, 4), Pair(4, 2, 2, 1, 3), Pair(4, 3, 2, 0, 2),
    *(Pair(5, other, 2, 0, 0) for other in range(5)), *(Pair(other, 5, 0, 0, 2) for other in range(5)),
]  # fmt: skip
ENTRANTS = [Entrant(at, at, name, 1, "") for at, name in enumerate("abcdef")]

# Ordo's iteration (release 1.2), for these games: ratings, white advantage, and draw rate in percent.
ORDO: dict[ModelName, tuple[str, str | None, str]] = {
    "ordo": ("69.4 119.9 -28.3 -29.0 -132.0 728.5", "58.80", "26.58"),
    "ordo-plain": ("73.9 111.7 -22.7 -32.2 -130.8 728.7", None, "50.00"),
}

# BayesElo's `mm 1 1` and `mm`, then `covariance`, `ratings`, `advantage`, `drawelo` and `los` (release 0057):
# ratings, half widths of 95 % intervals, both parameters, and how likely f, a and d are above c, in ‰.
BAYESELO: dict[ModelName, tuple[str, str, str, str, str]] = {
    "bayeselo": ("-27 19 -122 -119 -207 456", "77 81 77 82 87 227", "55.2", "112.5", "1000 971 526"),
    "bayeselo-plain": ("-26 15 -119 -118 -204 451", "79 82 79 83 88 233", "32.8", "97.3", "1000 966 505"),
}


def _table(model: ModelName) -> tuple[Ratings, list[float], list[float | None]]:
    """The table, and ratings and errors in the order of `ENTRANTS`."""
    table = rate(ENTRANTS, PAIRS, wish=RatingOptions(pairwise=True, model=model))
    lines = sorted(table.lines, key=lambda line: line.entrant.number)
    return table, [line.rating or 0.0 for line in lines], [line.error for line in lines]


@pytest.mark.parametrize("model", ORDO)
def test_ratings_are_those_that_ordo_prints(model: ModelName) -> None:
    """To its last digit: ratings, of who has a perfect score too, white advantage and draw rate."""
    ratings, seat, share = ORDO[model]
    table, found, errors = _table(model)
    assert " ".join(f"{each:.1f}" for each in found) == ratings
    assert (table.seat and f"{table.seat[0]:.2f}") == seat
    assert table.draw is not None
    assert f"{100 * table.draw[0]:.2f}" == share
    assert errors[5] is None
    assert table.lines[0].over_next is None


def test_ordos_equations_are_solved_where_it_stops_early() -> None:
    """Of five players with 18 games its `-W` prints ratings that miss the points made; ours miss none."""
    pairs = [
        (0, 1, 1, 1, 1),
        (1, 2, 1, 1, 1),
        (2, 3, 0, 1, 2),
        (3, 4, 3, 0, 0),
        (4, 0, 0, 0, 3),
        (2, 4, 2, 1, 0),
    ]
    printed, advantage = [190.3, 84.9, -20.6, 213.0, -467.6], -96.06
    found = fit_ordo(Counts.of(5, [Pair(*each) for each in pairs]), fitted=True)
    assert found.seat is not None
    ours = [each * ELO for each in found.strengths]
    assert _missed(pairs, ours, found.seat[0] * ELO) == pytest.approx([0] * 6, abs=1e-9)
    assert max(map(abs, _missed(pairs, printed, advantage))) > 0.02
    assert max(abs(one - other) for one, other in zip(ours, printed, strict=True)) > 10


def _missed(pairs: Sequence[tuple[int, ...]], ratings: list[float], advantage: float) -> list[float]:
    """By how many points the expectations of everybody, and of the first movers, miss those made."""
    missed = [0.0] * (len(ratings) + 1)
    for first, second, wins, draws, losses in pairs:
        lead = (ratings[first] - ratings[second] + advantage) * math.log(0.76 / 0.24) / 202
        over = wins + draws / 2 - (wins + draws + losses) / (1 + math.exp(-lead))
        for place, share in ((first, over), (second, -over), (len(ratings), over)):
            missed[place] += share
    return missed


@pytest.mark.parametrize("model", BAYESELO)
def test_ratings_are_those_that_bayeselo_prints(model: ModelName) -> None:
    """To its last digit: ratings, intervals, advantage, drawelo and likelihoods of superiority."""
    ratings, widths, seat, draw, above = BAYESELO[model]
    table, found, errors = _table(model)
    assert " ".join(f"{each:.0f}" for each in found) == ratings
    assert " ".join(f"{1.959964 * (each or 0):.0f}" for each in errors) == widths
    assert table.seat is not None
    assert table.draw is not None
    assert (f"{table.seat[0]:.1f}", f"{table.draw[0]:.1f}") == (seat, draw)
    place = [line.entrant.bot for line in table.lines]
    over = {line.entrant.bot: (line.over or ())[place.index("c")] for line in table.lines if line.over}
    assert " ".join(f"{1000 * (over[name] or 0):.0f}" for name in "fad") == above


@pytest.mark.parametrize(("times", "printed"), [(1, "166 0 -166"), (4, "173 0 -173")])
def test_bayeselos_published_example(times: int, printed: str) -> None:
    """The three programs of K. Laskos (talkchess.com, 24 June 2012), and four times their games, by `mm 1 1`.

    He does not tell who had which seat, and printed -165 and -172 for the last.
    """
    pairs = [
        Pair(*seats, wins // 2, draws // 2, losses - losses // 2)
        for one, other, *ends in ((0, 1, 18, 9, 3), (1, 2, 18, 9, 3), (0, 2, 24, 6, 0))
        for seats, (wins, draws, losses) in [((one, other), [times * each for each in ends])]
    ] + [
        Pair(
            other,
            one,
            losses * times // 2,
            times * draws - times * draws // 2,
            times * wins - times * wins // 2,
        )
        for one, other, wins, draws, losses in ((0, 1, 18, 9, 3), (1, 2, 18, 9, 3), (0, 2, 24, 6, 0))
    ]
    found = fit_bayeselo(Counts.of(3, pairs))
    assert " ".join(f"{each * ELO:.0f}".replace("-0", "0") for each in found.strengths) == printed


def test_ordos_errors_are_those_of_games_drawn_anew() -> None:
    """The standard deviations over 400 tournaments drawn by the fitted chances, as Ordo simulates them."""
    counts = Counts.of(5, PAIRS[:20])
    found = fit_ordo(counts, fitted=True)
    assert found.seat is not None
    assert found.draw is not None
    leads = found.strengths[counts.first] - found.strengths[counts.second] + found.seat[0]
    expected = 1 / (1 + np.exp(-leads * ELO * math.log(0.76 / 0.24) / 202))
    nu = 2 * found.draw[0] / (1 - found.draw[0])
    draws = np.array([_draw_chance(float(each), nu) for each in expected])
    chances = np.stack([expected - draws / 2, draws, 1 - expected - draws / 2], axis=1)
    random = np.random.default_rng(7)
    again = [
        fit_ordo(
            Counts(5, counts.first, counts.second, random.multinomial(counts.games, chances)), fitted=True
        )
        for _ in range(400)
    ]
    spread = np.std([each.strengths for each in again], axis=0)
    assert spread == pytest.approx(found.errors, rel=0.15)
    assert np.std([each.seat[0] for each in again if each.seat]) == pytest.approx(found.seat[1], rel=0.15)
    assert np.std([each.draw[0] for each in again if each.draw]) == pytest.approx(found.draw[1], rel=0.15)


def _draw_chance(points: float, nu: float) -> float:
    """Davidson's chance of a draw where so many points are expected, by halving."""
    low, high = 0.0, 2 * min(points, 1 - points)
    for _ in range(60):
        at = (low + high) / 2
        low, high = (
            (at, high) if at < nu * math.sqrt((points - at / 2) * (1 - points - at / 2)) else (low, at)
        )
    return low


def test_rao_and_kuppers_derivatives() -> None:
    """The gradient, and the second derivatives, are those of the function, advantage and t among them."""
    counts = Counts.of(5, PAIRS[:20])
    outcomes = counts.outcomes.astype(np.float64) + 0.25
    model = RaoKupper(counts, seat=True, draws=True, outcomes=outcomes, known=None)
    at = np.array([0.3, -0.2, 0.1, 0.5, -0.7, 0.2, 0.6])
    assert (
        check_grad(lambda x: model.value_and_gradient(x)[0], lambda x: model.value_and_gradient(x)[1], at)
        < 1e-4
    )
    width = 1e-6
    for place, row in enumerate(model.hessian(at)):
        step = width * np.eye(7)[place]
        rises = model.value_and_gradient(at + step)[1] - model.value_and_gradient(at - step)[1]
        assert row == pytest.approx(rises / (2 * width), abs=1e-5)


def test_everybody_adds_one_virtual_draw() -> None:
    """Two of six games of equals are drawn then, two thirds decided: 2 / (1 + exp(t)) = 2/3."""
    found = fit_bayeselo(Counts.of(2, [Pair(0, 1, 1, 0, 1), Pair(1, 0, 1, 0, 1)]))
    assert found.draw is not None
    assert found.strengths.tolist() == pytest.approx([0, 0])
    assert found.draw[0] == pytest.approx(math.log(2))


@pytest.mark.parametrize(
    ("pairs", "model", "said"),
    [
        ([(0, 1, 1, 1, 1), (2, 3, 1, 1, 1)], "ordo", "do not lead"),
        ([(0, 1, 1, 1, 1), (2, 3, 1, 1, 1)], "bayeselo-plain", "never met"),
        ([(0, 1, 1, 0, 0)], "ordo-plain", "do not lead"),
        ([(0, 1, 9, 0, 0), (1, 0, 9, 0, 0)], "ordo", "infinite advantage"),
        ([(0, 1, 0, 0, 4), (1, 0, 1, 0, 3)], "ordo", "infinite advantage"),
        (
            [(0, 1, 5, 0, 0), (0, 2, 4, 0, 0), (1, 2, 3, 0, 2), (2, 0, 3, 0, 3), (2, 1, 4, 0, 0)],
            "ordo",
            "infinite advantage",
        ),
        ([(0, 1, 0, 9, 0), (1, 0, 0, 9, 0)], "bayeselo", "infinite advantage"),
    ],
)
def test_games_without_ratings_by_them(pairs: list[tuple[int, ...]], model: ModelName, said: str) -> None:
    """Where Ordo stops, or BayesElo's iteration has no end, that is said in place of figures."""
    entrants = [Entrant(at, at, str(at), 1, "") for at in range(4)]
    with pytest.raises(UnratableError, match=said):
        rate(entrants, [Pair(*each) for each in pairs], wish=RatingOptions(model=model))


@pytest.mark.parametrize("model", ["ordo", "ordo-plain", "bayeselo", "bayeselo-plain"])
def test_the_order_of_games_and_players_changes_nothing(model: ModelName) -> None:
    """Tables of turned lists of entrants and results are equal, to the last digit."""
    table = rate(ENTRANTS, PAIRS, wish=RatingOptions(pairwise=True, model=model))
    assert rate(ENTRANTS[::-1], PAIRS[::-1], wish=RatingOptions(pairwise=True, model=model)) == table


@pytest.mark.parametrize("drawn", [0, 4])
def test_a_draw_share_at_either_end(drawn: int) -> None:
    """Without draws the share between equals is 0, where all games are drawn nearly 1, and Ordo goes on.

    Who only won a game then is where the chance of that is one half, if need be above a draw.
    """
    decided = 0 if drawn else 2
    pairs = [Pair(a, b, decided, drawn, decided // 2) for a, b in itertools.permutations(range(3), 2)]
    found = fit_ordo(Counts.of(4, [*pairs, Pair(3, 0, 1, 0, 0)]), fitted=True)
    assert found.draw is not None
    assert found.seat is not None
    assert found.draw[0] == pytest.approx(1 if drawn else 0, abs=1e-5)
    above = (found.strengths[3] + found.seat[0] - found.strengths[0]) * ELO
    assert above == pytest.approx(202 * math.log(3) / math.log(0.76 / 0.24) if drawn else 0, abs=0.01)


def test_the_most_draws_that_can_be_have_no_error() -> None:
    """Where no share of draws between equals would make more of them it is the last one, without an error."""
    found = fit_ordo(Counts.of(2, [Pair(0, 1, 0, 1, 1), Pair(1, 0, 4, 1, 0)]), fitted=True)
    assert found.draw is not None
    assert found.draw[0] == pytest.approx(1, abs=1e-5)
    assert found.draw[1] == 0
