"""`arena match` with real bots: series, records, forfeits with their evidence, shows and replays."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.arena.cli.conftest import AMPLE, SIZE4
from tests.integration.workers.bot_sources import C
from tests.integration.workers.workshops import require
from tests.unit.arena.cli.conftest import Run


def test_a_series_plays_every_opening_from_both_seats(run: Run, bots: Path) -> None:
    """Games 2k and 2k+1 share opening k, the bots in exchanged seats, and the points add up."""
    first = str(bots / "first.py")
    ran = run("match", "run", first, "@random", *SIZE4, "--openings", "2", "--opening-plies", "3", "--json")
    told = ran.json()
    assert (ran.code, told["games"], told["played"]) == (0, 4, 4)
    openings = [tuple(result["opening"]) for result in told["results"]]
    assert openings[0] == openings[1] != openings[2] == openings[3]
    assert [result["first"] for result in told["results"]] == [0, 1, 0, 1]
    assert sum(bot["points"] for bot in told["bots"]) == 4
    assert all(bot["time"]["answers"] > 0 and bot["time"]["slowest_ms"] > 0 for bot in told["bots"])


def test_the_same_seed_gives_the_same_games_however_many_jobs(run: Run, tmp_path: Path) -> None:
    """One job or two, the moves are the same and recorded in the same order."""
    moves = []
    for jobs in ("1", "2"):
        path = tmp_path / f"{jobs}.jsonl"
        words = ("-n", "3", "--seed", "7", "-j", jobs, "--record", str(path))
        assert run("match", "run", "@random", "@random", *SIZE4, *words).code == 0
        lines = [json.loads(line)["result"] for line in path.read_text().splitlines()]
        moves.append([[move["move"] for move in result["moves"]] for result in lines])
    assert len(moves[0]) == 3
    assert moves[0] == moves[1]


def test_only_the_openings_that_are_played_are_drawn(run: Run) -> None:
    """Three games take two openings of the hundred allowed, and standard error tells how far it is."""
    words = ("-n", "3", "--openings", "100", "--opening-plies", "3")
    ran = run("match", "run", "@random", "@random", *SIZE4, *words, "--json")
    openings = [result["opening"] for result in ran.json()["results"]]
    assert openings[0] == openings[1] != openings[2]
    told = ["drawing 2 openings", *(f"games played: {done} of 3" for done in range(4))]
    assert ran.err.splitlines() == told


def test_a_forfeit_is_printed_with_its_evidence_and_can_be_replayed(
    run: Run, bots: Path, tmp_path: Path
) -> None:
    """The code, what was expected and received, the stderr, and a command that does it again."""
    wrong, path = str(bots / "wrong.py"), str(tmp_path / "r.jsonl")
    ran = run("match", "run", wrong, "@random", *SIZE4, "--record", path, "--json")
    forfeit = ran.json()["forfeits"][0]
    assert (ran.code, forfeit["code"], forfeit["bot"], forfeit["seat"]) == (0, "illegal_move", wrong, 0)
    assert "z9" in forfeit["received"]
    assert "thinking" in forfeit["stderr_tail"]
    assert ran.json()["results"][0]["winner"] == 1
    replayed = run(*shlex.split(forfeit["replay"])[1:], "--json").json()
    assert [step["legal"] for step in replayed["steps"]] == [True, False]
    assert [step["stderr"] for step in replayed["steps"]] == ["thinking\n", "thinking\n"]
    assert replayed["steps"][-1]["recorded_fault"] == {
        "code": "illegal_move",
        "received": forfeit["received"],
    }
    shown = run("match", "run", wrong, "@random", *SIZE4).out
    assert "illegal_move" in shown
    assert "expected:" in shown
    assert shown.count("again: run with --record FILE") == 1
    assert "1 of 1 game, seed 0" in shown
    assert "score (fewest win)" in shown


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ("import numpy_of_ones_own", "numpy_of_ones_own is not there: a bot has Python's standard library"),
        ("import sys\nfor line in sys.stdin: print('{}')\n", "nothing came from it"),
    ],
)
def test_a_forfeit_whose_cause_can_be_guessed_has_a_hint(
    run: Run, tmp_path: Path, source: str, hint: str
) -> None:
    """A module that is not there, and an answer that was never flushed, are named."""
    bot = tmp_path / "bot.py"
    bot.write_text(source)
    assert hint in run("match", "run", str(bot), "@random", *SIZE4, "--startup", "3s").out


def test_a_bot_that_ended_by_itself_is_not_said_to_be_silent(run: Run, tmp_path: Path) -> None:
    """Its own words tell why, and nothing of its answers can be known."""
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(\n")
    ran = run("match", "run", str(bot), "@random", *SIZE4)
    assert "SyntaxError: '(' was never closed\n" in ran.out
    assert "hint:" not in ran.out


def test_a_recorded_forfeit_is_shown_with_all_of_its_stderr_and_its_replay(
    run: Run, bots: Path, tmp_path: Path
) -> None:
    """The beginning, the end, and what was left out between them; the command works as it stands."""
    path = tmp_path / "r.jsonl"
    run("match", "run", str(bots / "wrong.py"), "@random", *SIZE4, "--record", str(path))
    assert "| thinking" in run("match", "show", str(path)).out
    record = json.loads(path.read_text())
    record["result"]["seats"][0] |= {"stderr_head": "began", "stderr_tail": "ended", "stderr_bytes": 99_999}
    path.write_text(json.dumps(record) + "\n")
    shown = run("match", "show", str(path)).out
    said = shown.partition("stderr:\n")[2].splitlines()
    assert [line.strip() for line in said[:3]] == [
        "| began",
        "| [of 99999 bytes the first and the last 32768]",
        "| ended",
    ]
    again = shlex.split(said[3].replace("PATH", str(bots / "wrong.py")))
    assert again[:2] == ["again:", "arena"]
    assert "illegal_move: z9" in run(*again[2:]).out


def test_a_replay_is_told_with_the_bot_that_is_known(
    run: Run, bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file beside, and a reference bot, are named; where there is neither stands a word for the path."""
    monkeypatch.chdir(bots)
    run("match", "run", "wrong.py", "@random", *SIZE4, "--record", "r.jsonl")
    assert " --to wrong.py --seat 0 " in run("match", "show", "r.jsonl").out
    record = Path("r.jsonl").read_text()
    Path("r.jsonl").write_text(record.replace('"name":"wrong"', '"name":"@random (2)"'))
    assert " --to @random --seat 0 " in run("match", "show", "r.jsonl").out
    Path("r.jsonl").write_text(record.replace('"name":"wrong"', '"name":"gone"'))
    assert " --to PATH --seat 0 " in run("match", "show", "r.jsonl").out


