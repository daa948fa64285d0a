"""FIDE's Tournament Report File of 2016 (TRF16, Handbook C.04 Annex 2): lines of fixed columns, from 1.

`001` is a player: 5-8 the starting rank number, 10 the sex, 11-13 the title, 15-47 the name, 49-52 the
rating, 54-56 the federation, 58-68 the FIDE number, 70-79 the birth date, 81-84 the points, 86-89 the rank;
then ten columns a round, in the first round 92-95 the opponent's number, 97 the colour and 99 the result.
Lines with other numbers tell of the tournament. Of the extensions that pairing programs share `XXR` (how many
rounds), `XXC` (the first colour, and whether players rank as their lines stand) and `XXZ` (who is absent in
the next round) are known, and of the version of 2026 `142` and `152`, which say how many rounds there are and
the first colour. What else a file holds is kept as it is.

Columns count characters; a file is UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from arena.interchange.errors import FileFormatError
from arena.interchange.escaping import is_control

NAME_CHARS = 33
MAX_PLAYERS = 9999
MAX_POINTS = 99.5
RESULTS = frozenset("1=0+-WDLHFUZ ")
COLOURS = frozenset("wb-")
ALONE = {each: each for each in "UFHZ "} | {"+": "U", "=": "H", "-": "Z"}
"""What results without an opponent are read as: Vega marks so who is absent in the next round."""

TOURNAMENT = {
    "012": "name",
    "022": "city",
    "032": "federation",
    "042": "start",
    "052": "end",
    "092": "kind",
    "102": "arbiter",
    "122": "time",
}
FIRST_COLOURS = {"white1": "w", "black1": "b"}
"""What XXC calls them."""
COUNTED = ("062", "072", "082")
"""Numbers of players, of rated players and of teams: written by what is there."""

_LINE = re.compile(r"\r\n|\r|\n")
_FIRST_ROUND, _ROUND = 91, 10


class Cell(NamedTuple):
    """One round of one player; `opponent` is None without one, and a blank `result` is one not known."""

    opponent: int | None = None
    colour: str = "-"
    result: str = " "


BLANK = Cell()


@dataclass(frozen=True)
class Player:
    """One `001` line. `half_points` and `rank` are None where the columns are empty."""

    number: int
    name: str = ""
    cells: tuple[Cell, ...] = ()
    half_points: int | None = None
    rank: int | None = None
    sex: str = ""
    title: str = ""
    rating: int | None = None
    federation: str = ""
    fide_number: str = ""
    birth: str = ""


@dataclass(frozen=True)
class Report:
    """A whole file. `first_colour` is ``w`` or ``b``; `other` are the lines that are only kept.

    Where it is `by_line` the next round is paired as if players were numbered in the order of their lines.
    """

    players: tuple[Player, ...]
    name: str = ""
    city: str = ""
    federation: str = ""
    start: str = ""
    end: str = ""
    kind: str = ""
    arbiter: str = ""
    time: str = ""
    rounds: int | None = None
    first_colour: str | None = None
    by_line: bool = False
    absent: tuple[int, ...] = ()
    other: tuple[str, ...] = field(default=())


def write(report: Report) -> Iterator[str]:
    """The lines of the file, each ended by CR LF; what is refused is refused before the first.

    Texts that are too long for their columns are cut, and control characters in them become spaces.

    Raises:
        FileFormatError: there are more players or points than the columns hold.
    """
    values = {code: _clean(getattr(report, name)) for code, name in TOURNAMENT.items()}
    rated = sum(player.rating is not None for player in report.players)
    values |= dict(zip(COUNTED, map(str, (len(report.players), rated, 0)), strict=True))
    lines = [_line(_player(player)) for player in report.players]
    for code in sorted(values):
        yield _line(f"{code} {values[code]}")
    if report.rounds is not None:
        yield _line(f"XXR {report.rounds}")
    if report.first_colour is not None:
        yield _line(f"XXC {'white1' if report.first_colour == 'w' else 'black1'}")
    if report.by_line:
        yield _line("XXC rank")
    if report.absent:
        yield _line(f"XXZ {' '.join(map(str, report.absent))}")
    yield from map(_line, report.other)
    yield from lines


def _line(text: str) -> str:
    return text.rstrip() + "\r\n"


def _clean(text: str) -> str:
    return "".join(" " if is_control(char) else char for char in text).strip()


def _player(player: Player) -> str:
    if not 1 <= player.number <= MAX_PLAYERS:
        raise FileFormatError(
            f"a TRF numbers players from 1 to {MAX_PLAYERS}; there is one with {player.number}"
        )
    points = "" if player.half_points is None else f"{player.half_points / 2:.1f}"
    if len(points) > 4:
        raise FileFormatError(f"a TRF has room for {MAX_POINTS} points; player {player.number} has {points}")
    columns = (
        (f"{player.number:4d}", 5),
        (_clean(player.sex)[:1], 10),
        (f"{_clean(player.title)[:3]:>3}", 11),
        (_clean(player.name)[:NAME_CHARS], 15),
        ("" if player.rating is None else f"{player.rating:4d}", 49),
        (_clean(player.federation)[:3], 54),
        (f"{_clean(player.fide_number)[:11]:>11}", 58),
        (_clean(player.birth)[:10], 70),
        (f"{points:>4}", 81),
        ("" if player.rank is None else f"{player.rank:4d}", 86),
    )
    line = "001"
    for text, column in columns:
        line = line.ljust(column - 1) + text
    return line.ljust(_FIRST_ROUND) + "  ".join(map(_cell, player.cells))


def _cell(cell: Cell) -> str:
    if cell == BLANK:
        return " " * 8
    number = "0000" if cell.opponent is None else f"{cell.opponent:4d}"
    return f"{number} {cell.colour} {cell.result}"


def read(text: str) -> Report:
    """The file that `text` holds.

    Raises:
        FileFormatError: a line is not as its columns should be; the message has its number.
    """
    report = Report(players=())
    players: dict[int, Player] = {}
    other: list[str] = []
    for number, line in enumerate(_LINE.split(text.removeprefix("\ufeff")), start=1):
        code = line[:3]
        if not line.strip():
            continue
        if code == "001":
            player = _read_player(line, number)
            if player.number in players:
                raise FileFormatError(f"line {number}: there is a player {player.number} already")
            players[player.number] = player
        else:
            changed = _read_other(report, code, line[3:].strip(), number)
            if changed is None and code not in COUNTED:
                other.append(line.rstrip())
            report = changed or report
    if not players:
        raise FileFormatError(
            "there is no line that begins with 001: this is no tournament report, or one without players"
        )
    _check_opponents(players)
    return replace(report, players=tuple(players.values()), other=tuple(other))


def _read_other(report: Report, code: str, value: str, number: int) -> Report | None:
    """The report with what a line says besides players; None where it says nothing that is known."""
    if code in TOURNAMENT:
        changes: dict[str, Any] = {TOURNAMENT[code]: value}
        return replace(report, **changes)
    if code in {"XXR", "142"}:
        return replace(report, rounds=_number(value, number, "a number of rounds"))
    if code == "152" and value.lower() in {"w", "b"}:
        return replace(report, first_colour=value.lower())
    words = value.lower().split()
    if code == "XXC" and {"rank", *FIRST_COLOURS}.issuperset(words):
        colours = [report.first_colour, *(FIRST_COLOURS[word] for word in words if word != "rank")]
        return replace(report, first_colour=colours[-1], by_line=report.by_line or "rank" in words)
    if code == "XXZ":
        numbers = tuple(_number(word, number, "a player's number") for word in words)
        return replace(report, absent=(*report.absent, *numbers))
    return None


def _number(text: str, line: int, what: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise FileFormatError(f"line {line}: {text[:20]!r} is not {what}")
    return int(text)


def _read_player(line: str, number: int) -> Player:
    def column(first: int, last: int) -> str:
        return line[first - 1 : last].strip()

    def maybe(text: str, what: str) -> int | None:
        return _number(text, number, what) if text else None

    return Player(
        number=_number(column(5, 8), number, "a starting rank number (columns 5-8)"),
        name=column(15, 47),
        cells=_read_cells(line.rstrip(), number),
        half_points=_read_points(column(81, 84), number),
        rank=maybe(column(86, 89), "a rank (columns 86-89)"),
        sex=column(10, 10),
        title=column(11, 13),
        rating=maybe(column(49, 52), "a rating (columns 49-52)"),
        federation=column(54, 56),
        fide_number=column(58, 68),
        birth=column(70, 79),
    )


def _read_points(text: str, line: int) -> int | None:
    if not text:
        return None
    matched = re.fullmatch(r"(\d+)(?:\.([05]))?", text)
    if matched is None:
        raise FileFormatError(f"line {line}: {text!r} are no points, as in 11.5 (columns 81-84)")
    return 2 * int(matched[1]) + (matched[2] == "5")


def _read_cells(line: str, number: int) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    for at in range(_FIRST_ROUND, len(line), _ROUND):
        told = line[at : at + _ROUND].ljust(_ROUND)
        where = f"line {number}, round {len(cells) + 1} (columns {at + 1}-{at + 8})"
        opponent, colour, result = told[:4].strip(), told[5].lower(), told[7].upper()
        if told[4] + told[6] + told[8:] != "    ":
            raise FileFormatError(
                f"{where}: {told.strip()!r} is not in its columns: opponent, colour, result"
            )
        if result not in RESULTS or colour not in COLOURS | {" "}:
            raise FileFormatError(f"{where}: {told.strip()!r} is no opponent, colour (w, b or -) and result")
        against = _number(opponent or "0", number, f"an opponent's number in round {len(cells) + 1}")
        if not against and result not in ALONE:
            raise FileFormatError(
                f"{where}: {told.strip()!r} has no opponent; write U (bye), F, H or Z for a round without one"
            )
        result = result if against else ALONE[result]
        cells.append(Cell(against or None, "-" if colour == " " else colour, result))
    return tuple(cells)


def _check_opponents(players: dict[int, Player]) -> None:
    for player in players.values():
        for at, cell in enumerate(player.cells):
            if cell.opponent is None:
                continue
            other = players.get(cell.opponent)
            back = other.cells[at] if other is not None and at < len(other.cells) else BLANK
            if back.opponent != player.number or (cell.colour, back.colour) not in {
                ("w", "b"),
                ("b", "w"),
                ("-", "-"),
            }:
                raise FileFormatError(
                    f"round {at + 1}: player {player.number} met {cell.opponent} with {cell.colour!r}, and "
                    f"the line of {cell.opponent} does not say the same"
                )
