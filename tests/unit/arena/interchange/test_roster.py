"""Rosters: what a file says, and every line that cannot be used."""

from __future__ import annotations

import codecs
import time

import pytest

from arena.core.terms import Role
from arena.interchange.errors import FileFormatError
from arena.interchange.roster import Encoding, RosterLine, read_roster

TEAM, ADMIN = Role.TEAM, Role.ADMIN


def test_columns_in_any_order_with_defaults() -> None:
    """Columns are found by name in any case, roles default to team, and other columns are passed over."""
    roster = read_roster(
        b"Bot,class no,USER,role\r\nalpha,s1,red,\r\n,,,\r\nbeta,s2,red,TEAM\r\n,s3,ta,admin\r\n"
    )
    assert roster.lines == [
        RosterLine(2, "red", TEAM, "alpha"),
        RosterLine(4, "red", TEAM, "beta"),
        RosterLine(5, "ta", ADMIN, None),
    ]
    assert (roster.faults, roster.ignored) == ([], ("class no",))


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_utf8_with_or_without_its_mark(mark: bytes) -> None:
    """The mark that spreadsheets put before UTF-8 belongs to no name."""
    assert read_roster(mark + "user\n第一隊\n".encode()).lines == [RosterLine(2, "第一隊", TEAM, None)]


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
@pytest.mark.parametrize("asked", Encoding)
def test_utf16_is_known_by_its_mark(mark: bytes, asked: Encoding) -> None:
    """What spreadsheets save as Unicode text is read in both orders of its bytes, whatever was asked for."""
    order = "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"
    data = mark + "user\n第一隊\n".encode(order)
    assert read_roster(data, asked).lines == [RosterLine(2, "第一隊", TEAM, None)]


def test_empty_lines_before_the_columns_count_for_nothing() -> None:
    """The first line that says something names the columns, and the others keep their numbers."""
    assert read_roster(b"\n , \r\nuser,bot\nred,\n").lines == [RosterLine(4, "red", TEAM, None)]


def test_big5_is_said_and_read_when_asked() -> None:
    """A Big5 file is refused with its line and the way out, and read under its encoding."""
    data = "user,role\nred,\n第一隊,team\n".encode("cp950")
    with pytest.raises(FileFormatError, match=r"line 3 is not UTF-8.*cp950"):
        read_roster(data)
    assert [line.user for line in read_roster(data, Encoding.CP950).lines] == ["red", "第一隊"]


def test_every_bad_line_is_told() -> None:
    """Names, roles and cells that cannot be, and lines that contradict earlier ones, keep their numbers."""
    text = "user,role,bot\nred,,alpha\n../x,,\nblue,boss,\nred,admin,\nblue,,alpha\na,,b,c\ngreen,,=x\n"
    roster = read_roster(text.encode())
    assert [number for number, _ in roster.faults] == [3, 4, 5, 6, 7, 8]
    assert [line.user for line in roster.lines] == ["red"]
    told = " ".join(str(fault) for _, fault in roster.faults)
    for part in ("'../x'", "role 'boss'", "is team on an earlier line", "'red''s", "4 cells", "'=x'"):
        assert part in told


def test_members_of_teams() -> None:
    """With a team and a name a line is a member; who is nobody's name is the team; nobody is in two teams."""
    text = "隊名,姓名,role,bot\nred,甲,,r\nred,乙,,r\nblue,甲,,\nblue,,,\nred,丙,admin,\n,丁,,r\n"
    roster = read_roster(text.encode())
    assert roster.lines == [
        RosterLine(2, "甲", TEAM, "r", "red"),
        RosterLine(3, "乙", TEAM, "r", "red"),
        RosterLine(5, "blue", TEAM, None),
    ]
    assert [number for number, _ in roster.faults] == [4, 6, 7]
    told = [str(fault) for _, fault in roster.faults]
    assert "in the team 'red' on an earlier line" in told[0]
    assert "is in no team" in told[1]
    assert "the bot 'r' is 'red''s" in told[2]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_cells_that_a_spreadsheet_copies_are_parted_by_tabs(end: str) -> None:
    """With commas in titles and cells, quotes doubled, a line break in a cell, and empty cells behind."""
    lines = (
        "隊名\t姓名, 學號\t姓名\t備註\t機器人",
        'red\t甲, 1\t甲\t"a ""b""\n c\td"\tr\t\t',
        'blue\t\t乙\t5" disc',
    )
    roster = read_roster(end.join(lines).encode())
    assert roster.lines == [
        RosterLine(2, "甲", TEAM, "r", "red"),
        RosterLine(4, "乙", TEAM, None, "blue"),
    ]
    assert (roster.faults, roster.ignored) == ([], ("姓名, 學號", "備註"))


