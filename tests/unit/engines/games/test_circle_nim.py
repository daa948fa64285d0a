"""Circle Nim beyond the laws that every game keeps."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import pytest

from engines.game import (
    IllegalMoveError,
    Outcome,
    ParameterError,
    UnreadableMoveError,
    UnreadableStateError,
    play_all,
)
from engines.games.circle_nim import CircleNim, State, lines, symmetries
from engines.stream import Stream

DOCUMENTS_PAIRS = """
    2,3 4,5 5,6 7,8 8,9 9,10 11,12 12,13 13,14 14,15
    1,2 2,4 4,7 7,11 3,5 5,8 8,12 6,9 9,13 10,14
    1,3 3,6 6,10 10,15 2,5 5,9 9,14 4,8 8,13 7,12
"""
DOCUMENTS_THREES = """
    4,5,6 7,8,9 8,9,10 11,12,13 12,13,14 13,14,15
    6,9,13 3,5,8 5,8,12 1,2,4 2,4,7 4,7,11
    4,8,13 2,5,9 5,9,14 1,3,6 3,6,10 6,10,15
"""


def listed(text: str) -> set[str]:
    """The document's lists in this game's notation."""
    return {line.replace(",", "-") for line in text.split()}


def test_the_lines_of_five_rows_are_the_documents() -> None:
    """The pairs and threes that the class's own program lists, and no others."""
    texts = lines(5).texts
    assert {text for text in texts if text.count("-") == 1} == listed(DOCUMENTS_PAIRS)
    assert {text for text in texts if text.count("-") == 2} == listed(DOCUMENTS_THREES)


@pytest.mark.parametrize("rows", range(2, 8))
def test_the_number_of_lines_follows_from_the_rows(rows: int) -> None:
    """Three directions with 1, 2, … circles a line: n(n+1)/2 single ones, 3 n(n-1)/2 pairs, 3(n-1)(n-2)/2."""
    counts = [sum(text.count("-") == length for text in lines(rows).texts) for length in range(3)]
    assert counts[0] == rows * (rows + 1) // 2
    assert counts[1] == 3 * rows * (rows - 1) // 2
    assert counts[2] == 3 * (rows - 1) * (rows - 2) // 2


def plainly(rows: int, left: set[int]) -> set[str]:
    """The legal moves by looking at places in the plane: neighbours at distance 1, three on a line."""
    place: dict[int, tuple[int, int]] = {}
    for row in range(rows):
        for column in range(row + 1):
            place[len(place) + 1] = (2 * column - row, row)

    def beside(one: int, other: int) -> bool:
        (x, y), (to_x, to_y) = place[one], place[other]
        return (abs(x - to_x), abs(y - to_y)) in {(2, 0), (1, 1)}

    singles = {str(one) for one in left}
    pairs = {f"{a}-{b}" for a, b in combinations(sorted(left), 2) if beside(a, b)}
    threes = {
        f"{a}-{b}-{c}"
        for a, b, c in combinations(sorted(left), 3)
        if beside(a, b)
        and beside(b, c)
        and all(2 * place[b][axis] == place[a][axis] + place[c][axis] for axis in (0, 1))
    }
    return singles | pairs | threes


@pytest.mark.parametrize("rows", range(2, 8))
def test_bitboards_agree_with_looking_at_places(rows: int) -> None:
    """In random positions the moves are those that can be seen on a drawn triangle."""
    game = CircleNim(rows)
    for seed in range(40):
        stream = Stream("circles", rows, seed)
        left = {number for number in range(1, game.circles + 1) if stream.below(4)}
        state = game.state_from_json({"left": sorted(left), "to_move": 0})
        texts = [game.move_to_text(move) for move in game.legal_moves(state)]
        assert sorted(texts) == sorted(plainly(rows, left))


@cache
def mover_wins(game: CircleNim, left: int) -> bool:
    """Whether the side to move can leave the last circle to the other."""
    state = State(left, 0)
    return not left or any(
        not mover_wins(game, game.play(state, move).left) for move in game.legal_moves(state)
    )


def test_two_rows_are_a_win() -> None:
    """From three circles the first takes two and leaves the last one."""
    game = CircleNim(2)
    assert mover_wins(game, game.initial().left)
    assert game.outcome(play_all(game, ["2-3", "1"])) == Outcome(0, "left_the_last", (1, 0))
    assert game.outcome(play_all(game, ["1", "2", "3"])) == Outcome(1, "left_the_last", (0, 1))


def test_symmetric_triangles_are_won_alike() -> None:
    """A canonical state has the value of the state that it stands for."""
    game = CircleNim(4)
    for left in range(1, 1 << 10, 7):
        assert mover_wins(game, left) == mover_wins(game, game.canonical(State(left, 1)).left)


@pytest.mark.parametrize("rows", range(2, 8))
def test_there_are_six_symmetries(rows: int) -> None:
    """Six different permutations, the identity first, each taking every line to a line."""
    game = CircleNim(rows)
    found = symmetries(rows)
    assert len(set(found)) == 6
    assert found[0] == tuple(range(game.circles))
    for each in found:
        turned = {
            "-".join(map(str, sorted(each[int(number) - 1] + 1 for number in text.split("-"))))
            for text in lines(rows).texts
        }
        assert turned == set(lines(rows).texts)


@pytest.mark.parametrize("rows", [1, 8, 13, 0, -5, True, 5.0, "5", None])
def test_other_triangles_are_refused(rows: Any) -> None:
    """Too few, too many or unnumbered rows are refused with what is allowed."""
    with pytest.raises(ParameterError, match="from 2 to 7, not"):
        CircleNim(rows)


def test_a_circle_is_taken_once() -> None:
    """A line over a taken circle is illegal; the message says why."""
    game = CircleNim()
    state = play_all(game, ["5"])
    for text in ("5", "4-5", "4-5-6"):
        with pytest.raises(IllegalMoveError, match=f"{text} takes a circle that is there no more"):
            game.play(state, game.move_from_text(text))


@pytest.mark.parametrize("text", ["", "0", "16", "5-4", "4-6", "4-5-6-7", "3-4", "4-5-8", "04", "4-", "4 5"])
def test_texts_that_are_no_moves(text: str) -> None:
    """Circles that do not exist, are no neighbours, bend or descend cannot be read."""
    with pytest.raises(UnreadableMoveError, match=r"is not a move such as 4, 4-5 or 4-5-6.* 1 to 15"):
        CircleNim().move_from_text(text)


@pytest.mark.parametrize("left", [[2, 1], [1, 1], [0], [16], [True], [1.0], "1", None, (1,)])
def test_states_that_are_none(left: Any) -> None:
    """Circles out of order, twice or not of the triangle make no state."""
    with pytest.raises(UnreadableStateError, match="left must be"):
        CircleNim().state_from_json({"left": left, "to_move": 0})


def test_the_drawing_numbers_what_is_left() -> None:
    """A triangle with a point for each circle that was taken."""
    game = CircleNim(3)
    assert game.draw(play_all(game, ["2-4"])).split("\n") == ["     1", "   .   3", " .   5   6"]
