"""When enough games have been played."""

from __future__ import annotations

import pytest

from arena.theory.statistics.intervals import wilson
from arena.theory.statistics.sprt import MODELS, Sprt
from arena.theory.statistics.stopping import decided_by, first_score, observations, rule_name, stop_at
from tests.unit.workers.simulation.specs import spec_of
from workers.simulation.contract import Tally
from workers.simulation.runner import simulate


def _tally(won: int, lost: int, pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)) -> Tally:
    games = won + lost
    return Tally(games=games, results=((won, 0, lost), (0, 0, 0)), ends={"end": games}, pairs=pairs)


def test_it_stops_when_the_interval_is_narrow_enough() -> None:
    """The rule is the half width of the interval that the results are told with."""
    enough = stop_at(spec_of(), 0.03)
    assert wilson(500, 1000).half_width > 0.03 > wilson(550, 1100).half_width
    assert not enough(_tally(500, 500))
    assert enough(_tally(550, 550))


def test_all_wins_are_not_sure_at_once() -> None:
    """A thousand wins in a row leave an interval that is not nothing."""
    assert not stop_at(spec_of(), 0.0001)(_tally(1000, 0))
    assert stop_at(spec_of(), 0.01)(_tally(1000, 0))


def test_pairs_are_used_only_where_openings_make_them() -> None:
    """Swapped seats alone leave games independent; with openings the pairs' error counts."""
    tally = _tally(500, 500, pairs=(10, 0, 480, 0, 10))
    assert first_score(spec_of(swap=True), tally).method == "wilson"
    paired = first_score(spec_of(swap=True, openings=(("1:1",),)), tally)
    assert paired.method == "pentanomial"
    assert paired.error < first_score(spec_of(), tally).error


def test_a_simulation_stops_by_it() -> None:
    """The game after which it stops is the first thousand whose interval is narrow enough."""
    spec = spec_of(games=10**6)
    tally, stopped = simulate(spec, jobs=2, stop=stop_at(spec, 0.011))
    assert stopped
    assert first_score(spec, tally).interval.half_width <= 0.011
    assert tally.games == 8000


def test_a_sequential_test_is_about_the_first_player() -> None:
    """By games or by pairs, who wins more is accepted as the better one, and who loses more is not."""
    for model in MODELS:
        decided = decided_by(spec_of(swap=True), test := Sprt(elo0=0, elo1=20, model=model))
        better, worse = _tally(700, 300, (40, 0, 220, 0, 240)), _tally(300, 700, (240, 0, 220, 0, 40))
        assert (decided(better), test.verdict(observations(test, better))) == (True, "elo1")
        assert (decided(worse), test.verdict(observations(test, worse))) == (True, "elo0")


@pytest.mark.parametrize(("half_width", "confidence"), [(0.0, 0.95), (0.5, 0.95), (0.01, 1.0), (0.01, 95)])
def test_impossible_rules_are_refused(half_width: float, confidence: float) -> None:
    """Widths and confidences lie between their bounds."""
    with pytest.raises(ValueError, match="between 0 and"):
        stop_at(spec_of(), half_width, confidence)


def test_rules_have_names_that_tell_them_apart() -> None:
    """No rule has no name; every number in one is in its name."""
    names = {
        rule_name(None, 0.95, "wilson"),
        rule_name(0.01, 0.95, "wilson"),
        rule_name(0.02, 0.95, "wilson"),
        rule_name(0.01, 0.9, "wilson"),
        rule_name(0.01, 0.95, "clopper-pearson"),
    }
    assert len(names) == 5
    assert "" in names
