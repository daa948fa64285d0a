"""Enrolling worker hosts over the API."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import select

from arena.store import worker_keys
from arena.store.models import Event
from arena.submissions import hosts
from tests.integration.arena.site import API, Site
from workers.core.signing import new_key, read_or_make_key


def test_a_laboratory_pc_is_enrolled_distrusted_and_purged(site: Site) -> None:
    """A code says how far its host is trusted, administrators may say otherwise; a purge revokes the key."""
    read_or_make_key(site.world.settings.signing_key_file)
    with site.world.database.transaction() as session:
        hosts.register(session, "pc-7", {"python": "3"}, 1.0)
    assert site.post("/worker-codes", "staff", json={"repeat_share": 1.5}).status_code == 422
    made = site.post("/worker-codes", "staff", json={"repeat_share": 0.2}).json()
    assert made["repeat_share"] == 0.2
    told = {"code": made["code"], "host": "pc-7", "key": new_key().public}
    answer = site.post("/worker-keys", json=told)
    assert (answer.status_code, answer.json()["trusted"]) == (201, False)
    host = site.get("/workers/pc-7", "staff").json()
    assert (host["enrolled"], host["repeat_share"], host["repeats"]["total"]) == (True, 0.2, 0)
    for share in (None, 1.0):
        assert _trust(site, "pc-7", repeat_share=share).json()["repeat_share"] == share
    assert _trust(site, "pc-8").status_code == 404
    assert site.post("/workers/pc-7/purge", "staff", json={}).status_code == 422
    assert site.post("/workers/pc-8/purge", "staff", json={"reason": "no"}).status_code == 404
    for _ in range(2):  # what was broken off is done again
        done = site.post("/workers/pc-7/purge", "staff", json={"reason": "it was changed"}).json()
        assert (done["again"], done["left"], done["withdrawn"], done["kept_total"]) == (0, 0, 0, 0)
    assert site.get("/workers/pc-7", "staff").json()["enrolled"] is False
    assert _enrolled(site) == {}


def test_passwords_for_workers_are_not_answered_by_http(site: Site, tmp_path: Path) -> None:
    """The code is good no more, as others may have read it; with nothing to tell, hosts may come so."""
    read_or_make_key(site.world.settings.signing_key_file)
    code, other, third = (site.post("/worker-codes", "staff").json()["code"] for _ in range(3))
    http, https = (_elsewhere(site, each) for each in ("http", "https"))
    asked = {"code": other, "host": "pc-8", "key": new_key().public}
    answer = http.post(f"{API}/worker-keys", json=asked).json()
    assert (answer["trusted"], answer["settings"]) == (True, {})
    told = tmp_path / "worker-env"
    told.write_text("ARENA_BROKER_URL=redis://worker:secret@h:6379/0\n")
    state = site.client.app.state  # type: ignore[attr-defined]
    settings = state.services.settings.model_copy(update={"worker_settings_file": told})
    state.services = replace(state.services, settings=settings)
    asked = {"code": code, "host": "pc-7", "key": new_key().public}
    assert http.post(f"{API}/worker-keys", json=asked | {"code": "guessed"}).status_code == 404
    answer = http.post(f"{API}/worker-keys", json=asked)
    assert (answer.status_code, "https" in answer.json()["detail"]) == (403, True)
    assert "secret" not in answer.text
    assert https.post(f"{API}/worker-keys", json=asked).status_code == 404
    answer = https.post(f"{API}/worker-keys", json=asked | {"code": third})
    assert (answer.status_code, "secret" in answer.text) == (201, True)


def _elsewhere(site: Site, scheme: str) -> TestClient:
    return TestClient(site.client.app, f"{scheme}://arena.example", client=("192.0.2.7", 50000))


def _trust(site: Site, host: str, **trust: float | None) -> Any:
    return site.client.put(f"{API}/worker-keys/{host}/trust", headers=site.headers("staff"), json=trust)


def _enrolled(site: Site) -> dict[str, str]:
    with site.world.database.reading() as session:
        return worker_keys.enrolled(session)


def test_a_code_enrols_one_host_once(site: Site) -> None:
    """What it signs is believed until it is revoked; another needs a code of its own, and a key."""
    key = new_key().public
    file = site.world.settings.signing_key_file
    code = site.post("/worker-codes", "staff").json()["code"]
    told = {"code": code, "host": "pc-7", "key": key}
    assert site.post("/worker-keys", json=told | {"key": "f" * 63}).status_code == 422
    assert site.post("/worker-keys", json=told | {"code": "guessed"}).status_code == 404
    answer = site.post("/worker-keys", json=told)
    assert (answer.status_code, "signing key" in answer.json()["detail"]) == (503, True)
    public = read_or_make_key(file).public
    answer = site.post("/worker-keys", json=told)
    assert (answer.status_code, answer.json()) == (
        201,
        {"host": "pc-7", "arena_key": public, "trusted": True, "settings": {}},
    )
    assert _enrolled(site) == {key: "pc-7"}
    assert site.post("/worker-keys", json=told | {"host": "pc-8"}).status_code == 404
    other = site.post("/worker-codes", "staff").json()["code"]
    assert site.post("/worker-keys", json=told | {"code": other}).status_code == 409
    assert site.post("/worker-keys", json=told | {"code": other, "host": "pc-8"}).status_code == 409
    assert site.delete("/worker-keys/pc-7", "staff").json()["key"] == key
    assert site.delete("/worker-keys/pc-7", "staff").status_code == 404
    assert _enrolled(site) == {}
    (listed,) = site.get("/worker-keys", "staff").json()["items"]
    assert (listed["host"], listed["key"], listed["revoked_at"] is None) == ("pc-7", key, False)
    with site.world.database.reading() as session:
        kinds = [each.kind for each in session.scalars(select(Event).order_by(Event.id))]
        assert kinds[-2:] == ["host.enrolled", "host.revoked"]
