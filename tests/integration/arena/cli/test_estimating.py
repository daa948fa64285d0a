"""`arena match annotate` estimates what cannot be solved: kept, counted and shown apart, with its depth."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arena.local.analysis import Analysed, analysed
from arena.local.record_tables import moves
from bots.reference.estimates import estimated_by, find_estimator
from engines.games.reversed_reversi import ReversedReversi
from engines.solvers.endgame_limits import ESTIMATE_DEPTH
from engines.solvers.judging import VERSION
from tests.integration.arena.cli.small_record import TWO, lines_of, recorded
from tests.unit.arena.cli.conftest import Run
from workers.core.contract import MatchSpec

GAME = ReversedReversi(6)
SOLVED = 12
"""Empty squares of positions that are solved here: fewer than elsewhere, so that it takes no time."""


class Ply(NamedTuple):
    """A ply before the exact values: what the position was worth to its mover, and what its move cost."""

    number: int
    margin: float
    points: float | None


def plies(line: dict[str, Any], depth: int) -> Iterator[Ply]:
    """The plies of a game of the record from positions that are not solved, estimated anew one by one."""
    estimator, state = find_estimator(GAME), GAME.initial()
    for number, text in enumerate(line["moves"]):
        if 36 - (state.own | state.opp).bit_count() <= SOLVED:
            return
        move = GAME.move_from_text(text)
        told = estimator.estimate(state, depth, move)
        chosen = number >= line["opening_plies"] and len(GAME.legal_moves(state)) > 1
        yield Ply(number, -told.value, told.value - told.played if chosen else None)
        state = GAME.play(state, move)


@pytest.fixture
def games(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Six games of Reversi on 6 by 6 squares from openings, of which the last twelve squares are solved."""
    monkeypatch.setattr("engines.solvers.endgame.MAX_EMPTY", SOLVED)
    board = ("reversed_reversi", "--param", "size=6", "--openings", "3", "--opening-plies", "4")
    players = ("--first", "random", "--second", "random", "--seed", "5", "-n", "6")
    return recorded(run, tmp_path / "games.jsonl", *board, *players)


