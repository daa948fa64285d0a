"""What unit tests may not do is noticed, whoever catches what comes of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.guard import EVENTS

REPOSITORY = Path(__file__).parents[2]
DEEDS = {
    "subprocess.run(['true'])": "starts a process: subprocess.Popen",
    "os.fork() or os._exit(0)": "starts a process: os.fork",
    "os.waitpid(os.posix_spawn('/bin/true', ['true'], {}), 0)": "starts a process: os.posix_spawn",
    "os.system('true')": "starts a process: os.system",
    "multiprocessing.get_context('spawn').Process().start()": "starts a process: BaseProcess.start",
    "socket.create_server(('127.0.0.1', 0)).close()": "serves: socket.listen",
    "sqlite3.connect(':memory:').close()": "opens a database: sqlite3.connect",
    "time.sleep(0.2)": "sleeps 0.2 s",
}


SERVER = """
@pytest.fixture(scope="session", autouse=True)
def server():
    yield
    subprocess.run(["true"])
"""
"""What is there for all tests, and ends with the last of them."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What pytest says of a file with a unit test for each deed, and one that does nothing."""
    file = tmp_path_factory.mktemp("unit") / "test_deeds.py"
    lines = ["import multiprocessing, os, pytest, socket, sqlite3, subprocess, time", SERVER]
    lines += [f"def test_{number}(): {deed}" for number, deed in enumerate(DEEDS)]
    file.write_text("\n".join([*lines, "def test_none(): pass"]))
    words = ["-m", "pytest", "-q", "-c", "/dev/null", "-p", "tests.unit.conftest"]
    words += ["-p", "no:cacheprovider", "-p", "no:randomly"]
    ran = subprocess.run(
        [sys.executable, *words, file],
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},  # none is needed, and they take long
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout


@pytest.mark.parametrize("deed", DEEDS)
def test_a_unit_test_fails_for_what_it_may_not_do(deed: str, told: str) -> None:
    """Its own words name the deed."""
    assert DEEDS[deed] in told


def test_every_other_test_passes(told: str) -> None:
    """What is forbidden counts as an error beside the test, one each, and nothing else does."""
    assert f"{len(DEEDS) + 1} passed" in told
    assert f"{len(DEEDS)} errors" in told
    assert {what.split(":")[0] for what in DEEDS.values() if ":" in what} >= set(EVENTS.values())
