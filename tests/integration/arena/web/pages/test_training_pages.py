"""The pages of players that are learned on the workers, as a browser without scripts has them."""

from __future__ import annotations

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


def test_pages_speak_chinese(site: Site, learners: Learners) -> None:
    """The list and a training."""
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
