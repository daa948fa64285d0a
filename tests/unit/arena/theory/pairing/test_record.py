"""What the entrants of a Swiss have behind them."""

from __future__ import annotations

from arena.theory.pairing.contract import Kind, Meeting
from arena.theory.pairing.record import Float, records


def test_floats_follow_from_the_points_before_the_round() -> None:
    """Who meets somebody with fewer points floats down, the other one up; equals do not float."""
    meetings = [
        Meeting(1, 1, 2, (2, 0)),
        Meeting(1, 3, 4, (2, 0)),
        Meeting(2, 4, 1, (0, 2)),
        Meeting(2, 3, 2, (1, 1)),
    ]
    found = records((1, 2, 3, 4), meetings, 3)
    assert {number: each.floats for number, each in found.items()} == {
        1: [Float.NONE, Float.DOWN],
        2: [Float.NONE, Float.UP],
        3: [Float.NONE, Float.DOWN],
        4: [Float.NONE, Float.UP],
    }
    assert [found[number].half_points for number in (1, 2, 3, 4)] == [4, 1, 3, 0]


def test_points_without_a_game_are_a_float_down_and_no_colour() -> None:
    """They give no seat and no opponent; a win without a game rules out a bye, half a point does not."""
    meetings = [
        Meeting(1, 1, None, (2, 0), 1, Kind.BYE),
        Meeting(1, 2, 3, (2, 0), 1, Kind.FORFEIT),
        Meeting(1, 4, None, (1, 0), 1, Kind.HALF_BYE),
        Meeting(1, 5, None, (0, 0), 1, Kind.ZERO_BYE),
        Meeting(1, 6, None, (2, 0), 1, Kind.FULL_BYE),
    ]
    found = records(range(1, 7), meetings, 2)
    assert [found[number].floats for number in range(1, 7)] == [
        *([Float.DOWN], [Float.DOWN], [Float.NONE], [Float.DOWN], [Float.NONE], [Float.DOWN])
    ]
    assert [found[number].free for number in range(1, 7)] == [True, True, False, False, False, True]
    assert not any(each.seats or each.opponents for each in found.values())


def test_a_round_without_a_meeting_is_a_hole() -> None:
    """A pairing that was called off, and a round before somebody joined, count as no float."""
    found = records((1, 2, 3), [Meeting(3, 1, 2, (2, 0))], 4)
    assert found[1].floats == [Float.NONE] * 3
    assert found[3].floats == [Float.NONE] * 3


def test_an_even_number_of_games_gives_nobody_the_first_move() -> None:
    """Only meetings of an odd number of games count for seats; those count once."""
    found = records((1, 2), [Meeting(1, 1, 2, (4, 0), 2), Meeting(2, 2, 1, (3, 3), 3)], 3)
    assert found[1].seats == [-1]
    assert found[2].lead == 1
    assert not found[1].may_sit(-1) or found[1].may_sit(1)


def test_a_seat_comes_neither_three_times_in_a_row_nor_three_times_oftener() -> None:
    """After first, first it must be second; after second twice oftener it must be first."""
    meetings = [Meeting(at, 1, 2, (1, 1)) for at in (1, 2)]
    found = records((1, 2), meetings, 3)
    assert not found[1].may_sit(1)
    assert found[1].may_sit(-1)
    assert not found[2].may_sit(-1)
    assert found[2].may_sit(1)
