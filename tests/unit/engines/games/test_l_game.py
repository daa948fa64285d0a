"""The L-Game beyond the laws that every game keeps: against the document's figures and a plain reading."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from engines.game import IllegalMoveError, Outcome, UnreadableMoveError, UnreadableStateError, play_all
from engines.games.l_game import PLACEMENTS, SQUARES, LGame, State
from engines.stream import Stream

GAME = LGame()
Square = tuple[int, int]

HISTOGRAM = {
    0: 240, 13: 1440, 26: 2400, 39: 2880, 52: 4880, 65: 3456, 78: 3920, 91: 3072, 104: 2016,
    117: 3200, 130: 3696, 143: 1536, 156: 1248, 169: 896, 182: 480, 195: 512, 221: 864,
}  # fmt: skip
"""The document's numbers of positions by how many moves they have, both sides together."""


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


def test_the_positions_are_counted_as_in_the_document() -> None:
    """18,368 a side, 2,296 up to symmetry, and as many with 0, 13, 26, … moves as its table says."""
    positions = every_position()
    assert len(positions) == 18_368
    assert len({GAME.canonical(state) for state in positions}) == 2_296
    counts = Counter(len(GAME.legal_moves(state)) for state in positions)
    assert {moves: 2 * number for moves, number in counts.items()} == HISTOGRAM


def test_every_position_can_be_reached() -> None:
    """From the first position play can lead to each of the 2,296 with either side to move."""
    canonical = cache(GAME.canonical)
    start = canonical(GAME.initial())
    found, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        after = {canonical(GAME.play(state, move)) for move in GAME.legal_moves(state)}
        waiting.extend(after - found)
        found |= after
    assert Counter(state.seat for state in found) == {0: 2_296, 1: 2_296}


def decoded(own: tuple[int, int, int], opp: tuple[int, int, int], blanks: tuple[int, int], who: int) -> State:
    """The document's code of a position, read by its words with coordinates only."""

    def squares(x: int, y: int, direction: int) -> set[Square]:
        dx, dy = [(0, -1), (0, 1), (-1, 0), (1, 0)][direction]
        bars = [
            {(x + dx + turn * step * dy, y + dy + turn * step * dx) for step in range(3)} for turn in (1, -1)
        ]
        (bar,) = [bar for bar in bars if all(0 <= a < 4 and 0 <= b < 4 for a, b in bar)]
        return {(x, y)} | bar

    mine, theirs = squares(*own), squares(*opp)
    free = [(x, y) for y in range(4) for x in range(4) if (x, y) not in mine | theirs]
    (discs,) = [
        {one, other}
        for one, other in combinations(free, 2)
        if (free.index(one), free.index(other) - 1) == blanks
    ]
    boards = [sum(1 << (y * 4 + x) for x, y in board) for board in (mine, theirs, discs)]
    return State(boards[0], boards[1], boards[2], 0 if who == 0 else 1)


def test_the_documents_code_is_understood() -> None:
    """Its first position is ours, with its 65 moves; its figure 4 has its discs where its words say."""
    assert decoded((1, 0, 3), (2, 3, 2), (0, 6), 0) == GAME.initial()
    assert len(GAME.legal_moves(GAME.initial())) == 65
    figure = decoded((2, 1, 0), (0, 1, 3), (1, 5), 0)
    assert GAME.state_to_json(figure)["board"] == ["XXX.", "OOX*", ".O..", ".O*."]


def test_a_name_is_the_documents_code() -> None:
    """`c2u` is the document's (2, 1, 0), and so on for all 48."""

    def code(text: str) -> tuple[int, int, int]:
        return ("abcd".index(text[0]), int(text[1]) - 1, "udlr".index(text[2]))

    for placement in PLACEMENTS:
        other = next(each for each in PLACEMENTS if not each.squares & placement.squares)
        assert decoded(code(placement.text), code(other.text), (0, 0), 0).own == placement.squares
    assert len({placement.squares for placement in PLACEMENTS}) == len(PLACEMENTS) == 48


@pytest.mark.parametrize(
    ("text", "squares"),
    [("c2u", "c2 c1 b1 a1"), ("b2u", "b2 b1 c1 d1"), ("b1r", "b1 c1 c2 c3"), ("c4l", "c4 b4 b3 b2")],
)
def test_names_are_read_as_explained_to_players(text: str, squares: str) -> None:
    """The foot's square, and the bar on the named side of it in the one direction that fits."""
    (placement,) = [each for each in PLACEMENTS if each.text == text]
    assert placement.squares == sum(
        1 << ("abcd".index(column) + 4 * (int(row) - 1)) for column, row in map(tuple, squares.split())
    )


def turned(shape: set[Square]) -> set[Square]:
    """A shape after a quarter turn."""
    return {(-y, x) for x, y in shape}


