"""The L-Game solved, against plain deduction with the game's rules and against its document's figures."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from engines.games.l_game import PLACEMENTS, SIZE, SQUARES, LGame, State
from engines.kernels import l_game_graph
from engines.solvers import Value, find_oracle
from engines.solvers.l_game import analyse
from engines.solvers.l_game_hints import angle_square, inner_square
from engines.solvers.l_game_positions import POSITIONS, boards_of_placements, graph_of, number_of

GAME = LGame()

HISTOGRAM = {
    0: (240, 0), 13: (1440, 0), 26: (2400, 32), 39: (2880, 96), 52: (4880, 464), 65: (3456, 848),
    78: (3920, 800), 91: (3072, 928), 104: (2016, 1040), 117: (3200, 1216), 130: (3696, 2048),
    143: (1536, 1312), 156: (1248, 784), 169: (896, 880), 182: (480, 464), 195: (512, 512), 208: (0, 0),
    221: (864, 864),
}  # fmt: skip
"""The document's two tables: numbers of moves to positions and to WinNodes, both sides together."""


def every_position() -> list[State]:
    """Every position with seat 0 to move."""
    return [
        State(own.squares, opp.squares, 1 << a | 1 << b, 0)
        for own in PLACEMENTS
        for opp in PLACEMENTS
        if not own.squares & opp.squares
        for a, b in combinations(
            [at for at in range(SQUARES) if not (own.squares | opp.squares) >> at & 1], 2
        )
    ]


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    """The analysis."""
    return analyse(GAME)


def test_every_position_has_a_number_of_its_own() -> None:
    """The plain reading of a state and the kernel number alike, without gaps."""
    positions = every_position()
    assert sorted(map(number_of, positions)) == list(range(POSITIONS))
    boards = l_game_graph.positions(boards_of_placements())
    assert all(tuple(map(int, boards[number_of(state)])) == state[:3] for state in positions)
    assert all(number_of(state._replace(seat=1)) == number_of(state) for state in positions[::97])


def test_the_graph_is_that_of_the_rules() -> None:
    """The successors of positions all over the game are those that the rules give, each once."""
    graph = graph_of()
    for state in every_position()[::61]:
        number = number_of(state)
        after = graph.successors[graph.starts[number] : graph.starts[number + 1]]
        moves = GAME.legal_moves(state)
        assert sorted(map(int, after)) == sorted(number_of(GAME.play(state, move)) for move in moves)


def test_values_are_those_of_plain_deduction() -> None:
    """Round after round by the game's rules, up to symmetry: the same results and the same distances."""
    least = {state: GAME.canonical(state) for state in every_position()}
    after = {
        state: {least[GAME.play(state, move)._replace(seat=0)] for move in GAME.legal_moves(state)}
        for state in set(least.values())
    }
    values: dict[State, Value] = {}
    waiting, distance = set(after), 0
    while True:
        lost = {state for state, value in values.items() if value.result < 0}
        won = values.keys() - lost
        new = {state: Value(1, distance) for state in waiting if after[state] & lost}
        new |= {state: Value(-1, distance) for state in waiting if after[state] <= won}
        if not new:
            break
        values |= new
        waiting -= new.keys()
        distance += 1
    oracle = find_oracle(GAME)
    assert all(oracle.value(state) == values.get(each, Value(0, None)) for state, each in least.items())


def test_positions_are_counted_as_in_the_document(found: dict[str, Any]) -> None:
    """18,368 a side, 2,296 up to symmetry; 6,144 WinNodes and 120 LoseNodes a side; 768 and 15."""
    assert found["positions"] == {"a_side": 18_368, "both_sides": 36_736, "up_to_symmetry": 2_296}
    values = found["values"]
    assert values["won_at_once"] == {"a_side": 6_144, "both_sides": 12_288, "up_to_symmetry": 768}
    assert values["lost_at_once"] == {"a_side": 120, "both_sides": 240, "up_to_symmetry": 15}
    assert sum(values[name]["a_side"] for name in ("won", "lost", "drawn")) == 18_368


def test_the_histogram_is_the_documents(found: dict[str, Any]) -> None:
    """Both tables, 13 to 221 moves, 88.89 on average; from 195 all are won at once, from 169 all are won."""
    moves = found["moves"]
    assert {row["moves"]: (row["positions"], row["won_at_once"]) for row in moves["histogram"]} == HISTOGRAM
    assert (moves["fewest"], moves["most"], round(moves["mean"], 2)) == (13, 221, 88.89)
    almost, always = found["many_moves"]
    assert (almost["at_least"], always["at_least"]) == (169, 195)
    assert almost["won_at_once"] < almost["positions"] == almost["won"]
    assert always["won_at_once"] == always["positions"]


def test_the_rounds_are_the_documents(found: dict[str, Any]) -> None:
    """48, 48, 80 and 48 special nodes, after which 8,048 positions a side are won."""
    rounds = found["rounds"]
    assert [row["lost_both_sides"] for row in rounds] == [240, 48, 48, 80, 48]
    assert [row["lost_up_to_symmetry"] for row in rounds] == [15, 3, 3, 5, 3]
    assert rounds[0]["won_so_far"] == 6_144
    assert rounds[-1]["won_so_far"] == found["values"]["won"]["a_side"] == 8_048
    assert found["values"]["lost"]["a_side"] == sum(row["lost"] for row in rounds) == 232


