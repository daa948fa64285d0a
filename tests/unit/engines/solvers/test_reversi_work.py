"""Reversi solved from any position: values are X's, whoever is to move, and the proof begins there."""

from __future__ import annotations

import json
from hashlib import sha256
from random import Random

import pytest

from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers.oracle import SolverError
from engines.solvers.reversi_board import Position
from engines.solvers.reversi_bounds import BoundsError
from engines.solvers.reversi_cut import Cut, Job
from engines.solvers.reversi_verifier import ProofError, verify
from engines.solvers.reversi_work import Work
from tests.unit.engines.solvers.cutting import by_the_rules, solved

GAMES = [ReversedReversi(4, fewest, rows) for fewest in (False, True) for rows in (None, 5)]
FRONTIER = 4


def late(game: ReversedReversi, seat: int, most: int = 9) -> State:
    """The first position of a game at random with at most so many empty squares and that seat to move."""
    chance, state = Random(1), game.initial()
    while game.most_turns(state) > most or state.seat != seat:
        state = game.play(state, chance.choice(game.legal_moves(state)))
    return state


def finished(work: Work) -> Cut:
    """Work of which all is found out."""
    cut = work.begin(FRONTIER, {})
    solved(cut, by_the_rules(work.board), workers=3)
    return cut


def value_of(work: Work) -> int:
    """What X reaches, by trying everything."""
    solve, most = by_the_rules(work.board), work.board.squares
    value = next(v for v in range(-most, most + 1) if solve(Job(*work.root, v + 1))[1] <= v)
    return -value if work.position and work.position.seat else value


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_position_is_solved_and_proven(game: ReversedReversi, seat: int) -> None:
    """The value for X and a proof that begins at the position, whoever is to move, also on a rectangle."""
    state = late(game, seat)
    work = Work(game, state)
    cut = finished(work)
    value, moves = work.result(cut)
    assert value == value_of(work)
    after = [Work(game, game.play(state, move)) for move in moves]
    assert {value_of(each) for each in after} == {value}
    shown = verify(work.proof(cut), sample=None, plain=True)
    assert (shown.value, shown.params, shown.position) == (value, game.params, game.state_to_json(state))
    assert shown.solved == shown.leaves > 0
    told = work.solution(cut)
    assert (told["value"], told["low"], told["high"]) == (value, value, value)
    assert told["position"] == game.state_to_json(state)


@pytest.mark.parametrize("seat", [0, 1])
def test_bounds_on_the_way_are_those_of_x(seat: int) -> None:
    """They hold the value, the question lies between them, and both are what has been asked in the end."""
    game = ReversedReversi(4, reversed=False)
    work = Work(game, late(game, seat))
    value, solve, cut = value_of(work), by_the_rules(work.board), work.begin(FRONTIER, {})
    while jobs := cut.jobs(1):
        told = work.standing(cut)
        assert told.low <= value <= told.high
        assert told.low == told.high or told.low < told.at_least <= told.high
        cut.answer(jobs[0], solve(jobs[0]))
    assert (work.standing(cut).low, work.standing(cut).high) == (value, value)


def test_a_game_that_is_over_needs_no_work() -> None:
    """Its value is the margin, there is no move, and the proof is its two leaves."""
    game = ReversedReversi(4, reversed=False)
    state = game.state_from_json({"board": ["OOOO", "OOOO", "OOOO", "OOXX"], "to_move": "O"})
    work = Work(game, state)
    cut = work.begin(FRONTIER, {})
    assert work.result(cut) == (-12, ())
    assert verify(work.proof(cut), sample=None, plain=True).leaves == 2


def test_a_proof_of_another_position_is_refused() -> None:
    """Its first line names one that no half begins with, none of the game, or none at all."""
    game = GAMES[0]
    work = Work(game, late(game, 1))
    header, *body = [each.decode() for each in work.proof(finished(work))]
    told = json.loads(header)
    for position, line, why in (
        (game.state_to_json(late(game, 0)), 3, "no line above leads here"),
        (None, 3, "no line above leads here"),
        ({"board": ["X..."], "to_move": "O"}, 1, "its position is none: board must be 4 strings"),
        ("somewhere", 1, "its position is none: 'somewhere'"),
    ):
        lines = [f"{json.dumps(told | {'position': position})}\n", *body[:-1]]
        checksum = sha256("".join(lines).encode()).hexdigest()
        with pytest.raises(ProofError) as error:
            verify((each.encode() for each in (*lines, f"end {checksum}\n")), sample=None, plain=True)
        assert (error.value.line, why in error.value.why) == (line, True), error.value


def test_a_checkpoint_is_of_its_position() -> None:
    """It is gone on from there, and refused for the start and for any other position, which are named."""
    game = GAMES[0]
    here, there, start = Work(game, late(game, 1)), Work(game, late(game, 0)), Work(game)
    for work in (here, start):
        text, checksum = work.first_line(FRONTIER)
        lines = [text, work.line(Job(1, 2, 0), (0, 4), checksum)[0]]
        assert work.read(lines).known == {Position(1, 2): (0, 4)}
        for other in (there, start if work is here else here):
            with pytest.raises(BoundsError, match=r"it is of the (start|position .*), not of the"):
                other.read(lines)


def test_the_start_is_the_start_however_it_is_named() -> None:
    """What is told of it and its checkpoint are the same, with the position and without."""
    game = GAMES[0]
    named = Work(game, game.initial())
    assert named.position is None
    assert named.first_line(FRONTIER) == Work(game).first_line(FRONTIER)


def test_what_is_too_large_is_refused() -> None:
    """A board beyond eight squares a side, and more empty squares than anybody waits for."""
    large, huge = ReversedReversi(8), ReversedReversi(10)
    assert Work(large, late(large, 0, 38)).frontier == 26
    assert Work.is_only_way(large, late(large, 1, 23))
    assert not Work.is_only_way(large, late(large, 0, 22))
    with pytest.raises(SolverError, match="at most 38 empty squares; here are 39 on 8 by 8"):
        Work(large, late(large, 1, 39))
    with pytest.raises(SolverError, match="boards of up to 8 by 8"):
        Work(huge, late(huge, 0, 20))
