r"""Games as header-only PGN: the standard's seven tags, and the termination where it was no normal one.

Programs that rate players from results (Ordo, BayesElo) read such files. Seat 0 is White. A game that both
forfeited has the result ``*``, which such programs leave out, as the ratings here do.

The standard (PGN, 1994, section 7) escapes ``"`` and ``\`` in a tag's value and allows no control characters
there; those are written as ``\u{…}``. Others (python-chess) escape nothing: a tag that is alone on its line
and that the standard cannot read is read as it stands, from its first quote to its last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields

from arena.interchange.errors import FileFormatError
from arena.interchange.escaping import escape, unescape

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
UNKNOWN = "?"
QUOTE = '"'

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_TAGS = re.compile(rf"(?:{_TAG.pattern}\s*)+")
_PLAIN_TAG = re.compile(r'\[\s*(\w+)\s+"(.*)"\s*\]')
_LINE = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class PgnGame:
    """One game's tags; `date` is ``YYYY.MM.DD`` with question marks for what is not known."""

    event: str
    white: str
    black: str
    result: str
    site: str = UNKNOWN
    date: str = "????.??.??"
    round: str = UNKNOWN
    termination: str = ""


ORDER = ("event", "site", "date", "round", "white", "black", "result", "termination")
_NAMES = {name.capitalize(): name for name in ORDER}


def write(game: PgnGame) -> str:
    """The tags a line each, an empty line, the result in place of moves, and an empty line.

    Raises:
        ValueError: there is no such result.
    """
    if game.result not in RESULTS:
        raise ValueError(f"a result is one of {', '.join(RESULTS)}, not {game.result!r}")
    told = [
        (tag, getattr(game, name))
        for tag, name in _NAMES.items()
        if name != "termination" or game.termination
    ]
    tags = "".join(f'[{tag} "{escape(value, QUOTE)}"]\n' for tag, value in told)
    return f"{tags}\n{game.result}\n\n"


def read(text: str) -> Iterator[PgnGame]:
    """The games of a PGN file by their tags; moves, comments and other tags are passed over.

    A game begins with the first tag after moves, or with one that the game before has already, as in files of
    tags alone. A line that begins with ``%`` outside a comment is passed over whole (section 6).

    Raises:
        FileFormatError: a game has no players, or a result that is none, or the file ends within a comment.
    """
    tags: dict[str, str] = {}
    begun, in_moves, comment = 0, False, 0
    for number, line in enumerate(_LINE.split(text.removeprefix("\ufeff")), start=1):
        if line.startswith("%") and not comment:
            continue
        line_tags = [] if comment else _tags(line.strip())
        if not line_tags:
            in_moves = in_moves or bool(line.strip() and tags)
            comment = _comment_begun(line, number, comment)
        for name, value in line_tags:
            if in_moves or name in tags:
                yield _game(tags, begun)
                tags, in_moves = {}, False
            begun = begun if tags else number
            tags[name] = value
    if comment:
        raise FileFormatError(f"line {comment}: the comment that begins here has no end")
    if tags:
        yield _game(tags, begun)


def _tags(line: str) -> list[tuple[str, str]]:
    """The tags that a line consists of, or begins with; most have one alone."""
    if _TAGS.fullmatch(line):
        return [(name, unescape(value, QUOTE)) for name, value in _TAG.findall(line)]
    if plain := _PLAIN_TAG.fullmatch(line):
        return [(plain[1], plain[2])]
    first = _TAG.match(line)
    return [(first[1], unescape(first[2], QUOTE))] if first else []


def _comment_begun(line: str, number: int, begun: int) -> int:
    """The line where a comment in braces began that goes on after this one of moves, or 0.

    `begun` is the same before the line; a semicolon hides the rest of it.
    """
    for char in line:
        if begun:
            begun = 0 if char == "}" else begun
        elif char == ";":
            return 0
        elif char == "{":
            begun = number
    return begun


def _game(tags: dict[str, str], line: int) -> PgnGame:
    missing = [tag for tag in ("White", "Black", "Result") if tag not in tags]
    if missing:
        raise FileFormatError(f"line {line}: the game that begins here has no tag {missing[0]}")
    if tags["Result"] not in RESULTS:
        raise FileFormatError(
            f"line {line}: the result of the game that begins here is {tags['Result'][:20]!r}, not one of "
            f"{', '.join(RESULTS)}"
        )
    known = {field.name for field in fields(PgnGame)}
    told = {name: tags[tag] for tag, name in _NAMES.items() if tag in tags and name in known}
    return PgnGame(**{"event": UNKNOWN} | told)
