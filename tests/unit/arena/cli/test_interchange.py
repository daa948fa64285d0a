"""Files that other programs write and read, from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from arena.schemas.report import TimeUse
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, problem, sample

__all__ = ["api"]

GAP = " " * 66
TRF = (
    f"012 cup\r\nXXR 3\r\n"
    f"001    1      anna{GAP[3:]}1.0    1     3 w 1\r\n"
    f"001    2      ben{GAP[2:]}0.5    2     4 b =\r\n"
    f"001    3      cleo{GAP[3:]}0.0    4     1 b 0\r\n"
    f"001    4      dora{GAP[3:]}0.5    3     2 w =\r\n"
)


@pytest.fixture
def trf(tmp_path: Path) -> Path:
    """A report of four players after the first of three rounds."""
    path = tmp_path / "cup.trf"
    path.write_bytes(TRF.encode())
    return path


@pytest.mark.parametrize("form", ["pgn", "ggf", "trf", "transcripts"])
def test_every_format_can_be_asked_for(run: Run, api: FakeApi, tmp_path: Path, form: str) -> None:
    """The format is sent to the arena, and what comes back is in the file byte for byte."""
    api.answers["GET", "/tournaments/spring/export"] = httpx2.Response(200, content="隊\r\n".encode())
    path = tmp_path / "out"
    assert run("tournament", "export", "spring", "--format", form, "-o", str(path)).code == 0
    assert api.asked[-1].url.params["format"] == form
    assert path.read_bytes() == "隊\r\n".encode()


def test_standings_of_a_report(run: Run, trf: Path) -> None:
    """Players are ordered by the chain that was asked for, with the value of every tie-break."""
    told = run("trf", "standings", str(trf), "--order", "points,buchholz,sonneborn_berger", "--json").json()
    assert [line["number"] for line in told["items"]] == [1, 2, 4, 3]
    assert (told["rounds"], told["order"]) == (1, ["points", "buchholz", "sonneborn_berger"])
    assert told["items"][0] == {
        "rank": 1,
        "number": 1,
        "name": "anna",
        "points": 1.0,
        "buchholz": 0.0,
        "sonneborn_berger": 0.0,
    }
    assert (told["items"][1]["buchholz"], told["items"][1]["sonneborn_berger"]) == (0.5, 0.25)
    assert "anna" in run("trf", "standings", str(trf)).out


@pytest.mark.parametrize("order", ["points,discs", "points,luck", "points,points"])
def test_a_chain_that_cannot_be_is_refused(run: Run, trf: Path, order: str) -> None:
    """What a report does not tell, unknown names and repetitions are wrong usage."""
    ran = run("trf", "standings", str(trf), "--order", order)
    assert (ran.code, ran.out) == (2, "")


@pytest.mark.parametrize("form", ["swiss_dutch", "swiss"])
def test_the_next_round_of_a_swiss(run: Run, trf: Path, form: str) -> None:
    """Everybody is paired once and nobody meets again; the count comes first."""
    count, *lines = run("trf", "pair", str(trf), "--format", form).out.splitlines()
    pairs = [tuple(map(int, line.split())) for line in lines]
    assert int(count) == len(pairs) == 2
    assert sorted(number for pair in pairs for number in pair) == [1, 2, 3, 4]
    assert not {frozenset(pair) for pair in pairs} & {frozenset((1, 3)), frozenset((2, 4))}


@pytest.mark.parametrize("mark", ["Z", "-", "H", "=", "F"])
def test_who_is_absent_is_not_paired(run: Run, trf: Path, mark: str) -> None:
    """Who has no opponent in the round to come, by the mark of any program, is left out of it."""
    trf.write_bytes(
        TRF.replace("3 w 1", f"3 w 1  0000 - {mark}").replace("4 b =", f"4 b =  0000 - {mark}").encode()
    )
    assert run("trf", "pair", str(trf)).out.splitlines() == ["1", "3 4"]


def test_the_next_round_of_a_round_robin(run: Run, trf: Path) -> None:
    """The second round of four is that of the Berger table."""
    told = run("trf", "pair", str(trf), "--format", "round_robin", "--json").json()
    assert told == {"round": 2, "pairs": [[4, 3], [1, 2]]}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("XXR 3\r\n", "", "XXR"),
        ("XXR 3", "XXR 3\r\nXXP 1 2", "for forbidden pairs, which is not heeded here; take the line out"),
        ("XXR 3", "XXR 3\r\n299 W  0.0  1.5 001    1", "for points that no result brought"),
        ("XXR 3", "XXR 3\r\nXXC rank wishes", "by 'XXC rank wishes' for something unknown"),
        ("XXR 3", "XXR 3\r\n192 FIDE_DUTCH_2026_BAKU", "for acceleration"),
        ("XXR 3", "XXR 3\r\n192 FIDE_DUTCH_2017", "another system: '192 FIDE_DUTCH_2017'; choose a --format"),
        ("XXR 3", "XXR 3\r\n192 FIDE_BURSTEIN_BAKU", "another system"),
        ("3 w 1", "3 w x", "line 3, round 1"),
        ("XXR 3", "XXR 1", "over after 1 round"),
    ],
)
def test_what_cannot_be_paired(run: Run, trf: Path, old: str, new: str, told: str) -> None:
    """A file without its number of rounds, with wishes that nobody heeds, with faults, or of a past event."""
    trf.write_bytes(TRF.replace(old, new).encode())
    ran = run("trf", "pair", str(trf))
    assert ran.code in {1, 2}
    assert told in ran.err


@pytest.mark.parametrize(
    ("system", "form"),
    [
        ("FIDE_DUTCH", "swiss_dutch"),
        ("FIDE_DUTCH_2026", "swiss_dutch"),
        ("FIDE_BURSTEIN", "swiss"),
        ("FIDE_ROUNDROBIN", "round_robin"),
    ],
)
def test_the_system_of_a_file_is_the_one_that_pairs_it(run: Run, trf: Path, system: str, form: str) -> None:
    """The present Dutch rules may be named, and whatever system where another format is asked for."""
    trf.write_bytes(f"192 {system}\r\n{TRF}".encode())
    assert run("trf", "pair", str(trf), "--format", form).out.splitlines()[0] == "2"


def test_players_rank_as_their_lines_stand(run: Run, trf: Path) -> None:
    """With `rank` in XXC pairs and colours are bbpPairings's own; a Berger table's are by the numbers."""
    head, _, players = TRF.partition("001")
    one, two, three, four = f"001{players}".splitlines(keepends=True)
    fresh = [
        line[:91].replace("1.0", "0.0").replace("0.5", "0.0") + "\r\n" for line in (three, one, four, two)
    ]
    trf.write_bytes(f"{head}XXC rank white1\r\n{''.join(fresh)}".encode())
    assert run("trf", "pair", str(trf)).out.splitlines() == ["2", "3 4", "2 1"]
    trf.write_bytes(f"{head}XXC rank\r\n{four}{three}{two}{one}".encode())
    told = run("trf", "pair", str(trf), "--format", "round_robin", "--json").json()
    assert told["pairs"] == [[4, 3], [1, 2]]


def test_files_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    """A missing file and one that is not UTF-8 are told apart."""
    assert "cannot be read" in run("trf", "standings", str(tmp_path / "none.trf")).err
    (tmp_path / "latin.trf").write_bytes(b"012 M\xfcnchen\r\n")
    assert "not UTF-8" in run("trf", "standings", str(tmp_path / "latin.trf")).err


def _admitted(**changes: Any) -> dict[str, Any]:
    return {
        "name": "red",
        "role": "team",
        "created": True,
        "token": "arena_x",
        "bots": ["alpha"],
        "team": None,
    } | changes


def test_a_roster_is_imported(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """The file goes to the arena as it is, and new users' tokens come out once, as CSV for a spreadsheet."""
    file = tmp_path / "class.csv"
    file.write_bytes("user,bot\nred,alpha\n".encode("cp950"))
    there = _admitted(name="blue", created=False, token=None, bots=[])
    answer = {"dry_run": False, "columns": {}, "ignored": ["student"], "items": [_admitted(), there]}
    answer |= {"warnings": []}
    api.answers["POST", "/roster"] = [answer, answer]
    ran = run("roster", "import", str(file), "--encoding", "cp950")
    assert (ran.code, ran.out.splitlines()) == (
        0,
        ["\ufeffuser,role,token,bots,team", "red,team,arena_x,alpha,"],
    )
    assert "let in: 1, there already: 1, names of bots that are kept: 1" in ran.err
    assert "student" in ran.err
    assert dict(api.asked[-1].url.params) == {"dry_run": "false", "encoding": "cp950"}
    assert b"red,alpha" in api.asked[-1].content
    assert run("roster", "import", str(file), "--json").json() == answer