def test_what_is_not_solved_is_estimated_with_its_depth(run: Run, games: Path, tmp_path: Path) -> None:
    """Every position before the exact ones has its margin and cost, by the call for that position alone."""
    told = run("match", "annotate", str(games), "--depth", "5", "--json").json()
    kept = {tuple(each["moves"]): each for each in lines_of(tmp_path / "games.annotated.jsonl")}
    costs = defaultdict[int, list[float]](list)
    for line in lines_of(games):
        estimated, analysis = (kept[tuple(line["moves"])][key] for key in ("estimated", "analysis"))
        assert (estimated["depth"], estimated["by"]) == (5, estimated_by(GAME))
        first = analysis["positions"][0]["ply"]
        assert [each["ply"] for each in estimated["positions"]] == list(range(first))
        expected = list(plies(line, 5))
        for position, ply in zip(estimated["positions"], expected, strict=True):
            assert (position["margin"], position["points"]) == (ply.margin, ply.points)
            assert position["played"] == line["moves"][ply.number]
            if ply.points is not None:
                costs[ply.number * 3 // len(line["moves"])].append(ply.points)
        costly = max(ply.points or 0 for ply in expected)
        assert expected[estimated["costliest"]["ply"] - 1].points == costly
    (bot,) = told["bots"]
    whole = [*chain(*costs.values())]
    assert (told["depth"], bot["estimated"]["moves"]) == (5, len(whole))
    assert bot["estimated"]["points"] == pytest.approx(sum(whole) / len(whole))
    for number, stage in enumerate(bot["estimated"]["stages"]):
        assert stage["moves"] == len(costs[number])
        if costs[number]:
            assert stage["points"] == pytest.approx(sum(costs[number]) / len(costs[number]))


def test_who_was_behind_is_told_where_exact_values_do_not_reach(
    run: Run, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who stood lost as far back as is known was behind from that ply on, by every estimate from there."""
    monkeypatch.setattr("engines.solvers.endgame.MAX_EMPTY", 1)
    assert run("match", "annotate", str(games), "--depth", "4").code == 0
    told = 0
    for line in lines_of(tmp_path / "games.annotated.jsonl"):
        estimated, lost = line["estimated"], line["analysis"]["lost"]
        if lost is None or lost["ply"] is not None:
            assert estimated["behind"] is None
            continue
        seat, ply = estimated["behind"]["seat"], estimated["behind"]["ply"]
        assert seat == lost["seat"]
        ahead = [
            each["margin"] < 0 if each["seat"] == seat else each["margin"] > 0
            for each in estimated["positions"]
        ]
        level = [each["margin"] == 0 for each in estimated["positions"]]
        since = max((at + 1 for at in range(len(ahead)) if ahead[at] or level[at]), default=0)
        assert ply == (since if since > line["opening"] else 0)
        told += 1
    assert told > 0


def test_estimates_are_in_no_exact_figure(run: Run, games: Path, tmp_path: Path) -> None:
    """With estimates, of any depth, and without, exact figures and positions are the same."""
    plain = run("match", "annotate", str(games), "--depth", "0", "--json").json()
    exact = {line["digest"]: line["analysis"] for line in lines_of(tmp_path / "games.annotated.jsonl")}
    assert [bot["estimated"]["moves"] for bot in plain["bots"]] == [0]
    (tmp_path / "games.annotated.jsonl").unlink()
    told = run("match", "annotate", str(games), "--json").json()
    assert told["depth"] == ESTIMATE_DEPTH
    assert [bot | {"estimated": 0} for bot in told["bots"]] == [
        bot | {"estimated": 0} for bot in plain["bots"]
    ]
    assert told["bots"][0]["estimated"]["moves"] > 0
    assert exact == {
        line["digest"]: line["analysis"] for line in lines_of(tmp_path / "games.annotated.jsonl")
    }


def test_another_depth_adds_estimates_and_solves_nothing_again(
    run: Run, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line more a game, said in words; the same depth again is there, and no depth needs nothing more."""
    path = tmp_path / "games.annotated.jsonl"
    count = len({tuple(line["moves"]) for line in lines_of(games)})
    assert run("match", "annotate", str(games), "--depth", "0").code == 0

    def solved_again(spec: MatchSpec, moves: tuple[str, ...]) -> Analysed:
        raise AssertionError(spec, moves)

    monkeypatch.setattr("arena.local.annotating.analysed", solved_again)
    added = run("match", "annotate", str(games), "--depth", "3")
    assert f"{count} games: exact values were there, estimates to depth 3 were not and are added" in added.err
    for depth, new in (("3", 0), ("5", count), ("3", 0), ("0", 0), ("5", 0)):
        told = run("match", "annotate", str(games), "--depth", depth, "--json")
        assert (told.json()["annotated"], "are added" in told.err) == (new, new > 0)
    lines = lines_of(path)
    depths = [line["estimated"] and line["estimated"]["depth"] for line in lines]
    assert depths == [None] * count + [3] * count + [5] * count
    fresh = tmp_path / "fresh.jsonl"
    fresh.write_bytes(games.read_bytes())
    monkeypatch.setattr("arena.local.annotating.analysed", analysed)
    assert run("match", "annotate", str(fresh), "--depth", "5").code == 0
    by_digest = {line["digest"]: line for line in lines_of(tmp_path / "fresh.annotated.jsonl")}
    assert by_digest == {line["digest"]: line for line in lines[-count:]}


def test_processes_add_the_same_estimates_to_the_same_exact_values(run: Run, tmp_path: Path) -> None:
    """Two of them, to one depth and then to another, write what one process writes."""
    path, other = tmp_path / "games.jsonl", tmp_path / "other.jsonl"
    board = ("reversed_reversi", "--param", "size=6", "--first", "random", "--second", "random")
    assert run("simulate", *board, "--seed", "4", "-n", "4", "--record", str(path)).code == 0
    short = [line | {"moves": line["moves"][:6], "reason": "timeout"} for line in lines_of(path)]
    path.write_text("".join(json.dumps(line) + "\n" for line in short))
    other.write_bytes(path.read_bytes())
    for depth in ("3", "6"):
        several = run("match", "annotate", str(path), "--depth", depth, "-j", "2", "--json").json()
        alone = run("match", "annotate", str(other), "--depth", depth, "--json").json()
        assert several | {"file": alone["file"]} == alone
        assert several["annotated"] == 4
    written = [tmp_path / f"{name}.annotated.jsonl" for name in ("games", "other")]
    assert sorted(written[0].read_text().splitlines()) == sorted(written[1].read_text().splitlines())


def test_other_weights_are_other_estimates(run: Run, games: Path, tmp_path: Path) -> None:
    """Lines that other weights have estimated are not counted; estimates are added as if there were none."""
    path = tmp_path / "games.annotated.jsonl"
    first = run("match", "annotate", str(games), "--depth", "3", "--json").json()
    mine = estimated_by(GAME)
    path.write_text(path.read_text().replace(f'"by":"{mine}"', '"by":"0-another"'))
    told = run("match", "annotate", str(games), "--depth", "3", "--json").json()
    assert (told["annotated"], told["bots"]) == (first["annotated"], first["bots"])
    assert {line["estimated"]["by"] for line in lines_of(path)} == {mine, "0-another"}


def test_lines_of_another_judge_are_told(run: Run, games: Path, tmp_path: Path) -> None:
    """How many are passed over is said, and their games are judged again."""
    path = tmp_path / "games.annotated.jsonl"
    assert run("match", "annotate", str(games), "--depth", "2").code == 0
    count = len(lines_of(path))
    path.write_text(path.read_text().replace(f'"judge":{VERSION},', '"judge":999,'))
    told = run("match", "annotate", str(games), "--depth", "2", "--json")
    assert f"{count} lines of {path} are of another version of the judge, and passed over" in told.err
    assert told.json()["annotated"] == count


def test_lines_without_estimates_are_read_as_before(run: Run, games: Path, tmp_path: Path) -> None:
    """Files of before there were estimates have exact values, which are shown, and kept when these come."""
    path = tmp_path / "games.annotated.jsonl"
    assert run("match", "annotate", str(games), "--depth", "0").code == 0
    path.write_text(path.read_text().replace('"estimated":null,', ""))
    shown = run("match", "show", f"{games}#1", "--json").json()
    assert (len(shown["analysis"]["positions"]) > SOLVED, shown["estimated"]) == (True, None)
    added = run("match", "annotate", str(games), "--depth", "2")
    assert "exact values were there" in added.err


def test_estimates_are_shown_with_the_game(run: Run, games: Path, tmp_path: Path) -> None:
    """Below each board before the exact ones, and as a curve at the end; the deepest that are kept."""
    for depth in ("6", "2"):
        assert run("match", "annotate", str(games), "--depth", depth).code == 0
    (line,) = lines_of(games)[:1]
    estimated = next(
        each["estimated"]
        for each in lines_of(tmp_path / "games.annotated.jsonl")
        if each["moves"] == line["moves"] and each["estimated"]["depth"] == 6
    )
    shown, bots = run("match", "show", f"{games}#1").out.splitlines(), ("random (1)", "random (2)")
    expected = list(plies(line, 6))
    for position, ply in zip(estimated["positions"], expected, strict=True):
        stands = "level" if abs(ply.margin) < 0.05 else "ahead" if ply.margin < 0 else "behind"
        whose = f"for {bots[position['seat']]}, to move"
        words = f"{whose}: {stands} ({ply.margin:+.1f}), estimated, depth 6; best: "
        assert words + position["best"] in shown
        cost = f"{position['played']}: {ply.points or 0:.1f} points worse, estimated, depth 6"
        assert (cost in shown) == ((ply.points or 0) >= 0.05)
    signs = [1 if position["seat"] else -1 for position in estimated["positions"]]
    curve = " ".join(f"{round(sign * ply.margin):+d}" for ply, sign in zip(expected, signs, strict=True))
    ahead = "estimated, depth 6: points by which random (1) is ahead, from before ply 1 on: "
    assert ahead + curve in shown
    assert sum("costliest move" in each for each in shown) == 1
    assert not any("depth 2" in each for each in shown)
    told = run("match", "show", f"{games}#1", "--json").json()
    assert told["estimated"] == estimated
    only = run("match", "show", f"{games}#1", "--ply", "0").out
    assert only.count("estimated, depth 6") == 1


def test_estimates_are_exported_with_every_move(games: Path, run: Run) -> None:
    """Columns of plies have depth, margin and cost where nothing is solved, and exact ones where it is."""
    assert run("match", "annotate", str(games), "--depth", "3").code == 0
    expected = {
        (number, ply.number): (3, ply.margin, ply.points)
        for number, line in enumerate(lines_of(games), start=1)
        for ply in plies(line, 3)
    }
    rows = list(moves(games))
    assert 0 < len(expected) < len(rows)
    for row in rows:
        told = tuple(row[key] for key in ("depth", "estimated_margin", "estimated_points"))
        assert told == expected.get((row["number"], row["ply"]), (None,) * 3)
        assert (row["margin"] is None) == (told != (None,) * 3)


def test_a_game_that_ended_early_is_estimated_whole(run: Run, games: Path) -> None:
    """Without any exact value its positions have estimates, also the last; its stages count nowhere."""
    (line, *_) = lines_of(games)
    short = line | {"moves": line["moves"][:7], "reason": "timeout"}
    games.write_text(json.dumps(short) + "\n")
    told = run("match", "annotate", str(games), "--depth", "2", "--json").json()
    (bot,) = told["bots"]
    assert (bot["moves"], bot["estimated"]["moves"] > 0, told["broken_off"]) == (0, True, 1)
    assert [stage["moves"] for stage in bot["estimated"]["stages"]] == [0, 0, 0]
    shown = run("match", "show", f"{games}#1", "--json").json()["estimated"]
    assert [each["ply"] for each in shown["positions"]] == list(range(8))
    assert shown["positions"][-1]["played"] is None
    last = shown["positions"][-1]
    loser = last["seat"] if last["margin"] > 0 else 1 - last["seat"]
    assert shown["behind"]["seat"] == loser


def test_games_without_estimates_are_annotated_once(run: Run, tmp_path: Path) -> None:
    """Of a game that is wholly solved by a table a depth changes nothing, and adds no line."""
    path = tmp_path / "games.jsonl"
    assert run("simulate", "circle_nim", "--rows", "3", *TWO, "-n", "4", "--record", str(path)).code == 0
    assert run("match", "annotate", str(path), "--depth", "4").code == 0
    again = run("match", "annotate", str(path), "--depth", "8", "--json").json()
    assert again["annotated"] == 0
    assert {line["estimated"] for line in lines_of(tmp_path / "games.annotated.jsonl")} == {None}


@pytest.mark.parametrize("depth", ["-1", "21", "deep"])
def test_a_depth_that_cannot_be_is_refused(run: Run, games: Path, depth: str) -> None:
    """Exit code 2, the option named, and no file made."""
    ran = run("match", "annotate", str(games), "--depth", depth)
    assert (ran.code, ran.out) == (2, "")
    assert "--depth" in ran.err
    assert not games.with_name("games.annotated.jsonl").exists()