def test_quoted_titles_and_a_single_column_are_read_by_either_sign() -> None:
    """What is quoted around a tab is no broken CSV, and commas go on parting where they did."""
    assert read_roster(b'"team"\t"name"\nred\t"x"\n').lines == [RosterLine(2, "x", TEAM, None, "red")]
    assert read_roster(b"user,bot\t\nred,alpha\t\n").lines == [RosterLine(2, "red", TEAM, "alpha")]
    assert read_roster(b"user\nred\n").lines == [RosterLine(2, "red", TEAM, None)]


@pytest.mark.parametrize(
    ("word", "role"),
    [
        ("學生", TEAM),
        ("隊伍", TEAM),
        ("Student", TEAM),
        ("老師", Role.ORGANISER),
        ("助教", Role.ORGANISER),
        ("主辦人", Role.ORGANISER),
        (" Teacher ", Role.ORGANISER),
        ("ＴＡ", Role.ORGANISER),  # noqa: RUF001  (Chinese letters)
        ("organizer", Role.ORGANISER),
        ("organiser", Role.ORGANISER),
        ("讀者", Role.READER),
        ("管理員", ADMIN),
    ],
)
def test_roles_are_known_by_the_words_of_schools(word: str, role: Role) -> None:
    """In Chinese and English, also by what the pages call them; another word is told with those."""
    assert read_roster(f"user,role\nx,{word}\n".encode()).lines == [RosterLine(2, "x", role, None)]


def test_a_user_twice_without_two_bots_is_warned_of() -> None:
    """Two lines of a user that name no two bots may be two pupils: both lines are told."""
    roster = read_roster(b"user,bot\nred,\nblue,beta\nred,\nblue,gamma\nblue,beta\nblue,\n")
    assert [number for number, _ in roster.warnings] == [4, 6, 7]
    assert str(roster.warnings[0][1]) == "'red' is on line 2 already, so that both are one account"
    assert (roster.faults, len(roster.lines)) == ([], 6)


def test_a_line_of_several_is_known_by_its_first() -> None:
    """A cell with line breaks moves no number: faults are where a reader finds them in the file."""
    roster = read_roster(b'user,note\r\nred,"two\r\nlines"\r\n"../x","two\r\nlines"\r\n\r\n../y,\r\n')
    assert [number for number, _ in roster.faults] == [4, 7]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "line 1 has to name the columns"),
        (b"colour\nred\n", "among them 'user'"),
        (b"user;role\nred;team\n", "parted by semicolons; part them by commas or tabs"),
        (b"user,user\nred,red\n", "two columns 'user'"),
        (b"\xff\xfe\x00\xd8", "begins as UTF-16 and cannot be read"),
        (b"\n,\nuser,user\n", "line 3: there are two columns 'user'"),
        (b'user\nred\n"blue\ngreen\nwhite\n', "line 3 begins what is no CSV.*a quote not closed"),
        (b"user\n" + b"".join(b"t%d\n" % number for number in range(5001)), "at most 5000"),
    ],
)
def test_what_is_no_roster_is_refused(data: bytes, told: str) -> None:
    """A file without the columns, of another kind or too long is refused as a whole."""
    with pytest.raises(FileFormatError, match=told):
        read_roster(data)


@pytest.mark.parametrize(
    ("titles", "columns", "ignored"),
    [
        ("隊名,機器人", {"user": "隊名", "bot": "機器人"}, ()),
        ("Name,Bots", {"user": "name", "bot": "bots"}, ()),
        ("name,user", {"user": "user"}, ("name",)),
        ("姓名,隊伍", {"user": "姓名", "team": "隊伍"}, ()),
        ("team,name", {"user": "name", "team": "team"}, ()),
    ],
)
def test_columns_are_recognised(titles: str, columns: dict[str, str], ignored: tuple[str, ...]) -> None:
    """What schools call the columns is taken for them, unless a column has the very name."""
    roster = read_roster(f"{titles}\na,b\n".encode())
    assert (roster.columns, roster.ignored) == (columns, ignored)


def test_a_roster_that_is_too_long_is_not_read_to_its_end() -> None:
    """However many lines there are, faulty ones too, those beyond the most that are taken cost nothing."""
    began = time.thread_time()
    with pytest.raises(FileFormatError, match="at most 5000"):
        read_roster(b"user\n" + b"-\n" * 500_000)
    assert time.thread_time() - began < 3.0


@pytest.mark.parametrize("column", ["user", "team", "role", "bot"])
def test_marks_without_an_end_keep_nobody_waiting(column: str) -> None:
    """A cell that no name or role can be is refused at once, whatever it would take to compose it."""
    cell = "a" + "\u0301" * 20_000 + "\u0323" * 20_000
    began = time.thread_time()
    roster = read_roster(f"{column},{'user' if column != 'user' else 'role'}\n{cell},team\n".encode())
    assert len(roster.faults) == 1
    assert time.thread_time() - began < 1.0