def test_a_refused_roster_tells_every_line(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """All that is wrong with a file is printed, and the exit code says that the input was."""
    file = tmp_path / "class.csv"
    file.write_text("user\n")
    api.answers["POST", "/roster"] = problem(422, "nothing was imported, because\nline 2: a\nline 5: b")
    ran = run("roster", "import", str(file), "--dry-run")
    assert (ran.code, ran.out) == (2, "")
    assert "line 2: a\nline 5: b" in ran.err
    assert api.asked[-1].url.params["dry_run"] == "true"


REPORT = {
    "tournament": "spring",
    "state": "finished",
    "limit_ms": 1000,
    "references": [{"bot": "random", "threshold": 0.9}],
    "items": [
        {"place": 2, "class_place": 1, "team": "red", "bot": "alpha", "version": 3, "games": 4, "points": 2.5}
        | {"wins": 2, "draws": 1, "losses": 1, "forfeits": {"timeout": 1}, "passed": False}
        | {"left_as": "withdrawn", "time": sample(TimeUse, mean_ms=1.5, slowest_ms=1200.0)}
        | {"against": [{"bot": "random", "games": 2, "points": 1.5, "share": 0.75, "passed": False}]}
    ],
}


def test_the_class_report_is_printed(run: Run, api: FakeApi) -> None:
    """Thresholds and reference bots are sent along; the table has figures and verdicts."""
    api.answers["GET", "/tournaments/spring/report"] = [REPORT, REPORT]
    ran = run("tournament", "report", "spring", "--threshold", "random=0.9", "--reference", "random")
    assert ran.code == 0
    assert api.asked[-1].url.params["threshold"] == "random=0.9"
    assert api.asked[-1].url.params["reference"] == "random"
    for part in ("alpha v3 (withdrawn)", "timeout 1", "1.5/2 no", "1.5 ms", "1.2 s", "passed with 90%"):
        assert part in ran.out
    assert run("tournament", "report", "spring", "--json").json() == json.loads(json.dumps(REPORT))


@pytest.mark.parametrize(
    ("share", "told"), [(0.995, "99.5%"), (0.07, "7%"), (0.3333, "33.33%"), (1.0, "100%")]
)
def test_a_threshold_is_told_as_it_is(run: Run, api: FakeApi, share: float, told: str) -> None:
    """Nobody reads that all points are asked for where some less are enough."""
    references = [{"bot": "random", "threshold": share}]
    api.answers["GET", "/tournaments/spring/report"] = REPORT | {"references": references}
    assert f"random: passed with {told} of the points" in run("tournament", "report", "spring").out


def test_the_class_report_as_csv(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """The arena's CSV goes into the file as it is; a file without --csv is wrong usage."""
    api.answers["GET", "/tournaments/spring/report.csv"] = httpx2.Response(
        200, content=b"\xef\xbb\xbfplace\r\n"
    )
    path = tmp_path / "report.csv"
    assert run("tournament", "report", "spring", "--csv", "-o", str(path)).code == 0
    assert path.read_bytes() == b"\xef\xbb\xbfplace\r\n"
    assert run("tournament", "report", "spring", "-o", str(path)).code == 2
