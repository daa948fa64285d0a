"""The pages of games that are solved on the workers, as a browser without scripts has them."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from typing import Any

import pytest

from arena.coordinator import solving
from arena.submissions import hosts
from engines.solvers.reversi_verifier import verify
from tests.integration.arena.asking import asked
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import Site
from tests.integration.arena.solving import HOST, MOVES, VALUE, Solvers, TreeHere

POSITION = {"board": ["..X.", ".XX.", ".OX.", "...."], "to_move": "O"}


@pytest.fixture
def solvers(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Solvers]:
    """A host that solves for the site."""
    monkeypatch.setattr(solving, "Tree", lambda _, number: TreeHere(site.world.database, number))
    yield Solvers(site.world)
    solving.WORK.rest()


def _get(site: Site, path: str, user: str | None = None, language: str = "en") -> Any:
    return site.client.get(path, headers=sign_in(site, user) | {"Accept-Language": language})


def _send(site: Site, path: str, user: str | None) -> Any:
    return site.client.post(path, headers=sign_in(site, user), follow_redirects=False)


def _text(page: str) -> str:
    return " ".join(page.split())


def test_a_solve_is_followed_to_its_proof(site: Site, solvers: Solvers) -> None:
    """From nothing known by bounds, share and forecast to the value, its moves, and files that hold."""
    assert "No game has been solved here yet" in _get(site, "/solves").text
    solvers.create()
    page = _get(site, "/solves/1").text
    assert "Nothing is known yet" in page
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in page
    solvers.tick()
    solvers.record(solvers.queue.pop(0))
    solvers.tick()
    page, told = _text(_get(site, "/solves/1").text), site.get("/solves/1").json()["standing"]
    assert f"<strong>{told['low']} to {told['high']}</strong>" in page.replace("\N{MINUS SIGN}", "-")
    assert f"{told['share']:.2%} decided of the question whether it is at least {told['at_least']}" in page
    forecast = told["forecast"]
    assert f"{forecast['left']:.0f} more are forecast" in page
    assert f"between {forecast['least']:.0f} and {forecast['most']:.0f} since half" in page
    assert "/solves/1/proof" not in page
    assert _get(site, "/solves/1/proof").status_code == 409
    solvers.solve()
    page = _text(_get(site, "/solves/1").text)
    assert f"<strong>{VALUE[True]}</strong>" in page
    assert " ".join(f"<code>{move}</code>" for move in MOVES) in page
    assert 'http-equiv="refresh"' not in page
    proof = _get(site, "/solves/1/proof")
    assert 'filename="solve-1.proof"' in proof.headers["content-disposition"]
    assert verify(proof.content.splitlines(keepends=True), sample=None).value == VALUE[True]
    checkpoint = _get(site, "/solves/1/checkpoint")
    assert checkpoint.text == site.get("/solves/1/checkpoint").text
    listed = _text(_get(site, "/solves").text)
    assert '<a href="/solves/1">' in listed
    assert f'<td class="num">{VALUE[True]}</td>' in listed
    assert 'href="/solves"' in _get(site, "/experiments").text


def test_a_position_is_drawn(site: Site, solvers: Solvers) -> None:
    """The board from which it goes on, and whose turn it is there; the list says that there is one."""
    solvers.create(position=POSITION)
    page = _get(site, "/solves/1").text
    assert "The second player is to move." in page
    assert "<svg" in page
    assert "from a position" in _get(site, "/solves").text
    solvers.create()
    assert "<figure" not in _get(site, "/solves/2").text


def test_a_position_of_other_rules_is_told_as_it_was_given(
    site: Site, solvers: Solvers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where this installation cannot draw it, it stands there as text."""
    solvers.create(position=POSITION)
    monkeypatch.setattr("arena.web.pages.solves.game_of", lambda _: None)
    page = _get(site, "/solves/1").text
    assert "<figure" not in page
    assert json.dumps(POSITION["board"], separators=(", ", ": ")) in html.unescape(page)


def test_administrators_pause_go_on_and_cancel(site: Site, solvers: Solvers) -> None:
    """They see who asked for it and what befell it; nobody else does, or is offered anything."""
    solvers.create()
    solvers.tick()
    solvers.lose(solvers.queue.pop(0))
    for user in (None, "red"):
        page = _get(site, "/solves/1", user).text
        assert "<form" not in page[page.index("<main") : page.index("</main>")]
        assert "Asked for by" not in page
        assert "no room" not in page
    page = _get(site, "/solves/1", "staff").text
    assert "<dt>Asked for by</dt><dd><bdi>staff</bdi></dd>" in page
    assert "no room" in page
    for act, state, offered in (("pause", "paused", "resume"), ("resume", "running", "pause")):
        assert _send(site, f"/solves/1/{act}", "red").status_code == 403
        assert _send(site, f"/solves/1/{act}", "staff").headers["location"] == "/solves/1"
        assert site.get("/solves/1").json()["state"] == state
        assert f'action="/solves/1/{offered}"' in _get(site, "/solves/1", "staff").text
    refused = _send(site, "/solves/1/resume", "staff")
    assert (refused.status_code, "solve 1 is running and cannot be resumed" in refused.text) == (409, True)
    assert _send(site, "/solves/1/cancel", "staff").status_code == 303
    page = _get(site, "/solves/1", "staff").text
    assert "/solves/1/cancel" not in page
    assert "/solves/1/checkpoint" in page
    assert _get(site, "/solves/9").status_code == 404


