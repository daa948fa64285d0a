"""Games that an arena's workers solve, from the command line, against a fake of the API."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from arena.schemas.queue import QueuedSolve, QueueOut
from arena.schemas.solves import SolveForecast, SolveOut, SolveStanding
from tests.unit.arena.cli.chinese import english_words
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, page, problem, sample

__all__ = ["api"]

GAME = {"name": "reversed_reversi", "params": {"size": 4, "reversed": True}, "version": 1}
POSITION = {"board": ["..X.", ".XX.", ".OX.", "...."], "to_move": "O"}
STANDING = sample(
    SolveStanding, low=-2, high=5, at_least=3, share=0.25, answers=7, forecast=sample(SolveForecast, left=9.0)
)


def solve(state: str = "running", **told: Any) -> dict[str, Any]:
    """An answer of the API."""
    fields: dict[str, Any] = {"id": 3, "state": state, "game": GAME, "answers": 12, "standing": STANDING}
    return sample(SolveOut, **fields | told)


FINISHED = solve("finished", value=3, moves=["c1", "d2"], standing=STANDING | {"low": 3, "high": 3})
WORDS = ("solve", "reversed_reversi", "--size", "4", "--on", "workers")


def test_a_solve_is_asked_for(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """What is typed is sent with what a checkpoint knows; without --wait it is not waited for."""
    checkpoint = tmp_path / "known"
    checkpoint.write_text("lines\n", encoding="ascii")
    api.answers["POST", "/solves"] = solve()
    ran = run(*WORDS, "--memory", "16", "--checkpoint", str(checkpoint))
    assert (ran.code, ran.out) == (0, "")
    assert "solve 3 is running: 12 answers" in ran.err
    params = {"size": 4, "reversed": True}
    about = {"game": "reversed_reversi", "params": params, "memory_mb": 16, "checkpoint": "lines\n"}
    assert api.sent(0) == about
    assert run(*WORDS, "--moves", "c1").code == 0
    assert api.sent(1) == {"game": "reversed_reversi", "params": params, "position": POSITION}


def test_a_position_is_told(run: Run, api: FakeApi) -> None:
    """Its board, and in the list that the solve began there."""
    api.answers["GET", "/solves/3"] = solve(position=POSITION)
    assert "O to move, empty squares: 11" in run("solves", "show", "3").out
    api.answers["GET", "/solves"] = page(solve(position=POSITION))
    assert "reversed=true, from a position" in run("solves", "list").out


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize("bounds", [(-2, 5), (1, 1), (0, 0), (-3, -3)])
@pytest.mark.parametrize("act", ["show", "watch"])
def test_a_solve_is_told_in_chinese(run: Run, api: FakeApi, act: str, bounds: tuple[int, int]) -> None:
    """Board, bounds or what came out, and how far it is: without a word of English."""
    low, high = bounds
    told: dict[str, Any] = {"position": POSITION, "standing": STANDING | {"low": low, "high": high}}
    told |= {"value": low, "moves": ["c1"]} if low == high else {}
    api.answers["GET", "/solves/3"] = solve("finished", **told)
    shown = run("solves", act, "3").out
    assert "黑白棋 4×4，子少者勝" in shown
    assert "輪到 O，空格：11" in shown
    assert english_words(shown) == []


def test_it_is_waited_for_and_its_proof_written(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """Value and moves are printed; one that comes to no end is exit code 1."""
    api.answers["POST", "/solves"] = solve()
    api.answers["GET", "/solves/3"] = FINISHED
    api.answers["GET", "/solves/3/proof"] = httpx2.Response(200, content=b"the proof\n")
    proof = tmp_path / "proof"
    ran = run(*WORDS, "--wait", "--proof", str(proof))
    assert ran.code == 0, ran.err
    assert "With perfect play X wins, with 3 discs less" in ran.out
    assert "Best first moves: c1 d2" in ran.out
    assert proof.read_bytes() == b"the proof\n"
    assert run(*WORDS, "--wait", "--json").json()["value"] == 3
    troubles = {"owner": "staff", "lost": 5, "refused": 0, "trouble": "no room"}
    api.answers["GET", "/solves/3"] = solve("paused", staff=troubles)
    ran = run(*WORDS, "--wait")
    assert ran.code == 1
    assert "solve 3 is paused: 12 answers; no room" in ran.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((*WORDS, "--jobs", "2"), "--jobs is for processes on this machine"),
        ((*WORDS, "--proof", "x"), "--proof needs --wait"),
        ((*WORDS, "--checkpoint", "nowhere"), "nowhere cannot be read"),
        (("solve", "reversed_reversi", "--size", "4", "--wait"), "--wait is for --on workers"),
        (("solve", "l_game", "--on", "workers"), "are for positions of"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, api: FakeApi, words: tuple[str, ...], why: str) -> None:
    """Exit code 2 with one sentence, before the arena is asked."""
    ran = run(*words)
    assert (ran.code, api.asked) == (2, [])
    assert why in ran.err


def test_solves_are_listed_shown_and_moved(run: Run, api: FakeApi) -> None:
    """A line each, all that is known of one, and what becomes of it by each act."""
    api.answers["GET", "/solves"] = page(FINISHED, solve())
    lines = [line for line in run("solves", "list").out.splitlines() if "size=4" in line]
    assert [line.split()[-1] for line in lines] == ["3", "5"]
    assert run("solves", "list", "--json").json()["solves"][0]["id"] == 3
    api.answers["GET", "/solves/3"] = solve()
    shown = run("solves", "show", "3").out
    assert "X reaches -2 at least and 5 at most" in shown
    assert "at least 3? 25.00% decided" in shown
    for act, words in (("pause", ()), ("resume", ()), ("cancel", ("--yes",))):
        api.answers["POST", f"/solves/3/{act}"] = solve("paused")
        assert "solve 3 is paused" in run("solves", act, "3", *words).out
    api.answers["POST", "/solves/3/pause"] = problem(409, "solve 3 is paused and cannot be paused")
    assert run("solves", "pause", "3").code == 2


def test_the_queue_has_a_line_for_each(run: Run, api: FakeApi) -> None:
    """What waits of it and is searched, and why nobody can."""
    told = {"number": 3, "state": "running", "game": GAME, "pending": 7, "published": 2, "running": 1}
    api.answers["GET", "/staff/queue"] = sample(
        QueueOut, solves=[sample(QueuedSolve, **told, nobody="no host")]
    )
    (line,) = [each.split() for each in run("staff", "queue").out.splitlines() if "no host" in each]
    assert line == ["3", "running", "reversed_reversi", "7", "2", "1", "no", "host"]


@pytest.mark.parametrize(("total", "said"), [(1, False), (25, True)])
def test_the_queue_says_how_many_are_not_shown(run: Run, api: FakeApi, total: int, said: bool) -> None:
    """The list is of the oldest only where there are more than it has."""
    queued = [sample(QueuedSolve, number=3, game=GAME)]
    api.answers["GET", "/staff/queue"] = sample(QueueOut, experiments=[], solves=queued, solves_total=total)
    assert (f"the oldest of all are shown: 1 of {total}" in run("staff", "queue").err) == said


@pytest.mark.parametrize("what", ["checkpoint", "proof"])
def test_files_are_written(run: Run, api: FakeApi, tmp_path: Path, what: str) -> None:
    """To the file that is named, whose size is told; what is refused leaves none."""
    api.answers["GET", f"/solves/3/{what}"] = httpx2.Response(200, content=b"lines\n")
    file = tmp_path / what
    told = json.loads(run("solves", what, "3", "-o", str(file), "--json").out)
    assert told == {"solve": 3, "what": what, "file": str(file), "bytes": 6}
    assert file.read_bytes() == b"lines\n"
    assert run("solves", what, "4", "-o", str(tmp_path / "none")).code == 2
    assert not (tmp_path / "none").exists()
