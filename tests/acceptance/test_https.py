"""An arena that others reach by https with a certificate of its own, while this machine goes on by http."""

from __future__ import annotations

import ssl
from pathlib import Path

import httpx2
import pytest

from arena.core.addresses import own_addresses
from tests.acceptance.conftest import PATIENCE, Arena, MakeArena
from tests.ports import own_port

PASSWORD = "blue horse 7 lamps"
ADDRESS = next((str(address) for address in own_addresses() if address.version == 4), None)

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(ADDRESS is None, reason="this machine is in no network"),
]


@pytest.fixture(scope="module")
def arena(make_shared: MakeArena) -> Arena:
    """An arena by https on all addresses of this machine."""
    return make_shared(0, options=("--https", "--https-port", str(own_port())))


def trusting(arena: Arena, *, redirects: bool = False) -> httpx2.Client:
    """A browser that trusts the CA as it is told by http, on the arena's address in the network."""
    ca = httpx2.get(f"http://{ADDRESS}:{httpx2.URL(arena.state.url).port}/ca.crt", timeout=PATIENCE).text
    context = ssl.create_default_context(cadata=ca)
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    url = f"https://{ADDRESS}:{arena.state.https_port}"
    return httpx2.Client(
        base_url=url, verify=context, headers={"Origin": url}, follow_redirects=redirects, timeout=PATIENCE
    )


def test_others_are_answered_by_https_and_led_there_from_http(arena: Arena) -> None:
    """Its CA makes it believed; http leads there, takes no token, and goes on for this machine."""
    told = arena.json("status")
    assert f"https://{ADDRESS}:{arena.state.https_port}" in told["addresses"]
    plain = f"http://{ADDRESS}:{httpx2.URL(arena.state.url).port}"
    with trusting(arena) as client:
        assert client.get("/api/v1/health").json()["status"] == "ok"
        assert client.get("/").status_code == 200
        led = httpx2.get(f"{plain}/bots?limit=3", timeout=PATIENCE)
        assert led.status_code == 307
        assert led.headers["location"] == f"https://{ADDRESS}:{arena.state.https_port}/bots?limit=3"
    with pytest.raises(httpx2.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
        httpx2.get(f"https://{ADDRESS}:{arena.state.https_port}/", timeout=PATIENCE)
    token = {"Authorization": f"Bearer {arena.folder.admin_token.read_text().strip()}"}
    refused = httpx2.get(f"{plain}/api/v1/me", headers=token, timeout=PATIENCE)
    assert (refused.status_code, refused.json()["status"]) == (403, 403)
    assert "https://" in refused.json()["detail"]
    assert (
        httpx2.post(
            f"{plain}/sign-in/password", data={"name": "a", "password": PASSWORD}, timeout=PATIENCE
        ).status_code
        == 403
    )
    assert (
        httpx2.get(f"{arena.state.url}/api/v1/me", headers=token, timeout=PATIENCE).json()["name"] == "admin"
    )


def test_a_password_is_taken_by_https_in_the_network(arena: Arena) -> None:
    """In a session whose cookie nobody can set or read by http."""
    token = arena.json("user", "create", "ann")["token"]
    with trusting(arena) as client:
        entered = client.post("/sign-in/token", data={"token": token})
        cookie = entered.headers["set-cookie"]
        assert cookie.startswith("__Host-arena=")
        assert "Secure" in cookie
        assert client.post("/account/password", data={"password": PASSWORD}).status_code == 303
    with trusting(arena, redirects=True) as client:
        wrong = client.post("/sign-in/password", data={"name": "ann", "password": "another password"})
        assert wrong.status_code == 401
        home = client.post("/sign-in/password", data={"name": "ann", "password": PASSWORD})
        assert (home.url.path, home.status_code) == ("/account", 200)


def test_commands_trust_the_ca_that_they_are_told_of(arena: Arena, tmp_path: Path) -> None:
    """By `--ca`, which is kept, by ARENA_CA or SSL_CERT_FILE; else they say what to do and send nothing."""
    url = f"https://{ADDRESS}:{arena.state.https_port}"
    ca = str(arena.folder.certificates / "ca.crt")
    token = arena.folder.admin_token.read_text().strip()
    told_url = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "ARENA_URL": url}
    arena = Arena(arena.folder, arena.environment | told_url)
    unknown = arena.command("auth", "login", "--token", token, check=False)
    assert unknown.returncode == 1
    assert f"{url}/ca.crt" in unknown.stderr
    assert "ARENA_CA" in unknown.stderr
    none = arena.command("auth", "login", "--token", token, "--ca", __file__, check=False)
    assert none.returncode == 2
    assert "cannot be used as a CA's certificate" in none.stderr
    arena.command("auth", "login", "--token", token, "--ca", ca)
    assert arena.json("auth", "status")["name"] == "admin"
    for variable in ("ARENA_CA", "SSL_CERT_FILE"):
        elsewhere = {"XDG_CONFIG_HOME": str(tmp_path / variable), "ARENA_TOKEN": token}
        told = Arena(arena.folder, arena.environment | elsewhere | {variable: ca})
        assert told.json("auth", "status")["name"] == "admin"
