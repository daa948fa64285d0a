"""Games judged by exact solvers, against plain minimax over the rules that is written here."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from engines.game import Game, GameError
from engines.games import find_game
from engines.solvers import SolverError
from engines.solvers.endgame import EndingJudge
from engines.solvers.judging import (
    Judge,
    Judgement,
    Known,
    find_judge,
    judge_game,
    judgements,
    losing_move,
    states_of,
)

Minimax = Callable[[Any], int]


def minimax(game: Game[Any]) -> Minimax:
    """The mover's result with perfect play, 1, 0 or -1, of any position of a game that ends."""

    @cache
    def value(state: Any) -> int:
        outcome = game.outcome(state)
        seat = game.to_move(state)
        if outcome is not None:
            return 0 if outcome.winner is None else 1 if outcome.winner == seat else -1
        return max(_for_mover(game, state, move, value) for move in game.legal_moves(state))

    return value


def margins(game: Game[Any], sign: int) -> Minimax:
    """The mover's score less the other side's at the end, where both play for the most, or fewest, of it."""

    @cache
    def value(state: Any) -> int:
        outcome = game.outcome(state)
        if outcome is not None:
            seat = game.to_move(state)
            return sign * (outcome.score[seat] - outcome.score[1 - seat])
        return max(_for_mover(game, state, move, value) for move in game.legal_moves(state))

    return value


def _for_mover(game: Game[Any], state: Any, move: int, value: Minimax) -> int:
    after = game.play(state, move)
    return value(after) if game.to_move(after) == game.to_move(state) else -value(after)


def _at_stake(game: Game[Any], state: Any, value: Minimax) -> bool:
    """Whether the moves lead to more than one result."""
    found = [_for_mover(game, state, move, value) for move in game.legal_moves(state)]
    return len({(each > 0) - (each < 0) for each in found}) > 1


def random_game(game: Game[Any], seed: int) -> list[str]:
    """The moves of a game that chance plays, at most 60."""
    chance, state, moves = random.Random(seed), game.initial(), list[str]()
    while game.outcome(state) is None and len(moves) < 60:
        move = chance.choice(game.legal_moves(state))
        moves.append(game.move_to_text(move))
        state = game.play(state, move)
    return moves


def _ending_judge(game: Any, most: int) -> Judge:
    return EndingJudge(game, most)


def sides(game: Game[Any], states: list[Any], worths: list[Any]) -> list[Known | None]:
    """What is known, for `judgements`."""
    return [
        each and Known(game.to_move(state), each.value.result, each.margin)
        for state, each in zip(states, worths, strict=True)
    ]


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("heap_nim", {"heaps": [1, 2, 3, 4]}),
        ("heap_nim", {"heaps": [2, 2, 3], "misere": True}),
        ("circle_nim", {"rows": 3}),
        ("circle_nim", {"rows": 4}),
    ],
)
def test_games_that_end_are_judged_as_by_minimax(name: str, params: dict[str, Any]) -> None:
    """Every position of random games has the value of minimax, and its best moves keep it."""
    game = find_game(name, params)
    judge, plain = find_judge(game), minimax(game)
    for seed in range(5):
        moves = random_game(game, seed)
        states = states_of(game, moves)
        worths = judge_game(game, moves, judge)
        assert [worth and worth.value.result for worth in worths] == [plain(state) for state in states]
        for state, worth in zip(states[:-1], worths, strict=False):
            assert worth is not None
            assert worth.best
            assert {_for_mover(game, state, move, plain) for move in worth.best} == {plain(state)}
            assert judge.at_stake(state, worth) == _at_stake(game, state, plain)
        told = judgements(sides(game, states, worths))
        given = [
            (plain(state), _for_mover(game, state, game.move_from_text(text), plain))
            for state, text in zip(states, moves, strict=False)
        ]
        assert [each and each[:2] for each in told] == given


@pytest.mark.parametrize("reverse", [True, False])
@pytest.mark.parametrize("size", [4, 6, 8])
def test_endings_of_reversi_are_judged_as_by_minimax(size: int, reverse: bool) -> None:
    """The last positions of random games have minimax's margin and all of its best moves, and points lost."""
    game = find_game("reversed_reversi", {"size": size, "reversed": reverse})
    sign = -1 if reverse else 1
    plain = margins(game, sign)
    assert isinstance(find_judge(game), EndingJudge)
    for seed in range(3):
        moves = random_game(game, seed)
        states = states_of(game, moves)
        judge = _ending_judge(game, 20_000)
        worths = judge_game(game, moves, judge)
        late = [ply for ply, state in enumerate(states) if size**2 - (state.own | state.opp).bit_count() <= 6]
        for ply in late:
            state, worth = states[ply], worths[ply]
            assert worth is not None
            assert sign * (worth.margin or 0) == plain(state)
            assert worth.value.result == (plain(state) > 0) - (plain(state) < 0)
            legal = game.legal_moves(state)
            best = tuple(m for m in legal if _for_mover(game, state, m, plain) == plain(state))
            assert worth.best == best
            assert judge.at_stake(state, worth) == _at_stake(game, state, plain)
        told = judgements(sides(game, states, worths))
        for ply in late[:-1]:
            got = _for_mover(game, states[ply], game.move_from_text(moves[ply]), plain)
            judged = told[ply]
            assert judged is not None
            assert judged.points == plain(states[ply]) - got


