"""A worker host with a network, a name and a clock of its own, on this machine."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from arena.supervisor.joining import ENVIRONMENT
from tests.acceptance.conftest import Arena

CLOCK = Path(__file__).with_name("clock.c")
AHEAD_SECONDS = 3600
NAME = "far"
NEEDED = ("cc", "hostname", "ip", "nsenter", "unshare")
QUEUES = "matches,moves,reviews,scrimmages,simulations"
ENDING_SECONDS = 120


class Cable:
    """A pair of network devices, one in a namespace of its own: this machine is `here` to what runs there."""

    def __init__(self) -> None:
        number = os.getpid()
        self.namespace, self._outer = f"arena-{number}", f"av{number}"
        inner, net = f"aw{number}", f"10.{64 + number // 65536 % 64}.{number // 256 % 256}"
        low = number % 64 * 4
        self.here = f"{net}.{low + 1}"
        there = f"{net}.{low + 2}/30"
        _ip("netns", "add", self.namespace)
        try:
            self._lay(inner, there)
        except subprocess.CalledProcessError:
            self.remove()
            raise

    def _lay(self, inner: str, there: str) -> None:
        """Make both ends, of which that in the namespace goes with it, and give them their addresses."""
        _ip("link", "add", self._outer, "type", "veth", "peer", "name", inner, "netns", self.namespace)
        _ip("addr", "add", f"{self.here}/30", "dev", self._outer)
        _ip("link", "set", self._outer, "up")
        for words in (
            ("link", "set", "lo", "up"),
            ("addr", "add", there, "dev", inner),
            ("link", "set", inner, "up"),
        ):
            _ip("-n", self.namespace, *words)

    def cut(self) -> None:
        """Nothing passes any more, and nobody is told."""
        _ip("link", "set", self._outer, "down")

    def mend(self) -> None:
        """Everything passes as before."""
        _ip("link", "set", self._outer, "up")

    def remove(self) -> None:
        """Take it away with its namespace."""
        _ip("netns", "delete", self.namespace)


@contextmanager
def cable() -> Iterator[Cable]:
    """A cable; skips the test where none may be laid."""
    if os.geteuid() or not all(map(shutil.which, NEEDED)):
        pytest.skip(
            "only root may make a host with a network of its own, by iproute2, util-linux and a compiler"
        )
    try:
        laid = Cable()
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no network of its own can be made here: {error}")
    try:
        yield laid
    finally:
        laid.remove()


@contextmanager
def host(
    folder: Path, laid: Cable, arena: Arena, repeat_share: float | None = None, **more: str
) -> Iterator[None]:
    """A host called `far` at the end of a cable, which joins; its worker's clock is an hour ahead of all.

    With a `repeat_share` it is a laboratory PC; its worker's environment has `more`. A worker that has
    ended is started again, as by systemd.
    """
    folder.mkdir()
    keys = folder / "keys"
    with arena.client() as client:
        code = client.make_worker_code(repeat_share).code
    joining = (
        f"hostname {NAME} && exec {arena.program} worker join {code} --url {arena.state.url} --no-service"
    )
    environment = {**os.environ, "ARENA_KEY_DIR": str(keys)}
    subprocess.run([*_found("unshare"), "--uts", "sh", "-c", joining], env=environment, check=True)
    library = folder / "clock.so"
    subprocess.run([*_found("cc"), "-O1", "-shared", "-fPIC", "-o", library, CLOCK, "-ldl"], check=True)
    own = {
        "ARENA_CACHE_DIR": str(folder / "cache"),
        "ARENA_KEY_DIR": str(keys),
        "ARENA_CORES_DIR": str(folder / "cores"),
        "ARENA_MATCH_CORES": "64",
        "ARENA_HEARTBEAT_SECONDS": "1",
        "LD_PRELOAD": str(library),
        "CLOCK_AHEAD": str(AHEAD_SECONDS),
        **more,
    }
    celery = (
        f"{sys.executable} -P -m workers.host worker -n slot1@{NAME} -Q {QUEUES}"
        " --pool solo --loglevel INFO --without-gossip --without-mingle"
    )
    script = (
        f"hostname {NAME} && set -a && . {keys / ENVIRONMENT} && trap 'kill $!; wait; exit' TERM"
        f" && while :; do {celery} & wait $!; sleep 2; done"
    )
    command = [
        *_found("nsenter"),
        f"--net=/run/netns/{laid.namespace}",
        "unshare",
        "--uts",
        "sh",
        "-c",
        script,
    ]
    with (folder / "far.log").open("wb") as log:
        worker = subprocess.Popen(
            command, env={**os.environ, **own}, stdout=log, stderr=log, cwd=folder, start_new_session=True
        )
    try:
        yield
        worker.terminate()
        worker.wait(ENDING_SECONDS)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()


def _ip(*words: str) -> None:
    subprocess.run([*_found("ip"), *words], check=True, capture_output=True)


def _found(program: str) -> tuple[str, ...]:
    path = shutil.which(program)
    assert path is not None
    return (path,)
