"""Solves over the API: asked for, followed, paused and ended, and what may be taken along."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from arena.coordinator import solving
from engines.solvers.reversi_verifier import verify
from tests.integration.arena.site import Site
from tests.integration.arena.solving import MOVES, PLAN, VALUE, Solvers, TreeHere

PATH = "/solves"


@pytest.fixture
def solvers(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Solvers]:
    """A host that solves for the site."""
    monkeypatch.setattr(solving, "Tree", lambda _, number: TreeHere(site.world.database, number))
    yield Solvers(site.world)
    solving.WORK.rest()


def create(site: Site, user: str | None = "staff", **changes: Any) -> Any:
    """Ask for a solve."""
    return site.post(PATH, user, json=PLAN | changes)


def test_a_solve_from_its_plan_to_its_proof(site: Site, solvers: Solvers) -> None:
    """What was asked for is shown, then how far it is, then what came out; all but troubles to everybody."""
    made = create(site)
    assert made.status_code == 201
    shown = made.json()
    assert (shown["id"], shown["state"], shown["frontier"], shown["answers"]) == (1, "running", 8, 0)
    assert (shown["standing"], shown["value"], shown["moves"]) == (None, None, None)
    assert shown["staff"] == {"owner": "staff", "lost": 0, "refused": 0, "trouble": None}
    solvers.tick()
    message = solvers.queue.pop(0)
    solvers.heartbeat(message)
    shown = site.get(f"{PATH}/1").json()
    assert (shown["running"], shown["staff"]) == (1, None)
    assert shown["waiting"] > 0
    assert 0.0 <= shown["standing"]["share"] < 1.0
    assert site.get(f"{PATH}/1/proof").status_code == 409
    solvers.record(message)
    solvers.solve()
    shown = site.get(f"{PATH}/1").json()
    assert (shown["state"], shown["value"], shown["moves"]) == ("finished", VALUE[True], MOVES)
    assert (shown["waiting"], shown["running"]) == (0, 0)
    assert shown["nodes"] > 0
    proof = site.get(f"{PATH}/1/proof").content
    assert verify(proof.splitlines(keepends=True), sample=None).value == VALUE[True]
    listed = site.get(PATH).json()
    assert (listed["total"], [each["id"] for each in listed["items"]]) == (1, [1])


def test_a_position_is_solved(site: Site, solvers: Solvers) -> None:
    """It is shown, begins the proof, and its checkpoint is for it alone."""
    position = {"board": ["..X.", ".XX.", ".OX.", "...."], "to_move": "O"}
    made = create(site, position=position).json()
    assert (made["position"], made["frontier"]) == (position, 8)
    solvers.solve()
    shown = site.get(f"{PATH}/1").json()
    assert shown["value"] == shown["standing"]["low"] == VALUE[True]
    proof = verify(site.get(f"{PATH}/1/proof").content.splitlines(keepends=True), sample=None, plain=True)
    assert (proof.value, proof.position) == (VALUE[True], position)
    checkpoint = site.get(f"{PATH}/1/checkpoint").text
    assert create(site, position=position, checkpoint=checkpoint).json()["answers"] > 0
    refused = create(site, checkpoint=checkpoint)
    assert (refused.status_code, "not of the start" in refused.json()["detail"]) == (422, True)


def test_a_solve_is_paused_resumed_and_ended(site: Site, solvers: Solvers) -> None:
    """Each act is refused where there is nothing to be done, in one sentence."""
    create(site)
    solvers.tick()
    acts = [(act, site.post(f"{PATH}/1/{act}", "staff")) for act in ("resume", "pause", "pause", "resume")]
    assert [answer.status_code for _, answer in acts] == [409, 200, 409, 200]
    assert acts[0][1].json()["detail"] == "solve 1 is running and cannot be resumed"
    assert acts[1][1].json()["waiting"] == 0
    assert site.post(f"{PATH}/1/cancel", "staff").json()["state"] == "cancelled"
    assert site.post(f"{PATH}/1/cancel", "staff").status_code == 409
    assert site.get(f"{PATH}/9").status_code == 404


def test_a_checkpoint_is_taken_along(site: Site, solvers: Solvers) -> None:
    """What one solve knows another begins with; one that is damaged or of another game is refused."""
    create(site)
    solvers.solve()
    checkpoint = site.get(f"{PATH}/1/checkpoint").text
    assert len(checkpoint.splitlines()) > 1
    made = create(site, frontier=None, checkpoint=checkpoint).json()
    positions = {tuple(line.split()[:2]) for line in checkpoint.splitlines()[1:]}
    assert (made["answers"], made["frontier"]) == (len(positions), 8)
    assert create(site, frontier=5, checkpoint=checkpoint).json()["frontier"] == 5
    solvers.solve(2)
    refused = create(site, checkpoint=checkpoint[1:])
    assert (refused.status_code, "cannot be gone on from" in refused.json()["detail"]) == (422, True)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"game": "heap_nim", "params": {}}, "not solved by positions"),
        ({"params": {"size": 8}, "frontier": None}, "at most 38 empty squares; here are 60 on 8 by 8"),
        ({"position": {"board": ["...."], "to_move": "O"}}, "board must be 4 strings of 4 squares"),
        ({"position": "c1"}, "valid dictionary"),
        ({"frontier": 0}, "greater than or equal to 1"),
        ({"memory_mb": 0}, "greater than or equal to 1"),
        ({"more": 1}, "Extra inputs"),
    ],
)
def test_what_cannot_be_solved_is_refused(site: Site, changes: dict[str, Any], why: str) -> None:
    """The answer says what is wrong, and no solve is there afterwards."""
    refused = create(site, **changes)
    assert refused.status_code == 422
    assert why in refused.text
    assert site.get(PATH).json()["total"] == 0


def test_only_administrators_ask(site: Site) -> None:
    """It takes all workers that have nothing else to do."""
    assert [create(site, user).status_code for user in (None, "red")] == [401, 403]
