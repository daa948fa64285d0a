"""The recorder: reports of any shape, many at once, and a database that is away for a moment."""

from __future__ import annotations

import datetime as dt
import json
import threading
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any, cast

import pytest
import redis
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError, InternalError, OperationalError
from sqlalchemy.orm import Session
from structlog.testing import capture_logs

from arena.coordinator import checks, leases, matches, recorder, workers
from arena.coordinator.broker import ChunkMessage, Message
from arena.coordinator.inbox import Delivery, Inbox
from arena.coordinator.recorder import Recorder
from arena.core.clock import utc_now
from arena.store import counters, set_aside
from arena.store import hosts as host_store
from arena.store.models import Check, Event, Match, Result
from arena.submissions import checks as service
from arena.submissions import hosts, versions
from arena.tournaments import audit, lifecycle
from tests.integration.arena.lab import Lab, played
from tests.integration.arena.late import late
from tests.integration.arena.world import World, issue_matches, play
from workers.app import (
    CHECK_HEARTBEAT,
    CHECK_LOST,
    CHECKED,
    CHUNK,
    CHUNK_HEARTBEAT,
    CHUNK_LOST,
    HEARTBEAT,
    HOST,
    LOST,
    RECORD,
    SET_ASIDE,
)
from workers.core.contract import MatchResult
from workers.core.poison import PoisonError, Unfit
from workers.host.drains import Drains
from workers.host.refusals import Refusals


@pytest.fixture
def message(world: World) -> Message:
    """A published match."""
    world.tournament(bots=2)
    with world.database.transaction() as session:
        (published, *_) = issue_matches(session, world.settings)
    return published


ENROLLED = {"far-away": "far-away", "pc-7": "pc-7"}
"""The hosts, each with its name for a key."""


class FakeRefusals:
    """Remembers whom it was told to refuse, and is away when told so."""

    def __init__(self) -> None:
        self.tokens: list[str] = []
        self.away = False

    def refuse(self, token: str) -> None:
        """Remember it."""
        if self.away:
            raise redis.ConnectionError("away")
        self.tokens.append(token)


class FakeDrains:
    """Remembers which hosts it was told to drain or not, and is away when told so."""

    def __init__(self) -> None:
        self.told: list[tuple[str, bool]] = []
        self.away = False

    def tell(self, host: str, *, draining: bool) -> None:
        """Remember it."""
        if self.away:
            raise redis.ConnectionError("away")
        self.told.append((host, draining))


def recorder_of(
    world: World,
    refusals: FakeRefusals | None = None,
    database: Any = None,
    drains: FakeDrains | None = None,
) -> Recorder:
    """A recorder of that world, or on another database."""
    told = cast("Refusals", refusals or FakeRefusals()), cast("Drains", drains or FakeDrains())
    return Recorder(database or world.database, world.settings, *told, lambda _: ENROLLED)


def delivery(task: str, **told: Any) -> Delivery:
    """A report as it comes out of its queue."""
    host, body = told.get("host"), b64encode(json.dumps([[], told, {}]).encode()).decode()
    return Delivery("results", b"", task, body, host if isinstance(host, str) else "far-away")


def tell(world: World, task: str, **told: Any) -> None:
    """Have the recorder take in a single report."""
    recorder_of(world).take_in([delivery(task, **told)])


def _about(message: Message) -> dict[str, Any]:
    about = {"match": message.spec.match, "attempt": message.attempt, "token": message.token}
    return {**about, "host": "far-away"}


def _result(message: Message, result: MatchResult | None = None, **changes: Any) -> Delivery:
    told = (result or play(message.spec)).model_dump(mode="json")
    return delivery(RECORD, **{**_about(message), "result": told, **changes})


def test_reports_of_a_check_are_taken_in(world: World, message: Message) -> None:
    """A heartbeat makes a check running; one that is lost or does not fit puts it back."""
    del message
    with world.database.transaction() as session:
        version = versions.get_version(session, world.bot(session, "comet"))
        service.begin(session, version)
        number = version.id
    for report in ("lost", "unfit"):
        with world.database.transaction() as session:
            (check,) = leases.issue(checks.WORK, session, world.settings)
        about = {
            "check": check.spec.check,
            "attempt": check.attempt,
            "token": check.token,
            "host": "far-away",
        }
        tell(world, CHECK_HEARTBEAT, **about)
        assert _check(world, number).state == "running"
        if report == "lost":
            tell(world, CHECK_LOST, **about, trouble="no room")
        else:
            tell(world, CHECKED, **about, report={"passed": True})
        assert _check(world, number).state == "pending"
    assert _check(world, number).lost == 2


