"""The file of what is known: read as it was written, and refused or gone on from wherever it is cut."""

from __future__ import annotations

import pytest

from engines.games.reversed_reversi import ReversedReversi
from engines.solvers.reversi_board import Board, Position
from engines.solvers.reversi_bounds import BoundsError, first_line, line, read
from engines.solvers.reversi_cut import Cut
from engines.solvers.reversi_tree import Bounds
from tests.unit.engines.solvers.cutting import by_the_rules, solved

GAME = ReversedReversi(4, reversed=False)
ANSWERS: list[tuple[Position, Bounds]] = [
    (Position(0x740, 0x20), (-16, 3)),
    (Position(0x660, 0x990), (2, 2)),
    (Position(0x740, 0x20), (1, 16)),
]


def written(answers: list[tuple[Position, Bounds]] = ANSWERS, game: ReversedReversi = GAME) -> list[bytes]:
    """The lines of a file with these answers."""
    text, checksum = first_line(game, 5)
    lines = [text]
    for position, bounds in answers:
        text, checksum = line(position, bounds, checksum)
        lines.append(text)
    return lines


def test_what_was_written_is_read() -> None:
    """The frontier, and of each position the narrowest bounds that all its lines leave."""
    lines = written()
    kept = read(lines, GAME)
    assert (kept.frontier, kept.size) == (5, sum(map(len, lines)))
    assert kept.known == {ANSWERS[0][0]: (1, 3), ANSWERS[1][0]: (2, 2)}
    assert line(*ANSWERS[0], kept.checksum) == line(*ANSWERS[0], read(lines, GAME).checksum)


def test_a_file_that_is_cut_anywhere_is_gone_on_from_or_refused() -> None:
    """After the first line nothing but the torn last line is lost; before, it is refused."""
    lines = written()
    whole, first = b"".join(lines), len(lines[0])
    for size in range(len(whole)):
        torn = whole[:size].splitlines(keepends=True)
        if size < first:
            with pytest.raises(BoundsError):
                read(torn, GAME)
        else:
            kept = read(torn, GAME)
            assert kept.size == sum(map(len, torn if torn[-1].endswith(b"\n") else torn[:-1]))
            assert kept == read(lines[: len(whole[: kept.size].splitlines())], GAME)


def test_a_changed_byte_is_found() -> None:
    """Whichever it is, but for the end of the last line, without which that line is as if never written."""
    whole = b"".join(written())
    for at in range(len(whole) - 1):
        changed = whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]
        with pytest.raises(BoundsError):
            read(changed.splitlines(keepends=True), GAME)


def test_lines_that_are_missing_doubled_or_exchanged_are_found() -> None:
    """Each line is signed with all before it."""
    first, one, two, three = written()
    for lines in ([first, two, three], [first, one, one, two, three], [first, two, one, three], [one, two]):
        with pytest.raises(BoundsError, match="line"):
            read(lines, GAME)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "empty"),
        ([b"rubbish\n"], "line 1"),
        (written(game=ReversedReversi(4)), "not of"),
        (written(game=ReversedReversi(6, reversed=False)), "not of"),
        (written([(Position(3, 1), (0, 0))]), "line 2 has a position"),
        (written([(Position(1 << 16, 1), (0, 0))]), "line 2 has a position"),
        (written([(Position(1, 2), (3, 2))]), "line 2 has bounds"),
        (written([(Position(1, 2), (-17, 2))]), "line 2 has bounds"),
    ],
)
def test_what_is_no_such_file_is_refused(lines: list[bytes], message: str) -> None:
    """Another game, another format, or what no board can be; each with what is wrong."""
    with pytest.raises(BoundsError, match=message):
        read(lines, GAME)


def test_a_solve_goes_on_from_any_part_of_its_file() -> None:
    """Cut off after any answer, the rest is found and the result is the same."""
    board = Board(4, 4, reversed=False)
    solve = by_the_rules(board)
    first = Cut(board, board.start(), 5)
    solved(first, solve)
    lines = written(list(first.tree.known.items()))
    for count in range(1, len(lines) + 1, 5):
        again = Cut(board, board.start(), 5, read(lines[:count], GAME).known)
        solved(again, solve, workers=2)
        assert again.result() == first.result()
