"""What pages say while something stands still, and that they come back by themselves."""

from __future__ import annotations

from typing import Any

import pytest
from psycopg.errors import ReadOnlySqlTransaction
from sqlalchemy.exc import InternalError, OperationalError, ProgrammingError

from arena.core.errors import UnavailableError
from arena.theory.pairing.format import FormatError
from arena.theory.pairing.swiss import Swiss
from arena.tournaments import lists
from arena.web.http.dependencies import Services
from tests.integration.arena.site import Site, play_cup
from tests.integration.arena.ticking import coordinator_of


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (OperationalError("BEGIN", {}, Exception("gone")), 503),
        (InternalError("UPDATE", {}, ReadOnlySqlTransaction("read-only")), 503),
        (ProgrammingError("SELECT", {}, Exception("no such column")), 500),
        (UnavailableError("more ask than can be answered"), 503),
        (RuntimeError("a defect"), 500),
    ],
)
def test_a_page_that_fails_is_asked_for_again(
    site: Site, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    """A projector that shows the error's page goes on by itself as soon as the arena does."""

    def failing(*_: Any) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(lists, "list_tournaments", failing)
        answer = site.client.get("/tournaments")
    assert answer.status_code == status
    assert '<meta http-equiv="refresh" content="5">' in answer.text
    assert answer.headers.get("retry-after") == ("5" if status == 503 else None)
    assert site.client.get("/tournaments").status_code == 200


def test_a_wrong_address_is_not_asked_for_again(site: Site) -> None:
    """What the reader has to mend does not mend itself."""
    assert "refresh" not in site.client.get("/tournaments/none").text


def test_pages_say_what_stands_still(site: Site) -> None:
    """As long as a part fails every page says so, in the reader's language, and no longer."""
    services: Services = site.client.app.state.services  # type: ignore[attr-defined]  # a FastAPI application
    site.world.broker.full = True
    services.watch.look()
    for path in ("/", "/bots", "/tournaments/none"):
        assert "the memory of the broker" in site.client.get(path).text
        chinese = site.client.get(path, headers={"Accept-Language": "zh-TW"}).text
        assert "記憶體已滿" in chinese
    site.world.broker.full = False
    services.watch.look()
    assert "the memory of the broker" not in site.client.get("/").text


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "does not know how it goes on"), ("zh-Hant-TW", "賽制無法決定接下來的賽程")],
)
def test_a_tournament_says_why_it_stands_still(
    site: Site, monkeypatch: pytest.MonkeyPatch, language: str, told: str
) -> None:
    """A format that fails is told of on the tournament's page, with the reason as text and no markup."""
    site.world.tournament("cup", bots=4, format="swiss", options={"rounds": 2})
    play_cup(site)
    assert told not in site.client.get("/tournaments/cup", headers={"Accept-Language": language}).text

    def fail(*_: object) -> None:
        raise ValueError("no <b>pairing</b>")

    monkeypatch.setattr(Swiss, "next_round", fail)
    coordinator_of(site.world).tick()
    page = site.client.get("/tournaments/cup", headers={"Accept-Language": language}).text
    assert told in page
    assert '<span lang="en">ValueError: no &lt;b&gt;pairing&lt;/b&gt;</span></p>' in page


def test_why_a_format_does_not_go_on_is_in_the_reader_s_language(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the format itself says is translated for everybody and the staff; the API keeps its English."""
    site.world.tournament("cup", bots=4, format="swiss", options={"rounds": 2})
    play_cup(site)

    def fail(*_: object) -> None:
        raise FormatError("a tournament needs two entrants or more, not %(entrants)s", entrants=1)

    monkeypatch.setattr(Swiss, "next_round", fail)
    coordinator_of(site.world).tick()
    chinese = {"Accept-Language": "zh-TW"}
    page = site.client.get("/tournaments/cup", headers=chinese).text
    assert "<span>賽事至少需要兩個參賽者，不能是 1 個</span></p>" in page  # noqa: RUF001  (a Chinese sign)
    english = "a tournament needs two entrants or more, not 1"
    assert f'<span lang="en">{english}</span></p>' in site.client.get("/tournaments/cup").text
    assert site.get("/tournaments/cup").json()["trouble"] == english
    assert "standstill" not in site.get("/tournaments/cup").json()