def test_the_lost_positions_are_drawn(found: dict[str, Any]) -> None:
    """15 without a move and 14 that are lost later, no two alike, each drawn as its state is."""
    lost = found["lost_positions"]
    assert [each["round"] for each in lost] == [0] * 15 + [1] * 3 + [2] * 3 + [3] * 5 + [4] * 3
    states = [GAME.state_from_json(each["state"]) for each in lost]
    assert len({GAME.canonical(state) for state in states}) == 29
    oracle = find_oracle(GAME)
    for state, each in zip(states, lost, strict=True):
        assert oracle.value(state) == Value(-1, 2 * each["round"])
        assert each["drawing"] == GAME.draw(state).split("\n")
        assert each["moves"] == len(GAME.legal_moves(state))


def test_the_share_in_the_corner_is_the_documents(found: dict[str, Any]) -> None:
    """12 of the 15, when "in the corner" means the L's right angle; all 15 cover a corner."""
    assert found["corners"][0] == {
        "which": "no move",
        "positions": 15,
        "angle_in_corner": 12,
        "covers_corner": 15,
    }
    assert found["corners"][1]["positions"] == 14


def test_the_first_position_is_a_draw(found: dict[str, Any]) -> None:
    """65 moves as in the document, no forced win, and moves that hold the draw as well as such that lose."""
    start = found["start"]
    assert (start["result"], start["forced_win"], start["moves"]) == ("drawn", False, 65)
    oracle = find_oracle(GAME)
    after = [oracle.value(GAME.play(GAME.initial(), move)) for move in GAME.legal_moves(GAME.initial())]
    assert start["moves_that_lose"] == sum(value.result > 0 for value in after) > 0
    assert min(value.result for value in after) == 0


def test_the_distances_add_up(found: dict[str, Any]) -> None:
    """Every lost position is at an even distance, every won one at an odd one, and none is forgotten."""
    assert all((row["plies"] % 2 == 0) == (row["result"] == "lost") for row in found["distances"])
    decided = sum(row["positions"] for row in found["distances"])
    assert decided == 18_368 - found["values"]["drawn"]["a_side"]


def test_the_chance_of_winning_is_the_share_of_answers_that_lose() -> None:
    """In drawn positions all over the game it is what counting the answers gives; elsewhere it is 0."""
    oracle = find_oracle(GAME)
    for state in every_position()[::131]:
        if oracle.value(state).result:
            assert oracle.promise(state) == 0
            continue
        after = [oracle.value(GAME.play(state, move)).result for move in GAME.legal_moves(state)]
        assert oracle.promise(state) == Fraction(sum(result > 0 for result in after), len(after))


def geometry(squares: int) -> tuple[int, int]:
    """The right angle of an L and the square in it, found by looking at every block of 2 by 2."""
    for row in range(SIZE - 1):
        for column in range(SIZE - 1):
            block = [row * SIZE + column, row * SIZE + column + 1]
            block += [at + SIZE for at in block]
            inside = [at for at in block if not squares >> at & 1]
            if len(inside) == 1:
                return 1 << block[3 - block.index(inside[0])], 1 << inside[0]
    raise AssertionError(squares)


def test_an_l_has_one_right_angle() -> None:
    """Its corner, and the square in it, are where three squares of a block of four are the L's."""
    for placement in PLACEMENTS:
        assert (angle_square(placement.squares), inner_square(placement.squares)) == geometry(
            placement.squares
        )


def own_angle_is_off_the_corners(state: State) -> bool:
    """The document's first hint, by plain geometry."""
    return not geometry(state.own)[0] & 0b1001_0000_0000_1001


def own_l_is_inside_the_other(state: State) -> bool:
    """The document's fourth hint, by plain geometry."""
    return bool(geometry(state.opp)[1] & state.own)


def own_l_touches_a_disc(state: State) -> bool:
    """The document's third hint, by coordinates."""
    mine, discs = (
        [divmod(at, SIZE) for at in range(SQUARES) if board >> at & 1] for board in (state.own, state.discs)
    )
    return any(abs(a - c) + abs(b - d) == 1 for a, b in mine for c, d in discs)


@pytest.mark.parametrize(
    ("name", "follows"),
    [
        ("off the corner", own_angle_is_off_the_corners),
        ("disc touches", own_l_touches_a_disc),
        ("inside the other", own_l_is_inside_the_other),
    ],
)
def test_hints_are_measured_as_defined(found: dict[str, Any], name: str, follows: Any) -> None:
    """Counting plainly over all positions, for the side to move and for the side that has moved."""
    oracle = find_oracle(GAME)
    (hint,) = [each for each in found["hints"] if each["hint"] == name]
    counted = {
        whose: {kept: {"won": 0, "drawn": 0, "lost": 0} for kept in ("followed", "not_followed")}
        for whose in ("to_move", "having_moved")
    }
    for state in every_position():
        result = oracle.value(state).result
        turned = State(state.opp, state.own, state.discs, 0)
        for whose, seen, its in (("to_move", state, result), ("having_moved", turned, -result)):
            kept = "followed" if follows(seen) else "not_followed"
            counted[whose][kept][("drawn", "won", "lost")[its]] += 1
    for whose, both in counted.items():
        for key, numbers in both.items():
            assert hint[whose][key] == {"positions": sum(numbers.values()), **numbers}


def test_who_covers_no_corner_is_never_lost(found: dict[str, Any]) -> None:
    """Neither to move nor having moved; and each hint splits all positions in two."""
    (hint,) = [each for each in found["hints"] if each["hint"] == "covers no corner"]
    assert hint["to_move"]["followed"]["lost"] == hint["having_moved"]["followed"]["lost"] == 0
    for each in found["hints"]:
        for whose in ("to_move", "having_moved"):
            assert sum(numbers["positions"] for numbers in each[whose].values()) == 18_368
