"""Games of two players counted from both sides."""

from __future__ import annotations

import pytest

from arena.local.encounters import Counts, Encounter, Encounters
from arena.theory.statistics.sprt import Sprt

FIRST, SECOND, DRAWN, BOTH_LOST = (2, 0), (0, 2), (1, 1), (0, 0)


def encounter(*games: tuple[int, int], sprt: Sprt | None = None) -> Encounter:
    """These games, in their order."""
    made = Encounter(sprt)
    for number, game in enumerate(games):
        made.add(number, game)
    return made


def test_each_sees_the_games_from_its_side() -> None:
    """Wins of one are losses of the other, and what both forfeited is won by nobody."""
    one, other = encounter(FIRST, SECOND, FIRST, DRAWN, BOTH_LOST, BOTH_LOST).counts
    assert (one.results, other.results) == ((3, 1, 2), (4, 1, 1))
    assert (one.points, other.points, one.games) == (2.5, 1.5, 6)
    assert (one.pairs, other.pairs) == ((1, 0, 1, 1, 0), (1, 1, 1, 0, 0))


def test_a_game_counts_in_a_pair_once_its_partner_is_there() -> None:
    """In whatever order they come in."""
    lone = encounter(FIRST, SECOND, FIRST).counts[0]
    assert (lone.games, lone.pairs) == (3, (0, 0, 1, 0, 0))
    late = Encounter()
    for number, made in ((3, SECOND), (0, FIRST), (1, DRAWN), (2, DRAWN)):
        late.add(number, made)
    assert late.counts[0].pairs == (0, 1, 0, 1, 0)


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        (Counts((96, 111, 136)), ("40.70", "30.43", "99.60 %")),
        (Counts((150, 200, 230), (34, 54, 63, 64, 75)), ("55.58", "27.65", "100.00 %")),
        (Counts((1000, 1860, 1000), (332, 433, 498, 333, 334)), ("-8.64", "10.33", "5.05 %")),
    ],
)
def test_elo_is_what_fastchess_prints(counts: Counts, told: tuple[str, str, str]) -> None:
    """By pairs where every game has its partner, else by games; published in its tests."""
    elo = counts.elo()
    assert elo is not None
    assert told == (f"{elo.logistic:.2f}", f"{elo.logistic_error:.2f}", f"{100 * elo.superiority:.2f} %")


@pytest.mark.parametrize("counts", [Counts(), Counts((5, 0, 0)), Counts((2, 0, 2), (0, 0, 2, 0, 0))])
def test_where_all_ended_equally_nothing_is_told(counts: Counts) -> None:
    """Neither how far apart they are, nor with which error."""
    assert counts.elo() is None


def test_a_test_is_judged_by_its_pairs_in_order() -> None:
    """Games that ended early decide nothing before those in front of them, nor what comes after the end."""
    sprt = Sprt(elo0=0, elo1=400, alpha=0.3, beta=0.3)
    games = [(number, FIRST) for number in range(2, 12)]
    early = Encounter(sprt)
    for number, made in games:
        early.add(number, made)
    told = early.test()
    assert told is not None
    assert (told["verdict"], told["counts"]) == ("undecided", [0, 0, 0, 0, 0])
    early.add(1, SECOND)
    early.add(0, SECOND)
    in_order = encounter(SECOND, SECOND, *(made for _, made in games), sprt=sprt)
    assert early.test() == in_order.test()
    assert early.verdict == "elo0"
    early.add(12, FIRST)
    early.add(13, FIRST)
    assert early.test() == in_order.test()
    assert early.counts[0].games == 14


def test_both_together_are_added() -> None:
    """The counts of a player against all are the sums of those against each."""
    one = encounter(FIRST, DRAWN).counts[0]
    assert one + one == Counts((0, 2, 2), (0, 0, 0, 2, 0))
    with pytest.raises(TypeError):
        one + 1


def test_a_test_ends_its_pair_and_no_other() -> None:
    """It is asked after whole pairs only, and only as often as was asked for."""
    every, looks = Encounters(Sprt(elo0=0, elo1=400, look=3)), []
    for number in range(40):
        every.add((0, 1), number, FIRST)
        every.add((0, 2), number, DRAWN if number else FIRST)
        looks.append(every.over((0, 1)))
    decided = looks.index(True) + 1
    assert decided % 6 == 0
    assert not every.over((1, 2))
    test = every.of((0, 1)).test()
    assert test is not None
    assert (test["verdict"], test["counts"]) == ("elo1", [0, 0, 0, 0, decided // 2])


def test_a_test_by_games_is_asked_about_games() -> None:
    """The trinomial model counts losses, draws and wins."""
    test = encounter(FIRST, DRAWN, SECOND, SECOND, sprt=Sprt(elo0=0, elo1=5, model="trinomial")).test()
    assert test is not None
    assert test["counts"] == [2, 1, 1]
    assert encounter(FIRST).test() is None
