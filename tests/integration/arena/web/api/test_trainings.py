"""Trainings over the API: asked for, followed, paused and ended, and what is taken home."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.local.errors import InputError, LocalError
from arena.local.training_parts import keep_parts, read_parts
from engines.strategies.reversi_training import Training
from tests.integration.arena.learning import PLAN, ROUNDS, Learners
from tests.integration.arena.site import Site
from workers.training.plan import Part, Progress

PATH = "/trainings"


@pytest.fixture
def learners(site: Site) -> Learners:
    """A host that learns for the site."""
    return Learners(site.world)


def create(site: Site, user: str | None = "staff", **changes: Any) -> Any:
    """Ask for a training."""
    return site.post(PATH, user, json=PLAN | changes)


def taken_home(site: Site, path: Path, number: int = 1, piece: int = 1000) -> Progress:
    """The parts, in pieces that end anywhere, in a file."""
    sent = site.get(f"{PATH}/{number}/parts", "red").content
    pieces = (sent[begin : begin + piece] for begin in range(0, len(sent), piece))
    plan, parts = read_parts(pieces)
    return keep_parts(path, plan, parts, lambda _: None)


def test_a_training_from_its_plan_to_its_end(site: Site, learners: Learners, tmp_path: Path) -> None:
    """What was asked for is shown, then how far it is, then its curve; all but troubles to everybody."""
    made = create(site)
    assert made.status_code == 201
    shown = made.json()
    assert (shown["id"], shown["state"], shown["plan"]["rounds"]) == (1, "running", ROUNDS)
    assert shown["standing"] == {
        "round": 1,
        "part": "games",
        "done": 0,
        "total": 300,
        "games_done": 0,
        "games_total": 500,
    }
    assert shown["staff"] == {"owner": "staff", "lost": 0, "refused": 0, "trouble": None}
    learners.coordinator.tick()
    learners.heartbeat(learners.queue[0])
    shown = site.get(f"{PATH}/1").json()
    assert (shown["running"], shown["waiting"], shown["staff"]) == (1, 2, None)
    learners.record(learners.queue.pop(0))
    assert site.get(f"{PATH}/1").json()["standing"]["done"] == 128
    for message in learners.messages():
        if message.spec.part is Part.POINTS and learners.get().round == 1:
            break
        learners.record(message)
    learners.record(message)
    shown = site.get(f"{PATH}/1").json()
    assert shown["standing"] == {
        "round": 2,
        "part": "points",
        "done": 128,
        "total": 1024,
        "games_done": 500,
        "games_total": 500,
    }
    assert [each["round"] for each in shown["curve"]] == [1]
    half = taken_home(site, tmp_path / "training")
    assert (half.done, len(half.learned()), len(half.openings_left(1))) == (False, 1, 7)
    learners.learn()
    shown = site.get(f"{PATH}/1").json()
    assert (shown["state"], shown["waiting"], shown["running"]) == ("finished", 0, 0)
    whole = taken_home(site, tmp_path / "training", piece=7)
    assert whole.learned() == learners.learned() == taken_home(site, tmp_path / "again").learned()
    for each, told in zip(whole.learned(), shown["curve"], strict=True):
        assert (told["points"], told["error"]) == (each.points, each.held_out)
        assert told["points_low"] < told["points"] < told["points_high"]
    listed = site.get(PATH).json()
    assert (listed["total"], [each["id"] for each in listed["items"]]) == (1, [1])


def test_a_training_is_paused_resumed_and_ended(site: Site, learners: Learners) -> None:
    """Each act is refused where there is nothing to be done, in one sentence."""
    create(site)
    learners.coordinator.tick()
    acts = [(act, site.post(f"{PATH}/1/{act}", "staff")) for act in ("resume", "pause", "pause", "resume")]
    assert [answer.status_code for _, answer in acts] == [409, 200, 409, 200]
    assert acts[0][1].json()["detail"] == "training 1 is running and cannot be resumed"
    assert site.post(f"{PATH}/1/cancel", "staff").json()["state"] == "cancelled"
    assert site.post(f"{PATH}/1/cancel", "staff").status_code == 409
    assert site.get(f"{PATH}/9").status_code == 404


def test_the_queue_shows_trainings_to_administrators(site: Site, learners: Learners) -> None:
    """What each is at, what of it waits, and why nobody does it; what is over is not shown."""
    create(site)
    (told,) = site.get("/staff/queue", "staff").json()["trainings"]
    assert told["game"]["name"] == "reversed_reversi"
    assert (told["round"], told["rounds"], told["part"]) == (1, 2, "games")
    assert told["nobody"] is None
    learners.coordinator.tick()
    (told,) = site.get("/staff/queue", "staff").json()["trainings"]
    assert (told["pending"], told["published"], told["running"]) == (0, 3, 0)
    site.post(f"{PATH}/1/cancel", "staff")
    assert site.get("/staff/queue", "staff").json()["trainings"] == []


def test_only_who_has_an_account_takes_it_home(site: Site) -> None:
    """It may be gigabytes, while how far it is everybody sees."""
    create(site)
    assert [site.get(f"{PATH}/1/parts", user).status_code for user in (None, "red")] == [401, 200]
    assert site.get(f"{PATH}/1").status_code == 200


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"game": "heap_nim", "params": {}}, "nothing is learned about heap_nim"),
        ({"params": {"size": 10}}, "sizes 4, 6, 8"),
        ({"seed": -1}, "greater than or equal to 0"),
        ({"rounds": []}, "at least 1 item"),
        ({"rounds": [ROUNDS[0] | {"games": 63}]}, "greater than or equal to 64"),
        ({"rounds": [ROUNDS[0] | {"games": 250_001}]}, "less than or equal to 250000"),
        ({"rounds": None, "games": 100}, "must be from 64 to 250000"),
        ({"more": 1}, "Extra inputs"),
    ],
)
def test_what_cannot_be_learned_is_refused(site: Site, changes: dict[str, Any], why: str) -> None:
    """The answer says what is wrong, and no training is there afterwards."""
    refused = create(site, **changes)
    assert refused.status_code == 422
    assert why in refused.text
    assert site.get(PATH).json()["total"] == 0


def test_only_administrators_ask(site: Site) -> None:
    """It takes all workers that have nothing else to do."""
    assert [create(site, user).status_code for user in (None, "red")] == [401, 403]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda sent: sent.replace(b'"part"', b'"what"', 1), "what is no training"),
        (lambda sent: sent + b"{", "what is no training"),
        (lambda sent: b"\n".join([sent.split(b"\n")[0], b"[]", b""]), "what is no training"),
        (lambda sent: sent.replace(b'"engine": 1', b'"engine": 99', 1), r"\(engine\)"),
        (lambda sent: sent.replace(b'"seed"', b'"sed"', 1), "cannot be gone on with here"),
        (lambda _: b"", "cannot be gone on with here"),
    ],
)
def test_what_is_no_training_is_not_taken_home(
    site: Site, learners: Learners, tmp_path: Path, change: Callable[[bytes], bytes], why: str
) -> None:
    """Whatever an arena sends, the message says what is wrong."""
    create(site)
    learners.coordinator.tick()
    learners.record(learners.queue.pop(0))
    sent = site.get(f"{PATH}/1/parts", "red").content
    assert f'"engine": {Training.version}'.encode() in sent
    with pytest.raises(InputError, match=why):
        keep_parts(tmp_path / "training", *read_parts([change(sent)]), lambda _: None)


def test_a_full_disk_leaves_nothing_of_what_is_taken_home(
    site: Site, learners: Learners, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file that was asked for is named, and no part of it stays."""
    create(site)
    learners.coordinator.tick()
    learners.record(learners.queue.pop(0))
    monkeypatch.setattr("arena.local.held_file.os.write", lambda *_: 0)
    with pytest.raises(LocalError, match=r"training cannot be written: No space left on device$"):
        taken_home(site, tmp_path / "training")
    assert not [*tmp_path.glob("*training*"), *tmp_path.glob(".arena*")]
