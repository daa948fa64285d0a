"""Enrolling worker hosts over the API."""

from __future__ import annotations

from sqlalchemy import select

from arena.store import worker_keys
from arena.store.models import Event
from tests.integration.arena.site import Site
from workers.core.signing import new_key, read_or_make_key


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
    assert (answer.status_code, answer.json()) == (201, {"host": "pc-7", "arena_key": public, "settings": {}})
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
