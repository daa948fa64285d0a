"""Whatever a test leaves behind is named."""

from __future__ import annotations

import importlib
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

import workers.core.settings
from tests.isolation import ALWAYS, Watch, adopt_no_more, forget_settings
from workers.sandbox.kernel import become_subreaper


@contextmanager
def _a_variable(_: Path) -> Iterator[None]:
    os.environ["LEFT"] = "1"
    try:
        yield
    finally:
        del os.environ["LEFT"]


@contextmanager
def _a_folder(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _a_umask(_: Path) -> Iterator[None]:
    before = os.umask(0o027)
    try:
        yield
    finally:
        os.umask(before)


@contextmanager
def _a_limit(_: Path) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (1 if soft != 1 else 0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, (soft, hard))


@contextmanager
def _a_handler(_: Path) -> Iterator[None]:
    before = signal.signal(signal.SIGUSR2, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGUSR2, before)


@contextmanager
def _a_path(_: Path) -> Iterator[None]:
    sys.path.append("/left")
    try:
        yield
    finally:
        sys.path.remove("/left")


@contextmanager
def _a_file(folder: Path) -> Iterator[None]:
    (folder / "left").touch()
    try:
        yield
    finally:
        (folder / "left").unlink()


@contextmanager
def _a_process(_: Path) -> Iterator[None]:
    with subprocess.Popen(["/bin/sleep", "600"]) as left:
        try:
            yield
        finally:
            left.kill()


@contextmanager
def _a_thread(_: Path) -> Iterator[None]:
    end = threading.Event()
    left = threading.Thread(target=end.wait, name="left")
    left.start()
    try:
        yield
    finally:
        end.set()
        left.join()


@contextmanager
def _settings(_: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_SLOT_UID", "12345")
        forget_settings()
        workers.core.settings.get_settings()
    try:
        yield
    finally:
        forget_settings()


@pytest.mark.parametrize(
    ("leave", "told"),
    [
        (_a_variable, "environment: LEFT was None and is '1'"),
        (_a_folder, "working folder: was"),
        (_a_umask, "umask: was"),
        (_a_limit, "limits: RLIMIT_CORE was"),
        (_a_handler, "signals: SIGUSR2 was"),
        (_a_path, "import path: was"),
        (_a_file, "files: new ["),
        (_a_process, "/bin/sleep 600"),
        (_a_thread, "thread left"),
        (_settings, "WorkerSettings cached that the environment does not give"),
    ],
)
def test_it_is_told_and_gone_when_it_is_undone(
    tmp_path: Path, leave: Callable[[Path], Iterator[None]], told: str
) -> None:
    """Each kind of thing is named, alone, and nothing is once it is as before."""
    forget_settings()  # the folder for data that an earlier test may have asked for is the working folder's
    watch = Watch([tmp_path], [], patience_seconds=0.1)
    with leave(tmp_path):  # type: ignore[attr-defined]  # a context manager
        (line,) = watch.left()
        assert told in line
    assert watch.left() == []


def test_what_is_on_its_way_out_is_waited_for(tmp_path: Path) -> None:
    """A file that goes a moment later was not left behind."""
    watch = Watch([tmp_path], [], patience_seconds=60)
    (tmp_path / "late").touch()
    threading.Timer(0.2, (tmp_path / "late").unlink).start()
    assert watch.left() == []


def test_a_process_that_launched_bots_adopts_no_orphans_of_later_tests() -> None:
    """An orphan's parent is the system again, so that nobody waits for its end in vain."""
    become_subreaper()
    adopt_no_more()
    orphan = (
        "import subprocess as s; print(s.Popen(['sleep', '3600'], stdout=s.DEVNULL, stderr=s.DEVNULL).pid)"
    )
    told = subprocess.run([sys.executable, "-c", orphan], capture_output=True, text=True, check=True)
    adopted = [child.pid for child in psutil.Process().children()]
    os.kill(int(told.stdout), signal.SIGKILL)
    assert int(told.stdout) not in adopted


def test_answers_given_meanwhile_are_asked_for_again(tmp_path: Path) -> None:
    """What was kept before stays kept."""
    forget_settings()
    watch = Watch([tmp_path], [])
    workers.core.settings.get_settings()
    watch.forget_answers()
    assert workers.core.settings.get_settings.cache_info().currsize == 0
    workers.core.settings.get_settings()
    Watch([tmp_path], []).forget_answers()
    assert workers.core.settings.get_settings.cache_info().currsize == 1


@pytest.mark.parametrize("name", sorted(ALWAYS))
def test_what_is_never_asked_again_is_there(name: str) -> None:
    """A function that was renamed would be asked again after each test, and only the time would tell."""
    module, _, function = name.rpartition(".")
    assert callable(getattr(importlib.import_module(module), function).cache_info)
