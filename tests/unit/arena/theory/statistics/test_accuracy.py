"""What a player's moves have cost, counted by hand."""

from __future__ import annotations

from arena.theory.statistics.accuracy import Accuracy, Chosen, Losses, of_game, one_move, stage_of, told


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
    cost = won_kept + won_to_drawn + won_to_lost + lost_worse + uncounted + unknown
    assert (cost.choices, cost.blunders, cost.half_points, cost.scored, cost.points) == (4, 2, 3, 4, 16)
    assert cost.accuracy == 1 - 2 / 4
    assert cost.mean_loss == (0.5 + 1) / 4
    assert cost.mean_points == (0 + 3 + 9 + 4) / 4


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


def test_a_game_is_counted_move_by_move() -> None:
    """Each side has its moves in the third that they are in; what is not known is a move and no choice."""
    moves = [
        Chosen(seat=0, ply=1, choice=True, loss=0.5, points=2),
        Chosen(seat=1, ply=2, choice=None, loss=1, points=None),
        Chosen(seat=0, ply=5, choice=False, loss=0, points=0),
        Chosen(seat=1, ply=6, choice=True, loss=0, points=None),
    ]
    first, second = of_game(moves, 6)
    assert (first.games, first.moves, second.games, second.moves) == (1, 2, 1, 2)
    assert first.stages == (Losses(1, 1, 1, 1, 2), Losses(), Losses(0, 0, 0, 1, 0))
    assert second.stages == (Losses(), Losses(), Losses(1, 0, 0, 0, 0))
    assert (first.whole, second.whole) == (Losses(1, 1, 1, 2, 2), Losses(1, 0, 0, 0, 0))
    assert first.without_stages == Accuracy(1, 2, first.whole)
    assert of_game([], 6) == (Accuracy(), Accuracy())


def test_what_is_told_has_means_and_stages() -> None:
    """A bot's figures in JSON's terms are those of its losses, whole and by stage."""
    both = of_game([Chosen(seat=0, ply=1, choice=True, loss=1, points=4)], 3)
    one = {"choices": 1, "accuracy": 0.0, "blunders": 1, "loss": 1.0, "scored": 1, "points": 4.0}
    nothing = {**dict.fromkeys(one, 0), "accuracy": None, "loss": None, "points": None}
    stages = [{"stage": "begin", **one}, {"stage": "middle", **nothing}, {"stage": "end", **nothing}]
    assert told(both[0]) == {"games": 1, "moves": 1, **one, "stages": stages}
