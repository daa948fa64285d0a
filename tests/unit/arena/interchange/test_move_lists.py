"""Lists of moves read from lines and from PGN."""

from __future__ import annotations

from typing import Any

import pytest

from arena.interchange.errors import FileFormatError
from arena.interchange.move_lists import is_pgn, read_lines, read_pgn

PGN = """
[Event "a [strange] name"]
[White "x"]

1. e4 {a comment
[White "no tag"] } e5 (1... d5 2. c4 (2. d4) d4) 2.d4 $3 ; the rest of it
d3 1-0

% {an escape
[Event "no moves"]

*

[Event "circles"]
1. 4-5 7 1/2-1/2
2:1 1:3 *
"""


def test_the_moves_of_pgn_are_read_without_what_stands_among_them() -> None:
    """Numbers, comments, variations, escapes and results are no moves; games begin where others end."""
    assert is_pgn(PGN)
    assert [tuple(each) for each in read_pgn(PGN)] == [
        (5, ("e4", "e5", "d4", "d3")),
        (15, ("4-5", "7")),
        (16, ("2:1", "1:3")),
    ]


def test_a_line_is_a_list_and_its_remark_is_none() -> None:
    """Empty lines and those of remarks alone are passed over, and lines keep their numbers."""
    lists = list(read_lines("e4 e5 # a remark\r\n\r\n# nothing\n  d3\n"))
    assert [tuple(each) for each in lists] == [(1, ("e4", "e5")), (4, ("d3",))]


@pytest.mark.parametrize(
    ("text", "told"), [("[Event", False), ("1:1", False), ("", False), ('[Event "a"]', True)]
)
def test_pgn_is_told_by_its_tags(text: str, *, told: bool) -> None:
    """A file of lines has no tag at its beginning."""
    assert is_pgn(text) is told


@pytest.mark.parametrize("text", ["", "; ", "*", '[A "b"]\n\n*', "{ a [comment] } 1-0"])
def test_what_has_no_moves_has_no_lists(text: str) -> None:
    """Games and comments without a move are passed over."""
    assert list(read_pgn(text)) == []


def test_wherever_pgn_is_cut_off_that_is_told() -> None:
    """Of two games the first is whole only where the second has not begun; every other end is refused."""
    first, second = '[Event "a"]\n\n1. 1:12 *\n', '\n[Event "b"]\n\n1. 2:13 {why} (2:1) 1:14 0-1'
    for end in range(1, len(second)):
        if second[:end].strip():
            with pytest.raises(
                FileFormatError, match=r"line [57]: the (game|tag|comment) that begins here has no"
            ):
                list(read_pgn(first + second[:end]))
    assert [each.moves for each in read_pgn(first + second)] == [("1:12",), ("2:13", "1:14")]
    assert [each.moves for each in read_pgn(first)] == [("1:12",)]


def test_a_line_that_is_cut_off_is_told() -> None:
    """The last line ends as all others do, or half a move could pass for a whole one."""
    with pytest.raises(FileFormatError, match="line 3: the file ends within this line"):
        list(read_lines("1:1\n\n1:1 1:1"))
    assert [each.moves for each in read_lines("1:1\r\n# said")] == [("1:1",)]


def test_a_book_is_read_once_from_its_beginning_to_its_end() -> None:
    """Where a game begins is counted from the game before, not from the beginning of the book."""
    read: list[int] = []

    class Counted(str):
        __slots__ = ()

        def count(self, *given: Any) -> int:
            read.append(given[2] - given[1])
            return super().count(*given)

    book = Counted('[Event "o"]\n\n1. 1:1 2:2 *\n\n' * 500)
    assert [each.line for each in read_pgn(book)] == list(range(3, 2003, 4))
    assert sum(read) <= len(book)
