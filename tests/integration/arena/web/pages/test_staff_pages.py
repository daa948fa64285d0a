"""The staff's pages: what each role is shown, what the buttons do, and how many questions a page asks."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event, select

from arena.coordinator import enrolment, leases, losses, purging, workers
from arena.coordinator import matches as match_work
from arena.core.clock import utc_now
from arena.core.terms import HostState, MatchState, Repeated, Role
from arena.people import administering, users
from arena.planning import local_time
from arena.store import hosts as host_store
from arena.store import worker_keys
from arena.store.models import Host, Match, Repeat, User, WorkerProcess
from arena.store.users import Wanted
from arena.submissions import hosts
from tests.integration.arena.roles import settle, sign_in
from tests.integration.arena.site import Site, start_cup
from tests.integration.arena.world import World, issue_matches
from workers.core.signing import new_key

TROUBLE = "<b>no room</b>"


@pytest.fixture
def parked(site: Site) -> Site:
    """A site whose tournament has two matches that were lost too often, and somebody of every role."""
    start_cup(site)
    _lose_all(site.world)
    settle(site)
    return site


def _lose_all(world: World) -> None:
    never = world.settings.model_copy(update={"max_lost": 0})
    with world.database.transaction() as session:
        messages = issue_matches(session, world.settings)
    for message in messages:
        world.heartbeat(message, "pc-7")
        with world.database.transaction() as session:
            attempt = leases.Attempt((int(message.spec.match),), message.attempt, message.token)
            told = {"host": "pc-7", "trouble": TROUBLE}
            leases.take_in(leases.lost, match_work.WORK, session, [(attempt, told)], never)


def _get(site: Site, path: str, user: str, **headers: str) -> Any:
    return site.client.get(path, headers=sign_in(site, user) | headers)


def _post(site: Site, path: str, user: str, **form: str) -> Any:
    return site.client.post(path, headers=sign_in(site, user), data=form, follow_redirects=False)


def test_parked_matches_are_shown_with_what_befell_them(parked: Site) -> None:
    """Host and reason stand there, not as markup; another organiser sees none of it, nor may they retry."""
    for name in ("staff", "teacher"):
        page = _get(parked, "/staff/errors", name).text
        assert page.count('action="/staff/errors/cup/') == 3
        assert "pc-7" in page
        assert TROUBLE not in page
        assert "&lt;b&gt;no room&lt;/b&gt;" in page
    page = _get(parked, "/staff/errors", "elsewhere").text
    assert "cup" not in page
    assert _post(parked, "/staff/errors/cup/1/retry", "elsewhere").status_code == 403
    assert parked.get("/staff/parked", "elsewhere").json()["items"] == []
    assert parked.get("/staff/parked", "teacher").json()["total"] == 2


def test_matches_are_retried_one_and_all(parked: Site) -> None:
    """One click tries one again, another one all that are left; a third is refused in the reader's words."""
    answer = _post(parked, "/staff/errors/cup/1/retry", "teacher")
    assert (answer.status_code, answer.headers["location"]) == (303, "/staff/errors")
    assert _post(parked, "/staff/errors/cup/retry", "teacher").status_code == 303
    assert {match.state for match in parked.world.matches()} == {MatchState.PENDING}
    refused = parked.client.post(
        "/staff/errors/cup/retry", headers=sign_in(parked, "teacher") | {"Accept-Language": "zh-TW"}
    )
    assert refused.status_code == 409
    assert "「cup」沒有待處理的對局" in refused.text
    assert parked.post("/tournaments/cup/retry", "teacher").status_code == 409
    assert parked.get("/staff/lost", "teacher").json()["total"] == 2


def test_the_queue_says_what_nobody_can_play(parked: Site) -> None:
    """What waits for a language that no host runs is marked; an organiser sees only their own."""
    parked.post("/tournaments/cup/retry", "staff")
    assert parked.get("/staff/queue", "staff").json()["matches"][0]["nobody"] is None
    with parked.world.database.transaction() as session:
        for host in session.query(Host):
            workers.drain(session, parked.world.broker, users.get(session, "staff"), host.name)
    told = parked.get("/staff/queue", "teacher").json()
    assert [(line["tournament"], line["pending"]) for line in told["matches"]] == [("cup", 2)]
    assert "none is there now" in told["matches"][0]["nobody"]
    assert told["players"] == 0
    assert parked.get("/staff/queue", "elsewhere").json()["matches"] == []


@contextmanager
def _questions(world: World) -> Iterator[list[str]]:
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        asked.append(statement)

    event.listen(world.database.engine, "before_cursor_execute", note)
    yield asked
    event.remove(world.database.engine, "before_cursor_execute", note)


