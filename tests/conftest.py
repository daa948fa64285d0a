"""What all tests share: a folder of the run's own, and a look after each test at what it left behind.

Temporary files, the user's settings and state, and packed tables go to that folder, so that no test depends
on what was there before. Hypothesis does not judge by the clock, and repeats itself where CI runs it.
"""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.databases import hasten
from tests.hostile.bots.channels import PAGE_OF
from tests.isolation import KEPT, Watch, adopt_no_more, forget_settings
from tests.postgres import PostgresServer

gc.disable()  # until all tests are collected: what is imported stays, and to look through it takes a third
YOUNG = 10_000, 10, 10
"""So many objects more, instead of 700, there are between two collections, which take a tenth of the time."""
RUN_FOLDER = "TESTS_OF_ARENA_FOLDER"  # set by the process that starts the others

settings.register_profile(
    "house",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("house")
hasten()


def _own_folders() -> Path:
    """A folder for this process's temporary files, in the run's folder, and beside it its user's files."""
    run = os.environ.get(RUN_FOLDER)
    if run is None:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
        run = tempfile.mkdtemp(prefix="at-")
        Path(run).chmod(0o711)  # bots under other users reach what is shown to them
        os.environ[RUN_FOLDER] = run
    process = os.environ.get("PYTEST_XDIST_WORKER", "main")
    for name in ("CONFIG", "STATE"):
        os.environ[f"XDG_{name}_HOME"] = f"{run}/{process}-{name.lower()}"
    own = Path(run) / process
    own.mkdir()
    own.chmod(0o1777)
    os.environ["TMPDIR"] = tempfile.tempdir = str(own)
    return own


_TEMPORARY = _own_folders()
if (
    signal.getsignal(signal.SIGINT) == signal.SIG_IGN
):  # as in the background of a shell, for all that is started
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """How tests in a browser look at pages.

    `--pictures` is where pictures of them go, of which none are taken without it. `--one-screen` has each
    checked on one screen instead of a phone's and a laptop's, which takes half as long.
    """
    parser.addoption("--pictures", type=lambda name: Path(name).resolve(), default=None, metavar="DIR")
    parser.addoption("--one-screen", action="store_true")


def pytest_collection_finish() -> None:
    """Keep what was imported out of later garbage collections, which many tests cause."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*YOUNG)
    gc.enable()


def pytest_unconfigure() -> None:
    """Remove the folder: the process's own, and the run's when its last process ends."""
    shutil.rmtree(_TEMPORARY, ignore_errors=True)
    if "PYTEST_XDIST_WORKER" not in os.environ:
        shutil.rmtree(os.environ[RUN_FOLDER], ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def _tables_of_the_run() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_TABLES_DIR", f"{os.environ[RUN_FOLDER]}/tables")  # of all its processes
        yield


@pytest.fixture(autouse=True)
def _nothing_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test after which settings, environment, processes, files or limits are not as before."""
    homes = [Path(os.environ[f"XDG_{name}_HOME"]) for name in ("CONFIG", "STATE")]
    watch = Watch([_TEMPORARY, Path.cwd()], homes)
    yield
    left = watch.left()
    adopt_no_more()
    if "monkeypatch" in request.fixturenames:
        watch.forget_answers()
    if left:
        pytest.fail("this test left behind:\n" + "\n".join(left), pytrace=False)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """One PostgreSQL server for this process's tests."""
    server = PostgresServer()
    KEPT.add(str(server.folder))
    yield server
    server.close()


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Sets the arena's variables for one test, as in `environment(confinement="none")`."""

    def give(**variables: str) -> None:
        for name, value in variables.items():
            monkeypatch.setenv(f"ARENA_{name.upper()}", value)
        forget_settings()

    yield give
    monkeypatch.undo()
    forget_settings()


@pytest.fixture
def alone_at_a_page() -> Iterator[None]:
    """No other test wakes who waits at a page of the host's: all processes of the machine share it."""
    with Path(PAGE_OF).open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
