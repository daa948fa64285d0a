"""Bots that would cooperate: what one leaves, the other must not find."""

from __future__ import annotations

import secrets
import socket

from tests.hostile.bots.kit import BREACH, DONE
from tests.hostile.harness import LIMITS, Site, Way
from tests.hostile.host import look
from workers.confinement import Program
from workers.contract import Limits, MatchResult


def roles(place: Site) -> tuple[str, Program, Program, Program]:
    """A secret, the bot that knows it, one that looks for it, and one that does neither."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    secret, limits = secrets.token_hex(7), Limits.model_validate(LIMITS)
    known = {"meeting_port": port, "shared": [str(place.hostile), str(place.hostile / "main.py")]}
    writer = place.program("channels.writer", limits, secret=secret, **known)
    reader = place.program("channels.reader", limits, **known)
    return secret, writer, reader, place.program("honest.honest", limits, place.honest, pause_ms=0)


def check(secret: str, result: MatchResult, *, writer: int | None, reader: int | None) -> None:
    """Both did what they came for, and the reader learned nothing."""
    assert result.forfeits == ()
    told = [use.stderr_head + use.stderr_tail for use in result.seats]
    for seat in (writer, reader):
        assert seat is None or DONE in told[seat]
    if reader is not None:
        assert [line for line in told[reader].splitlines() if BREACH in line or secret in line] == []


def test_nothing_goes_from_one_bot_to_its_opponent(way: Way, place: Site) -> None:
    """In one match: neither by files, sockets, locks, signals, memory, queues, keys nor names."""
    secret, writer, reader, _ = roles(place)
    before = look(place.uids, place.place)
    check(secret, place.pair(writer, reader, way.confinement()), writer=0, reader=1)
    assert look(place.uids, place.place).left_since(before) == {}


def test_nothing_goes_from_one_match_to_the_next(way: Way, place: Site) -> None:
    """A bot that gets the slot of another after it finds nothing of it."""
    secret, writer, reader, honest = roles(place)
    check(secret, place.pair(writer, honest, way.confinement()), writer=0, reader=None)
    check(secret, place.pair(reader, honest, way.confinement()), writer=None, reader=0)
