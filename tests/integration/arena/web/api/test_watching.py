"""Whether a process lives and can serve, its figures as Prometheus reads them, and who may read these."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families as parsed
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from arena.coordinator.leadership import COORDINATOR
from arena.core.clock import utc_now
from arena.store import leaders
from arena.store.models import Move, Result
from arena.web.http.admission import Lane
from arena.web.http.dependencies import Services
from arena.web.http.scrapes import Scrapes
from arena.web.http.telemetry import HEADER
from tests.collector import telling
from tests.integration.arena.site import Site, park, play_cup, start_cup

DEPLOY = Path(__file__).parents[5] / "deploy"
DASHBOARD = DEPLOY / "watching" / "grafana" / "arena.json"
ASKING = (DASHBOARD, DEPLOY / "watching" / "alerts.yml", DEPLOY / "kubernetes" / "autoscaling.yaml")
FIGURE = re.compile(r"\b(?:arena|process)_[a-z_]+")
PART = re.compile(r"_(bucket|count|sum)$")
Sample = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.fixture
def here(site: Site) -> TestClient:
    """A program on the arena's own machine."""
    return site.client


@pytest.fixture
def elsewhere(site: Site) -> TestClient:
    """A program on another machine."""
    return TestClient(site.client.app, client=("192.0.2.7", 50000))


def _services(site: Site) -> Services:
    services: Services = site.client.app.state.services  # type: ignore[attr-defined]  # a FastAPI application
    return services


def _samples(text: str) -> Sample:
    families = list(parsed(text))
    assert len({family.name for family in families}) == len(families)
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def _value(samples: Sample, name: str, **labels: str) -> float:
    return samples[name, frozenset(labels.items())]


def test_what_was_played_is_counted(site: Site, here: TestClient) -> None:
    """Results, forfeits, moves and what is parked stand in the figures, each once."""
    start_cup(site)
    play_cup(site, forfeit=True)
    samples = _samples(here.get("/metrics").text)
    with site.world.database.reading() as session:
        games = session.scalar(select(func.count()).select_from(Result)) or 0
        moves = session.scalar(select(func.count()).select_from(Move).where(Move.asked))
    assert _value(samples, "arena_results_recorded_total", queue="matches") == games > 0
    forfeits = [value for (name, _), value in samples.items() if name == "arena_forfeits_total"]
    assert sum(forfeits) == games
    assert _value(samples, "arena_move_seconds_count") == moves
    assert _value(samples, "arena_move_seconds_bucket", le="+Inf") == moves
    assert _value(samples, "arena_queue_depth", queue="matches", state="pending") == 0
    assert _value(samples, "arena_events_total") > games


def test_what_waits_and_is_parked_is_told(site: Site, here: TestClient) -> None:
    """The depth of a queue is what is left of the tournaments that have begun, and its age is positive."""
    start_cup(site)
    park(site)
    samples = _samples(here.get("/metrics").text)
    left = sum(site.get("/tournaments/cup").json()["matches"].values()) - 1
    waiting = sum(
        _value(samples, "arena_queue_depth", queue="matches", state=state)
        for state in ("pending", "published", "running")
    )
    assert waiting == left
    assert _value(samples, "arena_parked", queue="matches") == 1
    assert _value(samples, "arena_queue_age_seconds", queue="matches") > 0


def test_requests_are_told_apart_by_routes(site: Site, here: TestClient) -> None:
    """No path, name or secret of a request becomes a label; what is answered from what is kept counts too."""
    start_cup(site)
    for _ in range(3):
        here.get("/api/v1/tournaments/cup/leaderboard")
    here.get("/tournaments/cup")
    here.get("/no-such-thing")
    text = here.get("/metrics").text
    samples = _samples(text)
    counted = "arena_api_request_seconds_count"
    route = "/api/v1/tournaments/{name}/leaderboard"
    assert _value(samples, counted, method="GET", route=route, status="2xx") == 3
    assert _value(samples, counted, method="GET", route="/tournaments/{name}", status="2xx") == 1
    assert _value(samples, counted, method="GET", route="none", status="4xx") == 1
    assert "cup" not in text
    assert "no-such-thing" not in text


