"""The bots of a class are handed in at once, on pages and by the API: looked at first, whole, and by whom."""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from collections.abc import Mapping
from typing import Any

import pytest
from sqlalchemy import Engine, event, select

from arena.core.clock import utc_now
from arena.core.terms import Role, VersionState
from arena.people import users
from arena.schemas.plans import TournamentPlan
from arena.store.models import Event
from arena.submissions import versions, waiting
from arena.tournaments import lifecycle
from tests.integration.arena.roles import CLASS, sign_in
from tests.integration.arena.site import Site
from tests.integration.arena.web.pages.browser import ORIGIN, read
from tests.integration.arena.web.pages.test_pages import Outline

PATH = f"/classes/{CLASS}/hand-in"
TEAMS = [f"team-{number}" for number in range(1, 31)]
BOT = b"print('hello')"


@pytest.fixture
def teacher(used: Site) -> str:
    """What the browser of an organiser shows, whose class has thirty more teams."""
    with used.world.database.transaction() as session:
        class_id = users.get(session, "red").class_id
        for name in TEAMS:
            user, used.tokens[name] = users.create_user(session, name, Role.TEAM)
            user.class_id = class_id
    return sign_in(used, "teacher")["Cookie"]


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    """A zip of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


def _thirty() -> dict[str, bytes | str]:
    return {f"7a/{name}/main.py": f"print({name!r})" for name in TEAMS}


def _send(site: Site, cookie: str, data: bytes, **fields: Any) -> Any:
    site.client.cookies.clear()
    return site.client.post(
        PATH,
        files={"file": ("7a.zip", data)},
        data={"game": ["reversed_reversi"]} | fields,
        headers=ORIGIN | {"Cookie": cookie},
        follow_redirects=False,
    )


def _hand_in(site: Site, cookie: str, place: str, chosen: Mapping[str, str] | None = None) -> Any:
    """Press the button of the preview, with other teams for some parts."""
    page = read(site, place, cookie).text
    labels = re.findall(r'name="label" value="([^"]*)"', page)
    selects = re.findall(r'<select name="team".*?</select>', page, re.DOTALL)
    teams = [(re.findall(r"<option selected>([^<]*)<", each) or [""])[0] for each in selects]
    teams = [(chosen or {}).get(label, team) for label, team in zip(labels, teams, strict=True)]
    return site.client.post(
        place,
        data={"label": labels, "team": teams, "game": ["reversed_reversi"]},
        headers=ORIGIN | {"Cookie": cookie},
        follow_redirects=False,
    )


def _api(site: Site, who: str | None, data: bytes, query: str = "", **form: Any) -> Any:
    return site.post(f"/classes/{CLASS}/submissions{query}", who, files={"file": ("7a.zip", data)}, data=form)


def _bots(site: Site) -> dict[str, tuple[str, int]]:
    items = site.get(f"/classes/{CLASS}/bots?limit=100", "teacher").json()["items"]
    return {each["name"]: (each["owner"], each["newest"]["version"]) for each in items if each["newest"]}


def test_thirty_bots_in_one_act(used: Site, teacher: str) -> None:
    """Looking at a zip of thirty makes nothing; handed in each is its team's; again nothing changes."""
    sent = _send(used, teacher, zipped(_thirty()))
    place = sent.headers["location"]
    page = read(used, place, teacher)
    Outline(page.text)
    assert page.headers["cache-control"] == "no-store"
    assert "30 of 30 can be handed in" in page.text
    assert list(_bots(used)) == ["red"]
    done = _hand_in(used, teacher, place)
    assert done.headers["location"] == f"/classes/{CLASS}/checks?made=30&same=0&out=0"
    assert {name: bot for name, bot in _bots(used).items() if name != "red"} == {
        name: (name, 1) for name in TEAMS
    }
    with used.world.database.reading() as session:
        assert versions.get_version(session, versions.get(session, "team-7")).games == ["reversed_reversi"]
    with used.world.database.reading() as session:
        by = session.scalars(select(Event.user_id).where(Event.kind == "bot.submitted").order_by(Event.id))
        assert by.all()[-30:] == [users.get(session, "teacher").id] * 30
    again = _send(used, teacher, zipped(_thirty())).headers["location"]
    assert "30 are there already, unchanged" in read(used, again, teacher).text
    assert _hand_in(used, teacher, again).headers["location"].endswith("made=0&same=30&out=0")