def test_what_a_bot_wrote_to_its_stderr_is_shown_without_a_fault(
    run: Run, bots: Path, tmp_path: Path
) -> None:
    """Whoever lost a game by its rules sees what their bot said meanwhile."""
    path = tmp_path / "r.jsonl"
    talking = bots / "talking.py"
    talking.write_text(
        (bots / "first.py").read_text().replace("return", "print('I see', request.ply); return")
    )
    run("match", "run", str(talking), "@random", *SIZE4, "--record", str(path))
    shown = run("match", "show", str(path)).out
    assert "forfeits" not in shown
    assert "talking wrote to its stderr:\n      | I see 0" in shown


def test_a_bot_of_another_language_is_built_and_plays(run: Run, tmp_path: Path) -> None:
    """Its source is named like a Python bot's; its record is replayed to the same source."""
    require("c")
    source, path = tmp_path / "comet.c", str(tmp_path / "r.jsonl")
    source.write_text(C)
    words = (*SIZE4, "-n", "2", "-j", "2", "--record", path, "--json")
    told = run("match", "run", str(source), "@random", *words).json()
    assert [bot["name"] for bot in told["bots"]] == ["comet", "@random"]
    assert told["forfeits"] == []
    replayed = run("match", "replay", f"{path}#1", "--to", str(source), "--json").json()
    assert all(step["same"] for step in replayed["steps"])


def test_withheld_evidence_is_named_as_such(run: Run, bots: Path, tmp_path: Path) -> None:
    """A record as other teams get it shows no empty lines of evidence, nor times of a void attempt."""
    path = tmp_path / "r.jsonl"
    run("match", "run", str(bots / "wrong.py"), "@random", *SIZE4, "--record", str(path))
    record = json.loads(path.read_text())
    withheld = dict.fromkeys(("detail", "expected", "received", "request", "stderr_tail"), "")
    forfeit = record["result"]["forfeits"][0]
    forfeit |= withheld | {"clock_ns": 0}
    record["result"]["voided"] = [forfeit]
    path.write_text(json.dumps(record) + "\n")
    shown = run("match", "show", str(path)).out
    assert "evidence is for its team and the staff" in shown
    assert "an attempt before was void" in shown
    for word in ("expected:", "lost to others", "again:"):
        assert word not in shown


