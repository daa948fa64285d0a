"""`arena match annotate`: what it keeps and tells of all games of a record, held against other judges."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import httpx2
import psutil
import pytest

from arena.local.analysis import Analysed, analysed
from engines.games import find_game
from engines.solvers import SolverError, find_oracle
from engines.solvers.judging import VERSION
from tests.integration.arena.cli.small_record import SMALL, TWO, lines_of, small
from tests.integration.arena.plain_judge import WORDS, PlainJudge, Story, sign
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api
from tests.waiting import eventually
from workers.core.contract import MatchSpec

__all__ = ["api", "small"]


def test_every_value_and_loss_is_what_trying_all_moves_finds(run: Run, small: Path, tmp_path: Path) -> None:
    """Margins, best moves, what each move cost, turning point and loser, of every ply of every game."""
    assert run("match", "annotate", str(small)).code == 0
    judge = PlainJudge(find_game("reversed_reversi", {"size": 4}))
    kept = {tuple(each["moves"]): each for each in lines_of(tmp_path / "games.annotated.jsonl")}
    for line in lines_of(small):
        told = kept[tuple(line["moves"])]
        assert told["opening"] == line["opening_plies"] == 2
        analysis, state = told["analysis"], judge.game.initial()
        assert [each["ply"] for each in analysis["positions"]] == list(range(len(line["moves"]) + 1))
        plies = list(judge.plies(line))
        for position, ply in zip(analysis["positions"], [None, *plies], strict=True):
            if ply:
                state = judge.game.play(state, judge.game.move_from_text(line["moves"][ply.number - 1]))
            value = judge.value(state)
            assert (position["value"], position["margin"]) == (WORDS[sign(value)], judge.sign * value)
            if judge.game.legal_moves(state):
                assert sorted(position["best"]) == judge.best(state)
            if not ply or not ply.chosen:
                assert position["judgement"] is None
                continue
            judged, (before, after) = position["judgement"], map(sign, (ply.before, ply.after))
            assert (judged["before"], judged["after"]) == (WORDS[before], WORDS[after])
            assert (judged["points"], judged["loss"]) == (ply.before - ply.after, (before - after) / 2)
            assert (judged["choice"], judged["worse"]) == (ply.choice, ply.worse)
        told_of = (analysis[key] and (analysis[key]["seat"], analysis[key]["ply"]) for key in Story._fields)
        assert Story(*told_of) == judge.story(line)


def test_what_is_told_of_a_bot_is_what_its_moves_cost(run: Run, small: Path) -> None:
    """Accuracy, blunders and means, whole and by thirds, are counted anew from the plain judge's values."""
    told = run("match", "annotate", str(small), "--json").json()
    judge = PlainJudge(find_game("reversed_reversi", {"size": 4}))
    costs: defaultdict[tuple[str, str], list[tuple[float | None, int | None]]] = defaultdict(list)
    moves: defaultdict[str, int] = defaultdict(int)
    for line in lines_of(small):
        for ply in judge.plies(line):
            moves[ply.bot] += ply.chosen
            if ply.chosen:
                loss = (sign(ply.before) - sign(ply.after)) / 2 if ply.choice else None
                cost = (loss, ply.before - ply.after if ply.worse else None)
                third = ("begin", "middle", "end")[(ply.number - 1) * 3 // len(line["moves"])]
                for stage in (third, "whole"):
                    costs[ply.bot, stage].append(cost)
    assert [bot["bot"] for bot in told["bots"]] == ["perfect", "random"]
    for bot in told["bots"]:
        assert (bot["games"], bot["moves"]) == (12, moves[bot["bot"]])
        for stage in (bot | {"stage": "whole"}, *bot["stages"]):
            all_costs = costs[bot["bot"], stage["stage"]]
            losses = [loss for loss, _ in all_costs if loss is not None]
            points = [each for _, each in all_costs if each is not None]
            assert (stage["choices"], stage["scored"]) == (len(losses), len(points))
            assert stage["blunders"] == sum(loss > 0 for loss in losses)
            if losses:
                assert stage["accuracy"] == pytest.approx(sum(loss == 0 for loss in losses) / len(losses))
                assert stage["loss"] == pytest.approx(sum(losses) / len(losses))
            if points:
                assert stage["points"] == pytest.approx(sum(points) / len(points))
    perfect, chance = told["bots"]
    assert (perfect["accuracy"], perfect["loss"]) == (1, 0)
    assert 0 < chance["blunders"] < chance["choices"] < chance["scored"]
    assert told["broken_off"] == 0


def test_circles_are_judged_as_trying_all_moves_does(run: Run, tmp_path: Path) -> None:
    """Who stands lost, and each move that gave a win away, of games that are not counted: with no points."""
    path = tmp_path / "games.jsonl"
    record = ("-n", "10", "--record", str(path))
    assert run("simulate", "circle_nim", "--rows", "3", *TWO, *record).code == 0
    told = run("match", "annotate", str(path), "--json").json()
    judge = PlainJudge(find_game("circle_nim", {"rows": 3}))
    kept = {tuple(each["moves"]): each["analysis"] for each in lines_of(tmp_path / "games.annotated.jsonl")}
    blunders, choices = defaultdict[str, int](int), defaultdict[str, int](int)
    for line in lines_of(path):
        positions = kept[tuple(line["moves"])]["positions"]
        for ply in judge.plies(line):
            before, after = positions[ply.number - 1], positions[ply.number]
            assert before["value"] == WORDS[ply.before]
            judgement = after["judgement"]
            assert judgement["loss"] == (ply.before - ply.after) / 2
            assert judgement["choice"] == ply.choice
            blunders[ply.bot] += ply.after < ply.before
            choices[ply.bot] += ply.choice
    assert {bot["bot"]: bot["blunders"] for bot in told["bots"]} == {**blunders}
    assert {bot["bot"]: bot["choices"] for bot in told["bots"]} == {**choices}
    assert sum(blunders.values()) > 0
    assert [(bot["points"], bot["scored"]) for bot in told["bots"]] == [(None, 0)] * 2


def test_games_that_can_go_in_circles_are_judged_as_their_oracle_says(run: Run, tmp_path: Path) -> None:
    """Won, drawn and lost positions of the L-Game, the distance, and what was at stake, ply by ply."""
    path = tmp_path / "games.jsonl"
    assert run("simulate", "l_game", *TWO, "-n", "4", "--record", str(path)).code == 0
    assert run("match", "annotate", str(path)).code == 0
    game = find_game("l_game", {})
    oracle, at_stake = find_oracle(game), set()
    for line in lines_of(tmp_path / "games.annotated.jsonl"):
        state = game.initial()
        for move, position in zip([None, *line["moves"]], line["analysis"]["positions"], strict=True):
            if move:
                results = {-oracle.value(game.play(state, each)).result for each in game.legal_moves(state)}
                assert position["judgement"]["choice"] == (len(results) > 1)
                state = game.play(state, game.move_from_text(move))
                at_stake.add(len(results) > 1)
            value = oracle.value(state)
            assert (position["value"], position["distance"]) == (WORDS[value.result], value.distance)
    assert at_stake == {True, False}


def test_what_is_there_is_not_done_again(run: Run, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same command computes nothing anew, and of a record with more games only those."""
    whole = run("match", "annotate", str(small), "--json").json()
    assert whole["games"] == 12
    asked: list[tuple[str, ...]] = []

    def noted(spec: MatchSpec, moves: tuple[str, ...]) -> Analysed:
        asked.append(moves)
        return analysed(spec, moves)

    monkeypatch.setattr("arena.local.annotating.analysed", noted)
    again = run("match", "annotate", str(small), "--json").json()
    assert (again["annotated"], again["bots"], asked) == (0, whole["bots"], [])
    more = str(small.with_name("more.jsonl"))
    assert run("simulate", *SMALL, *TWO, "-n", "2", "--record", more).code == 0
    with small.open("a") as file:
        file.write(Path(more).read_text())
    grown = run("match", "annotate", str(small), "--json").json()
    assert (grown["games"], grown["annotated"]) == (14, len(asked))
    assert set(asked) <= {tuple(line["moves"]) for line in lines_of(more)}
    assert asked


@pytest.fixture
def under_way(run: Run, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Two processes that annotate 300 games in a process of its own, of which some are done."""
    path, kept = tmp_path / "games.jsonl", tmp_path / "games.annotated.jsonl"
    assert run("simulate", *SMALL, *TWO, "-n", "300", "--record", str(path)).code == 0
    command = [sys.executable, "-c", "from arena.cli import main; main()", "match", "annotate", str(path)]
    with subprocess.Popen([*command, "-j", "2"], cwd=tmp_path, stderr=subprocess.PIPE, text=True) as arena:
        eventually(lambda: kept.exists() and kept.read_bytes().count(b"\n") >= 3)
        yield arena
        arena.kill()


@pytest.mark.long
def test_a_run_that_is_killed_goes_on(run: Run, tmp_path: Path, under_way: subprocess.Popen[str]) -> None:
    """After kill -9 no process is left, and the same command mends a torn line and does the rest."""
    path, kept = tmp_path / "games.jsonl", tmp_path / "games.annotated.jsonl"
    children = psutil.Process(under_way.pid).children(recursive=True)
    under_way.kill()
    under_way.wait()
    eventually(lambda: not any(each.is_running() for each in children))
    different = {tuple(line["moves"]) for line in lines_of(path)}
    before = kept.read_text().count("\n")
    assert before < len(different)
    kept.write_text(kept.read_text()[:-40])
    told = run("match", "annotate", str(path), "-j", "2", "--json").json()
    assert told["annotated"] == len(different) - (before - 1)
    lines = kept.read_text().splitlines()
    assert len(lines) == len(different)
    kept.unlink()
    fresh = run("match", "annotate", str(path), "--json").json()
    assert sorted(kept.read_text().splitlines()) == sorted(lines)
    assert (fresh["bots"], fresh["games"]) == (told["bots"], 300)


def test_what_a_process_was_at_when_it_was_killed_is_said(
    tmp_path: Path, under_way: subprocess.Popen[str]
) -> None:
    """One of the two being killed ends the run with exit code 1, and what was done stays."""
    children = psutil.Process(under_way.pid).children()
    next(each for each in children if "spawn_main" in " ".join(each.cmdline())).kill()
    _, told = under_way.communicate()
    assert under_way.returncode == 1
    assert "a process that analyses was killed; what is done is kept" in told
    assert all(line["analysis"]["positions"] for line in lines_of(tmp_path / "games.annotated.jsonl"))


def test_ctrl_c_keeps_what_is_done(run: Run, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 1, where the games are that were done, and nothing on standard output."""
    asked: list[tuple[str, ...]] = []

    def broken_off(spec: MatchSpec, moves: tuple[str, ...]) -> Analysed:
        asked.append(moves)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return analysed(spec, moves)

    monkeypatch.setattr("arena.local.annotating.analysed", broken_off)
    ran = run("match", "annotate", str(small))
    assert (ran.code, ran.out) == (1, "")
    assert "interrupted; what is done is kept in " in ran.err
    assert [tuple(each["moves"]) for each in lines_of(small.with_name("games.annotated.jsonl"))] == asked[:2]


def test_games_that_were_broken_off_have_no_stages(run: Run, small: Path) -> None:
    """They count as any other in all, and in no third; how many there are is said in words and as JSON."""
    whole = run("match", "annotate", str(small), "--json").json()
    short = [
        line | {"reason": reason}
        for line, reason in zip(lines_of(small), ("timeout", "resign"), strict=False)
    ]
    small.write_text("".join(json.dumps(line) + "\n" for line in (*short, *lines_of(small)[2:])))
    told = run("match", "annotate", str(small), "--json").json()
    assert (told["broken_off"], told["games"]) == (2, 12)
    rest = small.with_name("rest.jsonl")
    rest.write_text("".join(json.dumps(line) + "\n" for line in lines_of(small)[2:]))
    others = run("match", "annotate", str(rest), "--json").json()
    assert [bot["stages"] for bot in told["bots"]] == [bot["stages"] for bot in others["bots"]]
    for bot, before in zip(told["bots"], whole["bots"], strict=True):
        assert bot | {"stages": None} == before | {"stages": None}
        assert bot["stages"] != before["stages"]
    words = "stages are without games that ended by a forfeit or were resigned: 2 games"
    assert words in run("match", "annotate", str(small)).err.splitlines()
    assert "stages are without" not in run("match", "annotate", str(rest)).err


def test_a_tournament_is_annotated_here(
    run: Run, api: FakeApi, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its games come from the arena each time, and what is found out stays in this folder, by its name."""
    exported = httpx2.Response(200, content=small.read_bytes())
    api.answers["GET", "/tournaments/spring/export"] = exported
    monkeypatch.chdir(tmp_path)
    told = run("match", "annotate", "spring", "--json").json()
    assert (told["file"], told["games"]) == ("spring.annotated.jsonl", 12)
    assert api.asked[-1].url.params["format"] == "jsonl"
    here = run("match", "annotate", str(small), "--json").json()
    assert here["bots"] == told["bots"]
    assert sorted(path.name for path in tmp_path.glob("spring*")) == ["spring.annotated.jsonl"]
    missing = run("match", "annotate", "autumn")
    assert (missing.code, missing.out) == (2, "")
    assert "there is no file autumn; the arena is asked" in missing.err
    assert not (tmp_path / "autumn.annotated.jsonl").exists()


def test_what_is_not_solved_is_counted(run: Run, tmp_path: Path) -> None:
    """Of a board that is too large it is said why, and nothing is told of its bots but their names."""
    path = tmp_path / "games.jsonl"
    players = ("--first", "random", "--second", "random", "-n", "2", "--record", str(path))
    assert run("simulate", "reversed_reversi", "--param", "size=10", *players).code == 0
    told = run("match", "annotate", str(path), "--json").json()
    ((why, games),) = [(each["why"], each["games"]) for each in told["unsolved"]]
    assert ("8 by 8" in why, games) == (True, 2)
    ((name, moves, accuracy),) = [(bot["bot"], bot["moves"], bot["accuracy"]) for bot in told["bots"]]
    assert (name, moves, accuracy) == ("random", 0, None)
    assert "8 by 8" in run("match", "annotate", str(path)).err
    assert path.with_name("games.annotated.jsonl").read_text() == ""


def test_what_could_not_be_judged_here_is_tried_again(
    run: Run, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a solver nothing is kept and each run says so; with one the same command judges the games."""
    why = "the search for Reversi is not compiled here"

    def missing(*_: object) -> None:
        raise SolverError(why)

    with monkeypatch.context() as without:
        without.setattr("workers.play.analysis.find_judge", missing)
        for _ in range(2):
            told = run("match", "annotate", str(small), "--json").json()
            assert (told["games"], told["annotated"]) == (12, 0)
            assert told["unsolved"] == [{"why": why, "games": 12}]
            assert f"12 games: {why}" in run("match", "annotate", str(small)).err.splitlines()
    told = run("match", "annotate", str(small), "--json").json()
    assert (told["games"], told["unsolved"]) == (12, [])
    assert told["annotated"] == len({tuple(line["moves"]) for line in lines_of(small)})


@pytest.mark.parametrize("version", [VERSION + 1, None])
def test_what_another_judge_has_said_is_judged_again(run: Run, small: Path, version: int | None) -> None:
    """Lines of another version, or of none, are shown nowhere and left; those of this one stand with them."""
    whole = run("match", "annotate", str(small), "--json").json()
    kept = small.with_name("games.annotated.jsonl")
    mark, lines = f'"judge":{VERSION},', kept.read_text().splitlines(keepends=True)
    other = "" if version is None else f'"judge":{version},'
    foreign = lines[0].replace(mark, other).replace('"analysis":{', '"analysis":{"new":1,')
    assert mark in lines[0]
    kept.write_text("".join([foreign, *lines[1:]]))
    told = run("match", "show", f"{small}#1", "--json").json()
    assert told["analysis"] is None
    again = run("match", "annotate", str(small), "--json").json()
    assert (again["annotated"], again["bots"]) == (1, whole["bots"])
    assert kept.read_text() == "".join([foreign, *lines[1:], lines[0]])
    assert run("match", "show", f"{small}#1", "--json").json()["analysis"] is not None


def test_a_game_that_was_broken_off_has_no_ending(run: Run, small: Path) -> None:
    """Of eight by eight squares after a few plies nothing is known, and that is said."""
    game = find_game("reversed_reversi", {})
    first = game.move_to_text(game.legal_moves(game.initial())[0])
    line = lines_of(small)[0] | {"moves": [first], "opening_plies": 0, "plies": 1}
    line["game"] = line["game"] | {"params": game.params}
    path = small.with_name("broken.jsonl")
    path.write_text(json.dumps(line) + "\n")
    shown = run("match", "analyse", str(path))
    assert (shown.code, "no position is solved" in shown.err) == (0, True), shown.err
    told = run("match", "annotate", str(path), "--json").json()
    assert [(bot["moves"], bot["accuracy"]) for bot in told["bots"]] == [(0, None)] * 2


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("games.jsonl#1", "`arena match analyse games.jsonl#1` analyses one"),
        ("none.jsonl", "there is no record file none.jsonl"),
        ("letter", "letter#1 is not a match record"),
        ("old.jsonl", "old.jsonl#1: "),
        ("taken.jsonl", "line 1 of taken.annotated.jsonl is no annotation of a game"),
    ],
)
def test_what_cannot_be_annotated_is_refused(run: Run, small: Path, name: str, message: str) -> None:
    """Each ends with exit code 2, a reason, and nothing on standard output."""
    folder = small.parent
    (folder / "letter").write_text("Dear arena,\n")
    first = lines_of(small)[0]
    (folder / "old.jsonl").write_text(json.dumps(first | {"game": first["game"] | {"version": 99}}) + "\n")
    (folder / "taken.jsonl").write_bytes(small.read_bytes())
    (folder / "taken.annotated.jsonl").write_text("mine\n")
    ran = run("match", "annotate", name)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert (folder / "taken.annotated.jsonl").read_text() == "mine\n"
    assert not (folder / "letter.annotated.jsonl").exists()