def _check(world: World, number: int) -> Check:
    with world.database.reading() as session:
        return session.scalars(select(Check).where(Check.version_id == number)).one()


def test_a_host_is_registered(world: World, message: Message) -> None:
    """What a host says is kept; what is no registration is logged, and changes nothing."""
    del message
    told = {"host": "far-away", "languages": {"go": "go 1.22"}, "cores": 3}
    for number in (1, 2):
        tell(world, HOST, **told, speed=1.5, process=f"worker-{number}@far-away", takes=["matches"])
    tell(world, HOST, **told, speed=None, process="checker@far-away", takes=["checks"])
    for wrong in ({"languages": {"go": 7}}, {"languages": {}, "speed": -1}, {"languages": {}, "host": ""}):
        tell(world, HOST, **{"host": "far-away", **wrong})
    with world.database.reading() as session:
        found = hosts.versions(session, world.settings)
        slots = hosts.slots(session, world.settings)
        checking = hosts.takers(session, world.settings, "checks")
    assert {(host.name, host.speed, count) for host, count in slots.items()} == {
        ("far-away", 1.5, 2),
        ("test-host", 1.0, 1),
    }
    assert {host.name: count for host, count in checking.items()} == {"far-away": 1, "test-host": 1}
    assert (found["go"], found["python"]) == (["go 1.22"], ["Python 3.11"])


def test_reports_are_taken_in(world: World, message: Message) -> None:
    """A heartbeat makes a match running, a result makes it finished."""
    tell(world, HEARTBEAT, **_about(message))
    assert (world.match().state, world.match().host) == ("running", "far-away")
    tell(world, RECORD, **_about(message), result=play(message.spec).model_dump(mode="json"))
    assert world.match().state == "finished"


def test_who_gives_signs_of_life_in_vain_is_told(world: World, message: Message) -> None:
    """A refused heartbeat is answered through the broker, once it can be; other reports are not."""
    refusals = FakeRefusals()
    recorder = recorder_of(world, refusals)
    heartbeat = delivery(HEARTBEAT, **_about(message))
    recorder.take_in([heartbeat])
    assert refusals.tokens == []
    with world.database.transaction() as session:
        lifecycle.cancel(session, world.staff, world.get(session))
    refusals.away = True
    recorder.take_in([heartbeat])
    refusals.away = False
    recorder.take_in([_result(message)])
    assert refusals.tokens == []
    recorder.take_in([heartbeat, delivery(HEARTBEAT, **{**_about(message), "match": 99})])
    assert refusals.tokens == [message.token] * 2


def test_a_match_of_a_stopped_worker_is_put_back(world: World, message: Message) -> None:
    """It is to be played again, and nothing is held against it."""
    tell(world, HEARTBEAT, **_about(message))
    tell(world, LOST, **_about(message), trouble="the worker was stopped", stopped=True)
    match = world.match()
    assert (match.state, match.lost, match.trouble) == ("pending", 0, None)


def test_a_lost_match_is_pending_again(world: World, message: Message) -> None:
    """A worker's trouble puts the match back and is kept."""
    tell(world, LOST, **_about(message), trouble="no room")
    assert (world.match().state, world.match().trouble) == ("pending", "far-away: no room")


@pytest.mark.parametrize(
    "changes",
    [
        {"match": "cup"},
        {"match": 2**80},
        {"match": "7 or 1=1"},
        {"attempt": -1},
        {"attempt": None},
        {"token": 7},
        {"token": None},
        {"host": ["x"]},
        {"extra": 1},
    ],
    ids=str,
)
def test_malformed_reports_are_logged_and_change_nothing(
    world: World, message: Message, changes: dict[str, Any]
) -> None:
    """Whatever a report says, the recorder goes on."""
    tell(world, HEARTBEAT, **{**_about(message), **changes})
    tell(world, RECORD, **_about(message), result=None)
    tell(world, LOST)
    assert _set_aside(world) == ["form"] * 3
    assert world.match().state == "published"


def _set_aside(world: World) -> list[str]:
    """Why each was set aside, the newest first."""
    with world.database.reading() as session:
        return [each.why for each in session.scalars(set_aside.newest())]