def test_records_are_listed_and_drawn(run: Run, tmp_path: Path) -> None:
    """A file with two matches is listed; one of them is drawn board by board, or one board of it."""
    path = str(tmp_path / "r.jsonl")
    ran = run("match", "run", "@random", "@random", *SIZE4, "-n", "2", "--record", path)
    assert f"recorded: {path}#1 to #2\n" in ran.err
    assert [row["record"] for row in run("match", "show", path, "--json").json()["matches"]] == [
        f"{path}#1",
        f"{path}#2",
    ]
    whole = run("match", "show", f"{path}#2", "--json").json()
    assert whole["plies"][0]["state"]["board"] == ["....", ".XO.", ".OX.", "...."]
    assert len(whole["plies"]) > 4
    drawn = run("match", "show", f"{path}#2").out
    assert drawn.count("a b c d") == len(whole["plies"])
    start, third = (run("match", "show", f"{path}#2", "--ply", ply).out for ply in ("0", "3"))
    assert start.startswith("before ply 1\n")
    assert f"after ply 3 (@random (2): {whole['plies'][3]['move']}), before ply 4" in third
    assert start.count("a b c d") == third.count("a b c d") == 1


@pytest.mark.parametrize(
    ("game", "drawn"),
    [("circle_nim", "11  12  13  14  15"), ("l_game", "1 * X X ."), ("rhombic_chess", "5  6  7  8  9")],
)
def test_the_other_games_are_played_and_drawn(run: Run, tmp_path: Path, game: str, drawn: str) -> None:
    """A series with openings is recorded, and its first board is drawn as the game draws it."""
    path = str(tmp_path / "r.jsonl")
    words = ("--game", game, "--openings", "1", "--opening-plies", "2", "--record", path, "--json")
    ran = run("match", "run", "@greedy", "@random", *AMPLE, *words)
    assert (ran.code, ran.json()["played"], ran.json()["forfeits"]) == (0, 2, [])
    assert drawn in run("match", "show", f"{path}#1", "--ply", "0").out


@pytest.mark.usefixtures("time_to_start")
def test_a_simulated_game_is_replayed_by_its_own_policy_and_from_its_opening_on(
    run: Run, bots: Path, tmp_path: Path
) -> None:
    """Nobody is asked for a move of the opening, and positions repeat as often as they could."""
    path = tmp_path / "g.jsonl"
    words = ("--openings", "1", "--opening-plies", "4", "--repetition", "6", "--max-plies", "60")
    players = ("--first", "perfect", "--second", "perfect", "--games", "1", "--record", str(path))
    assert run("simulate", "l_game", *players, *words).code == 0
    record = json.loads(path.read_text())
    assert (record["opening_plies"], record["policy"]) == (4, {"repetition": 6, "max_plies": 60})
    told = run("match", "replay", str(path), "--to", str(bots / "first.py"), "--seat", "0", "--json").json()
    assert [step["ply"] for step in told["steps"]] == list(range(4, record["plies"], 2))
    assert "not asked" in run("match", "show", str(path)).out
    path.write_text(json.dumps({**record, "seats": [0, 5]}) + "\n")
    assert "g.jsonl#1 is not a game of a simulation: seats.1:" in run("match", "show", str(path)).err
    path.write_text(json.dumps({**record, "moves": [], "reason": "startup"}) + "\n")
    assert "simulated, without a clock" in run("match", "show", str(path)).out


def test_a_draw_by_the_policy_is_recorded_shown_and_replayed(run: Run, tmp_path: Path) -> None:
    """The policy asked for is in the summary and the record, its draw in the result."""
    path = str(tmp_path / "r.jsonl")
    words = ("--max-plies", "5", "--repetition", "2", "--record", path, "--json")
    told = run("match", "run", "@random", "@random", "--game", "rhombic_chess", *words).json()
    assert told["policy"] == {"repetition": 2, "max_plies": 5}
    assert [(result["reason"], result["winner"]) for result in told["results"]] == [("ply_limit", None)]
    shown = run("match", "show", f"{path}#1", "--json").json()
    assert shown["spec"]["policy"] == told["policy"]
    assert "nobody wins: ply_limit, 0 to 0" in run("match", "show", f"{path}#1").out
    replayed = run("match", "replay", f"{path}#1", "--to", "@random", "--seat", "1", "--json").json()
    assert [step["ply"] for step in replayed["steps"]] == [1, 3]


