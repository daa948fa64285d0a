"""`arena match run` with several bots: all pairs, openings of a file, going on, tests, and the tables."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.integration.arena.cli.conftest import AMPLE
from tests.unit.arena.cli.conftest import Run
from tests.waiting import eventually

THREE = ("match", "run", "@random", "@greedy", "@perfect", "--game", "heap_nim", *AMPLE)
PGN = '[Event "o"]\n1. 1:1 {even} 2:2 *\n[Event "p"]\n\n1. 3:5 *\n'


def games(path: Path) -> list[Any]:
    """What decides each recorded game, and its moves."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [(line["spec"], [move["move"] for move in line["result"]["moves"]]) for line in lines]


def test_all_pairs_play_every_opening_from_both_seats(run: Run, tmp_path: Path) -> None:
    """Openings of PGN are taken in their order, all pairs play one before the next, points add up."""
    (tmp_path / "o.pgn").write_text(PGN)
    record = tmp_path / "r.jsonl"
    words = ("--openings-file", "o.pgn", "--record", str(record), "--json")
    told = run(*THREE, *words).json()
    assert (told["games"], told["played"]) == (12, 12)
    met = [(result["first"], result["second"]) for result in told["results"]]
    assert met == 2 * [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    openings = [tuple(result["opening"]) for result in told["results"]]
    assert openings == 6 * [("1:1", "2:2")] + 6 * [("3:5",)]
    for at, bot in enumerate(told["bots"]):
        pairs = [(pair, pair["bots"].index(at)) for pair in told["pairs"] if at in pair["bots"]]
        assert bot["points"] == sum(pair["points"][side] for pair, side in pairs)
        assert bot["wins"] + bot["draws"] + bot["losses"] == sum(pair["games"] for pair, _ in pairs) == 8
    winners = [told["bots"][result["winner"]]["bot"] for result in told["results"]]
    assert [winners.count(bot["bot"]) for bot in told["bots"]] == [bot["wins"] for bot in told["bots"]]
    assert [game[0]["bots"][0]["name"] for game in games(record)[:2]] == ["@random", "@greedy"]


def test_the_table_ranks_the_bots_and_shows_who_met_whom(run: Run) -> None:
    """With Elo and its error where some were won and some lost, and bots of one name told apart."""
    words = ("match", "run", "@random", "@random", "@perfect", "--game", "heap_nim", *AMPLE, "-n", "2")
    ran = run(*words)
    assert ran.code == 0
    rows = [line.split() for line in ran.out.splitlines() if line.strip().startswith(("1 ", "2 ", "3 "))]
    assert rows[0][:2] == ["1", "@perfect"]
    assert "@random (1) v @random (2)" in ran.out
    assert "6 of 6 games" in ran.out


@pytest.mark.long
def test_a_killed_series_goes_on_to_the_same_games(tmp_path: Path, run: Run) -> None:
    """After SIGKILL, and a line that was cut off, the same command plays only what is missing."""
    record, whole = tmp_path / "r.jsonl", tmp_path / "w.jsonl"
    words = (*THREE, "-n", "4", "-j", "2")
    script = "from arena.cli import main; main()"
    command = [sys.executable, "-c", script, *words, "--record", str(record)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as arena:
        eventually(lambda: record.exists() and record.read_bytes().count(b"\n") >= 2)
        arena.send_signal(signal.SIGKILL)
    with record.open("a") as file:
        file.write('{"spec": {"format"')
    kept = record.read_text().splitlines()[:-1]
    ran = run(*words, "--record", str(record), "--resume", "--json")
    assert ran.code == 0
    assert f"going on after {len(kept)} of 12 games" in ran.err
    assert record.read_text().splitlines()[: len(kept)] == kept
    told = run(*words, "--record", str(whole), "--json").json()
    assert games(record) == games(whole)
    assert [bot["points"] for bot in ran.json()["bots"]] == [bot["points"] for bot in told["bots"]]


def test_two_folders_of_one_name_are_two_bots(run: Run, bots: Path, tmp_path: Path) -> None:
    """Record, table and ratings tell them apart, and exchanged they are another series."""
    for version, move in (("v1", 0), ("v2", -1)):
        (tmp_path / version / "bot").mkdir(parents=True)
        text = (bots / "first.py").read_text().replace("legal[0]", f"legal[{move}]")
        (tmp_path / version / "bot" / "main.py").write_text(text)
    words = ("--game", "heap_nim", *AMPLE, "-n", "2", "--record", "r.jsonl", "--resume")
    ran = run("match", "run", "v1/bot", "v2/bot", *words)
    assert (ran.code, "v1/bot v v2/bot" in ran.out) == (0, True)
    told = [game[0]["bots"] for game in games(tmp_path / "r.jsonl")]
    assert [[bot["name"] for bot in each] for each in told] == [["v1/bot", "v2/bot"], ["v2/bot", "v1/bot"]]
    rated = run("pgn", "ratings", "r.jsonl", "--json").json()["items"]
    assert {each["bot"] for each in rated} == {"v1/bot", "v2/bot"}
    exchanged = run("match", "run", "v2/bot", "v1/bot", *words)
    assert (exchanged.code, "is another game than game 1" in exchanged.err) == (2, True)


def test_what_is_recorded_may_be_gone_on_with_for_longer(run: Run, tmp_path: Path) -> None:
    """More games of the series are played after those that are there; where none is left, none is."""
    record = str(tmp_path / "r.jsonl")
    assert run(*THREE, "-n", "2", "--record", record, "--resume").code == 0
    more = run(*THREE, "-n", "3", "--record", record, "--resume", "--json")
    assert "going on after 6 of 9 games" in more.err
    again = run(*THREE, "-n", "3", "--record", record, "--resume", "--json")
    assert again.json()["results"] == more.json()["results"]
    assert "recorded:" not in again.err
    assert len(Path(record).read_text().splitlines()) == 9


def test_games_of_another_series_are_not_gone_on_with(run: Run, tmp_path: Path) -> None:
    """What differs is named, and the file stays as it is."""
    record = tmp_path / "r.jsonl"
    words = ("--record", str(record), "--resume")
    run(*THREE, *words)
    before = record.read_bytes()
    assert (
        "r.jsonl#1 is another game than game 1 of this series: seeds differs"
        in run(*THREE, *words, "--seed", "1").err
    )
    others = ("match", "run", "@random", "@perfect", "--game", "heap_nim", *AMPLE, *words)
    ran = run(*others)
    assert ran.code == 2
    assert "r.jsonl#1 is another game" in ran.err
    assert record.read_bytes() == before


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.long)])
def test_a_test_ends_each_pair_by_itself(run: Run, tmp_path: Path, jobs: str) -> None:
    """Pairs that are decided play no more while others go on, after the same game whatever the jobs."""
    record = str(tmp_path / "r.jsonl")
    words = (
        "-n",
        "10",
        "--sprt",
        "0,400",
        "--alpha",
        "0.3",
        "--beta",
        "0.3",
        "-j",
        jobs,
        "--record",
        record,
        "--json",
    )
    told = run("match", "run", "@random", "@perfect", "@greedy", "--game", "heap_nim", *AMPLE, *words).json()
    first, _, third = told["pairs"]
    assert (first["sprt"]["verdict"], third["sprt"]["verdict"]) == ("elo0", "elo1")
    assert told["played"] == sum(pair["games"] for pair in told["pairs"]) < told["games"]
    assert told["played"] == len(Path(record).read_text().splitlines())
    for pair in told["pairs"]:
        low, high = pair["sprt"]["bounds"]
        assert (low < pair["sprt"]["llr"] < high) == (pair["sprt"]["verdict"] == "undecided")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("@random",), "a match takes two bots"),
        (("@random", "@greedy", "--sprt", "0,5"), "say with an even -n"),
        (("@random", "@greedy", "--sprt", "0,5", "-n", "3"), "say with an even -n"),
        (("@random", "@greedy", "--sprt", "5", "-n", "4"), "two numbers"),
        (
            ("@random", "@greedy", "--alpha", "0.01", "--look", "4"),
            "--alpha, --look only say how --sprt tests",
        ),
        (
            ("@random", "@greedy", "--elo", "normalized", "--on", "workers"),
            "are for games that are played here",
        ),
        (("@random", "@greedy", "--sprt", "0,5", "--beta", "0.9", "-n", "4"), "--beta: "),
        (("@random", "@greedy", "--opening-plies", "4"), "add --openings N"),
        (("@random", "@greedy", "--opening-plies", "4", "--openings-file", "o.txt"), "not those of a file"),
        (("@random", "@greedy", "--resume"), "add --record"),
        (("@random", "@greedy", "@perfect", "--on", "workers"), "are for games that are played here"),
        (("@random", "@greedy", "--openings-file", "o.txt", "--on", "workers"), "played here"),
        (("@random", "@greedy", "--openings-file", "none.txt"), "none.txt cannot be read"),
        (("@random", "@greedy", "--openings-file", "empty.txt"), "empty.txt has no openings"),
        (("@random", "@greedy", "--openings-file", "o.txt"), "o.txt, line 2: move 2 of the opening"),
        (("@random", "@greedy", "--openings-file", "cut.txt"), "cut.txt, line 2: the file ends within this"),
        (("@random", "@greedy", "--openings-file", "cut.pgn"), "cut.pgn, line 1: the game that begins here"),
        (("@random", "@greedy", "--openings-file", "over.txt"), "over.txt, line 1: the game is over"),
        (("@random", "@greedy", "@perfect", "-n", "400000"), "are more than 1,000,000"),
    ],
)
def test_what_cannot_be_played_is_said(run: Run, tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    """Openings and options that cannot be played are refused with a reason and exit code 2."""
    (tmp_path / "o.txt").write_text("1:1 # fine\n1:1 1:9\n")
    (tmp_path / "cut.txt").write_text("1:1 1:2\n1:1")
    (tmp_path / "cut.pgn").write_text('[Event "o"]\n1. 1:1')
    (tmp_path / "empty.txt").write_text("# nothing\n")
    (tmp_path / "over.txt").write_text("1:3 2:4 3:5\n")
    ran = run("match", "run", *words, "--game", "heap_nim")
    assert ran.code == 2
    assert told in ran.err
    assert "Traceback" not in ran.err


def test_only_the_first_openings_of_a_file_are_taken(run: Run, tmp_path: Path) -> None:
    """Only the first N openings of a file are played with `--openings N`, each from both seats."""
    (tmp_path / "o.txt").write_text("1:1\n1:2\n1:9\n")
    words = ("--game", "heap_nim", *AMPLE, "--openings-file", "o.txt", "--openings", "2", "--json")
    told = run("match", "run", "@random", "@greedy", *words).json()
    assert [result["opening"] for result in told["results"]] == [["1:1"], ["1:1"], ["1:2"], ["1:2"]]
