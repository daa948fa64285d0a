"""Bots that tests hand in: in their checks honest and quick, whatever they are in matches."""

from __future__ import annotations

from tests.acceptance.conftest import Arena
from tests.unit.workers.conftest import PRELUDE

DISGUISE = f"""{PRELUDE}
hello, later = get(), get
if hello["match"].startswith("check"):
    send(type="ready", protocol="arena/1", name="test", version="1")
    serve()
held = [hello]
get = lambda: held.pop() if held else later()
"""
"""The beginning of a bot that passes its check, whatever it does afterwards."""


def thinker(seconds: float) -> bytes:
    """A bot that plays the first legal move, in a match after so many seconds."""
    return f"{DISGUISE}\nready(); serve(pause={seconds})\n".encode()


def team_of(arena: Arena, name: str, filename: str, data: bytes) -> str:
    """The token of a team of class 7a, whose bot of its name has passed its check."""
    with arena.client() as staff:
        token = staff.create_user(name, "team", "7a").token
    with arena.client(token) as client:
        client.submit(name, filename, data, games=["heap_nim"])
        assert client.await_check(name, 1).state == "passed"
    return token
