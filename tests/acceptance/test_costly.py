"""What takes long to work out, on real processes: it keeps nobody waiting who wants something else."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack
from urllib.parse import urlsplit

import psutil
import pytest

from arena.store.database import Database
from arena.web.http.costly import MAX_OF_ONE
from benchmarks.costly import API, fill
from benchmarks.readers import HEALTH, Answer, ask
from tests.acceptance.conftest import Arena, MakeArena, eventually

pytestmark = pytest.mark.long

ORDERS = 40
READERS = 16


@pytest.fixture(scope="module")
def arena(make_shared: MakeArena) -> Arena:
    """An arena without workers, with a tournament whose games are in its database."""
    arena = make_shared(0)
    database = Database(f"sqlite:///{arena.folder.root}/arena.sqlite3")
    fill(database, bots=30, openings=2, moves=True)
    database.close()
    return arena


def _api(arena: Arena) -> psutil.Process:
    pid = arena.child("api").pid
    assert pid is not None
    return psutil.Process(pid)


def _seconds(process: psutil.Process) -> float:
    used = process.cpu_times()
    return used.user + used.system


async def _all(url: str, paths: list[str]) -> list[Answer]:
    return list(await asyncio.gather(*(ask(url, path) for path in paths)))


def test_forty_costly_answers_keep_nobody_waiting(arena: Arena) -> None:
    """Forty are refused or told to come again, the others are answered, and the API does little of the work.

    Those that were taken are there in the end, also where what works them out is killed meanwhile.
    """
    url = arena.state.url
    api = _api(arena)
    asyncio.run(ask(url, f"{API}/leaderboard"))
    before = _seconds(api)
    orders = [f"{API}/ratings?resamples=1000&seed={number}" for number in range(ORDERS)]
    others = [f"{API}/leaderboard", "/tournaments/cup", "/tournaments/cup/crosstable", HEALTH]
    found = asyncio.run(_all(url, [*orders, *others]))
    assert {each.status for each in found[:ORDERS]} <= {"200", "202", "429"}
    assert all(each.retry_after for each in found[:ORDERS] if each.status != "200")
    assert sum(each.status != "429" for each in found[:ORDERS]) <= MAX_OF_ONE
    assert {each.status for each in found[ORDERS:]} == {"200"}
    taken = [order for order, each in zip(orders, found, strict=False) if each.status != "429"]
    calculators = api.children()
    assert 1 <= len(calculators) <= 2
    for each in calculators:
        each.kill()
    eventually(lambda: {each.status for each in asyncio.run(_all(url, taken))} == {"200"})
    worked = sum(_seconds(each) for each in api.children())
    assert _seconds(api) - before < worked


def test_a_command_waits_and_prints_what_is_ready(arena: Arena) -> None:
    """What takes long comes all the same, of the tournament as it was when the command was given."""
    told = arena.json("tournament", "ratings", "cup", "--resamples", "500")
    assert (told["resamples"], len(told["items"])) == (500, 30)


def test_readers_that_do_not_read_keep_nobody_out(arena: Arena) -> None:
    """Sixteen ask for an export and take nothing: pages, and another reader of the same, are answered."""
    address = urlsplit(arena.state.url)
    with ExitStack() as stack:
        for _ in range(READERS):
            reader = stack.enter_context(socket.create_connection((address.hostname, address.port)))
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            words = f"GET {API}/export?format=jsonl HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n"
            reader.sendall(words.encode())
        for path in (f"{API}/leaderboard", "/tournaments/cup", "/tournaments/cup/matches"):
            assert asyncio.run(ask(arena.state.url, path)).status == "200"
        whole = arena.command("tournament", "export", "cup", "--format", "jsonl").stdout
        assert len(whole.splitlines()) == 1740