def test_lists_ask_as_many_questions_however_long_they_are(parked: Site) -> None:
    """Errors, hosts and users are read in a fixed number of queries."""
    world = parked.world

    def look() -> int:
        with _questions(world) as asked, world.database.transaction() as session:
            staff = users.get(session, "staff")
            found, _ = losses.parked(session, staff, 0, 100)
            assert [loss.match.first.version.bot.name for loss in found]
            workers.list_hosts(session, world.settings, 0, 100)
            administering.list_accounts(session, staff, Wanted(), 0, 100)
        return len(asked)

    before = look()
    start_cup(parked, "second")
    _lose_all(world)
    with world.database.transaction() as session:
        for number in range(5):
            hosts.register(session, f"pc-{number}", {}, 1.0, process=f"slot@pc-{number}")
            users.create_user(session, f"more-{number}", Role.TEAM)
    assert look() <= before + 2  # the second tournament's entries are read with it


def test_a_host_that_drains_takes_nothing_and_says_so(site: Site) -> None:
    """Draining it is told and counted; it is drained once every process says so and nothing is in hand."""
    world = site.world

    def state() -> HostState:
        with world.database.reading() as session:
            return workers.get(session, world.settings, "pc-7").state

    with world.database.transaction() as session:
        hosts.register(session, "pc-7", {"python": "3"}, 1.0, process="slot1@pc-7", version="0.0")
    assert state() == HostState.PRESENT
    assert site.get("/workers/pc-7", "staff").json()["outdated"] is True
    assert _post(site, "/staff/workers/pc-7/drain", "staff").status_code == 303
    assert world.broker.draining == {"pc-7"}
    assert site.post("/workers/pc-7/drain", "staff").status_code == 409
    assert state() == HostState.DRAINING
    with world.database.transaction() as session:
        assert "pc-7" not in {host.name for host in hosts.takers(session, world.settings, "matches")}
        hosts.register(session, "pc-7", {"python": "3"}, 1.0, process="slot1@pc-7", draining=True)
    assert state() == HostState.DRAINED
    assert site.delete("/workers/pc-7", "staff").status_code == 409
    world.broker.away = True
    assert _post(site, "/staff/workers/pc-7/resume", "staff").status_code == 303
    world.broker.away = False
    with world.database.transaction() as session:
        host = host_store.by_name(session, "pc-7")
        assert host is not None
        host.seen_at = host.seen_at.replace(year=2020)
        session.query(WorkerProcess).update({"seen_at": host.seen_at})
    assert state() == HostState.GONE
    assert site.delete("/workers/pc-7", "staff").json()["state"] == "gone"
    assert site.get("/workers/pc-7", "staff").status_code == 404


def test_a_host_is_distrusted_and_purged(parked: Site) -> None:
    """The page names the games that went another way, and says what a purge has done; it needs a reason."""
    world = parked.world
    world.enrol("pc-7")
    with world.database.transaction() as session:
        hosts.register(session, "pc-7", {"python": "3"}, 1.0)
        match = session.scalars(select(Match)).first()
        assert match is not None
        told = {"match_id": match.id, "result_attempt": 1, "played_on": "pc-7", "needs": "", "told": {}}
        told |= {"created_at": utc_now(), "state": MatchState.FINISHED, "differs_at": 4}
        session.add(Repeat(**told, outcome=Repeated.DIFFERENT))
    assert _post(parked, "/staff/workers/pc-7/distrust", "staff").status_code == 303
    page = _get(parked, "/staff/workers", "staff").text
    assert "5% of its games are played again" in page
    assert "from move 5 on" in page
    assert _post(parked, "/staff/workers/pc-7/trust", "staff").status_code == 303
    answer = _post(parked, "/staff/workers/pc-7/purge", "staff", reason=" ")
    assert (answer.status_code, 'name="reason"' in answer.text) == (422, True)
    answer = _post(parked, "/staff/workers/pc-7/purge", "staff", reason="it was changed")
    assert (answer.status_code, "0 of its games are played again" in answer.text) == (200, True)
    with world.database.reading() as session:
        assert worker_keys.enrolled(session) == {}


def test_a_host_is_drained_within_a_limit(parked: Site) -> None:
    """The limit is kept, may be set anew while it drains, and what is none is refused in Chinese."""
    assert _post(parked, "/staff/workers/test-host/drain", "staff", within="90").status_code == 303
    first = parked.get("/workers/test-host", "staff").json()["drain_until"]
    assert first is not None
    assert _post(parked, "/staff/workers/test-host/drain", "staff", within="900.5").status_code == 303
    assert parked.get("/workers/test-host", "staff").json()["drain_until"] > first
    for within in ("-1", "soon", "90000", "nan"):
        answer = parked.client.post(
            "/staff/workers/test-host/drain",
            headers=sign_in(parked, "staff") | {"Accept-Language": "zh-TW"},
            data={"within": within},
        )
        assert (answer.status_code, "請填 0 至 86400 的秒數" in answer.text) == (422, True)
        assert f'name="within" value="{within}"' in answer.text
    assert _post(parked, "/staff/workers/test-host/drain", "staff").status_code == 409


