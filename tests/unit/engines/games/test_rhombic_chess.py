"""Rhombic chess beyond the laws that every game keeps."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from engines.game import IllegalMoveError, Outcome, UnreadableMoveError, UnreadableStateError, play_all
from engines.games.rhombic_chess import FULL, NEIGHBOURS, POINTS, SYMMETRIES, RhombicChess, State
from engines.stream import Stream

GAME = RhombicChess()

LINES = """
    1-2 1-4 2-3 3-4 2-6 3-7 4-8 2-5 5-10 4-9 9-12
    6-7 7-8 6-10 7-11 8-12 10-11 11-12 10-13 12-13
"""
"""The board's lines, read off its drawing."""


def test_the_lines_are_those_of_the_drawing() -> None:
    """Twenty lines: twelve of the grid and two from each tip."""
    lines = {tuple(map(int, line.split("-"))) for line in LINES.split()}
    assert len(lines) == 20
    found = {
        (start + 1, end + 1)
        for start in range(POINTS)
        for end in range(start, POINTS)
        if NEIGHBOURS[start] >> end & 1
    }
    assert found == lines


def test_there_are_eight_symmetries() -> None:
    """Eight different permutations, the identity first, each keeping all lines."""
    assert len(set(SYMMETRIES)) == 8
    assert SYMMETRIES[0] == tuple(range(POINTS))
    for each in SYMMETRIES:
        for start, neighbours in enumerate(NEIGHBOURS):
            turned = sum(1 << each[end] for end in range(POINTS) if neighbours >> end & 1)
            assert turned == NEIGHBOURS[each[start]]


def full_boards() -> list[State]:
    """Every way in which five stones a side can stand, seat 0 to move."""
    return [
        State(sum(1 << at for at in own), sum(1 << at for at in opp), 0)
        for own in combinations(range(POINTS), 5)
        for opp in combinations([at for at in range(POINTS) if at not in own], 5)
    ]


def test_the_board_gives_the_documents_row_of_ten_stones() -> None:
    """Of 72,072 positions the mover wins 38,608, loses 32,436 and draws 1,028, worked out backwards."""
    weights = Counter(GAME.canonical(state) for state in full_boards())
    after = {
        state: {GAME.canonical(GAME.play(state, move)._replace(seat=0)) for move in GAME.legal_moves(state)}
        for state in weights
    }
    value: dict[State, str] = {}
    while True:
        known = len(value)
        for state, reached in after.items():
            if state in value:
                continue
            if any(value.get(each) == "lost" for each in reached):
                value[state] = "won"
            elif all(value.get(each) == "won" for each in reached):
                value[state] = "lost"
        if len(value) == known:
            break
    counted = Counter[str]()
    for state, weight in weights.items():
        counted[value.get(state, "drawn")] += weight
    assert sum(weights.values()) == 72_072
    assert counted == {"won": 38_608, "lost": 32_436, "drawn": 1_028}


@pytest.mark.parametrize("seed", range(40))
def test_bitboards_agree_with_looking_along_the_lines(seed: int) -> None:
    """In random positions of both phases the moves are those that the drawn lines allow."""
    lines = {tuple(line.split("-")) for line in LINES.split()}
    stream, state = Stream("rhombus", seed), GAME.initial()
    for _ in range(30):
        points = "".join(GAME.state_to_json(state)["board"])
        stones = {str(at + 1): symbol for at, symbol in enumerate(points)}
        mine = GAME.state_to_json(state)["to_move"]
        empty = [at for at, symbol in stones.items() if symbol == "."]
        expected = {
            f"{start}-{end}"
            for start, symbol in stones.items()
            for end in empty
            if symbol == mine and lines & {(start, end), (end, start)}
        }
        if sum(symbol == mine for symbol in stones.values()) < 5:
            expected = set(empty)
        legal = GAME.legal_moves(state)
        assert {GAME.move_to_text(move) for move in legal} == expected
        if not legal:
            break
        state = GAME.play(state, stream.choice(legal))


def test_ten_stones_are_placed_before_any_moves() -> None:
    """Five a side in turn; then seat 0 moves the first one."""
    state = play_all(GAME, [str(point) for point in range(1, 11)])
    assert GAME.state_to_json(state) == {"board": ["X", "OXO", "XOXOX", "O..", "."], "to_move": "X"}
    assert [GAME.move_to_text(move) for move in GAME.legal_moves(state)] == ["7-11", "9-12"]


def test_whoever_cannot_move_loses() -> None:
    """A side whose stones have no empty neighbour has lost when it is its turn, and only then."""
    shut = next(state for state in full_boards() if not GAME.legal_moves(state))
    assert GAME.outcome(shut) == Outcome(1, "blocked", (0, 1))
    assert GAME.outcome(shut._replace(seat=1)) == Outcome(0, "blocked", (1, 0))
    empty = FULL & ~(shut.own | shut.opp)
    assert not any(NEIGHBOURS[at] & empty for at in range(POINTS) if shut.own >> at & 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("11", "a stone must be moved"),
        ("2-11", "no own stone stands on 2"),
        ("7-3", "3 is not an empty neighbour of 7"),
        ("7-12", "12 is not an empty neighbour of 7"),
        ("7-7", "7 is not an empty neighbour of 7"),
    ],
)
def test_what_is_not_allowed_with_all_stones_placed(text: str, message: str) -> None:
    """Own stones move along lines to empty points."""
    state = play_all(GAME, [str(point) for point in range(1, 11)])
    with pytest.raises(IllegalMoveError, match=message):
        GAME.play(state, GAME.move_from_text(text))


@pytest.mark.parametrize(("text", "message"), [("1", "not empty"), ("1-2", "must be placed")])
def test_what_is_not_allowed_while_stones_are_placed(text: str, message: str) -> None:
    """Stones go to empty points, and none moves yet."""
    with pytest.raises(IllegalMoveError, match=message):
        GAME.play(play_all(GAME, ["1"]), GAME.move_from_text(text))


@pytest.mark.parametrize(
    "text", ["", "0", "14", "07", "7-", "-3", "7-14", "7-03", "7-3-2", "7 3", "7\n", "\uff17"]
)
def test_texts_that_are_no_moves(text: str) -> None:
    """Points that do not exist, and anything but one or two of them, cannot be read."""
    with pytest.raises(UnreadableMoveError, match="is not a move such as 7"):
        GAME.move_from_text(text)


@pytest.mark.parametrize(
    ("board", "to_move"),
    [
        ([".", "...", ".....", "...", "."], "O"),
        (["X", "...", ".....", "...", "."], "X"),
        (["O", "...", ".....", "...", "."], "X"),
        (["X", "XXX", "XXOOO", "OO.", "."], "X"),
        (["X", "OXO", "XOXOX", "OO.", "."], "X"),
        (["X", "OXO", "XOXOX", "O.."], "X"),
        (["X", "OXO", "XOXO.", "O.?", "."], "X"),
        ("X", "X"),
    ],
)
def test_states_that_are_none(board: Any, to_move: str) -> None:
    """Too many stones, stones placed out of turn and boards of another form make no state."""
    with pytest.raises(UnreadableStateError, match="must"):
        GAME.state_from_json({"board": board, "to_move": to_move})
