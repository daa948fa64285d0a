"""Players that an arena's workers learn, from the command line, against a fake of the API."""

from __future__ import annotations

import hashlib
import json
from base64 import b64decode
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import httpx2
import pytest

from arena.schemas.queue import QueuedTraining, QueueOut
from arena.schemas.trainings import TrainingOut, TrainingRound, TrainingStanding
from arena.schemas.users import UserOut
from engines.games.reversed_reversi import ReversedReversi
from engines.strategies.reversi_training import Round, Training
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, page, problem, sample
from workers.core.contract import GameSpec
from workers.training.contract import RoundSpec, TrainingSpec
from workers.training.learner import answer_to
from workers.training.plan import Part, Plan, chunks_of, first_of, fitted_by

__all__ = ["api"]

ROUND = Round(64, 1, 2, 4)
PLAN = Plan(Training(ReversedReversi(4)), 3, (ROUND,))
STANDING = sample(TrainingStanding, round=1, part="stage", done=1, total=3, games_done=64, games_total=64)


def weights() -> bytes:
    """What is learned by the plan."""
    games = PLAN.training.play(None, seed=3, first=0, games=64, by=ROUND)
    fits = [PLAN.training.fit(games, stage, ROUND) for stage in range(PLAN.training.stages)]
    return fitted_by(PLAN, fits).weights


CURVE = sample(
    TrainingRound,
    sha256=hashlib.sha256(weights()).hexdigest(),
    round=1,
    error=4.0,
    error_taught=1.0,
    points=1024.0,
    games=2048,
    points_low=980.0,
    points_high=1068.0,
)
BY_ME = {"owner": "staff", "lost": 0, "refused": 0, "trouble": None}
WORDS = ("train", "reversed_reversi", "--size", "4", "--seed", "3", "--rounds", "64:1:2:4", "--on", "workers")


def training(state: str = "running", **told: Any) -> dict[str, Any]:
    """An answer of the API."""
    fields: dict[str, Any] = {"id": 3, "state": state, "plan": PLAN.told(), "standing": STANDING, "curve": []}
    return sample(TrainingOut, **fields | told)


def parts(upto: Part = Part.POINTS) -> Iterator[str]:
    """The lines of what is done, up to the end of a part."""
    yield json.dumps(PLAN.told())
    games, kept = "", list[Any]()
    for part in Part:
        for chunk in chunks_of(PLAN, 0, part):
            given: list[bytes] = []
            if part is Part.STAGE:
                given = [_bytes(games)]
            elif part is Part.POINTS:
                given = [fitted_by(PLAN, kept).weights]
            spec = TrainingSpec(
                game=GameSpec(name="reversed_reversi", params=PLAN.training.game.params),
                engine=Training.version,
                seed=3,
                part=part,
                size=chunk.size,
                first=first_of(PLAN, part, chunk),
                by=RoundSpec(**ROUND._asdict()),
            )
            told = answer_to(spec, given)
            games = told.payload if part is Part.GAMES else games
            if part is Part.STAGE:
                kept.append(PLAN.training.fit(given[0], chunk.first, ROUND))
            yield json.dumps({"part": part, **chunk._asdict(), **told.model_dump()})
        if part is upto:
            return


@cache
def all_parts() -> tuple[str, ...]:
    """All lines of a finished training."""
    return tuple(parts())


def _bytes(text: str) -> bytes:
    return b64decode(text)


def sent(lines: Iterator[str]) -> httpx2.Response:
    """What the API answers."""
    return httpx2.Response(200, content="".join(f"{line}\n" for line in lines).encode())


def asked_by_me(api: FakeApi, *before: dict[str, Any]) -> None:
    """There were these trainings before; another one may be asked for."""
    api.answers["GET", "/me"] = sample(UserOut, name="staff")
    api.answers["GET", "/trainings"] = page(*before)
    api.answers["POST", "/trainings"] = training()


