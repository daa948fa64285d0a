"""Bodies that are too long, too many-sided or too deep are refused in one short answer."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from arena.web.http.problems import MAX_FAULTS
from tests.integration.arena.site import PLAN, Site

MAX_BYTES = 30_000
MANY = {f"key {number}": 1 for number in range(300_000)}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (json.dumps(MANY), 413),
        (json.dumps(dict(list(MANY.items())[:12_000])), 422),
        (json.dumps(dict(list(MANY.items())[:5000])), 422),
        (json.dumps(PLAN | {"params": {"x" * 200_000: 1}}), 422),
        ('{"params":' * 500 + "1" + "}" * 500, 422),
        ('{"name": NaN}', 422),
    ],
    ids=["bytes", "parts", "unknown keys", "a long key", "depth", "no number"],
)
def test_an_answer_to_what_cannot_be_used_is_short(site: Site, body: str, status: int) -> None:
    """However many faults there are, it names some."""
    headers = site.headers("staff") | {"Content-Type": "application/json"}
    answer = site.client.post("/api/v1/tournaments", content=body, headers=headers)
    assert answer.status_code == status
    assert len(answer.content) < MAX_BYTES
    assert len(answer.json().get("errors", [])) <= MAX_FAULTS


@pytest.mark.parametrize("content_type", ["application/json", "application/x+json"])
def test_no_other_name_helps(site: Site, content_type: str) -> None:
    """JSON of a kind of its own is bounded too."""
    headers = site.headers("staff") | {"Content-Type": content_type}
    body = json.dumps(dict(list(MANY.items())[:12_000]))
    answer = site.client.post("/api/v1/tournaments", content=body, headers=headers)
    assert (answer.status_code, len(answer.content) < MAX_BYTES) == (422, True)
    assert "parts" in answer.json()["detail"]


def test_a_form_of_very_many_fields_is_refused(site: Site) -> None:
    """A form with 20,000 fields is refused with 422 and says so."""
    headers = site.headers("red") | {"Content-Type": "application/x-www-form-urlencoded"}
    answer = site.client.post("/api/v1/bots/comet/versions", content="a=1&" * 20_000, headers=headers)
    assert (answer.status_code, "fields" in answer.json()["detail"]) == (422, True)


def test_files_are_counted_as_they_come(site: Site) -> None:
    """An upload in pieces that announces nothing is refused when it has become too long."""

    def pieces() -> Iterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="bot.py"\r\n\r\n'
        for _ in range(100):
            yield b"#" * 64 * 1024

    headers = site.headers("red") | {"Content-Type": "multipart/form-data; boundary=x"}
    answer = site.client.post("/api/v1/bots/comet/versions", content=pieces(), headers=headers)
    assert answer.status_code == 413


@pytest.mark.parametrize("charset", ["punycode", "undefined", '"IDNA"', "utf-16"])
def test_a_form_is_not_read_by_a_codec_of_its_choice(site: Site, charset: str) -> None:
    """Some take minutes, in which nobody else is answered, and some fail; the usual one may be named."""
    form = b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nred\r\n--x--\r\n'
    headers = {"Sec-Fetch-Site": "same-origin", "Content-Type": "multipart/form-data; boundary=x; charset="}
    for said, status in ((charset, 422), ("UTF-8", 401)):
        told = headers | {"Content-Type": headers["Content-Type"] + said}
        assert site.client.post("/sign-in/password", content=form, headers=told).status_code == status


def test_what_no_database_keeps_as_text_is_refused(site: Site) -> None:
    """A zero or half a character ends in 422 before a database sees it, in JSON, a form and an address."""
    plan = PLAN | {"params": {"a": "\0"}}
    assert site.post("/tournaments", "staff", json=plan).status_code == 422
    assert site.post("/solves", "staff", json={"game": "\ud800"}).status_code == 422
    headers = {"Sec-Fetch-Site": "same-origin"}
    assert site.client.post("/sign-in/token", data={"token": "\0"}, headers=headers).status_code == 422
    for address in ("/api/v1/bots?text=%00", "/bots?game=a%00"):
        assert site.client.get(address).status_code == 422


def test_a_game_of_a_long_name_is_none(site: Site) -> None:
    """It is refused by name wherever a game is named, whether or not a database would keep it."""
    for address in ("/solves", "/trainings", "/tournaments"):
        for name in ("", "x" * 5000):
            answer = site.post(address, "staff", json=PLAN | {"game": name})
            assert (address, answer.status_code, "body.game" in answer.text) == (address, 422, True)
