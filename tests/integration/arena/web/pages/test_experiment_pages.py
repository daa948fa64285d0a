"""The pages of experiments and sweeps, as a browser without scripts has them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena.core.terms import ExperimentState
from arena.experiments import lifecycle
from arena.store import experiments as store
from tests.integration.arena.lab import PLAN, Lab
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import Site

FORM = {"game": "heap_nim", "params": "heaps=[1,2,3]", "first": "random", "second": "xor", "games": "100"}
CELL = {"game": "circle_nim", "params": {"rows": 3}, "first": "algo3:100", "second": "random", "games": 60}
GRID: dict[str, Any] = {
    "name": "heaps",
    "about": "Who begins?",
    "vary": {"luck": [1, 2, 3]},
    "each": {key: PLAN[key] for key in ("game", "params", "first", "second")},
}
GRID["each"] |= {"games": 40, "seed": "{luck}"}


def _get(site: Site, path: str, user: str | None = None, language: str = "en") -> Any:
    return site.client.get(path, headers=sign_in(site, user) | {"Accept-Language": language})


def _send(site: Site, path: str, user: str | None, **fields: Any) -> Any:
    return site.client.post(path, headers=sign_in(site, user), data=fields, follow_redirects=False)


def _play(site: Site, chunks: int = 16) -> None:
    lab = Lab(site.world)
    for message in lab.issue(chunk_window=chunks):
        lab.record(message)


def test_an_experiment_from_the_form_to_its_result(site: Site) -> None:
    """Filled in by a link, sent, watched while its chunks come in, and read when it is over."""
    form = _get(site, "/experiments/new?game=heap_nim&first=random&second=xor&games=100&params=x%3D1", "red")
    assert 'value="x=1"' in form.text
    assert "10,000,000 of 10,000,000 games" in form.text
    made = _send(site, "/experiments/new", "red", **FORM)
    assert (made.status_code, made.headers["location"]) == (303, "/experiments/1")
    page = _get(site, "/experiments/1", "red").text
    assert "No game has been played yet" in page
    assert 'data-again="2"' in page
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in page
    _play(site)
    page = _get(site, "/experiments/1", "red").text
    share = site.get("/experiments/1/results", "red").json()["result"]["first"]["score"]["mean"]
    assert f"<strong>{share:.2%}</strong>" in page
    assert 'role="img"' in page
    assert "The numbers of the chart" in page
    assert 'name="live"' not in page
    assert "Cancel the experiment" not in page
    counts = site.client.get("/experiments/1/counts.csv", headers=sign_in(site, "red"))
    assert counts.text.startswith("first_sits_in,games")
    assert "9,999,000 of 10,000,000 games" in _get(site, "/experiments/new", "red").text


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"games": "0"}, "games: Input should be greater than or equal to 1"),
        ({"params": "heaps"}, "is no parameter; write such as rows=5"),
        ({"first": "nobody"}, "nobody"),
        ({"first": "bot:ghost"}, "ghost"),
        ({"games": "20000000"}, "a team may have 10,000,000 games of players by name"),
    ],
)
def test_what_is_refused_keeps_the_form(site: Site, changes: dict[str, str], told: str) -> None:
    """Why it was refused is said above the form, which is as it was sent, and nothing was made."""
    answer = _send(site, "/experiments/new", "red", **(FORM | changes))
    assert answer.status_code in {404, 409, 422}
    assert told in answer.text
    for value in (FORM | changes).values():
        assert f'value="{value}"' in answer.text
    assert site.get("/experiments", "red").json()["total"] == 0


def test_who_sees_and_ends_an_experiment(site: Site) -> None:
    """A team's is nobody else's; the administrators' is everybody's to read, and theirs to end."""
    assert (
        site.post("/experiments", "red", json=FORM | {"params": PLAN["params"], "games": 100}).status_code
        == 201
    )
    assert site.post("/experiments", "staff", json=PLAN).status_code == 201
    assert _get(site, "/experiments/1").status_code == _get(site, "/experiments/1", "blue").status_code == 404
    assert "/experiments/1" not in _get(site, "/experiments", "blue").text
    assert "/experiments/2" in _get(site, "/experiments").text
    assert "Cancel the experiment" not in _get(site, "/experiments/2", "red").text
    assert _send(site, "/experiments/2/cancel", "red").status_code == 403
    assert _send(site, "/experiments/1/cancel", "blue").status_code == 404
    assert "Cancel the experiment" in _get(site, "/experiments/1", "red").text
    assert _send(site, "/experiments/1/cancel", "red").status_code == 303
    assert site.get("/experiments/1", "red").json()["state"] == "cancelled"
    again = _send(site, "/experiments/1/cancel", "red")
    assert again.status_code == 409
    assert "cannot be cancelled" in again.text


def test_one_that_has_failed_is_tried_again_by_an_administrator(site: Site) -> None:
    """The button is theirs alone, and it goes on."""
    site.post("/experiments", "staff", json=PLAN)
    with site.world.database.transaction() as session:
        experiment = store.lock(session, 1)
        experiment.trouble = "the host burnt down"
        lifecycle.fail(session, experiment)
    assert "/experiments/1/retry" not in _get(site, "/experiments/1", "red").text
    page = _get(site, "/experiments/1", "staff").text
    assert "the host burnt down" in page
    assert "/experiments/1/retry" in page
    assert _send(site, "/experiments/1/retry", "staff").status_code == 303
    assert site.get("/experiments/1").json()["state"] == ExperimentState.RUNNING
    assert _send(site, "/experiments/1/retry", "staff").status_code == 409


def test_the_documents_numbers_stand_beside(site: Site) -> None:
    """A cell of the document's tables has theirs beside ours; the same with exchanged seats has not."""
    for swap in (False, True):
        site.post("/experiments", "staff", json=CELL | {"swap": swap})
    _play(site)
    printed = site.get("/experiments/1/results").json()["printed"]
    assert [(each["table"], each["mean"], each["games"]) for each in printed] == [("table-11", "0.669", 3000)]
    page = _get(site, "/experiments/1").text
    assert "Circle Nim, table 11" in page
    assert "0.680, 0.664, 0.664" in page
    assert "document: 0.669" in page
    assert "table 11" not in _get(site, "/experiments/2").text
    assert "文件對相同對局的說法" in _get(site, "/experiments/1", language="zh-TW").text


