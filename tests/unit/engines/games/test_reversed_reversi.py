"""Reversed Reversi beyond the laws that every game keeps."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from benchmarks.perft import PUBLISHED, perft
from engines.game import (
    IllegalMoveError,
    Outcome,
    ParameterError,
    UnreadableMoveError,
    UnreadableStateError,
    play_all,
)
from engines.games import find_presentation
from engines.games.reversed_reversi import COMPILED, PLAIN, SIZES, ReversedReversi, State, shape
from engines.stream import Stream

Board = dict[tuple[int, int], str]
DIRECTIONS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc]


@pytest.mark.parametrize("depth", range(1, 9))
def test_lines_of_play_are_counted_as_published(depth: int) -> None:
    """The numbers of lines of play up to 8 plies are those that others counted."""
    game = ReversedReversi()
    assert perft(game, game.initial(), depth) == PUBLISHED[depth]


def test_the_opening_is_the_class_documents() -> None:
    """X stands at (3,3) and (4,4), O at (3,4) and (4,3); X moves first to c5, d6, e3 or f4."""
    game = ReversedReversi()
    shown = game.state_to_json(game.initial())
    board = shown["board"]
    assert (board[3][3], board[4][4], board[3][4], board[4][3]) == ("X", "X", "O", "O")
    assert "".join(board).count(".") == 60
    assert shown["to_move"] == "X"
    legal = [game.move_to_text(move) for move in game.legal_moves(game.initial())]
    assert sorted(legal) == ["c5", "d6", "e3", "f4"]


def test_the_documents_row_and_column_are_the_squares_number_and_letter() -> None:
    """The document's (2,4) is e3, and turns (3,4) over."""
    game = ReversedReversi()
    assert game.move_from_text("e3") == 2 * 8 + 4
    board = game.state_to_json(play_all(game, ["e3"]))["board"]
    assert board[2][4] == board[3][4] == "X"


@pytest.mark.parametrize("size", SIZES)
def test_every_size_opens_in_the_centre(size: int) -> None:
    """All sizes begin with the same cross of four discs and four moves."""
    game = ReversedReversi(size)
    board = game.state_to_json(game.initial())["board"]
    low, high = size // 2 - 1, size // 2
    assert (board[low][low : high + 1], board[high][low : high + 1]) == ("XO", "OX")
    assert len(game.legal_moves(game.initial())) == 4


def naive_turns(board: Board, row: int, column: int, own: str) -> list[tuple[int, int]]:
    """The discs turned over, looked for square by square as the rules are told."""
    if board.get((row, column)) != ".":
        return []
    turned = []
    for dr, dc in DIRECTIONS:
        line = []
        at = (row + dr, column + dc)
        while board.get(at) not in (None, ".", own):
            line.append(at)
            at = (at[0] + dr, at[1] + dc)
        if board.get(at) == own:
            turned += line
    return turned


@pytest.mark.parametrize(("size", "rows"), [*((size, size) for size in SIZES), (6, 4), (5, 7)])
def test_bitboards_agree_with_looking_square_by_square(size: int, rows: int) -> None:
    """In random games every legal move and every turned disc is what the plain reading of the rules gives."""
    game = ReversedReversi(size, rows=rows)
    for number in range(5):
        stream, state = Stream("naive", size, number), game.initial()
        while legal := game.legal_moves(state):
            shown = game.state_to_json(state)
            own = shown["to_move"]
            board = {(r, c): cell for r, row in enumerate(shown["board"]) for c, cell in enumerate(row)}
            turns = {at: turned for at in board if (turned := naive_turns(board, *at, own))}
            expected = [r * size + c for r, c in sorted(turns)] or [size * rows]
            assert list(legal) == expected
            move = stream.choice(legal)
            state = game.play(state, move)
            at = divmod(move, size)
            board.update(dict.fromkeys([at, *turns[at]] if at in turns else [], own))
            after = "".join(game.state_to_json(state)["board"])
            assert after == "".join(board[r, c] for r in range(rows) for c in range(size))