def test_it_is_asked_for_waited_for_and_written(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """The plan is sent; in the end the folder holds what the same command writes here."""
    asked_by_me(api)
    api.answers["GET", "/trainings/3"] = training("finished", curve=[CURVE])
    api.answers["GET", "/trainings/3/parts"] = sent(parts())
    there = tmp_path / "there"
    ran = run(*WORDS, "--out", str(there))
    assert ran.code == 0, ran.err
    (wish,) = [json.loads(each.content) for each in api.asked if each.method == "POST"]
    assert wish == {
        "game": "reversed_reversi",
        "params": {"size": 4, "reversed": True},
        "seed": 3,
        "rounds": [ROUND._asdict()],
    }
    assert "training 3 is running: round 1 of 1, fit: 1 of 3; self-play in all: 64 of 64" in ran.err
    assert (there / "weights.bin").read_bytes() == weights()
    told = json.loads((there / "recipe.json").read_text())
    assert (told["rounds"], len(told["curve"])) == ([ROUND._asdict()], 1)
    assert (there / "curve.svg").read_bytes().startswith(b"<svg")
    again = run(*WORDS, "--out", str(there))
    assert (again.code, f"{there} holds a training; leave --on out" in again.err) == (2, True)


def test_one_that_comes_to_no_end_is_told_of(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """Exit code 1 with what befell it, and nothing is in the folder."""
    asked_by_me(api)
    troubles = {"owner": "staff", "lost": 5, "refused": 0, "trouble": "no room"}
    api.answers["GET", "/trainings/3"] = training("paused", staff=troubles)
    ran = run(*WORDS, "--out", str(tmp_path / "out"))
    assert (ran.code, "training 3 is paused" in ran.err, "; no room" in ran.err) == (1, True, True)
    assert f"`arena trainings export 3 --out {tmp_path / 'out'}`" in ran.err
    assert [*(tmp_path / "out").iterdir()] == []


def test_an_arena_that_learns_otherwise_is_not_waited_for(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """Its training is cancelled at once, and what differs is named."""
    asked_by_me(api)
    api.answers["POST", "/trainings"] = training(plan=PLAN.told() | {"engine": 99})
    api.answers["POST", "/trainings/3/cancel"] = training("cancelled")
    ran = run(*WORDS, "--out", str(tmp_path / "out"))
    assert (ran.code, "(engine not the same)" in ran.err) == (1, True)
    assert api.asked[-1].url.path.endswith("/trainings/3/cancel")


def test_processes_here_make_no_sense_there(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """Exit code 2 with one sentence, before the arena is asked."""
    ran = run(*WORDS, "--jobs", "2", "--out", str(tmp_path / "out"))
    assert (ran.code, api.asked) == (2, [])
    assert "--jobs is for processes on this machine" in ran.err


def test_trainings_are_listed_shown_watched_and_moved(run: Run, api: FakeApi) -> None:
    """A line each, all that is known of one, and what becomes of it by each act."""
    api.answers["GET", "/trainings"] = page(training("finished", curve=[CURVE]), training())
    lines = [line.split() for line in run("trainings", "list").out.splitlines() if "size=4" in line]
    assert [line[-2:] for line in lines] == [["1/1", "64/64"], ["0/1", "64/64"]]
    assert run("trainings", "list", "--json").json()["trainings"][0]["id"] == 3
    api.answers["GET", "/trainings/3"] = training("finished", curve=[CURVE])
    for act in ("show", "watch"):
        shown = run("trainings", act, "3").out
        assert "training 3 is finished" in shown
        assert ["1", "64", "1", "2.00", "1.00", "50.0%", "47.9%", "52.1%"] in [
            line.split() for line in shown.splitlines()
        ]
        assert run("trainings", act, "3", "--json").json()["id"] == 3
    api.answers["GET", "/trainings/3"] = training("failed")
    assert run("trainings", "watch", "3").code == 1
    for act, words in (("pause", ()), ("resume", ()), ("cancel", ("--yes",))):
        api.answers["POST", f"/trainings/3/{act}"] = training("paused")
        assert "training 3 is paused" in run("trainings", act, "3", *words).out
    api.answers["POST", "/trainings/3/pause"] = problem(409, "training 3 is paused and cannot be paused")
    assert run("trainings", "pause", "3").code == 2


def test_what_is_done_is_exported_and_gone_on_with(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """The command that goes on with it is told; once it is finished the rest is written beside it."""
    api.answers["GET", "/trainings/3"] = training()
    api.answers["GET", "/trainings/3/parts"] = sent(parts(Part.STAGE))
    folder = tmp_path / "folder"
    ran = run("trainings", "export", "3", "--out", str(folder))
    assert ran.code == 0, ran.err
    assert f"--rounds 64:1:2:4 --seed 3 --out {folder}" in ran.err
    assert [path.name for path in folder.iterdir()] == ["training"]
    told = run("trainings", "export", "3", "--out", str(folder), "--json").json()
    assert (told["interrupted"], told["weights"]) == (True, None)
    api.answers["GET", "/trainings/3"] = training("finished", curve=[CURVE])
    api.answers["GET", "/trainings/3/parts"] = sent(parts())
    assert "SHA-256" in run("trainings", "export", "3", "--out", str(folder)).out
    assert (folder / "weights.bin").read_bytes() == weights()
    assert run("trainings", "export", "4", "--out", str(tmp_path / "none")).code == 2
    assert not (tmp_path / "none" / "training").exists()


@pytest.mark.parametrize("ending", [KeyboardInterrupt(), httpx2.ReadError("gone")])
def test_a_download_that_breaks_off_leaves_nothing(
    run: Run, api: FakeApi, tmp_path: Path, ending: BaseException
) -> None:
    """The message has the command that writes the files, the folder is empty, and the same command joins."""

    def broken() -> Iterator[bytes]:
        yield "".join(f"{line}\n" for line in parts(Part.GAMES)).encode()
        raise ending

    asked_by_me(api)
    api.answers["GET", "/trainings/3"] = training("finished", curve=[CURVE])
    api.answers["GET", "/trainings/3/parts"] = httpx2.Response(200, content=broken())
    out = tmp_path / "out"
    ran = run(*WORDS, "--out", str(out))
    assert (ran.code, f"`arena trainings export 3 --out {out}`" in ran.err) == (1, True)
    assert [*out.iterdir()] == []
    asked_by_me(api, training("finished", curve=[CURVE], staff=BY_ME))
    api.answers["GET", "/trainings/3/parts"] = sent(parts())
    assert run(*WORDS, "--out", str(out)).code == 0
    assert (out / "weights.bin").read_bytes() == weights()


def test_a_finished_one_that_is_not_all_sent_is_no_success(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """Where the parts end after the games, there is a sentence, exit code 1, and nothing in the folder."""
    asked_by_me(api)
    api.answers["GET", "/trainings/3"] = training("finished", curve=[CURVE])
    out = str(tmp_path / "out")
    for words in ((*WORDS, "--out", out), ("trainings", "export", "3", "--out", out)):
        api.answers["GET", "/trainings/3/parts"] = sent(parts(Part.GAMES))
        ran = run(*words)
        assert (ran.code, "training 3 is finished, but not all of it was sent" in ran.err) == (1, True)
        assert [*(tmp_path / "out").iterdir()] == []


def test_other_weights_than_the_arenas_are_not_taken(run: Run, api: FakeApi, tmp_path: Path) -> None:
    """Both digests are named, and nothing is in the folder."""
    api.answers["GET", "/trainings/3"] = training("finished", curve=[CURVE | {"sha256": "0" * 64}])
    api.answers["GET", "/trainings/3/parts"] = sent(parts())
    ran = run("trainings", "export", "3", "--out", str(tmp_path / "out"))
    assert (ran.code, CURVE["sha256"] in ran.err, "0" * 64 in ran.err) == (2, True, True)
    assert [*(tmp_path / "out").iterdir()] == []


@pytest.mark.parametrize(
    ("part", "changes", "why"),
    [
        (Part.GAMES, {"round": 1}, "round 2, games from 0, 64 of them, is not as the plan has it"),
        (Part.GAMES, {"round": -1}, "round 0, games"),
        (Part.GAMES, {"first": 128}, "games from 128"),
        (Part.GAMES, {"size": 65}, "65 of them"),
        (Part.GAMES, {"payload": ""}, "games from 0, 64 of them"),
        (Part.GAMES, {"payload": "?"}, "base64"),
        (Part.GAMES, {"part": "points", "points": 1}, "points from 0"),
        (Part.STAGE, {"first": 3}, "stage from 3"),
        (Part.STAGE, {"payload": "AAAA"}, "what is no training"),
        (Part.STAGE, {"errors": [1.0]}, "what is no training"),
        (Part.POINTS, {"points": 1000}, "points from 0, 128 of them"),
        (Part.POINTS, {"points": None}, "what is no training"),
        (Part.POINTS, {"size": 64}, "64 of them"),
    ],
)
def test_what_is_not_of_the_plan_is_refused(
    run: Run, api: FakeApi, tmp_path: Path, *, part: Part, changes: dict[str, Any], why: str
) -> None:
    """Another round, size or length than the plan has is named, and no file is made of it."""
    lines = [json.loads(line) for line in all_parts()]
    index = next(index for index, line in enumerate(lines) if line.get("part") == part)
    lines[index] |= changes
    api.answers["GET", "/trainings/3"] = training()
    api.answers["GET", "/trainings/3/parts"] = sent(map(json.dumps, lines))
    ran = run("trainings", "export", "3", "--out", str(tmp_path / "out"))
    assert (ran.code, why in ran.err) == (2, True), ran.err
    assert [*(tmp_path / "out").iterdir()] == []


@pytest.mark.parametrize(
    ("before", "joins"),
    [
        ({"staff": BY_ME}, True),
        ({"staff": BY_ME | {"owner": "other"}}, False),
        ({"staff": None}, False),
        ({"staff": BY_ME, "plan": PLAN.told() | {"seed": 4}}, False),
        ({"staff": BY_ME, "state": "cancelled"}, False),
        ({"staff": BY_ME, "state": "failed"}, False),
    ],
)
def test_what_was_asked_for_before_is_waited_for(
    run: Run, api: FakeApi, tmp_path: Path, before: dict[str, Any], joins: bool
) -> None:
    """The same plan by the same person makes no second training, unless the first came to no end."""
    asked_by_me(api, training(**before))
    api.answers["GET", "/trainings/3"] = training("finished", curve=[CURVE])
    api.answers["GET", "/trainings/3/parts"] = sent(parts())
    ran = run(*WORDS, "--out", str(tmp_path / "out"))
    assert (ran.code, "you have asked for this before: it is training 3" in ran.err) == (0, joins)
    assert ("POST" not in {each.method for each in api.asked}) == joins


@pytest.mark.parametrize(("total", "said"), [(1, False), (25, True)])
def test_the_queue_has_a_line_for_each(run: Run, api: FakeApi, total: int, said: bool) -> None:
    """What it is at, what of it waits, and why nobody can; and how many are not shown."""
    game = {"name": "reversed_reversi", "params": {"size": 4}, "version": 1}
    told = {"number": 3, "state": "running", "game": game, "round": 2, "rounds": 3}
    told |= {"part": "games", "pending": 7, "published": 2, "running": 1, "nobody": "no host"}
    api.answers["GET", "/staff/queue"] = sample(
        QueueOut, experiments=[], trainings=[sample(QueuedTraining, **told)], trainings_total=total
    )
    ran = run("staff", "queue")
    (line,) = [each.split() for each in ran.out.splitlines() if "no host" in each]
    assert line == ["3", "running", "reversed_reversi", "2/3", "games", "7", "2", "1", "no", "host"]
    assert (f"the oldest of all are shown: 1 of {total}" in ran.err) == said