def test_requests_are_told_in_traces_by_routes(
    site: Site, here: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is a trace of its own with its name in the logs, and nothing of its path, query, body or token."""
    start_cup(site)
    token = {"Authorization": f"Bearer {site.world.staff_token}"}
    with telling(monkeypatch, "api") as collector:
        for name in ("one", "two"):
            here.get("/api/v1/tournaments/cup/leaderboard?limit=7", headers={HEADER: name})
        here.post("/api/v1/users", json={"name": "hidden-name"}, headers={**token, HEADER: "three"})
        here.get("/hidden-thing", headers={HEADER: "four"})
        monkeypatch.setattr(Scrapes, "get", _fails)
        failing = TestClient(here.app, raise_server_exceptions=False)
        failing.get("/metrics", headers={**token, HEADER: "five"})
    board = "/api/v1/tournaments/{name}/leaderboard"
    asked = ("http.request.method", "http.route", "http.response.status_code", "request")
    assert [(each.failed, *(each.about[name] for name in asked)) for each in collector.spans] == [
        (None, "GET", board, 200, "one"),
        (None, "GET", board, 200, "two"),
        (None, "POST", "/api/v1/users", 201, "three"),
        (None, "GET", "none", 404, "four"),
        ("500", "GET", "/metrics", 500, "five"),
    ]
    assert {each.name for each in collector.spans} >= {f"GET {board}", "POST /api/v1/users"}
    assert len({each.trace for each in collector.spans}) == 5
    sent = b"".join(collector.raw)
    assert not [each for each in ("cup", "limit", "hidden", site.world.staff_token) if each.encode() in sent]


def test_nothing_else_tells_of_requests(here: TestClient) -> None:
    """FastAPI's own telemetry would, with whole addresses, where its variables wish so."""
    assert not here.app._native_telemetry.enabled()  # type: ignore[attr-defined]  # a FastAPI application


async def _fails(*_: object) -> None:
    raise ZeroDivisionError("hidden words")


def test_figures_are_for_this_machine_and_administrators(
    site: Site, here: TestClient, elsewhere: TestClient
) -> None:
    """Who comes from elsewhere, or through a proxy, needs an administrator's token; others learn nothing."""
    assert here.get("/metrics").status_code == 200
    assert elsewhere.get("/healthz").status_code == elsewhere.get("/readyz").status_code == 200
    assert here.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 401
    refused = elsewhere.get("/metrics")
    assert (refused.status_code, refused.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert "arena_" not in refused.text
    assert elsewhere.get("/metrics", headers={"Authorization": "Bearer nonsense"}).status_code == 401
    assert elsewhere.get("/metrics", headers=site.headers("red")).status_code == 403
    allowed = elsewhere.get("/metrics", headers=site.headers("staff"))
    assert allowed.status_code == 200
    assert allowed.headers["Cache-Control"] == "no-store"
    assert list(parsed(allowed.text))


def test_figures_take_no_place_of_those_who_read(
    site: Site, elsewhere: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a token is good is looked up in the readers' order."""
    monkeypatch.setitem(vars(_services(site)), "reading", Lane(0, patience_seconds=0.01))
    answer = elsewhere.get("/metrics", headers=site.headers("staff"))
    assert (answer.status_code, answer.headers["Cache-Control"]) == (503, "no-store")


def test_a_part_that_fails_is_named_and_the_others_are_told(site: Site, here: TestClient) -> None:
    """Without the broker a process is not ready and says so; it lives, and tells what the database knows."""
    assert here.get("/readyz").json() == {"status": "ready", "failing": {}}
    site.world.broker.away = True
    _services(site).watch.look()
    answer = here.get("/readyz")
    assert (answer.status_code, answer.json()) == (
        503,
        {"status": "not ready", "failing": {"broker": "away"}},
    )
    assert here.get("/healthz").text == "ok\n"
    samples = _samples(here.get("/metrics").text)
    assert _value(samples, "arena_part_up", part="broker") == 0
    assert _value(samples, "arena_part_up", part="database") == 1
    assert ("arena_recorder_backlog", frozenset()) not in samples
    assert _value(samples, "arena_worker_processes") == 0


def test_figures_without_the_database(site: Site, here: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the database does not answer, what the process itself knows is told all the same."""

    def away() -> None:
        raise OperationalError("", None, Exception("away"))

    with monkeypatch.context() as patch:
        patch.setattr(_services(site).database, "reading", away)
        samples = _samples(here.get("/metrics").text)
    assert ("arena_events_total", frozenset()) not in samples
    assert _value(samples, "arena_recorder_backlog") == 0


def test_every_answer_has_its_requests_name(
    site: Site, here: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that was given is kept, a strange one replaced, and what fails has one too."""
    assert here.get("/healthz", headers={HEADER: "proxy-17"}).headers[HEADER] == "proxy-17"
    strange = here.get("/healthz", headers={HEADER: 'a b"c'}).headers[HEADER]
    assert strange.isalnum()

    def fail() -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(_services(site).database, "reading", fail)
    answer = here.get("/api/v1/tournaments?offset=3", headers={HEADER: "mine"})
    assert (answer.status_code, answer.headers[HEADER]) == (500, "mine")


def test_many_who_ask_within_a_second_cost_one_look(
    site: Site, here: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Figures are worked out anew only after a second."""
    clock = [0.0]
    services = _services(site)
    monkeypatch.setitem(vars(services), "scrapes", Scrapes(lambda: clock[0]))
    first = here.get("/metrics").text
    assert here.get("/metrics").text == first
    clock[0] = 1.0
    assert here.get("/metrics").text != first


def test_dashboards_alerts_and_autoscaling_know_the_figures(site: Site, here: TestClient) -> None:
    """Every figure that `deploy/` asks Prometheus for is told, and every one of ours is on the dashboard."""
    start_cup(site)
    play_cup(site, forfeit=True)
    with site.world.database.transaction() as session:
        leaders.take(session, COORDINATOR, "here|1|0", leaders.seen(session, COORDINATOR), utc_now())
    shown = {
        family.name + ("_total" if family.type == "counter" else "")
        for family in parsed(here.get("/metrics").text)
    }
    asked = {path: set(FIGURE.findall(path.read_text(encoding="utf-8"))) for path in ASKING}
    plain = {path: {PART.sub("", name) for name in names} for path, names in asked.items()}
    assert all(names and names <= shown for names in plain.values()), plain
    unseen = {"arena_events_total", "arena_pruned_total"}
    assert {name for name in shown if name.startswith("arena_")} - plain[DASHBOARD] == unseen
