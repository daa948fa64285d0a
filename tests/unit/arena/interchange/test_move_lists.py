"""Lists of moves read from lines and from PGN."""

from __future__ import annotations

import pytest

from arena.interchange.move_lists import is_pgn, read_lines, read_pgn

PGN = """
[Event "a [strange] name"]
[White "x"]

1. e4 {a comment
[White "no tag"] } e5 (1... d5 2. c4 (2. d4) d4) 2.d4 $3 ; the rest of it
d3 1-0

[Event "no moves"]

*

[Event "circles"]
1. 4-5 7 1/2-1/2
2:1 1:3
"""


def test_the_moves_of_pgn_are_read_without_what_stands_among_them() -> None:
    """Numbers, comments, variations, annotations and results are no moves; games begin where others end."""
    assert is_pgn(PGN)
    assert [tuple(each) for each in read_pgn(PGN)] == [
        (5, ("e4", "e5", "d4", "d3")),
        (14, ("4-5", "7")),
        (15, ("2:1", "1:3")),
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


@pytest.mark.parametrize("text", ["", "[", "{", "((", "1.", '[A "b"]', "; ", "$"])
def test_what_has_no_moves_has_no_lists(text: str) -> None:
    """However it is cut off."""
    assert [each for each in read_pgn(text) if set(each.moves) - {"[", "$"}] == []
