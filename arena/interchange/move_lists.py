"""Lists of moves in files: a list a line, or the moves of PGN games, in whatever notation the game has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from arena.interchange.pgn import RESULTS

_TAG = re.compile(r"\s*\[\s*\w+\s+\"")
_NUMBER = re.compile(r"\d+\.+")
_PIECE = re.compile(
    r"""(?P<tag>^[ \t]*\[[ \t]*\w+[ \t]+".*$) | (?P<remark>\{[^}]*\}?|;.*$|\$\d+) | [()] | [^\s{}();]+""",
    re.MULTILINE | re.VERBOSE,
)


class MoveList(NamedTuple):
    """Moves as they stand in a file, and the line that they begin in, counted from 1."""

    line: int
    moves: tuple[str, ...]


def is_pgn(text: str) -> bool:
    """Whether what stands there first is a tag of PGN."""
    return bool(_TAG.match(text))


def read_lines(text: str) -> Iterator[MoveList]:
    """A list for each line that has one, its moves with blanks between; after `#` stands a remark."""
    for number, line in enumerate(text.splitlines(), start=1):
        if moves := tuple(line.partition("#")[0].split()):
            yield MoveList(number, moves)


def read_pgn(text: str) -> Iterator[MoveList]:
    """The moves of each game, numbers, results, comments, variations and annotations left out.

    Games without moves are passed over.
    """
    moves: list[str] = []
    begun, depth = 1, 0
    for at, piece in _pieces(text):
        if piece in {"(", ")"}:
            depth = max(0, depth + (1 if piece == "(" else -1))
        elif piece in {"", *RESULTS}:
            if moves:
                yield MoveList(begun, tuple(moves))
            moves, depth = [], 0
        elif not depth and (move := _NUMBER.sub("", piece, count=1) if _NUMBER.match(piece) else piece):
            begun = begun if moves else text.count("\n", 0, at) + 1
            moves.append(move)
    if moves:
        yield MoveList(begun, tuple(moves))


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """What games consist of, with its place: moves and what stands among them, and nothing for a tag."""
    for piece in _PIECE.finditer(text):
        if piece["tag"]:
            yield piece.start(), ""
        elif not piece["remark"]:
            yield piece.start(), piece[0]