def test_what_cannot_be_taken_holds_nothing_up(used: Site, teacher: str) -> None:
    """Faults, strangers and doubles stay with what to do about them; the others are handed in."""
    files: dict[str, bytes | str] = {
        "red.py": "print(1)",
        "team-1.txt": "no bot",
        "team-2.py": "\0",
        "who_is_this.py": "print(2)",
        "team-3.py": "print(3)",
        "team-3.zip": zipped({"main.py": "print(4)"}),
        "team-4/<script>alert(1)</script>.md": "",
    }
    place = _send(used, teacher, zipped(files)).headers["location"]
    page = read(used, place, teacher).text
    Outline(page)
    assert "1 of 7 can be handed in" in page
    assert "<script>alert" not in page
    for told in ("whose it is is not known", "the team is there more than once", "cannot be handed in"):
        assert told in page
    chosen = {"who_is_this.py": "team-9", "team-3.zip": ""}
    left = _hand_in(used, teacher, place, chosen)
    assert left.status_code == 200
    Outline(left.text)
    assert "3 bots were handed in" in left.text
    assert _bots(used).keys() == {"red", "team-3", "team-9"}
    assert _bots(used)["red"] == ("red", 2)
    assert {label for label in files if f'value="{label}"' in left.text} == {
        "team-1.txt",
        "team-2.py",
        "team-3.zip",
    }
    leave = dict.fromkeys(["team-1.txt", "team-2.py", "team-4", "team-3.zip", "who_is_this.py"], "")
    assert _hand_in(used, teacher, place, leave).headers["location"].endswith("made=0&same=2&out=5")


def test_a_team_that_left_meanwhile_is_refused(used: Site, teacher: str) -> None:
    """Where a chosen team has left the class, the page says so in its language, and nothing is done."""
    place = _send(used, teacher, zipped({"team-1.py": BOT})).headers["location"]
    used.client.headers["Accept-Language"] = "zh-Hant-TW"
    answer = _hand_in(used, teacher, place, {"team-1.py": "gone"})
    assert answer.status_code == 422
    assert "沒有隊伍" in answer.text
    assert "has no team" not in answer.text
    assert _bots(used).keys() == {"red"}


@pytest.mark.usefixtures("teacher")
def test_a_name_that_is_anothers_is_refused_alone(used: Site) -> None:
    """A team whose name a bot of another's has is told; nothing of the others is lost."""
    with used.world.database.transaction() as session:
        used.world.bot(session, "team-1", users.get(session, "blue"))
    answer = _api(used, "teacher", zipped({"team-1.py": BOT, "team-2.py": BOT})).json()
    assert [(each["team"], each["state"]) for each in answer["items"]] == [
        ("team-1", "refused"),
        ("team-2", "new_bot"),
    ]
    assert "belongs to 'blue'" in answer["items"][0]["problem"]


@pytest.mark.usefixtures("teacher")
def test_which_bot_it_is(used: Site) -> None:
    """What `bot.toml` says if nobody has the name, else what the file says, else the team's latest."""
    with used.world.database.transaction() as session:
        used.world.bot(session, "comet", users.get(session, "red"))
    cases = {
        "red.py": "red",
        "ruby/best.py": "comet",
        "red/main.py|red/bot.toml": "nova",
        "ruby/main.py|ruby/bot.toml": "comet",
    }
    for files, bot in cases.items():
        named = f"name = '{'nova' if bot == 'nova' else 'blue'}'"
        content = {f"7a/{each}": named if "toml" in each else "print(9)" for each in files.split("|")}
        (line,) = _api(used, "teacher", zipped(content), "?dry_run=true").json()["items"]
        assert (line["team"], line["bot"]) == ("red", bot), files


@pytest.mark.usefixtures("teacher")
def test_the_api_says_the_same_without_keeping_anything(used: Site) -> None:
    """A dry run makes nothing; teams can be said for parts; who is without is told; no other team is."""
    data = zipped({"somebody.py": BOT, "team-1.py": BOT})
    dry = _api(used, "teacher", data, "?dry_run=true", team=["somebody.py=team-2"]).json()
    assert [(each["label"], each["team"], each["state"]) for each in dry["items"]] == [
        ("somebody.py", "team-2", "new_bot"),
        ("team-1.py", "team-1", "new_bot"),
    ]
    assert dry["dry_run"]
    assert "team-3" in dry["without"]
    assert "team-2" not in dry["without"]
    assert list(_bots(used)) == ["red"]
    assert _api(used, "teacher", data, team=["somebody.py=blue"]).status_code == 422
    assert _api(used, "teacher", data, team=["somebody.py"]).status_code == 422
    assert _api(used, "teacher", data, game=["chess"]).status_code == 422
    assert _api(used, "teacher", b"no zip").status_code == 422
    assert list(_bots(used)) == ["red"]


