"""An arena of the last release is brought up to date in the midst of a tournament."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from arena.core.folder import DataFolder
from bots.reference.pack import archive
from tests import releases
from tests.acceptance import league
from tests.acceptance.conftest import PATIENCE, PROGRAM, Arena, eventually
from tests.chaos import contracts
from tests.chaos.brokers import Broker
from tests.chaos.stages import Stage, begun
from tests.postgres import PostgresServer

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the last release's programs."""
    return releases.build(releases.last_release(), tmp_path_factory.mktemp("release") / "arena")


@pytest.fixture
def services(programs: Path, postgres: PostgresServer, tmp_path: Path) -> Iterator[Stage]:
    """A tournament in an arena of the last release on PostgreSQL and a broker by TCP."""
    with ExitStack() as stack:
        url = postgres.empty()
        stack.callback(postgres.drop, url)
        broker = Broker(tmp_path, ("127.0.0.1",))
        stack.callback(broker.kill)
        told = {"ARENA_DATABASE_URL": url, "ARENA_BROKER_URL": broker.url()}
        arena = Arena(DataFolder.at(tmp_path / "arena"), told, programs / "arena")
        yield stack.enter_context(begun(tmp_path, Stage(arena, broker, postgres, workers=1)))


@pytest.fixture
def embedded(programs: Path, tmp_path: Path) -> Iterator[Stage]:
    """The same on what comes with the arena."""
    arena = Arena(DataFolder.at(tmp_path / "arena"), program=programs / "arena")
    with begun(tmp_path, Stage(arena, workers=1, bots=league.FEW)) as stage:
        yield stage


class Replacing:
    """This version's processes in the places of a release's ones, whose supervisor takes no more note."""

    def __init__(self, arena: Arena, folder: Path) -> None:
        self._arena, self._log, self._stack = arena, folder / "successors.log", ExitStack()
        os.kill(arena.state.pid, signal.SIGSTOP)

    def prepare(self) -> None:
        """Bring the tables up to date, as before any other part of a new version is started."""
        environment = psutil.Process(self._arena.child("coordinator").pid).environ()
        command = [sys.executable, "-m", "arena.supervisor.prepare"]
        subprocess.run(command, env=environment, check=True)

    def replace(self, *names: str) -> None:
        """Have processes end, and start those that do the same by the same words and settings."""
        for name in names:
            process = psutil.Process(self._arena.child(name).pid)
            words, environment = process.cmdline(), process.environ()
            process.terminate()
            eventually(lambda: process.status() == psutil.STATUS_ZOMBIE)  # noqa: B023  (called here alone)
            self._stack.enter_context(self._started([sys.executable, *words[1:]], environment))

    @contextmanager
    def _started(self, words: list[str], environment: dict[str, str]) -> Iterator[None]:
        with (
            self._log.open("ab") as log,
            subprocess.Popen(words, env=environment, stdout=log, stderr=log) as process,
        ):
            try:
                yield
                assert process.poll() is None, self._log.read_text()
            finally:
                process.terminate()
                process.wait(PATIENCE)

    def close(self) -> None:
        """End the new processes, none of which has ended before, and the old supervisor."""
        self._arena.kill_supervisor()
        self._stack.close()


def has_begun(stage: Stage) -> None:
    """Wait for the first results, and look at nothing but what the release itself serves."""
    eventually(lambda: stage.finished() > 0)


def submit(stage: Stage, name: str) -> None:
    """Hand in a bot, which passes its check."""
    with stage.arena.client() as client:
        client.submit(name, "bot.zip", archive("greedy"))
        assert client.await_check(name, 1).state == "passed"


@pytest.fixture(scope="module")
def older(programs: Path) -> dict[str, dict[str, Any]]:
    """The schemas of the last release's messages."""
    printed = subprocess.run(
        [programs / "python", "-P", contracts.__file__], cwd=programs, capture_output=True, check=True
    )
    schemas: dict[str, dict[str, Any]] = json.loads(printed.stdout)
    return schemas


def test_older_workers_read_what_asks_for_nothing_new(older: dict[str, dict[str, Any]]) -> None:
    """What they need is always sent, what may be left out means what it meant, and the rest has a default."""
    newer = contracts.schemas()["specs"]
    for name, before in older["specs"].items():
        now, had = newer[name], before.get("properties", {})
        assert {*before.get("required", [])} <= {*now.get("required", [])}, name
        assert {*now.get("required", [])} <= {*had}, name
        for key, value in had.items():
            assert _is_in(value.get("default"), now["properties"].get(key, value).get("default")), (name, key)


def _is_in(before: Any, now: Any) -> bool:
    """Whether a default is the same but for what is new in it."""
    if isinstance(before, dict) and isinstance(now, dict):
        return all(key in now and _is_in(value, now[key]) for key, value in before.items())
    return bool(before == now)


def test_the_arena_reads_what_older_workers_report(older: dict[str, dict[str, Any]]) -> None:
    """It knows every field that they send, and needs none that they do not."""
    newer = contracts.schemas()["reports"]
    for name, before in older["reports"].items():
        assert {*before.get("properties", {})} <= {*newer[name].get("properties", {})}, name
        assert {*newer[name].get("required", [])} <= {*before.get("required", [])}, name


def test_one_part_after_another_is_replaced(services: Stage, tmp_path: Path) -> None:
    """The tables, the trusted side, at last the workers: play goes on all the while, and nothing is lost."""
    arena = services.arena
    has_begun(services)
    replacing = Replacing(arena, tmp_path)
    try:
        replacing.prepare()
        services.goes_on()
        replacing.replace("coordinator", "recorder", "courier")
        services.goes_on()
        replacing.replace("api")
        services.goes_on()
        submit(services, "checked-by-the-older")
        replacing.replace("worker-1", "checker")
        services.goes_on()
        submit(services, "checked-by-the-newer")
    finally:
        replacing.close()
    arena.program = PROGRAM
    arena.up(1)
    services.comes_to_its_end()


def test_it_is_stopped_and_started_as_the_newer_one(embedded: Stage) -> None:
    """What was in play is played again, what was recorded stays, and the table follows from all of it."""
    has_begun(embedded)
    embedded.arena.down()
    embedded.arena.program = PROGRAM
    embedded.arena.up(1)
    embedded.goes_on()
    embedded.comes_to_its_end()
