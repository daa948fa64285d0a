"""The pages of players that are learned on the workers, as a browser without scripts has them."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest

from tests.integration.arena.asking import asked
from tests.integration.arena.learning import Learners
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import Site


@pytest.fixture
def learners(site: Site) -> Learners:
    """A host that learns for the site."""
    return Learners(site.world)


def _get(site: Site, path: str, user: str | None = None, language: str = "en") -> Any:
    return site.client.get(path, headers=sign_in(site, user) | {"Accept-Language": language})


def _text(site: Site, path: str, user: str | None = None, language: str = "en") -> str:
    return " ".join(_get(site, path, user, language).text.split())


def test_a_training_is_followed_to_its_end(site: Site, learners: Learners) -> None:
    """From its first games to the curve of all rounds, and the command that has its files."""
    assert "No player has been learned here yet" in _text(site, "/trainings")
    learners.create()
    learners.coordinator.tick()
    learners.record(learners.queue.pop(0))
    page = _text(site, "/trainings/1")
    assert "Round 1 of 2: Games against itself, 128 / 300" in page
    assert "128 of 500 games" in page
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in page
    assert "What each round came to" not in page
    learners.learn()
    page = _text(site, "/trainings/1")
    for each in site.get("/trainings/1").json()["curve"]:
        assert f'<td class="num">{each["error"] ** 0.5:.2f}</td>' in page
        assert f'<td class="num">{each["points"] / each["games"]:.1%}</td>' in page
    assert "arena trainings export 1 --out FOLDER" in page
    assert 'http-equiv="refresh"' not in page
    assert "95 % 區間" in _text(site, "/trainings/1", language="zh-TW")
    listed = _text(site, "/trainings")
    assert '<a href="/trainings/1">' in listed
    assert '<td class="num">2 of 2</td> <td class="num">500</td>' in listed
    assert 'href="/trainings"' in _text(site, "/experiments")
    assert _get(site, "/trainings/9").status_code == 404


def test_administrators_see_whose_it_is_and_what_befell_it(site: Site, learners: Learners) -> None:
    """Nobody else does; the queue leads to the page."""
    learners.create()
    learners.coordinator.tick()
    learners.lose(learners.queue.pop(0))
    for user in (None, "red"):
        page = _text(site, "/trainings/1", user)
        assert "Asked for by" not in page
        assert "no room" not in page
    page = _text(site, "/trainings/1", "staff")
    assert "<dt>Asked for by</dt><dd><bdi>staff</bdi></dd>" in page
    assert "no room" in page
    assert '<a href="/trainings/1">1</a>' in _text(site, "/staff", "staff")


def _send(site: Site, path: str, user: str | None = "staff", **fields: str) -> Any:
    headers = sign_in(site, user) | {"Accept-Language": "zh-TW"}
    return site.client.post(path, headers=headers, data=fields, follow_redirects=False)


def test_a_training_is_asked_for_paused_and_cancelled(site: Site) -> None:
    """By an administrator, with rounds as they were typed; what cannot be done is said in Chinese."""
    assert 'href="/trainings/new"' not in _text(site, "/trainings", "red")
    assert 'href="/trainings/new"' in _text(site, "/trainings", "staff")
    form = {"game": "reversed_reversi", "params": "size=4", "seed": "7", "games": "1000"}
    made = _send(site, "/trainings/new", **form, rounds="300:2:4:20\r\n\r\n 200:1:3:10")
    assert (made.status_code, made.headers.get("location")) == (303, "/trainings/1")
    plan = site.get("/trainings/1").json()["plan"]
    assert (plan["seed"], plan["params"]["size"]) == (7, 4)
    told = [(each["games"], each["depth"], each["solved"], each["steps"]) for each in plan["rounds"]]
    assert told == [(300, 2, 4, 20), (200, 1, 3, 10)]
    for act, state, offered in (("pause", "paused", "resume"), ("resume", "running", "pause")):
        assert _send(site, f"/trainings/1/{act}", "red").status_code == 403
        assert _send(site, f"/trainings/1/{act}").headers["location"] == "/trainings/1"
        assert site.get("/trainings/1").json()["state"] == state
        assert f'action="/trainings/1/{offered}"' in _text(site, "/trainings/1", "staff")
        assert "/trainings/1/cancel" not in _text(site, "/trainings/1", "red")
    refused = _send(site, "/trainings/1/resume")
    assert (refused.status_code, "目前是「學習中」" in refused.text) == (409, True)
    assert _send(site, "/trainings/1/cancel").status_code == 303
    assert "/trainings/1/cancel" not in _text(site, "/trainings/1", "staff")


REFUSED: list[tuple[dict[str, str], str]] = [
    ({"games": "x"}, "所有輪的總局數: <span>請填整數"),
    ({"seed": "-1"}, "亂數種子: <span>至少須為 0"),
    ({"params": "size"}, "參數: <span>「size」不是參數"),
    ({"rounds": "300:2:4"}, "請寫成 局數"),
    ({"rounds": "300:2:4:20\n300:99:4:20"}, "最多 10"),
    ({"game": "heap_nim"}, "nothing is learned about heap_nim"),
    ({"game": ""}, "遊戲: <span"),
]


def test_what_makes_no_training_keeps_the_form(site: Site) -> None:
    """Why, in Chinese, at its field or line; nothing was made."""
    for changes, told in REFUSED:
        form = {"game": "reversed_reversi", "params": "size=4", "seed": "0", "games": "1000", "rounds": ""}
        answer = _send(site, "/trainings/new", **form | changes)
        assert answer.status_code == 422
        page = unescape(answer.text)
        assert told in page
        for name in ("params", "seed", "games"):
            assert f'name="{name}" value="{(form | changes)[name]}"' in page
    assert site.get("/trainings").json()["total"] == 0


def test_what_is_done_is_downloaded_by_who_has_an_account(site: Site, learners: Learners) -> None:
    """The same lines as by the API; who is not signed in is led there."""
    learners.create()
    learners.coordinator.tick()
    learners.record(learners.queue.pop(0))
    assert "/trainings/1/parts" not in _text(site, "/trainings/1")
    assert 'href="/trainings/1/parts"' in _text(site, "/trainings/1", "red")
    got = _get(site, "/trainings/1/parts", "red")
    assert got.text == site.get("/trainings/1/parts", "red").text
    assert len(got.text.splitlines()) == 2
    assert got.headers["Content-Disposition"] == 'attachment; filename="training-1.jsonl"'
    nobody = site.client.get("/trainings/1/parts", follow_redirects=False)
    assert nobody.headers["location"].startswith("/sign-in")


def test_pages_speak_chinese(site: Site, learners: Learners) -> None:
    """The list of trainings and the page of one are in Chinese for who reads Chinese."""
    assert "這裡還沒有學習過棋手" in _text(site, "/trainings", language="zh-TW")
    learners.create()
    assert "每一輪的局數" in _text(site, "/trainings/1", language="zh-TW")


@pytest.mark.parametrize("user", [None, "staff"])
def test_more_trainings_need_no_more_statements(site: Site, learners: Learners, user: str | None) -> None:
    """A list asks as many questions of one training as of three."""

    def count() -> int:
        with asked("SELECT") as found:
            assert _get(site, "/trainings", user).status_code == 200
        return len(found)

    learners.create()
    one = min(count() for _ in range(3))
    learners.create(seed=4)
    learners.create(seed=5)
    assert min(count() for _ in range(3)) == one
