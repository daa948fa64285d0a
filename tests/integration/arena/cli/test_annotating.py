"""`arena match annotate`: what it keeps and tells of all games of a record, held against other judges."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import psutil
import pyarrow.parquet
import pytest

from arena.local.analysis import Analysed, analysed
from arena.local.record_tables import moves
from engines.game import Game, Move
from engines.games import find_game
from engines.solvers import Progress, find_oracle
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api
from tests.waiting import eventually
from workers.core.contract import MatchSpec

__all__ = ["api"]

WORDS = {1: "won", 0: "drawn", -1: "lost"}
SMALL = ("reversed_reversi", "--param", "size=4")
TWO = ("--first", "random", "--second", "perfect", "--seed", "5", "--swap")


class Ply(NamedTuple):
    """A move by the plain judge: what was there before it and after it for the side that made it."""

    number: int
    before: int
    after: int
    worse: bool
    chosen: bool
    bot: str


class PlainJudge:
    """Tries every move to the end by the rules alone; a value is the mover's margin, or 1 or -1."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.sign = -1 if game.score_sense == "fewest" else 1
        self._known: dict[Any, int] = {}

    def value(self, state: Any) -> int:
        """What the position is worth to the side to move, of which more is better."""
        if state not in self._known:
            moves = self.game.legal_moves(state)
            self._known[state] = max(map(self.after(state), moves)) if moves else self._end(state)
        return self._known[state]

    def after(self, state: Any) -> Any:
        """What a move leads to, for the side that makes it."""

        def value(move: Move) -> int:
            then = self.game.play(state, move)
            same = self.game.to_move(then) == self.game.to_move(state)
            return self.value(then) if same else -self.value(then)

        return value

    def best(self, state: Any) -> list[str]:
        """All moves that keep the value."""
        moves = self.game.legal_moves(state)
        return sorted(
            self.game.move_to_text(move) for move in moves if self.after(state)(move) == self.value(state)
        )

    def plies(self, line: dict[str, Any]) -> Iterator[Ply]:
        """Every move of a recorded game."""
        state, bots = self.game.initial(), [line["players"][player] for player in line["seats"]]
        for number, text in enumerate(line["moves"], start=1):
            move, moves = self.game.move_from_text(text), self.game.legal_moves(state)
            chosen = number > line["opening_plies"] and self.game.forced_pass(state) is None
            worse = len(self.best(state)) < len(moves)
            yield Ply(
                number,
                self.value(state),
                self.after(state)(move),
                worse,
                chosen,
                bots[self.game.to_move(state)],
            )
            state = self.game.play(state, move)

    def _end(self, state: Any) -> int:
        outcome, mover = self.game.outcome(state), self.game.to_move(state)
        assert outcome is not None
        if self.game.score_sense is None:
            return 1 if outcome.winner == mover else -1
        return self.sign * (outcome.score[mover] - outcome.score[1 - mover])


def sign(value: int) -> int:
    """1, 0 or -1."""
    return (value > 0) - (value < 0)


def lines_of(path: Path | str) -> list[dict[str, Any]]:
    """The lines of a file as JSON."""
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


@pytest.fixture
def small(run: Run, tmp_path: Path) -> Path:
    """Twelve games of Reversi on 4 by 4 squares from openings, by chance against perfect play."""
    path = tmp_path / "games.jsonl"
    openings = ("--openings", "6", "--opening-plies", "2")
    assert run("simulate", *SMALL, *TWO, *openings, "-n", "12", "--record", str(path)).code == 0
    return path


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
        turning = None
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
            assert judged["choice"] == ply.worse
            turning = ply.number if before > after else turning
        assert (analysis["turning"] or {"ply": None})["ply"] == turning
        loser = judge.game.to_move(state) if judge.value(state) < 0 else 1 - judge.game.to_move(state)
        assert (analysis["lost"] is None) == (judge.value(state) == 0)
        assert analysis["lost"] is None or analysis["lost"]["seat"] == loser


