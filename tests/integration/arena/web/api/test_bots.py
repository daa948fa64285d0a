"""Bots through the API: submissions, versions, and their files."""

from __future__ import annotations

import io
import zipfile

import pytest

from arena.coordinator import checks, leases
from tests.integration.arena.site import EVIDENCE, PLAN, Site, start_cup
from tests.integration.arena.world import GAME, taken
from workers.checks.contract import CheckReport, Output, Step, StepReport


def _zip(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def test_submitting(site: Site) -> None:
    """A new content makes a version, a known one gives the version that has it."""
    first = site.submit("comet", "red", b"one")
    assert (first.status_code, first.json()["version"], first.json()["created"]) == (201, 1, True)
    again = site.submit("comet", "red", b"one")
    assert (again.status_code, again.json()["version"], again.json()["created"]) == (200, 1, False)
    assert site.submit("comet", "red", b"two").json()["version"] == 2
    bot = site.get("/bots/comet").json()
    assert (bot["owner"], bot["newest"]["version"]) == ("red", 2)
    assert [each["version"] for each in site.get("/bots/comet/versions").json()["items"]] == [2, 1]
    assert [each["name"] for each in site.get("/bots").json()["items"]] == ["blue", "comet", "red"]


def test_a_bot_belongs_to_one_owner(site: Site) -> None:
    """A team submits to no other team's bot and for nobody else; the staff does both."""
    assert site.submit("comet", "red").status_code == 201
    assert site.submit("comet", "blue", b"mine").status_code == 403
    assert site.submit("comet", None).status_code == 401
    assert site.submit("meteor", "red", owner="blue").status_code == 403
    assert site.get("/bots/meteor").status_code == 404
    assert site.submit("meteor", "staff", owner="blue").status_code == 201
    assert site.get("/bots/meteor").json()["owner"] == "blue"
    assert site.submit("moon", "staff", owner="nobody").status_code == 404


def test_the_files_are_for_the_owner_and_the_staff(site: Site) -> None:
    """The archive is given back to its owner and the staff, byte for byte as it was stored."""
    site.submit("comet", "red", b"print('secret plan')")
    path = "/bots/comet/versions/1/archive"
    assert site.get(path).status_code == 401
    assert site.get(path, "blue").status_code == 403
    assert site.get("/bots/comet/versions/9/archive", "red").status_code == 404
    for user in ("red", "staff"):
        with zipfile.ZipFile(io.BytesIO(site.get(path, user).content)) as archive:
            assert archive.read("main.py") == b"print('secret plan')"


def test_files_that_the_store_has_lost_are_said_to_be(site: Site) -> None:
    """What is not in the store any more is a clear 404, which says what to do."""
    start_cup(site)
    answer = site.get("/bots/red/versions/1/archive", "red")
    assert (answer.status_code, "hand the bot in again" in answer.json()["detail"]) == (404, True)


@pytest.mark.parametrize(
    ("filename", "content"),
    [
        ("bot.py", b""),
        ("bot.exe", b"MZ"),
        ("bot.zip", b"not a zip"),
        ("bot.zip", _zip(**{"other.py": b""})),
        ("bot.zip", _zip(**{"main.py": b"", "../../escape.py": b""})),
        ("bot\0.zip", b"x"),
    ],
)
def test_bad_uploads(site: Site, filename: str, content: bytes) -> None:
    """A file that is no bot is refused and leaves no bot behind."""
    answer = site.post("/bots/comet/versions", "red", files={"file": (filename, content)})
    assert answer.status_code in {400, 422}
    assert answer.json()["detail"]
    assert site.get("/bots/comet").status_code == 404


@pytest.mark.parametrize("name", ["%2e%2e", "a b", "-x", "x" * 61, "%00", "%ff", "a\u202eb", "a%0Ab"])
def test_bad_names(site: Site, name: str) -> None:
    """A name that no bot may have is refused."""
    assert site.submit(name, "red").status_code in {404, 422}
    assert site.get(f"/bots/{name}").status_code in {404, 422}


def test_too_large(site: Site) -> None:
    """An upload over the limit is refused by its announced length, and while it is read without one."""
    limit = site.world.settings.max_upload_bytes + 64 * 1024
    announced = site.submit("comet", "red", bytes(limit))
    assert announced.status_code == 413
    assert announced.headers["content-type"] == "application/problem+json"
    chunks = (bytes(64 * 1024) for _ in range(limit // (64 * 1024) + 2))
    headers = site.headers("red") | {"Content-Type": "multipart/form-data; boundary=x"}
    streamed = site.client.post("/api/v1/bots/comet/versions", content=chunks, headers=headers)
    assert streamed.status_code in {400, 413}
    assert site.get("/bots/comet").status_code == 404


@pytest.mark.parametrize(
    "content_type", ["multipart/form-data", "multipart/form-data; boundary=x", "text/plain"]
)
def test_broken_forms(site: Site, content_type: str) -> None:
    """A form that cannot be read is refused."""
    headers = site.headers("red") | {"Content-Type": content_type}
    answer = site.client.post("/api/v1/bots/comet/versions", content=b"\xff\x00garbage", headers=headers)
    assert answer.status_code in {400, 422}
    assert answer.json()["status"] == answer.status_code


def test_a_new_version_is_checked_first(site: Site) -> None:
    """It says what it is and waits; it cannot be entered, and everybody sees why."""
    made = site.submit("comet", "red", b"print()", game="heap_nim").json()
    assert (made["language"], made["games"], made["state"]) == ("python", ["heap_nim"], "checking")
    start_cup(site)
    site.post("/tournaments", "staff", json=PLAN)
    site.post("/tournaments/autumn/open", "staff")
    entered = site.post("/tournaments/autumn/entries", "red", json={"bot": "comet"})
    assert entered.status_code == 409
    assert "still being checked" in entered.json()["detail"]
    check = site.get("/bots/comet/versions/1/check").json()
    assert (check["state"], check["waiting"], check["report"]) == ("checking", None, None)


def test_a_game_that_there_is_not(site: Site) -> None:
    """A bot cannot be checked in it, and is not taken."""
    answer = site.submit("comet", "red", game="chess")
    assert (answer.status_code, "no game" in answer.json()["detail"]) == (422, True)
    assert site.get("/bots/comet").status_code == 404


def test_a_check_is_called_off_by_its_owner_or_a_newer_version(site: Site) -> None:
    """The version is unchecked at once and says why to its owner; a check that is over stays as it is."""
    site.submit("comet", "red", game="heap_nim")
    path = "/bots/comet/versions/1/check"
    called_off = site.post(f"{path}/cancel", "red")
    assert (called_off.status_code, called_off.json()["state"]) == (200, "unchecked")
    assert called_off.json()["trouble"] == "called off by red"
    assert site.get(path).json()["trouble"] is None
    again = site.post(f"{path}/cancel", "red")
    assert (again.status_code, "is not being checked" in again.json()["detail"]) == (409, True)
    assert site.post(path, "red").json()["state"] == "checking"
    site.submit("comet", "red", b"print('newer')")
    superseded = site.get(path, "red").json()
    assert (superseded["state"], superseded["trouble"]) == (
        "unchecked",
        "called off, for there is version 2",
    )
    assert site.get("/bots/comet/versions/2/check").json()["state"] == "checking"
    assert site.post("/bots/comet/versions/9/check/cancel", "red").status_code == 404


def test_the_evidence_of_a_check_is_for_the_owner_and_the_staff(site: Site) -> None:
    """Others see the code and the parts; all see that a second check has begun."""
    site.submit("comet", "red")
    world, path = site.world, "/bots/comet/versions/1/check"
    with world.database.transaction() as session:
        (message,) = leases.issue(checks.WORK, session, world.settings)
        told = CheckReport(
            check=message.spec.check,
            passed=False,
            code="crash",
            detail=EVIDENCE,
            language="python",
            steps=(StepReport(step=Step.HANDSHAKE, game=GAME, passed=False, took_ms=3),),
            stderr=Output(head=EVIDENCE),
            reproduce="again",
            host="worker-7",
        )
        about = leases.Attempt((int(message.spec.check),), message.attempt, message.token)
        report = told.model_dump(mode="json")
        taken(leases.record, checks.WORK, session, about, report=report, settings=world.settings)
    for user in (None, "blue", "red", "staff"):
        answer = site.get(path, user)
        shown = answer.json()
        assert (shown["state"], shown["code"], shown["steps"][0]["step"]) == ("failed", "crash", "handshake")
        assert (EVIDENCE in answer.text) == (user in {"red", "staff"})
        assert ("worker-7" in answer.text) == (user == "staff")
    assert site.post(path, "blue").status_code == 403
    assert site.post(path).status_code == 401
    again = site.post(path, "red", json={"games": ["l_game"]})
    assert (again.status_code, again.json()["state"], again.json()["report"]) == (202, "checking", None)
    assert site.post(path, "staff").status_code == 409
    assert site.get("/bots/comet").json()["newest"]["games"] == ["l_game"]
    assert site.get("/bots/red/versions/1/check").status_code == 404


def test_the_languages_say_what_is_there(site: Site) -> None:
    """All that bots can be written in, and which of it a worker runs now."""
    found = {each["name"]: each for each in site.get("/languages").json()["items"]}
    assert (found["c"]["title"], found["c"]["versions"]) == ("C", ["gcc 12"])
    assert found["rust"]["versions"] == []