def from_rows(game: ReversedReversi, rows: str, to_move: str) -> State:
    """The state that the rows, parted by spaces, show."""
    return game.state_from_json({"board": rows.split(), "to_move": to_move})


def test_a_side_that_can_turn_nothing_passes() -> None:
    """The pass is the only legal move, leaves the board and gives the turn to the other side."""
    game = ReversedReversi(4)
    state = from_rows(game, "OX.. .... .... ....", "O")
    assert game.legal_moves(state) == (2,)
    stuck = from_rows(game, "OX.. .... .... ....", "X")
    assert game.legal_moves(stuck) == (16,)
    assert game.forced_pass(stuck) == 16
    assert game.outcome(stuck) is None
    assert game.play(stuck, 16) == state
    with pytest.raises(IllegalMoveError, match="b2 turns no disc over"):
        game.play(stuck, game.move_from_text("b2"))


def test_nobody_passes_with_a_move_or_after_the_end() -> None:
    """A pass is refused while a disc can be placed, and in a finished game."""
    game = ReversedReversi(4)
    over = from_rows(game, "XXXX XXXX .... ....", "O")
    for state in (game.initial(), over):
        assert game.forced_pass(state) is None
        with pytest.raises(IllegalMoveError, match="a pass is allowed only where"):
            game.play(state, 16)


@pytest.mark.parametrize(
    ("rows", "fewest", "most"),
    [
        ("XXXX XXXX XXXX XXXO", (1, (15, 1)), (0, (15, 1))),
        ("XXXX XXXX OOOO OOOO", (None, (8, 8)), (None, (8, 8))),
        ("OOOO .... .... ....", (0, (0, 4)), (1, (0, 4))),
    ],
)
@pytest.mark.parametrize("to_move", ["X", "O"])
def test_discs_decide(rows: str, fewest: Any, most: Any, to_move: str) -> None:
    """Fewer discs win, or more when not reversed, full board or not, whoever would be next."""
    for flag, (winner, score) in ((True, fewest), (False, most)):
        game = ReversedReversi(4, flag)
        reason = "equal_discs" if winner is None else "fewest_discs" if flag else "most_discs"
        assert game.outcome(from_rows(game, rows, to_move)) == Outcome(winner, reason, score)


def test_the_rules_tell_what_equal_discs_are() -> None:
    """The rules say in both languages that equal discs are a draw."""
    rules = find_presentation("reversed_reversi").rules(ReversedReversi())
    assert rules.english.endswith("as many of both are a draw.")
    assert rules.chinese.endswith("一樣多是和局。")


def test_a_forfeit_is_a_full_board_against_an_empty_one() -> None:
    """The loser of a forfeit gets the worst number of discs that the board allows."""
    assert ReversedReversi().forfeit_score(0) == (64, 0)
    assert ReversedReversi().forfeit_score(1) == (0, 64)
    assert ReversedReversi(6, reversed=False).forfeit_score(0) == (0, 36)


def test_the_second_player_wins_ordinary_4x4_reversi() -> None:
    """Exhaustive search of the 4x4 board gives the known result: 3 discs against 11 for the second player."""
    game = ReversedReversi(4, reversed=False)

    @cache
    def margin(state: State) -> int:
        moves = game.legal_moves(state)
        if not moves:
            return state.own.bit_count() - state.opp.bit_count()
        return max(-margin(game.play(state, move)) for move in moves)

    assert margin(game.initial()) == 3 - 11


@pytest.mark.parametrize("size", [0, 2, 5, 7, 9, 12, -8, True, 8.0, "8", None, [8]])
def test_other_sizes_are_refused(size: Any) -> None:
    """Only the four sizes of the class are played, given as whole numbers."""
    with pytest.raises(ParameterError, match="size must be one of 4, 6, 8, 10"):
        ReversedReversi(size)


@pytest.mark.parametrize("flag", [0, 1, "false", None])
def test_a_switch_is_a_boolean(flag: Any) -> None:
    """Neither numbers nor texts reverse the rule."""
    with pytest.raises(ParameterError, match="reversed must be true or false"):
        ReversedReversi(8, flag)