@pytest.mark.parametrize(
    "words",
    [
        ("run", "@random", "nowhere.py"),
        ("run", "@random", "@random", "--game", "chess"),
        ("run", "@random", "@random", "--param", "size=7"),
        ("run", "@algo3:0", "@random", "--game", "circle_nim"),
        ("run", "@algo3:100", "@random"),
        ("run", "@perfect", "@random"),
        ("run", "@random", "@random", "--time", "soon"),
        ("run", "@random", "@random", "--time", "0s"),
        ("run", "@random", "@random", "-n", "0"),
        ("run", "@random", "@random", "-n", "1000001"),
        ("run", "@random", "@random", "--openings", "500", "--opening-plies", "1"),
        ("run", "@random", "@random", "--record", "/nowhere/at/all"),
        ("run", "@random", "@random", "--openings", "99999"),
        ("run", "@random", "@random", "--increment", "1s"),
        ("run", "@random", "x" * 5000),
        ("run", "@random", f"{'x' * 5000} y"),
        ("run", "@random", "@random", "--record", "bad.jsonl"),
        ("run", "@random"),
        ("show", "nowhere.jsonl"),
        ("show", "bad.jsonl"),
        ("show", "bad.jsonl#0"),
        ("replay", "bad.jsonl#1", "--to", "@random"),
        ("replay", "bad.jsonl#1", "--to", "@random", "--until", "-5"),
    ],
)
def test_bad_input_exits_with_2_and_one_message(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    """Nothing on standard output, no traceback, exit code 2."""
    (tmp_path / "bad.jsonl").write_text('{"spec": 1}\n')
    ran = run("match", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err
    assert "Traceback" not in ran.err


def test_a_record_file_is_only_ever_added_to_as_such(run: Run, bots: Path, tmp_path: Path) -> None:
    """Whole lines are kept apart, half a line is removed, and a file of another kind is left alone."""
    path = tmp_path / "r.jsonl"
    words = ("match", "run", "@random", "@random", *SIZE4, "--record")
    assert run(*words, str(path)).code == 0
    path.write_text(path.read_text().rstrip("\n"))
    assert f"recorded: {path}#2\n" in run(*words, str(path)).err
    path.write_text(path.read_text() + '{"spec": {"ma')
    assert "cut off" in run(*words, str(path)).err
    assert len(run("match", "show", str(path), "--json").json()["matches"]) == 3
    source = (bots / "first.py").read_bytes()
    ran = run(*words, str(bots / "first.py"))
    assert (ran.code, ran.out) == (2, "")
    assert (bots / "first.py").read_bytes() == source


def test_a_match_of_other_rules_is_not_drawn(run: Run, tmp_path: Path) -> None:
    """A record of another version of the game is refused in words."""
    path = tmp_path / "r.jsonl"
    run("match", "run", "@random", "@random", *SIZE4, "--record", str(path))
    record = json.loads(path.read_text())
    record["spec"]["game"]["version"] = 99
    path.write_text(json.dumps(record) + "\n")
    ran = run("match", "show", str(path))
    assert (ran.code, ran.out) == (2, "")
    assert "version 99" in ran.err


@pytest.mark.parametrize("lang", ["en", "zh-Hant-TW"])
def test_a_recorded_match_is_written_as_a_page(run: Run, bots: Path, tmp_path: Path, lang: str) -> None:
    """One file in the language that was asked for, without what bots wrote, and never over another one."""
    path, page = tmp_path / "games.jsonl", tmp_path / "game.html"
    wrong = str(bots / "wrong.py")
    assert run("match", "run", wrong, "@random", *SIZE4, "--record", str(path)).code == 0
    words = ("match", "show", str(path), "--html", str(page), "--lang", lang)
    told = run(*words, "--json").json()
    assert told == {"bots": ["wrong", "@random"], "file": str(page), "bytes": page.stat().st_size}
    text = page.read_text()
    assert f'<html lang="{lang}">' in text
    assert "z9" not in text
    assert run(*words).code == 2
    assert run(*words, "--force").code == 0
    refused = run(*words, "--force", "--ply", "1")
    assert (refused.code, "leave --ply out" in refused.err) == (2, True)


def test_a_page_is_made_without_the_server_and_its_database(tmp_path: Path) -> None:
    """What makes it at home imports neither of them."""
    script = "import sys, arena.web.answers.game_file; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    tops = {module.partition(".")[0] for module in done.stdout.split()}
    assert not tops & {"alembic", "celery", "fastapi", "sqlalchemy", "starlette", "uvicorn"}
