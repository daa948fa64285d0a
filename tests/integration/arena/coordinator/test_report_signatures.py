"""Whose reports the recorder believes, and what it sets aside."""

from __future__ import annotations

import datetime as dt

import pytest
from sqlalchemy import select

from arena.coordinator import recorder
from arena.coordinator.inbox import Delivery
from arena.coordinator.messages import Message
from arena.core.clock import utc_now
from arena.store import counters, set_aside
from arena.store.models import Match, Result
from tests.integration.arena.coordinator.reporting import (
    FakeRefusals,
    about_match,
    delivery,
    reasons_set_aside,
    recorder_of,
    result_of,
    tell,
)
from tests.integration.arena.world import World, issue_matches, play
from workers.app import HEARTBEAT, LOST, SET_ASIDE
from workers.core.poison import PoisonError, Unfit


def test_what_is_set_aside_is_counted_and_bounded(
    world: World, message: Message, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what is no report only the newest is kept, numbered by how much there was; the rest is taken in."""
    monkeypatch.setattr(recorder, "KEPT", 3)
    poison = PoisonError(Unfit.NO_JSON, "x" * 1000 + "\0")
    found = [Delivery("results", b"\xff\0" * 1000, "", "", poison=poison) for _ in range(5)]
    beat = delivery(HEARTBEAT, **about_match(message))
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


def test_only_what_an_enrolled_host_has_signed_counts(world: World, message: Message) -> None:
    """Results that nobody, a stranger or another host has signed change nothing, and are counted."""
    for signer in (None, "a stranger's key", "pc-7"):
        recorder_of(world).take_in([result_of(message)._replace(signer=signer)])
    recorder_of(world).take_in([result_of(message)._replace(signer=None, body="nobody looks at it")])
    assert reasons_set_aside(world) == ["signature"] * 4
    assert world.match().state == "published"
    recorder_of(world).take_in([result_of(message)])
    assert world.match().state == "finished"


def test_a_result_is_of_who_has_signed_it(world: World, message: Message) -> None:
    """Whatever host the result itself names, also where the match was not known to have begun."""
    recorder_of(world).take_in([result_of(message, play(message.spec).model_copy(update={"host": "pc-7"}))])
    with world.database.reading() as session:
        result = session.scalars(select(Result)).one()
        assert (world.match().host, result.host) == ("far-away", "far-away")


def test_a_sign_of_life_counts_once(world: World, message: Message) -> None:
    """One that was read in the broker and is sent again renews no lease; each attempt begins anew."""
    first, second = (delivery(HEARTBEAT, **about_match(message), beat=beat) for beat in (1, 2))
    recorder_of(world).take_in([first, second])
    with world.database.transaction() as session:
        match = session.get_one(Match, int(message.spec.match))
        match.lease_until = before = utc_now() - dt.timedelta(hours=1)
    recorder_of(world).take_in([first, second])
    assert (world.match().lease_until, world.match().refused) == (before, 0)
    tell(world, HEARTBEAT, **about_match(message), beat=3)
    assert world.match().lease_until != before
    tell(world, LOST, **about_match(message), trouble="no room")
    with world.database.transaction() as session:
        (again,) = issue_matches(session, world.settings)
    tell(world, HEARTBEAT, **about_match(again), beat=1)
    assert world.match().state == "running"


def test_only_the_host_that_has_claimed_a_match_is_listened_to(world: World, message: Message) -> None:
    """Another enrolled host, which has read the token, is refused and counted; the first one goes on."""
    refusals = FakeRefusals()
    taker, other = about_match(message), about_match(message) | {"host": "pc-7"}
    recorder = recorder_of(world, refusals)
    recorder.take_in([delivery(HEARTBEAT, **taker), delivery(HEARTBEAT, **other)])
    recorder.take_in([delivery(LOST, **other, trouble="no"), result_of(message, host="pc-7")])
    assert (world.match().state, world.match().host, world.match().refused) == ("running", "far-away", 3)
    assert refusals.tokens == []
    with world.database.reading() as session:
        assert counters.counts(session)["refused"] == {"matches": 3}
    recorder.take_in([result_of(message)])
    assert world.match().state == "finished"