def _ask(site: Site, checkpoint: str = "", **fields: str) -> Any:
    headers = sign_in(site, "staff") | {"Accept-Language": "zh-TW"}
    files = {"checkpoint": ("known.bounds", checkpoint.encode())} if checkpoint else None
    form = {"game": "reversed_reversi", "params": "size=4", "frontier": "", "memory_mb": "64"} | fields
    return site.client.post("/solves/new", headers=headers, data=form, files=files, follow_redirects=False)


def test_a_solve_is_asked_for(site: Site, solvers: Solvers) -> None:
    """From the start, from a position, and from what another one has found out; by administrators only."""
    assert 'href="/solves/new"' not in _get(site, "/solves", "red").text
    assert 'href="/solves/new"' in _get(site, "/solves", "staff").text
    assert "heap_nim" not in _get(site, "/solves/new", "staff").text
    assert _ask(site).headers["location"] == "/solves/1"
    solvers.tick()
    solvers.record(solvers.queue.pop(0))
    known = _get(site, "/solves/1/checkpoint").text
    assert _ask(site, frontier="7", memory_mb="2", position=json.dumps(POSITION)).status_code == 303
    told = site.get("/solves/2").json()
    assert (told["frontier"], told["memory_mb"], told["position"]["to_move"]) == (7, 2, "O")
    assert _ask(site, known).headers["location"] == "/solves/3"
    assert site.get("/solves/3").json()["answers"] == 1
    assert site.client.post("/solves/new", headers=sign_in(site, "red")).status_code == 403


REFUSED: list[tuple[dict[str, str], str]] = [
    ({"memory_mb": "0"}, "每部工作機的表格大小（MiB）: <span>至少須為 1"),  # noqa: RUF001  (Chinese signs)
    ({"frontier": "64"}, "直接求解的局面的空格數: <span>最多 63"),
    ({"params": "size=5,"}, "「size=5,」不是參數"),
    ({"position": "{"}, "局面（JSON）: <span>這不是 JSON"),  # noqa: RUF001
    ({"position": "[]"}, "局面（JSON）: <span>須為物件"),  # noqa: RUF001
    ({"checkpoint": "no lines"}, "無法從這個檢查點繼續"),
    ({"game": "l_game"}, "is not solved by positions that are given out"),
]


def test_what_makes_no_solve_keeps_the_form(site: Site) -> None:
    """Why, in Chinese, at its field; nothing was made."""
    for changes, told in REFUSED:
        answer = _ask(site, **changes)
        assert answer.status_code == 422
        page = html.unescape(answer.text)
        assert told in page
        assert f'name="memory_mb" value="{changes.get("memory_mb", "64")}"' in page
    assert site.get("/solves").json()["total"] == 0


def test_pages_speak_chinese(site: Site, solvers: Solvers) -> None:
    """The list and a solve, also where it has not begun."""
    solvers.create()
    assert "求解的遊戲" in _get(site, "/solves", language="zh-TW").text
    assert "目前尚無所知" in _get(site, "/solves/1", language="zh-TW").text


def test_the_queue_shows_solves_to_administrators(site: Site, solvers: Solvers) -> None:
    """What waits of each that is not over, how far it is, and where no host can search, that."""
    solvers.create()
    solvers.tick()
    message = solvers.queue.pop(0)
    solvers.heartbeat(message)
    (told,) = site.get("/staff/queue", "staff").json()["solves"]
    leaves = solvers.given()
    assert (told["number"], told["state"], told["running"]) == (1, "running", 1)
    assert told["pending"] + told["published"] + told["running"] == len(leaves) > 1
    assert (told["share"], told["nobody"]) == (0.0, None)
    page = _text(_get(site, "/staff", "staff").text)
    assert '<a href="/solves/1">1</a>' in page
    with site.world.database.transaction() as session:
        hosts.register(session, HOST, {}, None, process="slot1@test-host", takes=["matches"])
    assert "No trusted host that can search takes work." in _get(site, "/staff", "staff").text
    (told,) = site.get("/staff/queue", "staff").json()["solves"]
    assert "trusted worker host" in told["nobody"]
    site.post("/solves/1/cancel", "staff")
    assert "No game is being solved." in _get(site, "/staff", "staff").text


@pytest.mark.parametrize("user", [None, "staff"])
def test_more_solves_need_no_more_statements(site: Site, solvers: Solvers, user: str | None) -> None:
    """A list asks as many questions of one solve as of three, for anybody and for who sees whose they are."""

    def count() -> int:
        with asked("SELECT") as found:
            assert _get(site, "/solves", user).status_code == 200
        return len(found)

    solvers.create()
    one = min(count() for _ in range(3))
    solvers.create(params={"size": 4, "reversed": False})
    solvers.create(params={"size": 4, "rows": 3})
    assert min(count() for _ in range(3)) == one
