"""Sequential tests: by hand, by symmetry, against direct maximisation, and their false alarms."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.optimize import minimize

from arena.experiments.simulations import make_spec, strategy_player
from arena.theory.statistics.sprt import (
    MODELS,
    NORMALIZED,
    SCALES,
    Sprt,
    logistic_score,
    moments,
    observed,
    with_deviations,
    with_mean,
)
from arena.theory.statistics.stopping import decided_by, observations, rule_name, sprt_summary
from engines.games import find_game
from tests.unit.workers.simulation.specs import spec_of
from workers.simulation.chunks import play_chunk
from workers.simulation.contract import SimulationSpec, Tally
from workers.simulation.prefix import Prefix

COUNTS = [(100, 2000, 5000, 2100, 120), (3, 0, 14, 15, 9), (300, 250, 320), (0, 5, 7)]


def _best(counts: Sequence[int], score: float | None, deviations: float | None) -> float:
    """The greatest log-likelihood under one of the two constraints, found by a general optimiser."""
    total, shares = observed(counts)
    values = np.linspace(0, 1, len(counts))

    def held(chances: np.ndarray) -> float:
        mean = float(chances @ values)
        if score is not None:
            return mean - score
        return mean - 0.5 - (deviations or 0) * math.sqrt(chances @ (values - mean) ** 2)

    found = minimize(
        lambda chances: -float(np.array(shares) @ np.log(chances)),
        np.full(len(counts), 1 / len(counts)),
        bounds=[(1e-9, 1)] * len(counts),
        constraints=[{"type": "eq", "fun": held}, {"type": "eq", "fun": lambda chances: chances.sum() - 1}],
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-13},
    )
    assert found.success
    return -total * float(found.fun)


def test_wins_and_losses_alone_are_walds_test() -> None:
    """Without draws the ratio is that of two binomials: by hand, up to what is added for draws."""
    test = Sprt(elo0=0, elo1=100, model="trinomial")
    score = 1 / (1 + 10 ** (-1 / 4))
    by_hand = 60 * math.log(score / 0.5) + 40 * math.log((1 - score) / 0.5)
    assert test.ratio((40, 0, 60)) == pytest.approx(by_hand, abs=1e-3)
    assert list(test.bounds) == pytest.approx([math.log(1 / 19), math.log(19)])
    assert logistic_score(0) == 0.5
    assert logistic_score(400) == pytest.approx(10 / 11)


def test_the_bounds_are_walds() -> None:
    """The bounds follow from both chances of a mistake."""
    bounds = Sprt(elo0=0, elo1=5, alpha=0.01, beta=0.1).bounds
    assert list(bounds) == pytest.approx([math.log(0.1 / 0.99), math.log(0.9 / 0.01)])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("outcomes", [3, 5])
def test_the_ratio_is_that_of_the_two_greatest_likelihoods(seed: int, outcomes: int) -> None:
    """On random counts, both scales, it agrees with maximising the likelihoods directly."""
    chance = random.Random(100 * outcomes + seed)
    counts = [chance.randint(1, 60) for _ in range(outcomes)]
    model = MODELS[0] if outcomes == 5 else MODELS[1]
    elo0 = chance.uniform(-60, 40)
    elo1 = elo0 + chance.uniform(5, 60)
    logistic = Sprt(elo0=elo0, elo1=elo1, model=model)
    expected = _best(counts, logistic_score(elo1), None) - _best(counts, logistic_score(elo0), None)
    assert logistic.ratio(counts) == pytest.approx(expected, abs=1e-4)
    normalized = Sprt(elo0=elo0, elo1=elo1, model=model, elo="normalized")
    units = [elo / NORMALIZED * math.sqrt(2 if outcomes == 5 else 1) for elo in (elo0, elo1)]
    expected = _best(counts, None, units[1]) - _best(counts, None, units[0])
    assert normalized.ratio(counts) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("scale", SCALES)
def test_exchanging_the_players_turns_the_ratio_round(counts: tuple[int, ...], scale: str) -> None:
    """From the other side, with both hypotheses turned round, the ratio is the same with the other sign."""
    there = Sprt.model_validate({"elo0": -3, "elo1": 8, "elo": scale})
    back = Sprt.model_validate({"elo0": -8, "elo1": 3, "elo": scale})
    assert there.ratio(counts) == pytest.approx(-back.ratio(counts[::-1]), abs=1e-9)
    even = Sprt.model_validate({"elo0": -5, "elo1": 5, "elo": scale})
    assert even.ratio(tuple(map(sum, zip(counts, counts[::-1], strict=True)))) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_the_likeliest_chances_keep_to_the_hypothesis(seed: int) -> None:
    """Chances add up to one and have the mean, or the deviations, that were asked for."""
    chance = random.Random(seed)
    counts = [chance.choice([0, 1, 3, 100, 10_000]) for _ in range(5)]
    counts[chance.randrange(5)] += 1
    shares = observed(counts).shares
    score, deviations = chance.uniform(0.1, 0.9), chance.uniform(-0.8, 0.8)
    held = with_mean(shares, score)
    assert sum(held) == pytest.approx(1)
    assert moments(held)[0] == pytest.approx(score)
    held = with_deviations(shares, deviations)
    assert sum(held) == pytest.approx(1)
    mean, deviation = moments(held)
    assert (mean - 0.5) / deviation == pytest.approx(deviations, abs=1e-6)


def test_where_the_hypothesis_is_what_was_seen_it_is_the_likeliest() -> None:
    """Shares that have the mean already stay as they are."""
    shares = observed((10, 20, 40, 20, 10)).shares
    assert with_mean(shares, 0.5) == pytest.approx(shares)
    assert with_deviations(shares, 0) == pytest.approx(shares)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"elo0": 5, "elo1": 5}, "elo0 is less"),
        ({"alpha": 0.5}, "alpha"),
        ({"beta": 0}, "beta"),
        ({"elo1": 1e4}, "elo1"),
        ({"elo": "normalized", "elo1": 300}, "normalized Elo lies"),
        ({"look": 0}, "look"),
        ({"model": "binomial"}, "model"),
    ],
)
def test_impossible_tests_are_refused(changes: dict[str, object], named: str) -> None:
    """A test that asks nothing, or for the impossible, is told of."""
    with pytest.raises(ValidationError, match=named):
        Sprt.model_validate({"elo0": 0, "elo1": 10} | changes)


def heap_nim_games(seed: int, games: int = 4000) -> SimulationSpec:
    """A simulation of two random players of heap Nim."""
    game = find_game("heap_nim", {"heaps": [3, 4, 5]})
    players = strategy_player("random", game), strategy_player("random", game)
    return make_spec(game, players, games=games, seed=seed, swap=True)


@pytest.mark.parametrize("model", MODELS)
def test_false_alarms_are_as_rare_as_they_are_meant_to_be(model: str) -> None:
    """Of 120 tests between equal players (one kernel, 120 seeds) few more than alpha find a difference."""
    test = Sprt.model_validate({"elo0": 0, "elo1": 80, "alpha": 0.1, "beta": 0.1, "model": model, "look": 5})
    verdicts = []
    for seed in range(120):
        spec = heap_nim_games(seed, 3000)
        prefix = Prefix(stop=decided_by(spec, test), every=test.every)
        for start in range(0, spec.games, 300):
            for block in play_chunk(spec, start, 300, cut=test.every):
                prefix.add(block)
            if prefix.stopped:
                break
        verdicts.append(test.verdict(observations(test, prefix.tally)))
    assert "undecided" not in verdicts
    assert 2 <= verdicts.count("elo1") <= 20


def test_without_exchanged_seats_there_are_no_pairs() -> None:
    """A simulation whose seats stay cannot be tested by pairs."""
    with pytest.raises(ValueError, match="exchanges the seats"):
        decided_by(spec_of(), Sprt(elo0=0, elo1=5))


def test_a_journal_tells_tests_apart() -> None:
    """Each test has a name of its own, other than every interval's."""
    names = {rule_name(None, 0.95, "wilson", Sprt(elo0=0, elo1=elo)) for elo in (5, 6)}
    assert len(names | {rule_name(None, 0.95, "wilson"), rule_name(0.1, 0.95, "wilson")}) == 4


def test_the_summary_is_about_what_was_counted() -> None:
    """Counts, ratio and verdict are those of the observations, and before the first game there is no Elo."""
    tally = Tally(games=200, results=((60, 0, 40), (40, 0, 60)), ends={"end": 200}, pairs=(20, 0, 40, 0, 40))
    test = Sprt(elo0=0, elo1=20, model="trinomial")
    told = sprt_summary(test, tally)
    assert told["counts"] == [80, 0, 120]
    assert told["llr"] == test.ratio((80, 0, 120))
    assert told["verdict"] == "undecided"
    assert told["elo"]["low"] < told["elo"]["median"] < told["elo"]["high"]
    assert sprt_summary(test, Tally())["elo"] is None