def test_what_is_set_aside_is_counted_and_bounded(
    world: World, message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what is no report only the newest is kept, numbered by how much there was; the rest is taken in."""
    monkeypatch.setattr(recorder, "KEPT", 3)
    poison = PoisonError(Unfit.NO_JSON, "x" * 1000 + "\0")
    found = [Delivery("results", b"\xff\0" * 1000, "", "", poison=poison) for _ in range(5)]
    beat = delivery(HEARTBEAT, **_about(message))
    assert recorder_of(world).take_in([*found, delivery("arena.nothing"), beat]) == []
    assert (world.match().state, poison.__traceback__) == ("running", None), "all that was read would stay"
    with world.database.reading() as session:
        rows = session.scalars(set_aside.newest()).all()
        assert [(each.id, each.why, each.size) for each in rows][:2] == [(6, "task", 0), (5, "no_json", 2000)]
        assert (len(rows), set_aside.total(session)) == (3, 6)


def test_what_a_worker_set_aside_is_kept(world: World, message: Message) -> None:
    """It comes as a report with the host that found it."""
    del message
    told = {"queue": "matches.c", "why": "shape", "detail": "no object", "size": 7, "head": "[1,2,3]"}
    tell(world, SET_ASIDE, host="far-away", **told)
    tell(world, SET_ASIDE, host="far-away", **{**told, "why": "for fun"})
    with world.database.reading() as session:
        own, theirs = session.scalars(set_aside.newest()).all()
        assert (theirs.host, theirs.queue, theirs.why, theirs.size) == ("far-away", "matches.c", "shape", 7)
        assert (own.host, own.why) == (None, "form")


@pytest.fixture
def chunk(world: World, message: Message) -> ChunkMessage:
    """A published chunk of an experiment."""
    del message
    lab = Lab(world)
    lab.create(games=20)
    (published,) = lab.issue()
    return published


def _about_chunk(chunk: ChunkMessage) -> dict[str, Any]:
    about = {"experiment": chunk.experiment, "start": chunk.start, "attempt": chunk.attempt}
    return {**about, "token": chunk.token, "host": "far-away"}


def test_reports_of_chunks_are_taken_in(world: World, chunk: ChunkMessage) -> None:
    """A heartbeat makes a chunk running, a loss puts it back, and counts make an experiment finished."""
    lab = Lab(world)
    tell(world, CHUNK_HEARTBEAT, **_about_chunk(chunk))
    assert (lab.chunks()[0].state, lab.chunks()[0].host) == ("running", "far-away")
    tell(world, CHUNK_LOST, **_about_chunk(chunk), trouble="no room")
    assert (lab.chunks()[0].state, lab.get().trouble) == ("pending", "far-away: no room")
    (again,) = lab.issue()
    blocks = [block.model_dump(mode="json") for block in played(again)]
    tell(world, CHUNK, **_about_chunk(again), blocks=blocks, elapsed_ns=10**9)
    assert (lab.get().state, lab.get().done) == ("finished", 20)


@pytest.mark.parametrize(
    "changes",
    [{"experiment": 0}, {"start": -1}, {"start": 2**80}, {"blocks": None}, {"elapsed_ns": -1}, {"match": 1}],
    ids=str,
)
def test_malformed_reports_of_chunks_change_nothing(
    world: World, chunk: ChunkMessage, changes: dict[str, Any]
) -> None:
    """Whatever a report says, the recorder goes on."""
    blocks = [block.model_dump(mode="json") for block in played(chunk)]
    tell(world, CHUNK, **{**_about_chunk(chunk), "blocks": blocks, "elapsed_ns": 1, **changes})
    assert _set_aside(world) == ["form"]
    assert Lab(world).chunks()[0].state == "published"


class Flaky:
    """A database that is away for the first `times` transactions."""

    def __init__(self, world: World, times: int, kind: type[DBAPIError] = OperationalError) -> None:
        self.world = world
        self.times = times
        self.kind = kind

    def transaction(self) -> AbstractContextManager[Session]:
        """Fail, or begin."""
        self.times -= 1
        if self.times >= 0:
            raise self.kind("BEGIN", {}, RuntimeError("the database is away"))
        return self.world.database.transaction()

    def reading(self) -> AbstractContextManager[Session]:
        """Begin."""
        return self.world.database.reading()


class FakeInbox:
    """Deliveries in memory; whoever finds none is told to stop."""

    def __init__(self, stop: threading.Event, *deliveries: Delivery) -> None:
        self.stop, self.deliveries = stop, list(deliveries)

    def wait(self) -> None:
        """Nothing more comes."""
        self.stop.set()

    def oldest(self, most: int) -> list[Delivery]:
        """The deliveries that are left."""
        return self.deliveries[:most]

    def remove(self, deliveries: Sequence[Delivery], held: Sequence[Delivery]) -> None:
        """Forget these, but put by what is held."""
        self.deliveries = [each for each in self.deliveries if each not in deliveries] + [*held]


@pytest.mark.parametrize("kind", [OperationalError, InternalError], ids=["away", "read-only"])
def test_reports_stay_until_they_are_taken_in(
    world: World, message: Message, monkeypatch: pytest.MonkeyPatch, kind: type[DBAPIError]
) -> None:
    """A result that arrives while the database is away, or takes no writes, is recorded when it is back."""
    monkeypatch.setattr(recorder, "PAUSE_SECONDS", 0)
    stop = threading.Event()
    inbox = FakeInbox(stop, _result(message))
    recorder_of(world, database=Flaky(world, 2, kind)).run(cast("Inbox", inbox), stop)
    assert (world.match().state, inbox.deliveries) == ("finished", [])


def test_reports_that_cannot_be_taken_in_spoil_no_others(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one of many fails in a way that nobody foresaw, it is logged and the others are recorded."""
    messages = _published(world)
    fit, bad = matches.WORK.fit, int(messages[1].spec.match)

    def fails(row: Match, report: dict[str, Any]) -> MatchResult:
        if row.id == bad:
            raise ZeroDivisionError
        return fit(row, report)

    monkeypatch.setattr(matches.WORK, "fit", fails)
    with capture_logs() as logs:
        recorder_of(world).take_in(map(_result, messages))
    assert [each["match"] for each in logs if each["event"] == "a report cannot be taken in"] == [bad]
    states = {match.id: str(match.state) for match in world.matches()}
    assert states == {id_: "published" if id_ == bad else "finished" for id_ in states}
    assert _verified(world)


def _published(world: World, bots: int = 4) -> list[Message]:
    """All matches of two tournaments."""
    for name in ("cup", "other"):
        world.tournament(name, bots=bots)
    with world.database.transaction() as session:
        return issue_matches(session, world.settings.model_copy(update={"window": 1000}))


def _verified(world: World) -> bool:
    with world.database.reading() as session:
        return not any(audit.verify(session, world.get(session, name)) for name in ("cup", "other"))


def test_many_reports_at_once_are_taken_in_as_one_by_one(sqlite_world: Callable[[], World]) -> None:
    """Results that fit, come twice, are late, void or unfit come to the same tables in any batches."""
    told = []
    for size in (1, 7, 1000):
        world = sqlite_world()
        messages = _published(world)
        deliveries = [delivery(HEARTBEAT, **_about(each)) for each in messages]
        deliveries += [_result(each) for each in messages[5:]] * 2
        deliveries += [_result(messages[0], token=messages[1].token), _result(messages[1])]
        deliveries += [_result(messages[2], late(messages[2].spec)), _result(messages[3], match=99)]
        deliveries += [
            delivery(RECORD, **_about(messages[4]), result={"winner": 0}),
            delivery("arena.unknown"),
        ]
        deliveries += [delivery(LOST, **_about(messages[3]), trouble="no room")]
        for at in range(0, len(deliveries), size):
            recorder_of(world).take_in(deliveries[at : at + size])
        assert _verified(world)
        told.append(_everything(world))
    assert told[0] == told[1] == told[2]


def _everything(world: World) -> list[Any]:
    """The state of all matches, what was counted, and how often everything happened."""
    states = [(each.id, each.state, each.attempt, each.lost, each.refused) for each in world.matches()]
    with world.database.reading() as session:
        kinds = Counter((row.kind, row.match_id) for row in session.scalars(select(Event)))
        cups = [world.get(session, name) for name in ("cup", "other")]
        counts = [(each.matches_total, each.matches_finished, each.revision) for each in cups]
    return [states, kinds, counts, world.leaderboard(), world.leaderboard("other")]


def test_two_recorders_do_no_harm(world: World) -> None:
    """The same reports, taken in by two at once and in different orders, count once."""
    deliveries = [_result(each) for each in _published(world)]
    barrier = threading.Barrier(2)

    def take(order: int) -> None:
        barrier.wait()
        for at in range(0, len(deliveries), 4):
            left = deliveries[at : at + 4][::order]
            while left:
                left = recorder_of(world).take_in(left)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(take, (1, -1)))
    assert {str(match.state) for match in world.matches()} == {"finished"}
    assert {match.refused for match in world.matches()} == {0}
    assert _verified(world)