@pytest.mark.parametrize(("name", "depth"), [("l_game", 2), ("rhombic_chess", 5)])
def test_games_in_circles_are_judged_as_by_search(name: str, depth: int) -> None:
    """What is won or lost in a few plies is so by a plain search of just so many, and of no fewer."""
    game = find_game(name, {})
    judge = find_judge(game)

    @cache
    def ends(state: Any, plies: int) -> int:
        """1 where the mover wins within so many plies, -1 where they lose within them, else 0."""
        outcome = game.outcome(state)
        if outcome is not None:
            return 1 if outcome.winner == game.to_move(state) else -1
        if plies == 0:
            return 0
        answers = [-ends(game.play(state, move), plies - 1) for move in game.legal_moves(state)]
        return max(answers)

    seen = set()
    for seed in range(3 if name == "l_game" else 30):
        moves = random_game(game, seed)
        for state, worth in zip(
            states_of(game, moves)[-4:], judge_game(game, moves, judge)[-4:], strict=True
        ):
            assert worth is not None
            result, distance = worth.value
            near = distance is not None and distance <= depth
            assert ends(state, depth) == (result if near else 0)
            if near and distance:
                assert ends(state, distance - 1) == 0
            seen.add((result, near))
    assert {(1, True), (-1, True)} <= seen


def test_what_is_too_early_is_not_known() -> None:
    """With many empty squares nothing is told, nor where the search goes on too long; never a guess."""
    game = find_game("reversed_reversi", {"size": 6})
    moves = random_game(game, 1)
    worths = judge_game(game, moves, _ending_judge(game, 200_000))
    known = [worth is not None for worth in worths]
    assert known == sorted(known)
    assert known[0] is False
    hasty = judge_game(game, moves, _ending_judge(game, 2_000))
    assert None in hasty[known.index(True) :]
    assert [each for each in hasty if each] == worths[len(worths) - sum(map(bool, hasty)) :]
    with pytest.raises(SolverError, match="8 by 8"):
        find_judge(find_game("reversed_reversi", {"size": 10}))


def test_what_is_at_stake_is_not_known_beyond_the_bound() -> None:
    """Where the search for it takes too long it is None, and so in all that is asked after; never a guess."""
    game = find_game("reversed_reversi", {"size": 6})
    moves = random_game(game, 1)
    states = states_of(game, moves)
    worths = judge_game(game, moves, _ending_judge(game, 200_000))
    told = {}
    for most in (200_000, 300):
        judge = _ending_judge(game, most)
        told[most] = [
            judge.at_stake(state, worth)
            for state, worth in reversed(list(zip(states, worths, strict=True)))
            if worth is not None and worth.value.result >= 0 and worth.best
        ]
    patient, hasty = told[200_000], told[300]
    unknown = hasty.index(None)
    assert set(patient) == {True, False}
    assert hasty == [*patient[:unknown], *[None] * (len(patient) - unknown)]


def test_the_losing_move() -> None:
    """It is the last after which the loser stood lost to the end, if there was one and that is known."""
    won, drawn, lost = 1, 0, -1
    known = [Known(0, drawn, None), Known(1, won, None), Known(0, drawn, None), Known(1, won, None)]
    assert losing_move([*known, Known(0, lost, None)]) == (0, 2)
    assert losing_move([Known(0, lost, None), Known(1, won, None)]) == (0, None)
    assert losing_move([None, Known(1, won, None), Known(0, lost, None)]) == (0, None)
    assert losing_move([Known(0, drawn, None), None]) is None
    assert losing_move([Known(0, won, None), Known(1, drawn, None)]) is None
    twice = [Known(0, won, 4), Known(0, lost, -2)]
    assert (losing_move(twice), judgements(twice)) == ((0, 0), [Judgement(1, -1, 6)])


def test_a_game_that_cannot_be_played_is_refused() -> None:
    """A move that is none is said, and nothing is judged."""
    game = find_game("heap_nim", {})
    with pytest.raises(GameError):
        judge_game(game, ["1:99"], _nobody(game))


def _nobody(game: Game[Any]) -> Judge:
    return find_judge(game)
