"""Errors: always problem details, whatever went wrong, and nothing half-done."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from arena.coordinator.watch import Watch
from arena.events import webhooks
from arena.schemas.webhooks import NewWebhook
from arena.store.models import User, Webhook
from arena.submissions import versions
from arena.tournaments import lifecycle
from arena.web import app as application
from arena.web.http.dependencies import Services
from engines.games import GAMES
from tests.integration.arena.site import PATIENCE_SECONDS, PLAN, Site, make_site
from tests.integration.arena.world import World
from workers.core.errors import ArchiveUnwritableError
from workers.programs.archive_store import ArchiveStore


def test_a_problem_says_what_where_and_why(site: Site) -> None:
    """A problem has the fields of RFC 9457, and an invalid request names its faulty parts."""
    answer = site.post("/tournaments", "staff", json={"name": "UPPER"})
    problem = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert problem["status"] == answer.status_code == 422
    assert problem["instance"] == "/api/v1/tournaments"
    assert site.client.get(problem["type"]).json()["title"] == problem["title"]
    assert {fault["where"] for fault in problem["errors"]} == {"body.name", "body.game"}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/tournaments/none", 404),
        ("DELETE", "/tournaments", 405),
        ("POST", "/me", 405),
    ],
)
def test_wrong_addresses(site: Site, method: str, path: str, status: int) -> None:
    """Unknown addresses and methods are problems too."""
    answer = site.client.request(method, f"/api/v1{path}")
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert ("allow" in answer.headers) == (status == 405)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"name": NaN}', b"1" * 5000, b"[" * 100_000]
)
def test_broken_bodies(site: Site, body: bytes) -> None:
    """A body that is no plan is refused, however it is broken."""
    headers = site.headers("staff") | {"Content-Type": "application/json"}
    answer = site.client.post("/api/v1/tournaments", content=body, headers=headers)
    assert answer.status_code in {400, 422}
    assert answer.headers["content-type"] == "application/problem+json"


def test_our_fault_leaves_nothing_half_done(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a request fails after it has written, the answer is a plain 500 and nothing is written."""
    create = lifecycle.create

    def failing(*args: object) -> None:
        create(*args)  # type: ignore[arg-type]  # passed on as they came
        raise RuntimeError("secret detail")

    monkeypatch.setattr(lifecycle, "create", failing)
    answer = site.post("/tournaments", "staff", json=PLAN)
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert "secret" not in answer.text
    assert site.get("/tournaments").json()["total"] == 0


def test_a_failing_commit_is_not_reported_as_done(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer goes out after the commit: when that fails, nobody is told of success."""

    def failing(_session: Session) -> None:
        raise OperationalError("COMMIT", {}, Exception("disk full"))

    services: Services = site.client.app.state.services  # type: ignore[attr-defined]  # a FastAPI application
    working = services.database.transaction

    @contextmanager
    def transaction() -> Iterator[Session]:
        with working() as session:
            yield session
            failing(session)

    monkeypatch.setattr(services.database, "transaction", transaction)
    assert site.post("/tournaments", "staff", json=PLAN).status_code == 503
    monkeypatch.undo()
    assert site.get("/tournaments").json()["total"] == 0


def test_health(site: Site) -> None:
    """Health is 200 while every part answers, else 503 and the name of the part."""
    assert site.get("/health").json()["status"] == "ok"
    site.world.broker.away = True
    services: Services = site.client.app.state.services  # type: ignore[attr-defined]  # a FastAPI application
    services.watch.look()
    answer = site.get("/health")
    assert answer.status_code == 503
    assert (answer.json()["status"], answer.json()["database"], answer.json()["broker"]) == (
        "failing",
        "ok",
        "failing",
    )


def test_a_database_that_others_have_locked_is_busy(
    sqlite_world: Callable[[], World], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever would change something is told soon that it is busy and when to ask again; others read on."""
    monkeypatch.setattr(application, "LOCK_SECONDS", 0.2)
    monkeypatch.setattr(application, "Watch", partial(Watch, patience_seconds=PATIENCE_SECONDS))
    world = sqlite_world()
    url = str(world.database.engine.url)
    settings = world.settings.model_copy(update={"database_url": url})
    with TestClient(application.create_app(settings, world.broker)) as client:
        site = make_site(world, client)
        services: Services = client.app.state.services  # type: ignore[attr-defined]  # a FastAPI application
        services.watch.close()  # whose attempts at writing would be in the way of the last request
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            answer = site.post("/tournaments", "staff", json=PLAN)
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
            assert "busy" in answer.json()["detail"]
            assert site.get("/tournaments").status_code == 200
            other.execute("ROLLBACK")
        assert site.post("/tournaments", "staff", json=PLAN).status_code == 201


def test_a_full_disk_is_told(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was to be written, an archive or an upload on its way, no room for it is no fault of ours."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(versions, "canonical_archive", full)
        answer = site.submit("green", "red")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "disk" in answer.json()["detail"]

    def unwritable(*_: object) -> None:
        raise ArchiveUnwritableError("os error 28", full=True)

    monkeypatch.setattr(ArchiveStore, "put", unwritable)
    answer = site.submit("green", "red")
    assert answer.status_code == 503
    assert "its disk is full" in answer.json()["detail"]
    assert site.get("/bots/green").status_code == 404


def test_kinds_of_problems(site: Site) -> None:
    """Every kind has one status and one address, and there is no other."""
    kinds = site.get("/problems").json()["items"]
    assert len({kind["status"] for kind in kinds}) == len(kinds)
    assert all(site.get(f"/problems/{kind['code']}").json() == kind for kind in kinds)
    assert site.get("/problems/other").status_code == 404


def test_games(site: Site) -> None:
    """The games are listed with their parameters and all that a bot's author needs."""
    games = {game["name"]: game for game in site.get("/games").json()["items"]}
    assert list(games) == sorted(GAMES)
    assert games["l_game"]["policy"] == {"repetition": 3, "max_plies": 500}
    assert games["heap_nim"]["policy"] == {"repetition": None, "max_plies": None}
    assert all(game["rules"] and game["notation"] and game["state_schema"] for game in games.values())
    assert site.get("/games/reversed_reversi").json()["params"] == {"size": 8, "reversed": True}
    assert site.get("/games/chess").status_code == 404


def test_a_name_is_refused_in_words(site: Site) -> None:
    """Who gives a tournament a name that it cannot have reads what it may have, and no pattern."""
    problem = site.post("/tournaments", "staff", json={"name": "期末大賽", "game": "heap_nim"}).json()
    assert problem["detail"] == (
        "body.name: a tournament's name has lower-case letters (a-z), digits and hyphens, begins with a "
        "letter or digit, and is at most 60 long, not '期末大賽'"
    )


def test_what_somebody_else_removed_meanwhile_is_a_conflict(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row that was there when it was read, and is not when it is changed, is no error of the arena's."""
    new = NewWebhook(url="https://192.0.2.1/hook", kinds=["announcement"])
    with site.world.database.transaction() as session:
        webhooks.create(session, site.world.staff, new, private=True)
    stop = webhooks.stop

    def removed_before(session: Session, webhook: Webhook, why: str, staff: User) -> None:
        session.execute(text("DELETE FROM webhooks"))
        stop(session, webhook, why, staff)

    monkeypatch.setattr(webhooks, "stop", removed_before)
    assert site.post("/webhooks/1/stop", "staff").status_code == 409