def test_a_host_that_drains_and_should_not_is_told_so(world: World) -> None:
    """What a host says of itself is compared with what the staff wants; a broker that is away is no harm."""
    drains = FakeDrains()
    host = {"host": "pc-7", "languages": {"python": "3.12"}, "process": "slot1@pc-7"}

    def say(*, draining: bool) -> None:
        told = delivery(HOST, **host, draining=draining, version="1.2")
        assert recorder_of(world, drains=drains).take_in([told]) == []

    say(draining=False)
    assert drains.told == []
    with world.database.transaction() as session:
        workers.drain(session, world.broker, world.staff, "pc-7")
    say(draining=False)
    say(draining=True)
    assert drains.told == [("pc-7", True)]
    with world.database.transaction() as session:
        workers.resume(session, world.broker, world.staff, "pc-7")
    drains.away = True
    say(draining=True)
    drains.away = False
    say(draining=True)
    assert drains.told == [("pc-7", True), ("pc-7", False)]
    with world.database.reading() as session:
        process = host_store.processes_of(session, ["pc-7"])[0]
        assert (process.version, process.draining) == ("1.2", True)


def test_only_what_an_enrolled_host_has_signed_counts(world: World, message: Message) -> None:
    """Results that nobody, a stranger or another host has signed change nothing, and are counted."""
    for signer in (None, "a stranger's key", "pc-7"):
        recorder_of(world).take_in([_result(message)._replace(signer=signer)])
    recorder_of(world).take_in([_result(message)._replace(signer=None, body="nobody looks at it")])
    assert _set_aside(world) == ["signature"] * 4
    assert world.match().state == "published"
    recorder_of(world).take_in([_result(message)])
    assert world.match().state == "finished"


