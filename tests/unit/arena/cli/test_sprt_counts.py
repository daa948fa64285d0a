"""`arena experiment sprt`: a test of games that were counted elsewhere."""

from __future__ import annotations

import pytest

from tests.unit.arena.cli.conftest import Run


def test_counted_pairs_are_tested(run: Run) -> None:
    """Ratio, verdict and Elo of counted pairs are those that fastchess prints for them."""
    words = ("experiment", "sprt", "379,10170,21828,10640,343", "--elo1", "2", "--elo", "normalized")
    ran = run(*words)
    assert ran.code == 0, ran.err
    assert "log-likelihood ratio +2.945 between -2.944 and +2.944: 2 Elo is accepted" in ran.out
    assert "normalized Elo +3.05 ± 2.31 without the stop" in ran.out
    told = run(*words, "--json").json()
    assert (told["verdict"], told["model"], told["scale"]) == ("elo1", "pentanomial", "normalized")


def test_three_counts_are_losses_draws_and_wins(run: Run) -> None:
    """Three numbers are games by themselves; without any there is nothing to estimate."""
    assert run("experiment", "sprt", "10,30,60", "--json").json()["model"] == "trinomial"
    told = run("experiment", "sprt", "0,0,0", "--json").json()
    assert (told["verdict"], told["elo"], told["plain"]) == ("undecided", None, None)


def test_an_end_that_is_too_far_away_is_no_figure(run: Run) -> None:
    """Where an interval ends beyond 1000 Elo, that is said on both scales, and of no other figure."""
    out = run("experiment", "sprt", "20,0,1,0,0").out
    assert "logistic Elo -627.10 (beyond -1000.00 to -343.32," in out
    assert "normalized Elo -1089.42 (beyond -1142.76 to -870.06," in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("1,2",), "three or five whole numbers"),
        (("1,2,x",), "three or five whole numbers"),
        (("1,2,3", "--elo0", "20"), "elo0 is less"),
        (("1,2,3", "--confidence", "95"), "between 0 and 1"),
    ],
)
def test_what_cannot_be_tested_is_a_usage_error(run: Run, words: tuple[str, ...], says: str) -> None:
    """Other counts, and impossible questions, exit with 2 and say why."""
    ran = run("experiment", "sprt", *words)
    assert ran.code == 2
    assert says in ran.err