@pytest.mark.parametrize(
    "text",
    ["", "a", "1", "a0", "a9", "i1", "A1", "a01", "a1 ", " a1", "a1\n", "aa1", "a10", "a\u0661", "a\uff11",
     "a\u00b2", "\uff411", "PASS", "Pass", "pass ", "-1", "a-1", "a+1", "a1.0", "`1", "a" + "1" * 5000],
)  # fmt: skip
def test_texts_that_are_no_moves(text: str) -> None:
    """Capitals, spaces, zeros, other scripts and squares off the board cannot be read on 8x8."""
    with pytest.raises(UnreadableMoveError, match="not a square from a1 to h8"):
        ReversedReversi().move_from_text(text)


def test_the_tenth_row_has_two_digits() -> None:
    """On 10x10, a10 and j10 are squares and j11 and k1 are not."""
    game = ReversedReversi(10)
    assert [game.move_from_text(text) for text in ("a10", "j10", "j1", "pass")] == [90, 99, 9, 100]
    assert [game.move_to_text(move) for move in (90, 99, 9, 100)] == ["a10", "j10", "j1", "pass"]
    for text in ("j11", "k1", "a010", "a100"):
        with pytest.raises(UnreadableMoveError, match="from a1 to j10"):
            game.move_from_text(text)


BOARD = [".OX.", "....", "....", "...."]


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"board": BOARD},
        {"board": BOARD, "to_move": "x"},
        {"board": BOARD, "to_move": "XO"},
        {"board": BOARD, "to_move": ""},
        {"board": BOARD, "to_move": ["X"]},
        {"board": BOARD, "to_move": {}},
        {"board": BOARD[:3], "to_move": "X"},
        {"board": [*BOARD, "...."], "to_move": "X"},
        {"board": [*BOARD[:3], "....."], "to_move": "X"},
        {"board": [*BOARD[:3], "...x"], "to_move": "X"},
        {"board": [*BOARD[:3], [".", ".", ".", "."]], "to_move": "X"},
        {"board": "".join(BOARD), "to_move": "X"},
        {"board": tuple(BOARD), "to_move": "X"},
        {"board": None, "to_move": "X"},
    ],
)
def test_states_that_are_none(state: dict[str, Any]) -> None:
    """Anything but a square board of X, O and dots with X or O to move makes no state."""
    with pytest.raises(UnreadableStateError, match="must be"):
        ReversedReversi(4).state_from_json(state)


def test_the_drawing_names_the_squares_and_counts_the_discs() -> None:
    """The terminal's board has letters above, numbers at the side and the count below."""
    game = ReversedReversi(4)
    expected = "   a b c d\n 1 . . . .\n 2 . X O .\n 3 . O X .\n 4 . . . .\n   X 2  O 2"
    assert game.draw(game.initial()) == expected


@pytest.mark.skipif(COMPILED is PLAIN, reason="there was no compiler when this was installed")
@pytest.mark.parametrize(
    ("columns", "rows"), [(4, 4), (6, 6), (8, 8), (6, 4), (5, 6), (3, 8), (8, 3), (7, 5)]
)
def test_what_is_compiled_says_what_python_says(columns: int, rows: int) -> None:
    """Placements, turned discs and rows are the same for any two boards, possible ones or not."""
    stream, board = Stream("compiled arithmetic", columns, rows), shape(columns, rows)
    for _ in range(100):
        taken = [stream.word() & (1 << columns * rows) - 1 for _ in range(3)]
        own, opp = taken[0] & taken[2], taken[1] & ~taken[0]
        assert COMPILED.places(own, opp, board) == PLAIN.places(own, opp, board)
        assert COMPILED.rows(own, opp, board) == PLAIN.rows(own, opp, board)
        for square in range(columns * rows):
            assert COMPILED.turned(own, opp, square, board) == PLAIN.turned(own, opp, square, board)


