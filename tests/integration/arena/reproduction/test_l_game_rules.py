"""What following the four rules of the L-Game document comes to, against the game's rules, move by move."""

from __future__ import annotations

from functools import cache

import pytest

from arena.reproduction.l_game_rules import Kept, Mixed, Rules, mixed, rules
from engines.games.l_game import SIZE, LGame, State
from engines.solvers import Value, find_oracle
from engines.solvers.l_game import all_positions
from engines.solvers.l_game_positions import graph_of
from engines.solvers.retrograde import solve

GAME = LGame()
CORNERS = {(0, 0), (0, SIZE - 1), (SIZE - 1, 0), (SIZE - 1, SIZE - 1)}
SYMMETRIES = 8
"""No position is symmetric to itself, so each stands for so many."""

Places = frozenset[tuple[int, int]]


@cache
def places(squares: int) -> Places:
    """Row and column of the squares of a bitboard."""
    return frozenset(divmod(at, SIZE) for at in range(SIZE * SIZE) if squares >> at & 1)


def beside(squares: Places) -> Places:
    """Their neighbours on the board that are not among them."""
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
    around = {(row + down, column + right) for row, column in squares for down, right in steps}
    return frozenset(each for each in around - squares if max(each) < SIZE and min(each) >= 0)


@cache
def angle(squares: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The square where bar and foot of an L meet, and the one in its right angle: a block of four but one."""
    for row in range(SIZE - 1):
        for column in range(SIZE - 1):
            block = {(row + down, column + right) for down in (0, 1) for right in (0, 1)}
            if len(missing := block - places(squares)) == 1:
                ((down, right),) = missing
                return (2 * row + 1 - down, 2 * column + 1 - right), (down, right)
    raise AssertionError(squares)


@cache
def look_alike(own: int, other: int) -> bool:
    """Whether a turn or reflection takes one L to the other."""
    last, image = SIZE - 1, places(own)
    images = []
    for _ in range(4):
        image = frozenset((column, last - row) for row, column in image)
        images += [image, frozenset((row, last - column) for row, column in image)]
    return places(other) in images


def follows_all(after: State) -> bool:
    """Whether all four rules hold of the L of the side that has just moved."""
    own, other = after.opp, after.own
    return (
        angle(own)[0] not in CORNERS
        and not look_alike(own, other)
        and bool(beside(places(own)) & places(after.discs))
        and angle(other)[1] in places(own)
    )


def counted(states: list[State]) -> tuple[Kept, int, int]:
    """All moves from these, and how many of these have no move that follows the rules, or one that loses."""
    oracle = find_oracle(GAME)
    moves = kept = lost = at_once = without = losing = 0
    for state in states:
        after = [GAME.play(state, move) for move in GAME.legal_moves(state)]
        followed = [oracle.value(each) for each in after if follows_all(each)]
        wrong = [value for value in followed if value.result > 0]
        moves, kept, lost = moves + len(after), kept + len(followed), lost + len(wrong)
        at_once += wrong.count(Value(1, 1))
        without, losing = without + (not followed), losing + bool(wrong)
    return Kept(moves, kept, lost, at_once), without, losing


@pytest.fixture(scope="module")
def found() -> tuple[Rules, Mixed]:
    """What the graph gives."""
    graph = graph_of()
    codes = solve(graph)
    return rules(graph, codes), mixed(graph, codes)


def test_the_first_moves_that_follow_the_rules_are_counted(found: tuple[Rules, Mixed]) -> None:
    """25 of the 65 do, four of these lose, two at once; the example is one of the two."""
    start = GAME.initial()
    assert counted([start])[0] == found[0].start == Kept(65, 25, 4, 2)
    after = GAME.play(start, GAME.move_from_text(found[0].example))
    assert follows_all(after)
    assert find_oracle(GAME).value(after) == Value(1, 1)


def test_the_moves_of_all_drawn_positions_are_counted(found: tuple[Rules, Mixed]) -> None:
    """One of each eight symmetric positions, played on by the game's rules, gives an eighth of all."""
    oracle = find_oracle(GAME)
    states = [each for each in all_positions(GAME)[1] if GAME.canonical(each) == each]
    states = [each for each in states if oracle.value(each).result == 0]
    kept, without, losing = counted(states)
    drawn = found[0].drawn
    assert Kept(*(SYMMETRIES * number for number in kept)) == drawn
    assert [SYMMETRIES * number for number in (len(states), without, losing)] == list(found[0][3:])
    assert (drawn.kept, drawn.lost, drawn.at_once) == (75_024, 11_792, 8_584)


def test_general_nodes_have_not_always_moves_of_both_kinds(found: tuple[Rules, Mixed]) -> None:
    """Found by playing every move: 12,104 a side, of which 232 lead into no WinNode and 24 only into such."""
    oracle = find_oracle(GAME)
    nodes = none = every = 0
    for state in all_positions(GAME)[1]:
        if GAME.canonical(state) == state and oracle.value(state) not in {Value(1, 1), Value(-1, 0)}:
            moves = GAME.legal_moves(state)
            wrong = sum(oracle.value(GAME.play(state, move)) == Value(1, 1) for move in moves)
            nodes, none, every = nodes + 1, none + (not wrong), every + (wrong == len(moves))
    assert Mixed(*(SYMMETRIES * number for number in (nodes, none, every))) == found[1] == (12_104, 232, 24)
