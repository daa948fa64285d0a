"""The staff's pages: what each role is shown, what the buttons do, and how many questions a page asks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from arena.coordinator import losses, workers
from arena.core.terms import MatchState, Role
from arena.people import administering, users
from arena.store.models import Host
from arena.store.users import Wanted
from arena.submissions import hosts
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import Site, start_cup
from tests.integration.arena.web.pages.staffing import TROUBLE, get, lose_all, parked, post
from tests.integration.arena.world import World

__all__ = ["parked"]


def test_parked_matches_are_shown_with_what_befell_them(parked: Site) -> None:
    """Host and reason stand there, not as markup; another organiser sees none of it, nor may they retry."""
    for name in ("staff", "teacher"):
        page = get(parked, "/staff/errors", name).text
        assert page.count('action="/staff/errors/cup/') == 3
        assert "pc-7" in page
        assert TROUBLE not in page
        assert "&lt;b&gt;no room&lt;/b&gt;" in page
    page = get(parked, "/staff/errors", "elsewhere").text
    assert "cup" not in page
    assert post(parked, "/staff/errors/cup/1/retry", "elsewhere").status_code == 403
    assert parked.get("/staff/parked", "elsewhere").json()["items"] == []
    assert parked.get("/staff/parked", "teacher").json()["total"] == 2


def test_matches_are_retried_one_and_all(parked: Site) -> None:
    """One click tries one again, another one all that are left; a third is refused in the reader's words."""
    answer = post(parked, "/staff/errors/cup/1/retry", "teacher")
    assert (answer.status_code, answer.headers["location"]) == (303, "/staff/errors")
    assert post(parked, "/staff/errors/cup/retry", "teacher").status_code == 303
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
    lose_all(world)
    with world.database.transaction() as session:
        for number in range(5):
            hosts.register(session, f"pc-{number}", {}, 1.0, process=f"slot@pc-{number}")
            users.create_user(session, f"more-{number}", Role.TEAM)
    assert look() <= before + 2  # the second tournament's entries are read with it


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
    assert get(parked, "/staff/storage", "staff").status_code == 200


def test_checks_are_called_off_and_asked_for_again(parked: Site) -> None:
    """Whoever runs the class does so by a click; what cannot be done is refused."""
    assert parked.submit("red", "red", b"print('again')").status_code == 201
    (waiting,) = parked.get("/staff/checks", "teacher").json()["items"]
    assert (waiting["bot"], waiting["version"], waiting["state"]) == ("red", 2, "pending")
    assert parked.get("/staff/checks", "elsewhere").json()["items"] == []
    assert post(parked, "/staff/checks/red/2/cancel", "teacher").status_code == 303
    assert post(parked, "/staff/checks/red/2/cancel", "teacher").status_code == 409
    assert parked.get("/staff/checks?over=true", "teacher").json()["items"][0]["state"] == "cancelled"
    assert post(parked, "/staff/checks/red/2/again", "teacher").status_code == 303
    assert get(parked, "/staff/checks", "teacher").text.count("/staff/checks/red/2/cancel") == 1
