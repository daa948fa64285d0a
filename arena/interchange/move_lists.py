"""Lists of moves in files: a list a line, or the moves of PGN games, in whatever notation the game has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from arena.interchange.errors import FileFormatError
from arena.interchange.pgn import RESULTS

_TAG = re.compile(r"\s*\[\s*\w+\s+\"")
_NUMBER = re.compile(r"\d+\.+")
_PIECE = re.compile(
    r"""(?P<tag>^[ \t]*\[[ \t]*\w+[ \t]+".*$) | (?P<remark>^%.*$|\{[^}]*\}?|;.*$|\$\d+)
    | [()] | [^\s{}();]+""",
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
    """A list for each line that has one, its moves with blanks between; after `#` stands a remark.

    Raises:
        FileFormatError: the text ends within a line that has moves, so that it may have been cut off there.
    """
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        if moves := tuple(line.partition("#")[0].split()):
            if line.splitlines()[0] == line:
                raise FileFormatError(
                    f"line {number}: the file ends within this line, and may have been cut off; add a line "
                    "break if it is whole"
                )
            yield MoveList(number, moves)


def read_pgn(text: str) -> Iterator[MoveList]:
    """The moves of each game, numbers, results, comments, variations, annotations and ``%`` lines left out.

    Games without moves are passed over.

    Raises:
        FileFormatError: the text ends within a tag, a comment or a game, so that it was cut off there.
    """
    moves: list[str] = []
    depth, begun, line, counted = 0, 0, 1, 0
    opened: int | None = None
    for at, piece in _pieces(text):
        line, counted = line + text.count("\n", counted, at), at
        opened = line if opened is None else opened
        if piece in {"(", ")"}:
            depth = max(0, depth + (1 if piece == "(" else -1))
        elif piece in {"", *RESULTS}:
            if moves:
                yield MoveList(begun, tuple(moves))
                opened = line
            moves, depth = [], 0
            opened = opened if piece == "" else None
        elif not depth and (move := _NUMBER.sub("", piece, count=1) if _NUMBER.match(piece) else piece):
            begun = begun if moves else line
            moves.append(move)
    if opened is not None:
        raise FileFormatError(
            f"line {opened}: the game that begins here has no end, so the file may have been cut off; add "
            "its result, or *, if it is whole"
        )


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """What games consist of, with its place: moves and what stands among them, and nothing for a tag.

    Raises:
        FileFormatError: the text ends within a tag or a comment.
    """
    for piece in _PIECE.finditer(text):
        told = piece[0].rstrip()
        if (piece["tag"] and not told.endswith("]")) or (told[:1] == "{" and told[-1:] != "}"):
            what = "tag" if piece["tag"] else "comment"
            number = text.count("\n", 0, piece.start()) + 1
            raise FileFormatError(f"line {number}: the {what} that begins here has no end")
        if piece["tag"]:
            yield piece.start(), ""
        elif not piece["remark"]:
            yield piece.start(), piece[0]