def test_a_result_is_of_who_has_signed_it(world: World, message: Message) -> None:
    """Whatever host the result itself names, also where the match was not known to have begun."""
    recorder_of(world).take_in([_result(message, play(message.spec).model_copy(update={"host": "pc-7"}))])
    with world.database.reading() as session:
        result = session.scalars(select(Result)).one()
        assert (world.match().host, result.host) == ("far-away", "far-away")


def test_a_sign_of_life_counts_once(world: World, message: Message) -> None:
    """One that was read in the broker and is sent again renews no lease; each attempt begins anew."""
    first, second = (delivery(HEARTBEAT, **_about(message), beat=beat) for beat in (1, 2))
    recorder_of(world).take_in([first, second])
    with world.database.transaction() as session:
        match = session.get_one(Match, int(message.spec.match))
        match.lease_until = before = utc_now() - dt.timedelta(hours=1)
    recorder_of(world).take_in([first, second])
    assert (world.match().lease_until, world.match().refused) == (before, 0)
    tell(world, HEARTBEAT, **_about(message), beat=3)
    assert world.match().lease_until != before
    tell(world, LOST, **_about(message), trouble="no room")
    with world.database.transaction() as session:
        (again,) = issue_matches(session, world.settings)
    tell(world, HEARTBEAT, **_about(again), beat=1)
    assert world.match().state == "running"


def test_only_the_host_that_has_claimed_a_match_is_listened_to(world: World, message: Message) -> None:
    """Another enrolled host, which has read the token, is refused and counted; the first one goes on."""
    refusals = FakeRefusals()
    taker, other = _about(message), _about(message) | {"host": "pc-7"}
    recorder = recorder_of(world, refusals)
    recorder.take_in([delivery(HEARTBEAT, **taker), delivery(HEARTBEAT, **other)])
    recorder.take_in([delivery(LOST, **other, trouble="no"), _result(message, host="pc-7")])
    assert (world.match().state, world.match().host, world.match().refused) == ("running", "far-away", 3)
    assert refusals.tokens == []
    with world.database.reading() as session:
        assert counters.counts(session)["refused"] == {"matches": 3}
    recorder.take_in([_result(message)])
    assert world.match().state == "finished"
