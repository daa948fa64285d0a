"""Class rosters as CSV: who is to be let in, and which names of bots are kept for them.

The first line names the columns. `user` is needed; `role` is ``team`` (also where the cell is empty or the
column missing), ``organiser``, ``reader`` or ``admin``; `bot` is the name of a bot that shall be the user's.
A user with several bots has a line for each. Other columns are passed over. Empty lines count for nothing.
Where no column has one of these names, the first that is called alike (`ALSO`) is taken for it.
"""

from __future__ import annotations

import codecs
import csv
import io
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from arena.core.errors import InvalidError
from arena.core.names import check_name
from arena.core.terms import Role
from arena.interchange.errors import FormatError
from arena.interchange.tables import unguarded

MAX_LINES = 5000
COLUMNS = ("user", "role", "bot")
ALSO = {
    "user": ("team", "account", "name", "隊伍", "隊名", "隊伍名稱", "組別", "帳號", "名稱", "姓名"),
    "role": ("角色", "身分"),
    "bot": ("bots", "bot name", "機器人", "機器人名稱", "程式"),
}
"""What else the columns are called in tables that schools have."""
WIDE_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Encoding(StrEnum):
    """How a roster's characters are written; `cp950` is the Big5 of spreadsheets in Traditional Chinese."""

    UTF_8 = "utf-8"
    CP950 = "cp950"


@dataclass(frozen=True)
class RosterLine:
    """One line that can be used; `number` is its place in the file."""

    number: int
    user: str
    role: Role
    bot: str | None


@dataclass
class Roster:
    """What a file says: `faults` are the lines that cannot be used, `ignored` the columns passed over.

    `warnings` are lines that can be used and may mean something else, `columns` what the file calls those
    that were taken.
    """

    lines: list[RosterLine] = field(default_factory=list)
    faults: list[tuple[int, str]] = field(default_factory=list)
    warnings: list[tuple[int, str]] = field(default_factory=list)
    ignored: tuple[str, ...] = ()
    columns: dict[str, str] = field(default_factory=dict)
    _first: dict[str, RosterLine] = field(default_factory=dict)
    _owners: dict[str, str] = field(default_factory=dict)

    def take(self, number: int, told: Mapping[str, str]) -> None:
        """Add a line to those that can be used, or to the faults."""
        try:
            line = _line(number, told)
        except InvalidError as error:
            self.faults.append((number, str(error)))
            return
        if fault := self._contradiction(line):
            self.faults.append((number, fault))
            return
        self.lines.append(line)
        first = self._first[line.user]
        if first is not line and (line.bot is None or first.bot in {None, line.bot}):
            self.warnings.append(
                (number, f"{line.user!r} is on line {first.number} already, so that both are one account")
            )

    def _contradiction(self, line: RosterLine) -> str | None:
        role = self._first.setdefault(line.user, line).role
        if role != line.role:
            return f"{line.user!r} is {role} on an earlier line and {line.role} here"
        if line.bot is not None and self._owners.setdefault(line.bot, line.user) != line.user:
            return f"the bot {line.bot!r} is {self._owners[line.bot]!r}'s on an earlier line"
        return None


def read_roster(data: bytes, encoding: Encoding = Encoding.UTF_8) -> Roster:
    """The lines of a roster; UTF-8 may begin with its mark.

    Raises:
        FormatError: it is not written in `encoding`, has no column `user`, or is no CSV at all.
    """
    reader = csv.reader(io.StringIO(_text(data, encoding), newline=""), strict=True)
    roster, begin = Roster(), 1
    try:
        written = [title.strip().lower() for title in next(reader, [])]
        titles = _recognised(written)
        _check_titles(titles)
        roster.columns = {title: written[titles.index(title)] for title in COLUMNS if title in titles}
        roster.ignored = tuple(title for title in titles if title and title not in COLUMNS)
        begin = reader.line_num + 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                _take(roster, begin, titles, cells)
            begin = reader.line_num + 1
    except csv.Error as error:
        raise FormatError(f"line {begin} begins what is no CSV: {error}; is a quote not closed?") from None
    if len(roster.lines) + len(roster.faults) > MAX_LINES:
        raise FormatError(f"a roster has at most {MAX_LINES} lines; divide this one")
    return roster


def _text(data: bytes, encoding: Encoding) -> str:
    if data.startswith(WIDE_BOMS):
        raise FormatError("the file is UTF-16; save it as 'CSV UTF-8' in the spreadsheet")
    try:
        return data.decode("utf-8-sig" if encoding is Encoding.UTF_8 else "cp950")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        if encoding is Encoding.UTF_8:
            advice = "save it as 'CSV UTF-8' in the spreadsheet, or say that its encoding is cp950 (Big5)"
        else:
            advice = "is it UTF-8? Then leave the encoding out"
        raise FormatError(f"line {line} is not {encoding.upper()}: {advice}") from None


def _recognised(titles: Sequence[str]) -> list[str]:
    """The titles, with those that stand for a column of ours by its name."""
    found = list(titles)
    for column, others in ALSO.items():
        called = next((title for title in others if title in titles), None)
        if called is not None and column not in titles:
            found[titles.index(called)] = column
    return found


def _check_titles(titles: Sequence[str]) -> None:
    if "user" in titles:
        doubled = next((title for title in COLUMNS if titles.count(title) > 1), None)
        if doubled:
            raise FormatError(f"line 1: there are two columns {doubled!r}; leave one out")
        return
    parted = next((sign for sign in ";\t" if any(sign in title for title in titles)), None)
    if parted:
        raise FormatError(f"line 1: columns are parted by {parted!r}; part them by commas")
    raise FormatError(f"line 1 has to name the columns, among them 'user'; it is {','.join(titles)[:60]!r}")


def _take(roster: Roster, number: int, titles: Sequence[str], cells: Sequence[str]) -> None:
    if len(cells) > len(titles):
        many = f"there are {len(cells)} cells and {len(titles)} columns; put quotes around commas"
        roster.faults.append((number, many))
        return
    told = {title: unguarded(cell.strip()) for title, cell in zip(titles, cells, strict=False)}
    roster.take(number, told)


def _line(number: int, told: Mapping[str, str]) -> RosterLine:
    role = unicodedata.normalize("NFKC", told.get("role", "")).lower() or Role.TEAM
    if role not in set(Role):
        raise InvalidError(
            f"the role {role[:20]!r} is none; it is {' or '.join(Role)}, or nothing for a team"
        )
    user = check_name("user", told.get("user", ""))
    bot = check_name("bot", told["bot"]) if told.get("bot") else None
    return RosterLine(number, user, Role(role), bot)
