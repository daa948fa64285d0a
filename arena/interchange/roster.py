"""Class rosters, as CSV or as spreadsheets copy them: who is let in, and which names of bots are kept.

The first line that is not empty names the columns; cells are parted by commas, or by tabs where that line
names a column so and not by commas. `user` or `team` is needed; `role` is ``team`` (also where the cell is
empty or the column missing), ``organiser``, ``reader`` or ``admin``, or what schools call one of these
(`ROLES`); `bot` is the name of a bot that shall be the user's, or the team's. With both `user` and `team` a
line is a member of a team, who signs in for himself; with `team` alone, or where the cell of the user is
empty, it is the team. Who has several bots has a line for each. Other columns are passed over. Empty lines
count for nothing. Where no column has one of these names, the first that is called alike (`ALSO`) is taken.
"""

from __future__ import annotations

import codecs
import csv
import io
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from arena.core.errors import AnyOf, InvalidError, Worded
from arena.core.names import MAX_CHARS, check_name
from arena.core.terms import Role
from arena.interchange.errors import FileFormatError
from arena.interchange.tables import unguarded

MAX_LINES = 5000
COLUMNS = ("user", "team", "role", "bot")
ALSO = {
    "team": ("teams", "group", "隊伍", "隊名", "隊伍名稱", "組別"),
    "user": ("account", "帳號", "member", "student", "name", "組員", "成員", "學生", "姓名", "名稱"),
    "role": ("角色", "身分"),
    "bot": ("bots", "bot name", "機器人", "機器人名稱", "程式"),
}
"""What else the columns are called in tables that schools have."""
ROLES = {
    **{role.value: role for role in Role},
    **dict.fromkeys(("student", "pupil", "member", "學生", "同學", "組員", "成員", "隊伍"), Role.TEAM),
    **dict.fromkeys(
        ("organizer", "teacher", "instructor", "主辦人", "老師", "教師", "授課教師"), Role.ORGANISER
    ),
    **dict.fromkeys(("assistant", "teaching assistant", "ta", "助教"), Role.ORGANISER),
    **dict.fromkeys(("讀者", "訪客"), Role.READER),
    **dict.fromkeys(("administrator", "管理員"), Role.ADMIN),
}
"""What is written for a role."""
WIDE_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Encoding(StrEnum):
    """How a roster's characters are written; `cp950` is the Big5 of spreadsheets in Traditional Chinese."""

    UTF_8 = "utf-8"
    CP950 = "cp950"


@dataclass(frozen=True)
class RosterLine:
    """One line that can be used; `number` is its place in the file, `user` a member of `team` if of any."""

    number: int
    user: str
    role: Role
    bot: str | None
    team: str | None = None


@dataclass
class Roster:
    """What a file says: `faults` are the lines that cannot be used, `ignored` the columns passed over.

    `warnings` are lines that can be used and may mean something else, `columns` what the file calls those
    that were taken.
    """

    lines: list[RosterLine] = field(default_factory=list)
    faults: list[tuple[int, Worded]] = field(default_factory=list)
    warnings: list[tuple[int, Worded]] = field(default_factory=list)
    ignored: tuple[str, ...] = ()
    columns: dict[str, str] = field(default_factory=dict)
    _first: dict[str, RosterLine] = field(default_factory=dict)
    _owners: dict[str, str] = field(default_factory=dict)

    def take(self, number: int, told: Mapping[str, str]) -> None:
        """Add a line to those that can be used, or to the faults."""
        try:
            line = _line(number, told)
        except InvalidError as error:
            self.faults.append((number, error))
            return
        if fault := self._contradiction(line):
            self.faults.append((number, fault))
            return
        self.lines.append(line)
        first = self._first[line.user]
        if first is not line and (line.bot is None or first.bot in {None, line.bot}):
            again = InvalidError(
                "%(user)r is on line %(earlier)s already, so that both are one account",
                user=line.user,
                earlier=first.number,
            )
            self.warnings.append((number, again))

    def _contradiction(self, line: RosterLine) -> InvalidError | None:
        first, owner = self._first.setdefault(line.user, line), line.team or line.user
        if first.role != line.role:
            return InvalidError(
                "%(user)r is %(earlier)s on an earlier line and %(role)s here",
                user=line.user,
                earlier=first.role,
                role=line.role,
            )
        if first.team != line.team:
            return InvalidError(
                "%(user)r is in the team %(earlier)r on an earlier line; everybody is in one team",
                user=line.user,
                earlier=first.team or first.user,
            )
        if line.bot is not None and self._owners.setdefault(line.bot, owner) != owner:
            return InvalidError(
                "the bot %(bot)r is %(owner)r's on an earlier line",
                bot=line.bot,
                owner=self._owners[line.bot],
            )
        return None