@pytest.mark.skipif(COMPILED is PLAIN, reason="there was no compiler when this was installed")
@pytest.mark.parametrize("board", [-1, 0, shape(8, 9), shape(9, 8), shape(1, 8), shape(15, 15), 2**62])
def test_a_shape_of_no_board_is_refused(board: int) -> None:
    """What is compiled knows boards of 2 to 8 squares a side, and looks nothing else up."""
    with pytest.raises(ValueError, match="2 to 8 squares a side"):
        COMPILED.places(1, 2, board)


def test_a_square_board_has_no_rows() -> None:
    """Rows as many as columns are as good as none: equal games, which say the same of themselves."""
    assert ReversedReversi(8, rows=8) == ReversedReversi()
    assert ReversedReversi(10, rows=10).params == {"size": 10, "reversed": True}
    assert ReversedReversi(6, rows=7).params == {"size": 6, "reversed": True, "rows": 7}
    assert ReversedReversi(6, rows=7) != ReversedReversi(7, rows=6)


@pytest.mark.parametrize(
    ("size", "rows"),
    [(10, 8), (8, 10), (2, 4), (4, 2), (8, 9), (8, True), (8, "8"), (8, 7.0), ("8", 6), (None, 6)],
)
def test_other_rectangles_are_refused(size: Any, rows: Any) -> None:
    """Where rows are given both sides are whole numbers from 3 to 8."""
    with pytest.raises(ParameterError, match="both size and rows must be from 3 to 8"):
        ReversedReversi(size, rows=rows)


def test_an_odd_square_is_refused_however_it_is_said() -> None:
    """Rows do not let in what a size alone does not."""
    with pytest.raises(ParameterError, match="size must be one of"):
        ReversedReversi(5, rows=5)


@pytest.mark.parametrize(
    ("size", "rows", "board"),
    [
        (6, 4, "...... ..XO.. ..OX.. ......"),
        (4, 6, ".... .... .XO. .OX. .... ...."),
        (5, 6, "..... ..... .XO.. .OX.. ..... ....."),
        (3, 8, "... ... ... XO. OX. ... ... ..."),
    ],
)
def test_rectangles_open_in_the_middle(size: int, rows: int, board: str) -> None:
    """The four discs stand in the middle, nearer to the top or the left where a side is odd."""
    game = ReversedReversi(size, rows=rows)
    assert game.state_to_json(game.initial())["board"] == board.split()
    assert game.move_to_text(size * rows - 1) == f"{'abcdefgh'[size - 1]}{rows}"


def lines_of_play(board: list[str], columns: int, own: str, depth: int, *, passed: bool = False) -> int:
    """Lines of play counted on a list of squares, without anything of the arena's."""
    if depth == 0:
        return 1
    opp, found, moved = "XO"[own == "X"], 0, False
    for at, cell in enumerate(board):
        turned: list[int] = []
        for down, right in DIRECTIONS if cell == "." else ():
            line: list[int] = []
            row, column = at // columns + down, at % columns + right
            while 0 <= column < columns and 0 <= row * columns < len(board):
                square = row * columns + column
                if board[square] != opp:
                    turned += line if board[square] == own else []
                    break
                line.append(square)
                row, column = row + down, column + right
        if turned:
            moved, after = True, list(board)
            for square in (at, *turned):
                after[square] = own
            found += lines_of_play(after, columns, opp, depth - 1)
    if moved:
        return found
    return 1 if passed else lines_of_play(board, columns, opp, depth - 1, passed=True)


@pytest.mark.parametrize(("size", "rows", "depth"), [(6, 4, 6), (5, 6, 6), (3, 4, 9)])
def test_lines_of_play_on_rectangles_are_those_that_a_list_of_squares_has(
    size: int, rows: int, depth: int
) -> None:
    """As many lines of play, passes and early ends among them, as another program counts on another board."""
    game = ReversedReversi(size, rows=rows)
    cells = list("".join(game.state_to_json(game.initial())["board"]))
    for plies in range(1, depth + 1):
        assert perft(game, game.initial(), plies) == lines_of_play(cells, size, "X", plies)
