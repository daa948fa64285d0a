"""A whole arena of real processes for a test, started by the command line and killed in parts."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright.sync_api import Browser, Playwright, ViewportSize, sync_playwright

from arena.client.connection import S
from arena.client.errors import BusyError, UnreachableError
from arena.client.http import ArenaClient
from arena.core.folder import DataFolder
from arena.core.running import ArenaState, ChildState, read_state
from arena.supervisor.launch import is_healthy
from tests.acceptance.browsing import CHROMIUM, Reader
from tests.acceptance.pictures import Pictures
from tests.acceptance.screens import PHONE
from tests.ports import own_port
from tests.waiting import PATIENCE_SECONDS as PATIENCE
from tests.waiting import eventually

__all__ = ["PATIENCE", "eventually"]

ENDING_SECONDS = 120.0
PROGRAM = Path(sys.executable).with_name("arena")
ATTENTIVE = {"ARENA_HEARTBEAT_SECONDS": "1"}
"""What is called off is broken off soon."""
TROUBLE = re.compile(r"level='(warning|error)|ERROR|Error: ")
MAX_TROUBLES = 5
STANDING: list[Arena] = []
"""The arenas that tests have started and not ended yet."""
IMPATIENT = {"ARENA_LEASE_SECONDS": "5", "ARENA_PICKUP_SECONDS": "4", "ARENA_MAX_LOST": "1000"}
"""What a killed part had in hand is soon given out anew; so is, without end, what a slow machine silences."""


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """What drives browsers. It has the thread's loop while it is there, so it ends with the module."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The system's Chromium, which as root has no sandbox of its own; nothing is heard of it."""
    alone = ["--no-sandbox"] if os.geteuid() == 0 else []
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*alone, "--disable-audio-output"])
    yield browser
    browser.close()


@pytest.fixture(autouse=True)
def _looks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check pages on as many screens as the run is told to, and keep pictures where it has a folder."""
    monkeypatch.setattr(Reader, "one_screen", request.config.getoption("--one-screen"))
    if folder := request.config.getoption("--pictures"):
        monkeypatch.setattr(Reader, "pictures", Pictures(folder, request.node.nodeid))


@pytest.fixture
def address(arena: Arena) -> str:
    """Where browsers find the arena of a module's own."""
    return arena.state.url


@pytest.fixture
def reader(browser: Browser, address: str) -> Iterator[Reader]:
    """Somebody at the arena's pages on a phone set to dark; what is checked holds on a laptop too."""
    screen = ViewportSize(width=PHONE.width, height=PHONE.height)
    context = browser.new_context(locale="zh-TW", viewport=screen, color_scheme=PHONE.scheme)
    context.set_default_timeout(PATIENCE * 1000)
    reader = Reader(context.new_page(), address)
    yield reader
    context.close()
    assert (reader.foreign, reader.complaints) == ([], [])


def processes_of(folder: Path) -> list[psutil.Process]:
    """Every process that was told of a folder, in its words or its environment."""
    found = []
    for process in psutil.process_iter(["cmdline", "environ"]):
        told = [*(process.info["cmdline"] or []), *(process.info["environ"] or {}).values()]
        if any(each == str(folder) or f"{folder}/" in each for each in told):
            found.append(process)
    return found


def await_end(folder: Path) -> None:
    """Wait until nothing runs any more that was told of a folder; fail with what does not end."""
    until = time.monotonic() + ENDING_SECONDS
    while left := processes_of(folder):
        assert time.monotonic() < until, [process.info["cmdline"] for process in left]
        time.sleep(0.1)


class PatientClient(ArenaClient):
    """A client that repeats what a busy arena refused to begin, and its questions where none answers."""

    def _ask(self, schema: type[S], method: str, path: str, **content: Any) -> S:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return super()._ask(schema, method, path, **content)
            except (BusyError, UnreachableError) as error:
                harmless = method == "GET" or isinstance(error, BusyError)
                if not harmless or time.monotonic() > until:
                    raise
            time.sleep(0.1)