def read_roster(data: bytes, encoding: Encoding = Encoding.UTF_8) -> Roster:
    """The lines of a roster; UTF-8 may begin with its mark, and UTF-16 is known by its own.

    Raises:
        FileFormatError: it is not written in `encoding`, has no column `user`, or is no CSV at all.
    """
    rows, begin, written = _table(_text(data, encoding))
    titles = _recognised(written)
    _check_titles(begin, titles)
    roster = Roster(
        columns={title: written[titles.index(title)] for title in COLUMNS if title in titles},
        ignored=tuple(title for title in titles if title and title not in COLUMNS),
    )
    for number, cells in rows:
        _take(roster, number, titles, cells)
        if len(roster.lines) + len(roster.faults) > MAX_LINES:
            raise FileFormatError("a roster has at most %(most)s lines; divide this one", most=MAX_LINES)
    return roster


def _table(text: str) -> tuple[Iterator[tuple[int, list[str]]], int, list[str]]:
    """The rows below the titles, the line on which these stand, and they themselves."""
    try:
        by_commas = _parted(text, ",")
    except FileFormatError:
        by_commas = None
    if by_commas is None or "user" not in _recognised(by_commas[-1]):
        by_tabs = _parted(text, "\t")
        if by_commas is None or "user" in _recognised(by_tabs[-1]):
            return by_tabs
    return by_commas


def _parted(text: str, sign: str) -> tuple[Iterator[tuple[int, list[str]]], int, list[str]]:
    rows = _rows(text, sign)
    begin, first = next(rows, (1, []))
    return rows, begin, [title.strip().lower() for title in first]


def _rows(text: str, sign: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, and on which line each begins."""
    reader, begin = csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True), 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield begin, cells
            begin = reader.line_num + 1
    except csv.Error:
        raise FileFormatError(
            "line %(number)s begins what is no CSV; is a quote not closed?", number=begin
        ) from None


def _text(data: bytes, encoding: Encoding) -> str:
    if data.startswith(WIDE_BOMS):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            raise FileFormatError(
                "the file begins as UTF-16 and cannot be read as such; save it as 'CSV UTF-8' in the "
                "spreadsheet"
            ) from None
    try:
        return data.decode("utf-8-sig" if encoding is Encoding.UTF_8 else "cp950")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        if encoding is Encoding.UTF_8:
            raise FileFormatError(
                "line %(number)s is not UTF-8: save it as 'CSV UTF-8' in the spreadsheet, or say that its "
                "encoding is cp950 (Big5)",
                number=line,
            ) from None
        raise FileFormatError(
            "line %(number)s is not CP950: is it UTF-8? Then leave the encoding out", number=line
        ) from None


def _recognised(titles: Sequence[str]) -> list[str]:
    """The titles, with those that stand for a column of ours by its name."""
    found = list(titles)
    for column, others in ALSO.items():
        called = next((title for title in others if title in titles), None)
        if called is not None and column not in titles:
            found[titles.index(called)] = column
    if "team" in found and "user" not in found:
        found[found.index("team")] = "user"
    return found


def _check_titles(number: int, titles: Sequence[str]) -> None:
    if "user" in titles:
        doubled = next((title for title in COLUMNS if titles.count(title) > 1), None)
        if doubled:
            raise FileFormatError(
                "line %(number)s: there are two columns %(title)r; leave one out",
                number=number,
                title=doubled,
            )
        return
    if any(";" in title for title in titles):
        raise FileFormatError(
            "line %(number)s: columns are parted by semicolons; part them by commas or tabs", number=number
        )
    raise FileFormatError(
        "line %(number)s has to name the columns, among them 'user' or 'team'; it is %(line)r",
        number=number,
        line=",".join(titles)[:60],
    )


def _take(roster: Roster, number: int, titles: Sequence[str], cells: Sequence[str]) -> None:
    if any(cell.strip() for cell in cells[len(titles) :]):
        many = InvalidError(
            "there are %(cells)s cells and %(columns)s columns; put quotes around a cell with the sign in it "
            "that parts them",
            cells=len(cells),
            columns=len(titles),
        )
        roster.faults.append((number, many))
        return
    told = {title: unguarded(cell.strip()) for title, cell in zip(titles, cells, strict=False)}
    roster.take(number, told)


def _line(number: int, told: Mapping[str, str]) -> RosterLine:
    named = unicodedata.normalize("NFKC", told.get("role", "")[:MAX_CHARS]).strip().lower() or Role.TEAM.value
    if named not in ROLES:
        raise InvalidError(
            "the role %(role)r is none; it is %(roles)s, or nothing for a team",
            role=named[:20],
            roles=AnyOf(Role),
        )
    role, team = ROLES[named], None
    if told.get("team"):
        team = check_name("team", told["team"])
        if role != Role.TEAM:
            raise InvalidError("a %(role)s is in no team; leave the team or the role out", role=role)
    user = check_name("user", told.get("user", "")) if told.get("user") or team is None else team
    bot = check_name("bot", told["bot"]) if told.get("bot") else None
    return RosterLine(number, user, role, bot, None if user == team else team)
