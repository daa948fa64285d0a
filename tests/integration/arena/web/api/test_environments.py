"""Environments of Python bots over the API and on the pages."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from arena.submissions import hosts
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import API, Site

ONE, TWO = "1" * 16, "2" * 16
WORDS = {"python": "3.11", f"python:numpy@{ONE}": "CPython 3.11, numpy==2.1.3"}
OTHERS = {"python": "3.11", f"python:numpy@{TWO}": "CPython 3.11, numpy==1.26.4"}


def _bot(environment: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("main.py", "import numpy\n")
        archive.writestr("bot.toml", f'environment = "{environment}"\n')
    return buffer.getvalue()


def _submit(site: Site, environment: str) -> Any:
    files = {"file": ("comet.zip", _bot(environment))}
    return site.post("/bots/comet/versions", "red", files=files)


def _choose(site: Site, name: str, digest: str, user: str | None) -> Any:
    told = {"digest": digest}
    return site.client.put(f"{API}/environments/{name}", headers=site.headers(user), json=told)


def test_environments_are_listed_and_chosen(site: Site) -> None:
    """With what other hosts mean by a name; by administrators alone, and only among what is there."""
    assert site.get("/environments").json()["items"] == []
    assert 'id="packages"' not in site.client.get("/bots").text
    with site.world.database.transaction() as session:
        hosts.register(session, "server", WORDS, 1.0, process="a")
        hosts.register(session, "pc-7", OTHERS, 1.0, process="a")
    (found,) = site.get("/environments").json()["items"]
    assert (found["name"], found["digest"], found["hosts"]) == ("numpy", ONE, 1)
    assert found["others"] == {TWO: "CPython 3.11, numpy==1.26.4"}
    page = site.client.get("/bots").text
    assert 'environment = "numpy"</code>: CPython 3.11, numpy==2.1.3' in page
    assert site.get("/workers/pc-7", "staff").json()["strange"] == [f"python:numpy@{TWO}"]
    for who, digest, status in (
        (None, TWO, 401),
        ("red", TWO, 403),
        ("staff", "3" * 16, 404),
        ("staff", TWO, 200),
    ):
        answer = _choose(site, "numpy", digest, who)
        assert answer.status_code == status, answer.text
    assert _choose(site, "scipy", TWO, "staff").status_code == 404
    assert site.get("/workers/server", "staff").json()["strange"] == [f"python:numpy@{ONE}"]
    with site.world.database.transaction() as session:
        hosts.register(session, "pc-7", {}, 1.0, process="a")
    assert "No worker has it at present" in site.client.get("/bots").text


def test_a_bot_names_an_environment_that_there_is(site: Site) -> None:
    """Another is refused with those that there are; its language and what its check waits for say which."""
    with site.world.database.transaction() as session:
        hosts.register(session, "server", WORDS, 1.0, process="a")
    refused = _submit(site, "scipy")
    assert (refused.status_code, "it has numpy" in refused.json()["detail"]) == (409, True)
    assert _submit(site, "numpy").status_code == 201
    assert site.get("/bots/comet").json()["newest"]["language"] == "python:numpy"
    with site.world.database.transaction() as session:
        hosts.register(session, "server", {"python": "3.11"}, 1.0, process="a")
    waiting = site.get("/bots/comet/versions/1/check").json()["waiting"]
    assert "runs Python + numpy and checks bots; none is there now" in waiting
    assert "Python + numpy" in site.client.get("/bots").text


def test_an_administrator_chooses_on_the_page(site: Site) -> None:
    """What other hosts have under a name has a button there; what nobody has is refused on the page."""
    with site.world.database.transaction() as session:
        hosts.register(session, "server", WORDS, 1.0, process="a")
        hosts.register(session, "pc-7", OTHERS, 1.0, process="a")
    staff = sign_in(site, "staff")
    page = site.client.get("/staff/workers", headers=staff).text
    assert f'action="/staff/environments/numpy/{TWO}/choose"' in page
    assert f'action="/staff/environments/numpy/{ONE}/choose"' not in page

    def choose(digest: str) -> Any:
        place = f"/staff/environments/numpy/{digest}/choose"
        return site.client.post(place, headers=staff, follow_redirects=False)

    assert choose("3" * 16).status_code == 404
    assert choose(TWO).headers["location"] == "/staff/workers"
    (found,) = site.get("/environments").json()["items"]
    assert (found["digest"], list(found["others"])) == (TWO, [ONE])
    page = site.client.get("/staff/workers", headers=staff).text
    assert f'action="/staff/environments/numpy/{ONE}/choose"' in page