def test_what_is_told_of_a_bot_is_what_its_moves_cost(run: Run, small: Path) -> None:
    """Accuracy, blunders and means, whole and by thirds, are counted anew from the plain judge's values."""
    told = run("match", "annotate", str(small), "--json").json()
    judge = PlainJudge(find_game("reversed_reversi", {"size": 4}))
    costs: defaultdict[tuple[str, str], list[tuple[bool, float, int]]] = defaultdict(list)
    moves: defaultdict[str, int] = defaultdict(int)
    for line in lines_of(small):
        for ply in judge.plies(line):
            moves[ply.bot] += ply.chosen
            if ply.chosen and ply.worse:
                before, after = sign(ply.before), sign(ply.after)
                cost = (before >= 0, (before - after) / 2, ply.before - ply.after)
                third = ("begin", "middle", "end")[(ply.number - 1) * 3 // len(line["moves"])]
                for stage in (third, "whole"):
                    costs[ply.bot, stage].append(cost)
    assert [bot["bot"] for bot in told["bots"]] == ["perfect", "random"]
    for bot in told["bots"]:
        assert (bot["games"], bot["moves"]) == (12, moves[bot["bot"]])
        for stage in (bot | {"stage": "whole"}, *bot["stages"]):
            all_costs = costs[bot["bot"], stage["stage"]]
            losses = [loss for at_stake, loss, _ in all_costs if at_stake]
            assert (stage["choices"], stage["scored"]) == (len(losses), len(all_costs))
            assert stage["blunders"] == sum(loss > 0 for loss in losses)
            if losses:
                assert stage["accuracy"] == pytest.approx(sum(loss == 0 for loss in losses) / len(losses))
                assert stage["loss"] == pytest.approx(sum(losses) / len(losses))
            if all_costs:
                mean = sum(points for *_, points in all_costs) / len(all_costs)
                assert stage["points"] == pytest.approx(mean)
    perfect, chance = told["bots"]
    assert (perfect["accuracy"], perfect["loss"]) == (1, 0)
    assert chance["blunders"] > 0


def test_circles_are_judged_as_trying_all_moves_does(run: Run, tmp_path: Path) -> None:
    """Who stands lost, and each move that gave a win away, of games that are not counted: with no points."""
    path = tmp_path / "games.jsonl"
    record = ("-n", "10", "--record", str(path))
    assert run("simulate", "circle_nim", "--rows", "3", *TWO, *record).code == 0
    told = run("match", "annotate", str(path), "--json").json()
    judge = PlainJudge(find_game("circle_nim", {"rows": 3}))
    kept = {tuple(each["moves"]): each["analysis"] for each in lines_of(tmp_path / "games.annotated.jsonl")}
    blunders: defaultdict[str, int] = defaultdict(int)
    for line in lines_of(path):
        positions = kept[tuple(line["moves"])]["positions"]
        for ply in judge.plies(line):
            before, after = positions[ply.number - 1], positions[ply.number]
            assert before["value"] == WORDS[ply.before]
            assert after["judgement"]["loss"] == (ply.before - ply.after) / 2
            blunders[ply.bot] += ply.after < ply.before
    assert {bot["bot"]: bot["blunders"] for bot in told["bots"]} == {**blunders}
    assert sum(blunders.values()) > 0
    assert [(bot["points"], bot["scored"]) for bot in told["bots"]] == [(None, 0)] * 2


def test_games_that_can_go_in_circles_are_judged_as_their_oracle_says(run: Run, tmp_path: Path) -> None:
    """Won, drawn and lost positions of the L-Game, and the distance, ply by ply."""
    path = tmp_path / "games.jsonl"
    assert run("simulate", "l_game", *TWO, "-n", "4", "--record", str(path)).code == 0
    assert run("match", "annotate", str(path)).code == 0
    game = find_game("l_game", {})
    oracle = find_oracle(game)
    for line in lines_of(tmp_path / "games.annotated.jsonl"):
        state = game.initial()
        for move, position in zip([None, *line["moves"]], line["analysis"]["positions"], strict=True):
            state = game.play(state, game.move_from_text(move)) if move else state
            value = oracle.value(state)
            assert (position["value"], position["distance"]) == (WORDS[value.result], value.distance)


def test_what_is_there_is_not_done_again(run: Run, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same command computes nothing anew, and of a record with more games only those."""
    whole = run("match", "annotate", str(small), "--json").json()
    assert whole["games"] == 12
    asked: list[tuple[str, ...]] = []

    def noted(spec: MatchSpec, moves: tuple[str, ...], progress: Progress) -> Analysed:
        asked.append(moves)
        return analysed(spec, moves, progress)

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

    def broken_off(spec: MatchSpec, moves: tuple[str, ...], progress: Progress) -> Analysed:
        asked.append(moves)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return analysed(spec, moves, progress)

    monkeypatch.setattr("arena.local.annotating.analysed", broken_off)
    ran = run("match", "annotate", str(small))
    assert (ran.code, ran.out) == (1, "")
    assert "interrupted; what is done is kept in " in ran.err
    assert [tuple(each["moves"]) for each in lines_of(small.with_name("games.annotated.jsonl"))] == asked[:2]


def test_what_is_kept_is_shown_with_the_game(run: Run, small: Path) -> None:
    """Worth, best moves and what a move cost stand below the boards, and whole in the JSON."""
    plain = run("match", "show", f"{small}#1")
    assert run("match", "show", f"{small}#1", "--json").json()["analysis"] is None
    assert run("match", "annotate", str(small)).code == 0
    alone = run("match", "analyse", f"{small}#1", "--json").json()
    shown = run("match", "show", f"{small}#1")
    assert len(shown.out.splitlines()) > len(plain.out.splitlines())
    first = alone["positions"][0]
    line = f"for {alone['bots'][0]}, to move: {first['value']} ({first['margin']:+d}); best: "
    assert line + " ".join(first["best"]) in shown.out
    assert f"lost it by ply {alone['lost']['ply']}" in shown.out or "stood lost" in shown.out
    del alone["bots"]
    assert run("match", "show", f"{small}#1", "--json").json()["analysis"] == alone
    only = run("match", "show", f"{small}#1", "--ply", "0")
    assert line in only.out
    assert only.out.count("to move:") == 1


def test_what_is_kept_is_exported_with_every_move(run: Run, small: Path, tmp_path: Path) -> None:
    """Columns of plies have what positions were worth and moves cost; nothing before that is known."""
    (row, *_) = moves(small)
    assert [row[key] for key in ("value", "margin", "choice", "loss", "points")] == [None] * 5
    assert run("match", "annotate", str(small)).code == 0
    output = str(tmp_path / "moves.parquet")
    assert run("match", "export", str(small), "--by", "ply", "-o", output).code == 0
    judge = PlainJudge(find_game("reversed_reversi", {"size": 4}))
    plies = [ply for line in lines_of(small) for ply in judge.plies(line)]
    for row, ply in zip(pyarrow.parquet.read_table(output).to_pylist(), plies, strict=True):
        assert (row["value"], row["margin"]) == (WORDS[sign(ply.before)], judge.sign * ply.before)
        cost = (ply.worse, (sign(ply.before) - sign(ply.after)) / 2, ply.before - ply.after)
        assert (row["choice"], row["loss"], row["points"]) == (cost if ply.chosen else (None, None, None))


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
