"""What is known of a Reversi that is being solved, as lines of a file to which each answer is added.

The first line is a JSON object: `format`, `version`, `game`, `rules` (the version of the game's rules),
`params`, `position` where it is not the start that is solved, and `frontier`, the most empty squares of a
position that is solved as it stands. Each other line is
a position, the mover's discs and the other side's as hexadecimal bitboards, and the least and the greatest
that it can be worth to the mover. A line ends with a space and the CRC-32, eight hexadecimal digits, of what
stands before it in the line, begun with that of the line before: none can be changed, left out or put in
unnoticed. Only the last may be cut off, by whatever ended its writer; it is then as if never written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple
from zlib import crc32

from engines.game import GameError
from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers.reversi_board import Position
from engines.solvers.reversi_tree import Bounds

FORMAT, VERSION = "bot-arena-bounds", 1
END = b"\n"


class BoundsError(GameError):
    """The file cannot be gone on from; the message names the line, and says what is wrong."""


class ReadBounds(NamedTuple):
    """What was read: the frontier, the bounds, how many bytes are whole, and the checksum to go on with."""

    frontier: int
    known: dict[Position, Bounds]
    size: int
    checksum: int


def first_line(game: ReversedReversi, frontier: int, position: State | None = None) -> tuple[bytes, int]:
    """The first line for a position of a game, None for its start, and its checksum."""
    about = {key: value for key, value in _wanted(game, position).items() if value is not None}
    told = {"format": FORMAT, "version": VERSION, **about, "frontier": frontier}
    return _signed(json.dumps(told).encode(), 0)


def line(position: Position, bounds: Bounds, checksum: int) -> tuple[bytes, int]:
    """The line of an answer after one with that checksum, and its own."""
    return _signed(b"%x %x %d %d" % (*position, *bounds), checksum)


def read(lines: Iterable[bytes], game: ReversedReversi, position: State | None = None) -> ReadBounds:
    """What the lines of a file say of a position of a game, None for its start; each line with its end.

    Raises:
        BoundsError: they are of another game, position or format, or damaged.
    """
    frontier, known, size, checksum = -1, dict[Position, Bounds](), 0, 0
    torn = False
    for number, each in enumerate(lines, start=1):
        if torn:
            raise BoundsError("line %(line)s is damaged", line=number - 1)
        torn = number > 1 and not each.endswith(END)
        if torn:
            continue
        text, checksum = _checked(each, checksum, number)
        if number == 1:
            frontier = _frontier(text, game, position)
        else:
            found, (low, high) = _entry(text, game, number)
            least, greatest = known.get(found, (low, high))
            known[found] = max(least, low), min(greatest, high)
        size += len(each)
    if frontier < 0:
        raise BoundsError("it is empty")
    return ReadBounds(frontier, known, size, checksum)


def _signed(text: bytes, before: int) -> tuple[bytes, int]:
    checksum = crc32(text, before)
    return b"%s %08x\n" % (text, checksum), checksum


def _checked(each: bytes, before: int, number: int) -> tuple[bytes, int]:
    text = each.rpartition(b" ")[0]
    whole, checksum = _signed(text, before)
    if each != whole:
        raise BoundsError("line %(line)s is damaged, or one before it is missing", line=number)
    return text, checksum


def _frontier(text: bytes, game: ReversedReversi, position: State | None) -> int:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or (told.get("format"), told.get("version")) != (FORMAT, VERSION):
        raise BoundsError(
            "line 1 does not say that it is a %(format)s of version %(version)s",
            format=FORMAT,
            version=VERSION,
        )
    frontier, wanted = told.get("frontier"), _wanted(game, position)
    about = {key: told.get(key) for key in wanted}
    if about | {"position": None} != wanted | {"position": None}:
        raise BoundsError(
            "it is of %(game)s with %(found)s, not of %(params)s",
            game=told.get("game"),
            found=told.get("params"),
            params=game.params,
        )
    if about != wanted:
        raise _elsewhere(about["position"], wanted["position"])
    if type(frontier) is not int or not 0 <= frontier < game.geometry.squares:
        raise BoundsError("line 1 has the frontier %(frontier)r", frontier=frontier)
    return frontier


def _entry(text: bytes, game: ReversedReversi, number: int) -> tuple[Position, Bounds]:
    squares = game.geometry.squares
    try:
        own, opp, low, high = text.split(b" ")
        position, bounds = Position(int(own, 16), int(opp, 16)), (int(low), int(high))
    except ValueError:
        raise BoundsError("line %(line)s is no position with its bounds", line=number) from None
    if position.own & position.opp or (position.own | position.opp) >> squares:
        raise BoundsError("line %(line)s has a position that is none", line=number)
    if not -squares <= bounds[0] <= bounds[1] <= squares:
        raise BoundsError("line %(line)s has bounds that are none", line=number)
    return position, bounds


def _wanted(game: ReversedReversi, position: State | None) -> dict[str, Any]:
    state = None if position is None else game.state_to_json(position)
    return {"game": game.name, "rules": game.version, "params": game.params, "position": state}


def _elsewhere(found: Any, wanted: Any) -> BoundsError:
    """What is said of a file that is of another position than it should be; None is the start."""
    at, place = json.dumps(found), json.dumps(wanted)
    if found is None:
        return BoundsError("it is of the start, not of the position %(place)s", place=place)
    if wanted is None:
        return BoundsError("it is of the position %(at)s, not of the start", at=at)
    return BoundsError("it is of the position %(at)s, not of the position %(place)s", at=at, place=place)