@dataclass
class Arena:
    """An arena on a data folder of its own, used as its users would."""

    folder: DataFolder
    environment: dict[str, str] = field(default_factory=dict)
    program: Path = PROGRAM

    def command(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run `arena ...` with this data folder."""
        environment = {**os.environ, **self.environment, "ARENA_DATA_DIR": str(self.folder.root)}
        done = subprocess.run(
            [self.program, *arguments],
            env=environment,
            cwd=self.folder.root.parent,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert done.returncode == 0 or not check, done.stderr
        return done

    def json(self, *arguments: str) -> Any:
        """The JSON document that `arena ... --json` prints."""
        return json.loads(self.command(*arguments, "--json").stdout)

    def up(self, workers: int, *options: str) -> None:
        """Start it on a free port."""
        self.command("up", "--port", str(own_port()), "--workers", str(workers), *options)

    def down(self) -> None:
        """Stop it, whatever state it is in."""
        self.command("down", check=False)

    @property
    def database_url(self) -> str:
        """Where its tables are."""
        own = f"sqlite:///{self.folder.root}/arena.sqlite3"
        file = self.environment.get("ARENA_DATABASE_URL_FILE")
        return Path(file).read_text().strip() if file else self.environment.get("ARENA_DATABASE_URL", own)

    @property
    def state(self) -> ArenaState:
        """What its supervisor last wrote down."""
        state = read_state(self.folder)
        assert state is not None
        return state

    def child(self, name: str) -> ChildState:
        """One of its processes."""
        return next(child for child in self.state.children if child.name == name)

    def kill(self, name: str, how: signal.Signals = signal.SIGKILL) -> None:
        """Kill one of its processes and wait until the supervisor has started it again."""
        before = self.child(name)
        assert before.pid is not None
        os.kill(before.pid, how)
        eventually(lambda: self.child(name).pid not in (None, before.pid))

    def kill_supervisor(self) -> None:
        """SIGKILL the supervisor itself."""
        process = psutil.Process(self.state.pid)
        process.kill()
        process.wait(PATIENCE)

    def client(self, token: str | None = None) -> ArenaClient:
        """A client, the staff's unless a token is given."""
        return PatientClient(self.state.url, token or self.folder.admin_token.read_text().strip())

    def token(self, user: str) -> str:
        """A new token of a user's."""
        with self.client() as client:
            return client.issue_token(user).token

    def troubles(self) -> str:
        """The last lines of each process that tell of trouble, and the last of all."""
        told = []
        for path in sorted(self.folder.logs.glob("*.log")):
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            chosen = [*filter(TROUBLE.search, lines[:-1])][-MAX_TROUBLES:] + lines[-1:]
            told += [f"{path.stem}: {line[:300]}" for line in chosen]
        return "\n".join(told)

    def healthy(self) -> bool:
        """Whether every part answers."""
        return is_healthy(self.state.url)


MakeArena = Callable[..., Arena]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With a failure stands what its arenas had to complain of."""
    report = yield
    if report.failed:
        report.sections += [(f"troubles of {each.folder.root.name}", each.troubles()) for each in STANDING]
    return report


@contextmanager
def arenas(below: Path) -> Iterator[MakeArena]:
    """Starts arenas on folders below one, and at the end sees to it that nothing of them is left."""
    made: list[Arena] = []

    def make(
        workers: int, *, program: Path = PROGRAM, options: Sequence[str] = (), **environment: str
    ) -> Arena:
        folder = DataFolder.at(below / f"arena{len(made)}")
        cores = {"ARENA_CORES_DIR": str(below / "cores"), "ARENA_MATCH_CORES": "64"}
        arena = Arena(folder, ATTENTIVE | cores | environment, program)
        made.append(arena)
        STANDING.append(arena)
        arena.up(workers, *options)
        return arena

    try:
        yield make
    finally:
        for arena in made:
            arena.down()
            STANDING.remove(arena)
            await_end(arena.folder.root)


@pytest.fixture
def make_arena(tmp_path: Path) -> Iterator[MakeArena]:
    """Starts arenas for one test."""
    with arenas(tmp_path) as make:
        yield make


@pytest.fixture(scope="module")
def make_shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeArena]:
    """Starts arenas for all tests of a module, which kill nothing and are not in each other's way."""
    with arenas(tmp_path_factory.mktemp("shared")) as make:
        yield make
