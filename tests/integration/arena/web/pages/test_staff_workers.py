"""The staff's page of worker hosts: drained, distrusted, purged, enrolled."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from sqlalchemy import select

from arena.coordinator import enrolment, purging, workers
from arena.core.clock import utc_now
from arena.core.terms import HostState, MatchState, Repeated
from arena.planning import local_time
from arena.store import hosts as host_store
from arena.store import worker_keys
from arena.store.models import Match, Repeat, WorkerProcess
from arena.submissions import hosts
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import Site
from tests.integration.arena.web.pages.staffing import get, parked, post
from workers.core.signing import new_key

__all__ = ["parked"]


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
    assert post(site, "/staff/workers/pc-7/drain", "staff").status_code == 303
    assert world.broker.draining == {"pc-7"}
    assert site.post("/workers/pc-7/drain", "staff").status_code == 409
    assert state() == HostState.DRAINING
    with world.database.transaction() as session:
        assert "pc-7" not in {host.name for host in hosts.takers(session, world.settings, "matches")}
        hosts.register(session, "pc-7", {"python": "3"}, 1.0, process="slot1@pc-7", draining=True)
    assert state() == HostState.DRAINED
    assert site.delete("/workers/pc-7", "staff").status_code == 409
    world.broker.away = True
    assert post(site, "/staff/workers/pc-7/resume", "staff").status_code == 303
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
    assert post(parked, "/staff/workers/pc-7/distrust", "staff").status_code == 303
    page = get(parked, "/staff/workers", "staff").text
    assert "5% of its games are played again" in page
    assert "from move 5 on" in page
    assert post(parked, "/staff/workers/pc-7/trust", "staff").status_code == 303
    answer = post(parked, "/staff/workers/pc-7/purge", "staff", reason=" ")
    assert (answer.status_code, 'name="reason"' in answer.text) == (422, True)
    answer = post(parked, "/staff/workers/pc-7/purge", "staff", reason="it was changed")
    assert (answer.status_code, "0 of its games are played again" in answer.text) == (200, True)
    with world.database.reading() as session:
        assert worker_keys.enrolled(session) == {}


def test_a_host_is_drained_within_a_limit(parked: Site) -> None:
    """The limit is kept, may be set anew while it drains, and what is none is refused in Chinese."""
    assert post(parked, "/staff/workers/test-host/drain", "staff", within="90").status_code == 303
    first = parked.get("/workers/test-host", "staff").json()["drain_until"]
    assert first is not None
    assert post(parked, "/staff/workers/test-host/drain", "staff", within="900.5").status_code == 303
    assert parked.get("/workers/test-host", "staff").json()["drain_until"] > first
    for within in ("-1", "soon", "90000", "nan"):
        answer = parked.client.post(
            "/staff/workers/test-host/drain",
            headers=sign_in(parked, "staff") | {"Accept-Language": "zh-TW"},
            data={"within": within},
        )
        assert (answer.status_code, "請填 0 至 86400 的秒數" in answer.text) == (422, True)
        assert f'name="within" value="{within}"' in answer.text
    assert post(parked, "/staff/workers/test-host/drain", "staff").status_code == 409


def test_a_share_is_typed_in_percent(parked: Site) -> None:
    """It is set, shown in the form for the next one, and refused out of range."""
    parked.world.enrol("test-host")
    assert post(parked, "/staff/workers/test-host/distrust", "staff", percent="7").status_code == 303
    assert parked.get("/workers/test-host", "staff").json()["repeat_share"] == 0.07
    assert 'name="percent" value="7"' in get(parked, "/staff/workers", "staff").text
    for percent in ("101", "-1", "half", "nan"):
        answer = post(parked, "/staff/workers/test-host/distrust", "staff", percent=percent)
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
    answer = post(parked, "/staff/workers/pc-7/purge", "staff", **form)
    assert (answer.status_code, "3 more are to be" in answer.text) == (200, True)
    zone = local_time.zone_of(parked.world.settings)
    assert seen == [dt.datetime(2026, 3, 1, 8, 30, tzinfo=zone)]
    for value in form.values():
        assert f'value="{value}"' in answer.text
    refused = post(parked, "/staff/workers/pc-7/purge", "staff", **form | {"since": "yesterday"})
    assert (refused.status_code, "is no moment" in refused.text, len(seen)) == (422, True, 1)


def test_a_host_is_enrolled_and_its_key_revoked(parked: Site) -> None:
    """A code is shown once and is good for one host, with the share that was typed; a key is revoked once."""
    assert "No host is enrolled." in get(parked, "/staff/workers/keys", "staff").text
    made = post(parked, "/staff/workers/codes", "staff", laboratory="true", percent="20")
    assert (made.status_code, made.headers["Cache-Control"]) == (200, "no-store")
    (code,) = re.findall(r"arena worker join (\S+) --url http://testserver<", made.text)
    assert code not in get(parked, "/staff/workers/keys", "staff").text
    with parked.world.database.transaction() as session:
        enrolment.enrol(session, code, "pc-9", new_key().public)
    page = get(parked, "/staff/workers/keys", "staff").text
    assert "<bdi>pc-9</bdi>" in page
    assert '<td class="num">20%</td>' in page
    assert post(parked, "/staff/workers/keys/pc-9/revoke", "staff").status_code == 303
    assert parked.get("/worker-keys", "staff").json()["items"][0]["revoked_at"] is not None
    again = post(parked, "/staff/workers/keys/pc-9/revoke", "staff")
    assert (again.status_code, "no worker host" in again.text) == (404, True)
    trusted = post(parked, "/staff/workers/codes", "staff", percent="nothing")
    assert "arena worker join" in trusted.text
    refused = post(parked, "/staff/workers/codes", "staff", laboratory="true", percent="200")
    assert (refused.status_code, "arena worker join" in refused.text) == (422, False)
