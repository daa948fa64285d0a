"""Tournament reports: exact columns, round trips, and what the pairs and results of a file come to."""

from __future__ import annotations

from dataclasses import replace

import pytest
from caissify_pairings.trf import parse_trf
from hypothesis import given
from hypothesis import strategies as st

from arena.interchange.errors import FileFormatError
from arena.interchange.trf import Cell, Player, Report, read, write
from arena.interchange.trf_tournament import by_line, pairable, report_of, single, tournament_of
from arena.theory.pairing.contract import Entrant, Kind, Meeting
from tests.unit.arena.interchange.texts import NAMES

RESULTS = [(2, 0), (1, 1), (0, 2), (0, 0)]


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[list[Entrant], list[Meeting]]:
    """Entrants, some of whom come late, and rounds of games, forfeits, byes and absences."""
    size, rounds = draw(st.integers(2, 9)), draw(st.integers(1, 6))
    entrants = [Entrant(number, draw(st.sampled_from([1, 1, 1, 2, 3]))) for number in range(1, size + 1)]
    entrants[:2] = [Entrant(1), Entrant(2)]
    meetings = []
    for at in range(1, rounds + 1):
        waiting = draw(st.permutations([each.number for each in entrants if each.joined <= at]))
        paired = 2 * draw(st.integers(1, len(waiting) // 2))
        for first, second in zip(waiting[:paired:2], waiting[1:paired:2], strict=True):
            kind = draw(st.sampled_from([Kind.PLAYED, Kind.PLAYED, Kind.FORFEIT]))
            results = [each for each in RESULTS if kind is Kind.PLAYED or each != (1, 1)]
            meetings.append(Meeting(at, first, second, draw(st.sampled_from(results)), kind=kind))
        for number in waiting[paired:]:
            joining = entrants[number - 1].joined == at
            kinds = [(Kind.BYE, 2), (Kind.FULL_BYE, 2), (Kind.HALF_BYE, 1), (Kind.ZERO_BYE, 0)]
            kinds = kinds[: 3 if joining else 4]
            kind, half_points = draw(st.sampled_from(kinds))
            meetings.append(Meeting(at, number, None, (half_points, 0), kind=kind))
    return entrants, sorted(meetings, key=lambda meeting: (meeting.round, meeting.first))


def _again(report: Report) -> Report:
    return read("".join(write(report)))


@given(tournaments(), st.integers(0, 2))
def test_a_tournament_comes_back(told: tuple[list[Entrant], list[Meeting]], ahead: int) -> None:
    """Entrants, meetings and points of any tournament of single games are what its report says."""
    entrants, meetings = told
    played = max(meeting.round for meeting in meetings)
    names = {entrant.number: f"bot {entrant.number}" for entrant in entrants}
    report = report_of(entrants, names, meetings, rounds=played + ahead)
    assert _again(report) == report
    found = tournament_of(report)
    came = {entrant.number: min(entrant.joined, played + 1) for entrant in entrants}
    assert {entrant.number: entrant.joined for entrant in found.entrants} == came
    assert list(found.meetings) == meetings
    assert (found.played, found.rounds, dict(found.names)) == (played, played + ahead, names)


@given(tournaments())
def test_another_reader_finds_the_same(told: tuple[list[Entrant], list[Meeting]]) -> None:
    """A reader that is not ours finds every player's points, opponents, colours and results."""
    entrants, meetings = told
    names = {entrant.number: f"bot {entrant.number}" for entrant in entrants}
    report = replace(report_of(entrants, names, meetings), name="cup")
    found = parse_trf("".join(write(report)))
    assert [(each["starting_number"], each["name"]) for each in found["players"]] == list(names.items())
    for player, each in zip(report.players, found["players"], strict=True):
        assert each["score"] * 2 == player.half_points
        cells = {
            at: cell for at, cell in enumerate(player.cells, start=1) if cell.opponent or cell.result == "U"
        }
        for at, cell in cells.items():
            seen = each["results"][at]
            colour = cell.colour if cell.opponent else None
            assert (seen["opponent"], seen["color"], seen["result"]) == (cell.opponent, colour, cell.result)


@given(st.lists(NAMES, min_size=1, max_size=4), NAMES)
def test_names_of_all_kinds_keep_their_columns(names: list[str], title: str) -> None:
    """Whatever names hold, columns stay in place and lines whole; 33 characters of a name come back."""
    players = tuple(
        Player(number, name, (Cell(None, "-", "U"),), half_points=2, rank=number)
        for number, name in enumerate(names, start=1)
    )
    lines = list(write(Report(players, name=title)))
    rows = [line for line in lines if line.startswith("001")]
    assert len(rows) == len(names)
    assert all(line.endswith("\r\n") and line.count("\r") == 1 for line in lines)
    for row in rows:
        assert (row[80:84], row[91:99]) == (" 1.0", "0000 - U")
    once = _again(Report(players, name=title))
    assert _again(once) == once


def test_columns_are_those_of_the_handbook() -> None:
    """Every field stands in its columns, counted from 1."""
    player = Player(
        number=7,
        name="Müller, 隊",
        cells=(Cell(12, "w", "1"), Cell(None, "-", "H"), Cell(), Cell(3, "b", "-")),
        half_points=23,
        rank=2,
        sex="m",
        title="GM",
        rating=2500,
        federation="TPE",
        fide_number="1234567",
        birth="2001/02/03",
    )
    line = next(line for line in write(Report((player,))) if line.startswith("001"))
    columns = {(5, 8): "   7", (10, 10): "m", (11, 13): " GM", (15, 23): "Müller, 隊", (49, 52): "2500"}
    columns |= {(54, 56): "TPE", (58, 68): "    1234567", (70, 79): "2001/02/03", (81, 84): "11.5"}
    columns |= {(86, 89): "   2", (92, 99): "  12 w 1", (102, 109): "0000 - H", (112, 119): " " * 8}
    columns |= {(122, 129): "   3 b -"}
    for (first, last), text in columns.items():
        assert line[first - 1 : last] == text


def test_the_head_of_a_file() -> None:
    """Tournament lines come first, in the order of their numbers; counts are of what is there."""
    report = Report(
        (Player(1, rating=1500), Player(2)),
        name="cup",
        rounds=5,
        first_colour="b",
        by_line=True,
        absent=(2,),
        other=("### x",),
    )
    lines = [line.strip() for line in write(report)]
    assert lines[:1] == ["012 cup"]
    assert {"062 2", "072 1", "082 0", "XXR 5", "XXC black1", "XXC rank", "XXZ 2", "### x"} <= set(lines)
    assert _again(report) == report


def test_games_of_a_pairing_are_told_as_one() -> None:
    """Who made more of several games has won the meeting, as many draw it, and byes keep their worth."""
    four = Meeting(1, 1, 2, (5, 3), 4)
    assert single(four).half_points == (2, 0)
    assert single(four._replace(half_points=(4, 4))).half_points == (1, 1)
    assert single(four._replace(half_points=(0, 0))).half_points == (0, 0)
    assert single(Meeting(1, 3, None, (8, 0), 4, Kind.BYE)).half_points == (2, 0)
    report = report_of(
        [Entrant(1), Entrant(2), Entrant(3)], {}, [four, Meeting(1, 3, None, (8, 0), 4, Kind.BYE)]
    )
    assert [player.half_points for player in report.players] == [2, 0, 2]


def test_a_bye_is_one_point_however_many_games_it_stands_for() -> None:
    """Where a pairing has two games a bye is worth both, and in the report the one point of a round."""
    met = [Meeting(1, 1, 2, (3, 1), 2), Meeting(1, 3, None, (4, 0), kind=Kind.BYE)]
    report = report_of([Entrant(1), Entrant(2), Entrant(3)], {1: "a", 2: "b", 3: "c"}, met)
    assert [player.cells[0].result for player in report.players] == ["1", "0", "U"]


def test_who_left_is_absent_in_the_next_round() -> None:
    """An entrant that left has a zero point bye ahead, so that nobody is paired with it."""
    entrants = [Entrant(1), Entrant(2), Entrant(3, left=2)]
    meetings = [Meeting(1, 1, 2, (2, 0)), Meeting(1, 3, None, (2, 0), kind=Kind.BYE)]
    told = tournament_of(_again(report_of(entrants, {}, meetings, rounds=3)))
    assert told.absent == {3}
    assert [entrant.number for entrant in pairable(told) if entrant.plays_in(2)] == [1, 2]
    over = tournament_of(_again(report_of(entrants, {}, meetings, rounds=1)))
    assert (over.absent, over.played) == (frozenset(), 1)


def test_the_first_colour_is_found() -> None:
    """XXC says the first colour; without it the first pairing does."""
    report = report_of([Entrant(1), Entrant(2)], {}, [Meeting(1, 2, 1, (2, 0))])
    assert report.first_colour == "b"
    assert tournament_of(replace(report, first_colour=None)).first_colour == "b"


def test_who_had_the_first_bye_is_counted_for_the_first_colour() -> None:
    """Where the first of the lines had the bye the second has the other colour."""
    met = [Meeting(1, 2, 3, (2, 0)), Meeting(1, 1, None, (2, 0), kind=Kind.BYE)]
    assert report_of([Entrant(1), Entrant(2), Entrant(3)], {}, met).first_colour == "b"


@pytest.mark.parametrize(
    "lines", ["XXC white1 rank", "XXC rank white1", "XXC rank\rXXC  White1", "XXC black1\rXXC white1 rank"]
)
def test_the_words_of_xxc_are_read_wherever_they_stand(lines: str) -> None:
    """The first colour and `rank` are known in any order and number of lines, the last colour counting."""
    report = read(f"{SMALL}{lines}\r")
    assert (report.first_colour, report.by_line, report.other) == ("w", True, ())
    assert read(f"{SMALL}XXC rank unheard\r").other == ("XXC rank unheard",)


def test_players_can_be_numbered_by_their_lines() -> None:
    """Opponents and who is absent have the numbers of their lines too, and everything else stays."""
    report = replace(read(SMALL), absent=(1, 7))
    turned = by_line(replace(report, players=report.players[::-1]))
    assert [(each.number, each.name) for each in turned.players] == [(1, "b"), (2, "a")]
    assert [each.cells[0].opponent for each in turned.players] == [2, 1]
    assert turned.absent == (2,)
    assert by_line(report) == replace(report, absent=(1,))


BETWEEN = " " * 66
SMALL = (
    f"001    1      a{BETWEEN}1.0    1     2 w 1  0000 - Z\r"
    f"001    2      b{BETWEEN}1.0    2     1 b 0  0000 - U\r"
    "XXR 9\r"
)


def test_lines_may_end_as_the_handbook_wants() -> None:
    """A carriage return alone ends a line, and letters of results may be small."""
    told = tournament_of(read(SMALL.replace("- U", "- u")))
    assert (told.played, told.rounds, len(told.meetings)) == (2, 9, 3)


@pytest.mark.parametrize(("told", "meant"), [("-", "Z"), ("=", "H"), ("+", "U"), ("z", "Z")])
def test_a_result_without_an_opponent_is_a_bye(told: str, meant: str) -> None:
    """What Vega writes for who is absent, and a win without a game against nobody, are byes worth as much."""
    first = read(SMALL.replace("0000 - Z", f"0000 - {told}")).players[0]
    assert first.cells[1] == Cell(None, "-", meant)


@pytest.mark.parametrize("line", ["XXS W=1 D=.5 PAB=1.0", "162  W 1.0    D 0.5", "BBW  1.0", "BBD  0.5"])
def test_points_may_be_said_to_be_the_usual_ones(line: str) -> None:
    """A line that sets a game to 1, ½ and 0, in any program's way, is taken; another value is not."""
    assert tournament_of(read(f"{SMALL}{line}\r")).played == 2
    with pytest.raises(FileFormatError, match="other points"):
        tournament_of(read(f"{SMALL}{line.replace('1', '3').replace('5', '4')}\r".replace("362", "162")))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("001    2", "001    1", "line 2: there is a player 1 already"),
        ("001    2", "001    x", "columns 5-8"),
        ("2 w 1", "2 w x", "line 1, round 1 .columns 92-99."),
        ("2 w 1", "2 b 1", "does not say the same"),
        ("2 w 1", "9 w 1", "does not say the same"),
        ("2 w 1", "2 w +", "do not go together"),
        ("2 w 1", "2 w  ", "no result"),
        ("  1.0    1", "  3.0    1", "has 3 points"),
        ("  1.0    1", "  one    1", "columns 81-84"),
        ("0000 - Z", "0000 - 1", "line 1, round 2 .*no opponent; write U"),
        ("0000 - Z", "       D", "line 1, round 2 .*no opponent; write U"),
        ("XXR 9", "XXR many", "number of rounds"),
        ("XXR 9", "XXS W=3", "other points"),
    ],
)
def test_what_is_wrong_is_told(old: str, new: str, told: str) -> None:
    """Columns, pairs, results and points that cannot be are refused with what should be there."""
    assert SMALL.count(old) >= 1
    with pytest.raises(FileFormatError, match=told):
        tournament_of(read(SMALL.replace(old, new, 1)))


def test_a_file_without_players_is_none() -> None:
    """Something else than a report is said to be something else."""
    with pytest.raises(FileFormatError, match="begins with 001"):
        read("hello\n")


def test_what_does_not_fit_is_refused() -> None:
    """More points or players than the columns hold are an error before the first line."""
    with pytest.raises(FileFormatError, match=r"room for 99\.5 points"):
        next(write(Report((Player(1, half_points=200),))))
    with pytest.raises(FileFormatError, match="from 1 to 9999"):
        next(write(Report((Player(10_000),))))
    with pytest.raises(FileFormatError, match="two meetings in round 1"):
        report_of([Entrant(1), Entrant(2)], {}, [Meeting(1, 1, 2, (2, 0)), Meeting(1, 2, 1, (2, 0))])
