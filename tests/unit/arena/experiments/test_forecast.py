"""How long what is left of a sweep will take."""

from __future__ import annotations

import pytest

from arena.experiments.forecast import Pace, Spent, games_needed, seconds_left


def _left(paces: list[Pace], elapsed_seconds: float) -> float | None:
    return seconds_left(paces, Spent.of(paces), elapsed_seconds)


def test_what_is_left_takes_as_long_a_game_as_what_was_played() -> None:
    """Two workers played 100 games of 2 s in 100 s; the 50 that are left take them 50 s."""
    assert _left([Pace(50, 100, 200 * 10**9)], 100) == pytest.approx(50)


def test_what_has_not_begun_takes_what_the_others_do_on_average() -> None:
    """A cheap and a dear simulation are over: the third is expected between them."""
    paces = [Pace(0, 10, 10 * 10**9), Pace(0, 10, 30 * 10**9), Pace(10, 0, 0)]
    assert _left(paces, 40) == pytest.approx(20)


def test_nothing_is_known_before_a_game_and_nothing_left_after_the_last() -> None:
    """Neither is guessed at."""
    assert _left([Pace(10, 0, 0)], 5) is None
    assert _left([Pace(0, 10, 10)], 5) == 0


@pytest.mark.parametrize(
    ("done", "half_width", "wanted", "games"),
    [(1000, 0.02, 0.01, 4000), (1000, 0.02, None, 9000), (1000, 0.1, 0.01, 9000), (0, 1, 0.1, 9000)],
)
def test_a_narrow_interval_ends_it_sooner(
    done: int, half_width: float, wanted: float | None, games: int
) -> None:
    """Half the width takes four times the games, and never more than were asked for."""
    assert games_needed(9000, done, half_width, wanted) == games