def test_only_who_runs_the_class(used: Site, teacher: str) -> None:
    """Another organiser, a team of the class and nobody hand nothing in, and get nobody's upload to see."""
    data = zipped({"team-1.py": BOT})
    for who, status in ((None, 401), ("team-1", 403), ("elsewhere", 403), ("looker", 403)):
        assert _api(used, who, data).status_code == status
    place = _send(used, teacher, data).headers["location"]
    for who, status in (("elsewhere", 403), ("team-1", 403), ("staff", 404)):
        assert read(used, place, sign_in(used, who)["Cookie"]).status_code == status
    assert list(_bots(used)) == ["red"]


@pytest.mark.usefixtures("teacher")
def test_more_may_be_sent_here_than_elsewhere(used: Site) -> None:
    """Thirty bots have more bytes than one may have; each has its own limit all the same."""
    big = {f"team-{number}.py": b"#" * 1_500_000 for number in (1, 2, 3)}
    answer = _api(used, "teacher", zipped(big | {"team-4.py": b"#" * 4_500_000})).json()
    assert [each["state"] for each in answer["items"]] == ["new_bot"] * 3 + ["faulty"]
    assert answer["items"][3]["flaw"] == "too_large"
    assert used.submit("big", "red", b"#" * 6_000_000).status_code == 413
    assert _api(used, "teacher", bytes(34 * 1024 * 1024)).status_code == 413


def test_an_upload_waits_for_an_hour(used: Site, teacher: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process finds it; later it is not there any more, and is put away; of one user few wait."""
    places = [_send(used, teacher, zipped({"team-1.py": BOT})).headers["location"] for _ in range(6)]
    found = [read(used, place, teacher).status_code for place in places]
    assert sorted(found) == [200] * waiting.MAX_OF_ONE + [404] * 2
    assert found[-1] == 200
    store = waiting.WaitingUploads(used.world.settings.archive_url)
    assert store.tidy() == 0
    later = utc_now() + waiting.LONGEST + dt.timedelta(minutes=1)
    monkeypatch.setattr(waiting, "utc_now", lambda: later)
    assert read(used, places[-1], teacher).status_code == 404
    assert store.tidy() == waiting.MAX_OF_ONE
    for token in ("../../x", "x" * 32, ""):
        assert read(used, f"{PATH}/{token}", teacher).status_code in {404, 405, 307}


def test_then_all_that_passed_are_entered(used: Site, teacher: str) -> None:
    """The checks' page asks for itself while one goes on, and has one button for all that have passed."""
    with used.world.database.transaction() as session:
        plan: dict[str, Any] = {
            "name": "finals",
            "game": "reversed_reversi",
            "format": "round_robin",
            "class_name": CLASS,
        }
        lifecycle.open_(
            session, used.world.staff, lifecycle.create(session, used.world.staff, TournamentPlan(**plan))
        )
    _api(used, "teacher", zipped(_thirty()))
    path = f"/classes/{CLASS}/checks"
    page = read(used, path, teacher).text
    Outline(page)
    assert "every 2s" in page
    with used.world.database.transaction() as session:
        for name in TEAMS:
            version = versions.get_version(session, versions.get(session, name))
            version.state = VersionState.PASSED if name != "team-5" else VersionState.UNCHECKED
    page = read(used, path, teacher).text
    assert "every 2s" not in page
    assert "checked: 31 of 31, passed: 30" in page
    assert "Enter all 30 that have passed into finals" in page
    entered = used.client.post(
        "/manage/finals/entries/class",
        data={"class_name": CLASS},
        headers=ORIGIN | {"Cookie": teacher},
        follow_redirects=False,
    )
    assert entered.headers["location"].startswith("/manage/finals?entered=30")
    assert "that have passed into" not in read(used, path, teacher).text


def test_the_number_of_queries_does_not_grow_with_the_class(used: Site, teacher: str) -> None:
    """A preview and the page of checks ask the database no more often for thirty bots than for one."""
    counts: dict[str, list[int]] = {"preview": [], "checks": []}
    asked = [0]

    def count(*_: object) -> None:
        asked[0] += 1

    for files in ({"team-1.py": BOT}, _thirty()):
        place = _send(used, teacher, zipped(files)).headers["location"]
        _api(used, "teacher", zipped(files))
        for name, path in (("preview", place), ("checks", f"/classes/{CLASS}/checks")):
            read(used, path, teacher)
            asked[0] = 0
            event.listen(Engine, "before_cursor_execute", count)
            assert read(used, path, teacher).status_code == 200
            event.remove(Engine, "before_cursor_execute", count)
            counts[name].append(asked[0])
    for few, many in counts.values():
        assert abs(many - few) < 5  # what is kept for some seconds may have been asked for anew by either