def test_a_sweep_from_the_form_to_its_table(site: Site) -> None:
    """Sent as a grid, its cells come in, what was cancelled goes on, and the table is downloaded."""
    made = _send(site, "/experiments/grid", "red", plan=json.dumps(GRID))
    assert (made.status_code, made.headers["location"]) == (303, "/sweeps/heaps")
    assert _get(site, "/sweeps/heaps", "blue").status_code == 404
    assert _send(site, "/sweeps/heaps/cancel", "blue").status_code == 404
    assert "shown when it is over" not in _get(site, "/sweeps/heaps", "red").text
    assert _send(site, "/sweeps/heaps/cancel", "red").status_code == 303
    assert "/sweeps/heaps/resume" in _get(site, "/sweeps/heaps", "red").text
    assert _send(site, "/sweeps/heaps/resume", "red").status_code == 303
    _play(site)
    page = _get(site, "/sweeps/heaps", "red").text
    assert page.count('id="cell-') == 3
    assert page.count("40 / 40") == 3
    assert 'name="live"' not in page
    table = site.client.get("/sweeps/heaps/table.csv", headers=sign_in(site, "red")).text
    assert len(table.splitlines()) == 4
    lines = site.client.get("/sweeps/heaps/table.jsonl", headers=sign_in(site, "red")).text
    assert [json.loads(line)["luck"] for line in lines.splitlines()] == [1, 2, 3]
    assert "/sweeps/heaps" in _get(site, "/experiments", "red").text
    assert "掃描" in _get(site, "/sweeps", "red", "zh-TW").text
    refused = _send(site, "/experiments/grid", "red", plan='{"name": "x"}')
    assert refused.status_code == 422
    assert "vary: Field required" in refused.text


def test_lists_without_anything_say_what_to_do(site: Site) -> None:
    """No list is an empty page."""
    assert "arena simulate GAME" in _get(site, "/experiments").text
    assert "arena experiment sweep" in _get(site, "/sweeps").text