def test_a_share_is_typed_in_percent(parked: Site) -> None:
    """It is set, shown in the form for the next one, and refused out of range."""
    parked.world.enrol("test-host")
    assert _post(parked, "/staff/workers/test-host/distrust", "staff", percent="7").status_code == 303
    assert parked.get("/workers/test-host", "staff").json()["repeat_share"] == 0.07
    assert 'name="percent" value="7"' in _get(parked, "/staff/workers", "staff").text
    for percent in ("101", "-1", "half", "nan"):
        answer = _post(parked, "/staff/workers/test-host/distrust", "staff", percent=percent)
        assert (answer.status_code, f'name="percent" value="{percent}"' in answer.text) == (422, True)
    assert parked.get("/workers/test-host", "staff").json()["repeat_share"] == 0.07


def test_a_host_is_purged_from_a_moment_on(parked: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the arena's zone; while something is left the form stays as it was sent; what is none is refused."""
    seen: list[Any] = []
    purge = purging.purge

    def note(*args: Any) -> Any:
        seen.append(args[-1])
        return purge(*args)._replace(left=3)

    monkeypatch.setattr(purging, "purge", note)
    parked.world.enrol("pc-7")
    with parked.world.database.transaction() as session:
        hosts.register(session, "pc-7", {"python": "3"}, 1.0)
    form = {"reason": "it was changed", "since": "2026-03-01T08:30"}
    answer = _post(parked, "/staff/workers/pc-7/purge", "staff", **form)
    assert (answer.status_code, "3 more are to be" in answer.text) == (200, True)
    zone = local_time.zone_of(parked.world.settings)
    assert seen == [dt.datetime(2026, 3, 1, 8, 30, tzinfo=zone)]
    for value in form.values():
        assert f'value="{value}"' in answer.text
    refused = _post(parked, "/staff/workers/pc-7/purge", "staff", **form | {"since": "yesterday"})
    assert (refused.status_code, "is no moment" in refused.text, len(seen)) == (422, True, 1)


def test_a_host_is_enrolled_and_its_key_revoked(parked: Site) -> None:
    """A code is shown once and is good for one host, with the share that was typed; a key is revoked once."""
    assert "No host is enrolled." in _get(parked, "/staff/workers/keys", "staff").text
    made = _post(parked, "/staff/workers/codes", "staff", laboratory="true", percent="20")
    assert (made.status_code, made.headers["Cache-Control"]) == (200, "no-store")
    (code,) = re.findall(r"arena worker join (\S+) --url http://testserver<", made.text)
    assert code not in _get(parked, "/staff/workers/keys", "staff").text
    with parked.world.database.transaction() as session:
        enrolment.enrol(session, code, "pc-9", new_key().public)
    page = _get(parked, "/staff/workers/keys", "staff").text
    assert "<bdi>pc-9</bdi>" in page
    assert '<td class="num">20%</td>' in page
    assert _post(parked, "/staff/workers/keys/pc-9/revoke", "staff").status_code == 303
    assert parked.get("/worker-keys", "staff").json()["items"][0]["revoked_at"] is not None
    again = _post(parked, "/staff/workers/keys/pc-9/revoke", "staff")
    assert (again.status_code, "no worker host" in again.text) == (404, True)
    trusted = _post(parked, "/staff/workers/codes", "staff", percent="nothing")
    assert "arena worker join" in trusted.text
    refused = _post(parked, "/staff/workers/codes", "staff", laboratory="true", percent="200")
    assert (refused.status_code, "arena worker join" in refused.text) == (422, False)


def test_the_last_administrator_stays(parked: Site) -> None:
    """Neither role nor access of the last one goes; with a second one the first may, and is out at once."""
    role = {"role": "reader"}
    assert _post(parked, "/staff/users/staff/role", "staff", **role).status_code == 409
    parked.post("/users", "staff", json={"name": "second", "role": "admin"})
    assert _post(parked, "/staff/users/staff/disable", "staff").status_code == 409
    assert _post(parked, "/staff/users/second/disable", "staff").status_code == 303
    assert _post(parked, "/staff/users/staff/role", "staff", **role).status_code == 409
    assert _post(parked, "/staff/users/second/enable", "staff").status_code == 303
    assert _post(parked, "/staff/users/second/role", "staff", **role).status_code == 303
    with parked.world.database.reading() as session:
        second: User = users.get(session, "second")
        assert (second.role, second.left_at) == (Role.READER, None)


def test_letting_out_has_one_name(parked: Site) -> None:
    """The summary says what the button says, in Chinese, too."""
    page = _get(parked, "/staff/users/blue", "staff", **{"Accept-Language": "zh-TW"}).text
    summary, _, form = page.partition("/blue/disable")
    assert "停用這位使用者" in summary.rpartition("<summary>")[2]
    assert "停用這位使用者" in form.partition("</form>")[0]


def test_who_is_let_out_is_out_at_once(parked: Site) -> None:
    """Tokens and sessions of somebody who is let out are worthless; a link is made for who is in only."""
    blue = sign_in(parked, "blue")
    assert parked.client.get("/account", headers=blue).status_code == 200
    assert _post(parked, "/staff/users/blue/disable", "staff").status_code == 303
    assert parked.client.get("/account", headers=blue, follow_redirects=False).status_code == 303
    assert parked.get("/me", "blue").status_code == 401
    assert _post(parked, "/staff/users/blue/link", "staff").status_code == 404
    told = parked.get("/users/blue", "staff").json()
    assert (told["tokens"], told["sessions"], told["disabled_at"] is None) == (0, 0, False)
    assert parked.get("/users?disabled=true", "staff").json()["total"] == 1
    assert _post(parked, "/staff/users/blue/enable", "staff").status_code == 303
    assert "/sign-in/link/" in _post(parked, "/staff/users/blue/link", "staff").text


def test_roles_are_not_taken_from_teams_with_members_or_bots(parked: Site) -> None:
    """A team with members keeps its role, and nobody with bots becomes a reader."""
    for name, role in (("red", "organiser"), ("ruby", "organiser"), ("blue", "reader")):
        assert _post(parked, f"/staff/users/{name}/role", "staff", role=role).status_code == 409, name
    assert (
        parked.client.put(
            "/api/v1/users/teacher/role", headers=parked.headers("staff"), json={"role": "reader"}
        ).status_code
        == 200
    )
    assert _get(parked, "/staff", "teacher").status_code == 403


def test_users_are_found(parked: Site) -> None:
    """By a part of the name, the role and the class; what means something to a query means nothing here."""
    for asked, names in (
        ("name=RU", {"ruby"}),
        ("name=%25", set()),
        ("role=organiser", {"teacher", "elsewhere"}),
        ("class_name=7a", {"red", "ruby"}),
        ("name=e&class_name=7a", {"red"}),
    ):
        found = parked.get(f"/users?{asked}", "staff").json()["items"]
        assert {each["name"] for each in found} == names, asked
    assert _get(parked, "/staff/users?role=team&name=%3Cb%3E", "teacher").status_code == 200


def test_storage_is_told(parked: Site) -> None:
    """The sizes of database, tables and folders stand there, with archives that no version refers to."""
    told = parked.get("/staff/storage", "staff").json()
    assert told["database"] > 0
    assert next(each["rows"] for each in told["tables"] if each["name"] == "tournaments") == 1
    archives = next(each for each in told["folders"] if each["name"] == "archives")
    assert archives["known"]
    place = archives["place"]
    with open(f"{place}/{'0' * 64}.zip", "wb") as file:  # noqa: PTH123  (a place as it was told)
        file.write(b"x" * 10)
    again = parked.get("/staff/storage", "staff").json()["folders"]
    unused = next(each for each in again if each["name"] == "archives")
    assert unused["unused_files"] == (archives["unused_files"] or 0) + 1
    assert _get(parked, "/staff/storage", "staff").status_code == 200


def test_checks_are_called_off_and_asked_for_again(parked: Site) -> None:
    """Whoever runs the class does so by a click; what cannot be done is refused."""
    assert parked.submit("red", "red", b"print('again')").status_code == 201
    (waiting,) = parked.get("/staff/checks", "teacher").json()["items"]
    assert (waiting["bot"], waiting["version"], waiting["state"]) == ("red", 2, "pending")
    assert parked.get("/staff/checks", "elsewhere").json()["items"] == []
    assert _post(parked, "/staff/checks/red/2/cancel", "teacher").status_code == 303
    assert _post(parked, "/staff/checks/red/2/cancel", "teacher").status_code == 409
    assert parked.get("/staff/checks?over=true", "teacher").json()["items"][0]["state"] == "cancelled"
    assert _post(parked, "/staff/checks/red/2/again", "teacher").status_code == 303
    assert _get(parked, "/staff/checks", "teacher").text.count("/staff/checks/red/2/cancel") == 1