def plainly_after(state: State) -> set[tuple[frozenset[Square], frozenset[Square]]]:
    """(own L, discs) after every move, from shapes laid on the board everywhere."""
    squares = [(at % 4, at // 4) for at in range(16)]
    own, opp, discs = (
        {square for at, square in enumerate(squares) if board >> at & 1} for board in state[:3]
    )
    shapes = [{(0, 0), (1, 0), (2, 0), (0, 1)}, {(0, 0), (1, 0), (2, 0), (2, 1)}]
    for _ in range(3):
        shapes += [turned(shape) for shape in shapes[-2:]]
    laid = {
        frozenset((x + dx, y + dy) for x, y in shape)
        for shape in shapes
        for dx in range(-3, 5)
        for dy in range(-3, 5)
    }
    found = set()
    for place in laid:
        if not place <= set(squares) or place & (opp | discs) or place == own:
            continue
        free = set(squares) - place - opp - discs
        found.add((place, frozenset(discs)))
        found |= {(place, frozenset(discs - {disc} | {to})) for disc in discs for to in free}
    return found


@pytest.mark.parametrize("seed", range(60))
def test_bitboards_agree_with_laying_shapes(seed: int) -> None:
    """In random positions each move leads to another result, and all results are those seen by laying Ls."""
    stream = Stream("ls", seed)
    state = stream.choice(every_position()[seed::60])
    after = [GAME.play(state, move) for move in GAME.legal_moves(state)]
    seen = [
        tuple(
            frozenset((at % 4, at // 4) for at in range(16) if board >> at & 1)
            for board in (each.opp, each.discs)
        )
        for each in after
    ]
    assert len(set(seen)) == len(seen)
    assert set(seen) == plainly_after(state)


def state_of(board: str, to_move: str = "X") -> State:
    """The state with these rows."""
    return GAME.state_from_json({"board": board.split(), "to_move": to_move})


def test_whoever_cannot_put_the_l_down_loses() -> None:
    """Shut in, the mover has lost; with the other side to move the same board is a game."""
    shut = next(state for state in every_position() if not GAME.legal_moves(state))
    assert GAME.outcome(shut) == Outcome(1, "cannot_place", (0, 1))
    assert GAME.outcome(shut._replace(seat=1)) == Outcome(0, "cannot_place", (1, 0))
    assert GAME.outcome(State(shut.opp, shut.own, shut.discs, 1)) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("b1r", "lies already"),
        ("b1r/a1-b1", "lies already"),
        ("c4l", "not free"),
        ("c2u", "not free"),
        ("c1r/b1-a2", "no disc lies on b1"),
        ("c1r/a1-d4", "d4 is not free"),
        ("c1r/a1-b2", "b2 is not free"),
        ("c1r/a1-d1", "d1 is not free"),
        ("c1r/a1-a1", "a1 is not free"),
    ],
)
def test_what_is_not_allowed(text: str, message: str) -> None:
    """Not where it lies, not on others, and a disc moves from where one is to where nothing is."""
    with pytest.raises(IllegalMoveError, match=message):
        GAME.play(GAME.initial(), GAME.move_from_text(text))


def test_a_disc_may_go_where_the_l_was() -> None:
    """The squares that the L left are free for a disc."""
    state = play_all(GAME, ["c1r/a1-b1"])
    assert GAME.state_to_json(state) == {"board": [".*XX", ".O.X", ".O.X", ".OO*"], "to_move": "O"}


@pytest.mark.parametrize(
    "text",
    ["", "c1", "c1x", "c1U", "a1l", "a1u", "d4r", "e1u", "c5u", "c1r/", "c1r/a1", "c1r/a1-", "c1r/a1-e1",
     "c1r a1-b1", "c1r/a1-b1-c1", "c1r/a1/b1", " c1r", "c1r\n"],
)  # fmt: skip
def test_texts_that_are_no_moves(text: str) -> None:
    """Ls that reach over the edge and half-written discs cannot be read."""
    with pytest.raises(UnreadableMoveError, match="is not a move such as c2u or c2u/a1-d3"):
        GAME.move_from_text(text)


@pytest.mark.parametrize(
    "board",
    [["*XX.", ".OX.", ".OX.", ".OO."], ["*XX.", ".OX.", ".OX.", "*OO*"], ["*XXX", ".OX.", ".OX.", ".OO*"],
     ["*XX.", ".OX.", ".OX."], ["*XX.", ".OX.", ".OX.", ".OOO"], "*XX..OX..OX..OO*", None, [1, 2, 3, 4],
     ["XXXX", ".O..", ".O..", "*OO*"]],
)  # fmt: skip
def test_states_that_are_none(board: Any) -> None:
    """A board without two Ls and two discs is none."""
    with pytest.raises(UnreadableStateError, match="board must"):
        GAME.state_from_json({"board": board, "to_move": "X"})


def test_the_board_may_be_given_to_either_side() -> None:
    """The same board with O to move has O's L as the mover's."""
    state = state_of("*XX. .OX. .OX. .OO*", "O")
    assert state == State(GAME.initial().opp, GAME.initial().own, GAME.initial().discs, 1)
