"""What a player's moves have cost, counted by hand."""

from __future__ import annotations

from arena.theory.statistics.accuracy import Accuracy, Losses, one_move, stage_of


def test_a_game_has_three_thirds() -> None:
    """Plies are in the thirds that they end in, and a game of one ply begins with it."""
    assert [stage_of(ply, 9) for ply in range(1, 10)] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert [stage_of(ply, 4) for ply in range(1, 5)] == [0, 0, 1, 2]
    assert stage_of(1, 1) == 0


def test_what_moves_cost_is_counted_where_something_was_at_stake() -> None:
    """Where no result can be given away points can; a game that is not counted has none; unknown is none."""
    won_kept = one_move(choice=True, loss=0, points=0)
    won_to_drawn = one_move(choice=True, loss=0.5, points=3)
    won_to_lost = one_move(choice=True, loss=1, points=9)
    lost_worse = one_move(choice=False, loss=0, points=4)
    uncounted = one_move(choice=True, loss=0, points=None)
    unknown = one_move(choice=False, loss=1, points=None)
    told = won_kept + won_to_drawn + won_to_lost + lost_worse + uncounted + unknown
    assert (told.choices, told.blunders, told.half_points, told.scored, told.points) == (4, 2, 3, 4, 16)
    assert told.accuracy == 1 - 2 / 4
    assert told.mean_loss == (0.5 + 1) / 4
    assert told.mean_points == (0 + 3 + 9 + 4) / 4


def test_where_there_was_no_choice_nothing_is_told() -> None:
    """No share and no mean is made of nothing."""
    nothing = Losses()
    assert (nothing.accuracy, nothing.mean_loss, nothing.mean_points) == (None, None, None)
    assert (Losses(scored=2, points=1).accuracy, Losses(choices=2).mean_points) == (None, None)


def test_games_are_added_stage_by_stage() -> None:
    """Each stage keeps its own moves, and the whole has all of them."""
    one, other = one_move(choice=True, loss=1, points=None), one_move(choice=True, loss=0, points=2)
    first = Accuracy(1, 5, one + other, (one, Losses(), other))
    second = Accuracy(1, 3, other, (Losses(), Losses(), other))
    both = first + second + Accuracy()
    assert (both.games, both.moves) == (2, 8)
    assert both.stages == (one, Losses(), other + other)
    assert both.whole == one + other + other
