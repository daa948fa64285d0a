"""The learner of the L-Game: what it knows comes from lost games only, and it goes where it lost latest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from engines.games.heap_nim import HeapNim
from engines.games.l_game import LGame, State
from engines.kernels import learner as kernel
from engines.kernels.learner import LOST, NEVER, WON_AT_ONCE
from engines.solvers import find_oracle
from engines.solvers.l_game_learning import _setting
from engines.solvers.l_game_positions import number_of
from engines.strategies import StrategyError, find_strategy
from engines.strategies.learner import Learner
from engines.stream import Stream, game_stream
from workers.core.contract import Policy
from workers.play.policy import DrawWatch, policy_of

GAME = LGame()


def learner(games: int, seed: int = 0) -> Learner:
    """One that has played so many games."""
    found = find_strategy(f"learner:{games}:{seed}", GAME)
    assert isinstance(found, Learner)
    return found


def walk(plies: int, seed: int) -> State | None:
    """A position after so many random moves; None if the game is over by then."""
    state, stream = GAME.initial(), Stream("walk", seed)
    for _ in range(plies):
        moves = GAME.legal_moves(state)
        if not moves:
            return None
        state = GAME.play(state, stream.choice(moves))
    return state if GAME.legal_moves(state) else None


def test_without_training_it_knows_nothing() -> None:
    """Every position is as far from defeat as any other."""
    assert set(learner(0).far) == {NEVER}


def test_what_it_fears_most_is_what_loses_at_once() -> None:
    """A position is noted with 1 only if the other side can win from it at once, and there are such."""
    far = np.frombuffer(learner(300).far, np.uint8)
    oracle = find_oracle(GAME)
    feared = set(np.flatnonzero(far == 1).tolist())
    assert len(feared) > 100
    found = 0
    for seed in range(400):
        state = walk(seed % 12, seed)
        if state is not None and number_of(state) in feared:
            found += 1
            assert oracle.value(state) == (1, 1)
    assert found
    assert set(far[far != NEVER] % 2) == {1}


def test_it_goes_where_defeat_was_farthest() -> None:
    """Of its moves it takes one into a position with the greatest number, NEVER before all."""
    player = learner(300)
    for seed in range(40):
        state = walk(seed % 9, seed)
        if state is None:
            continue
        after = {move: player.far[number_of(GAME.play(state, move))] for move in GAME.legal_moves(state)}
        move = player.choose(state, (), Stream("draw", seed))
        assert after[move] == max(after.values())


def test_training_helps_and_equal_names_know_the_same() -> None:
    """After 10,000 games it loses far fewer of 300 games with a person than before any; seeds differ."""
    none, some = learner(0).results(300), learner(10_000).results(300)
    assert sum(none) == sum(some) == 300
    assert some[2] < none[2] / 10
    assert bytes(learner(300).far) == bytes(learner(300).far)
    assert bytes(learner(300, 1).far) != bytes(learner(300).far)


def plainly(graph: Any, first: int, policy: Policy, far: Sequence[int], game: tuple[Stream, bool]) -> int:
    """One game, ended as the referee ends a match: 1 won by the learner, 0 drawn, -1 lost."""
    (starts, successors, codes), (stream, turn) = graph, game
    seat, position = 0, first
    watch = DrawWatch(policy, (seat, position))
    while len(after := successors[starts[position] : starts[position + 1]].tolist()):
        if watch.reason is not None:
            return 0
        if turn:
            good = [each for each in after if far[each] == max(far[one] for one in after)]
        else:
            won = [each for each in after if codes[each] == LOST]
            good = won or [each for each in after if codes[each] != WON_AT_ONCE] or after
        position = good[0] if len(good) == 1 else stream.choice(good)
        seat, turn = 1 - seat, not turn
        watch.played((seat, position))
    return -1 if turn else 1


@pytest.mark.parametrize(("repetition", "plies"), [(3, 500), (2, 500), (3, 5), (3, 8), (2, 13)])
def test_its_games_end_as_the_referee_ends_a_match(repetition: int, plies: int) -> None:
    """A last ply at the limit that leaves no move wins; a position that comes up too often draws."""
    known, first, policy, run = _setting(GAME, "play", 0)
    assert Policy(repetition=policy[0], max_plies=policy[1]) == policy_of(GAME, Policy())
    for far in (learner(0).far, learner(1000).far):
        counts = kernel.results(known, first, (repetition, plies), run, (np.frombuffer(far, np.uint8), 150))
        limits = Policy(repetition=repetition, max_plies=plies)
        ends = Counter(
            plainly(known, first, limits, far, (game_stream(int(run), game), game % 2 == 0))
            for game in range(150)
        )
        assert counts.tolist() == [ends[1], ends[0], ends[-1]]


def test_wrong_parameters_and_other_games_are_refused() -> None:
    """Too many games, none, a third parameter; and a game that it does not play."""
    for text in ("learner:100001", "learner:x", "learner:1:2:3", "learner:1:-1"):
        with pytest.raises(StrategyError, match="learner"):
            find_strategy(text, GAME)
    with pytest.raises(StrategyError, match="heap_nim has no player 'learner'"):
        find_strategy("learner", HeapNim())
    assert find_strategy("learner", GAME).name == "learner:10000:0"
