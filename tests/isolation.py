"""What a test must leave as it found it, and how that is seen.

Every test process has folders of its own for temporary files and for the user's files (settings, state), so
that whatever a test leaves there is seen after that test, whatever runs beside it.
"""

from __future__ import annotations

import functools
import gc
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import arena.core.settings
import workers.core.settings
from workers.core.scratch import PREFIX
from workers.sandbox.kernel import PR_SET_CHILD_SUBREAPER, prctl

PATIENCE_SECONDS = 60.0  # processes, threads and folders that are on their way out may take so long
PYTESTS_OWN = {"PYTEST_CURRENT_TEST"}  # environment variables
COLLECT_SECONDS = 0.2  # so often at most: a test process has much to look through
PASSED_OVER = (".", "__pycache__", PREFIX, "arena-cores")
"""What tools keep in the checkout; folders of bots, which go as the next process begins; locks of cores."""
TRACKER = "multiprocessing.resource_tracker"  # one a process, for as long as it lives
PYTESTS_SIGNALS = {signal.SIGALRM}  # with its timer, for the limit of a test's time
CLIENTS_THREADS = (
    "AnyIO worker thread",
    "asyncio-portal-",
)  # of a client in the process, until it is collected
KEPT: set[str] = set()
"""What a server that all tests of a process share has in its name or command line."""
ALWAYS = frozenset(
    {"arena.core.lookalikes._prototypes", "arena.people.passwords._nobodys", "arena.web.app._routes"}
)
"""Answers that are the same in every environment, of modules that no test patches, and take long to make."""
SETTINGS: tuple[Any, ...] = (arena.core.settings.get_settings, workers.core.settings.get_settings)


_FUNCTIONS: dict[str, Any] = {}
"""The functions whose answer is kept, by their whole names, of all `_MODULES`."""
_MODULES: set[str] = set()
"""The names of the modules that have been looked into."""
_NEWEST: list[str] = []
"""The last one that was there then; what is imported later stands behind it."""
_SEEN: dict[type, tuple[Any, dict[str, str]]] = {}
"""The settings that were last found to be what the environment gives, and that environment."""


class State(NamedTuple):
    """What a process has, each part with the name under which it is told."""

    environment: dict[str, str]
    working_folder: str
    umask: int
    limits: dict[str, tuple[int, int]]
    priority: tuple[int, frozenset[int] | None]
    signals: dict[str, object]
    timers: tuple[tuple[float, float], ...]
    import_path: tuple[str, ...]
    control_groups: str
    files: frozenset[str]

    @classmethod
    def now(cls, folders: Iterable[Path], homes: Iterable[Path]) -> State:
        """The state of this process, the names in these folders, and all files below these homes."""
        return cls(
            environment={name: value for name, value in os.environ.items() if name not in PYTESTS_OWN},
            working_folder=_working_folder(),
            umask=_umask(),
            limits={
                name: resource.getrlimit(getattr(resource, name))
                for name in dir(resource)
                if name.startswith("RLIMIT_")
            },
            priority=(os.nice(0), _affinity()),
            signals={
                one.name: signal.getsignal(one)
                for one in signal.valid_signals()
                if isinstance(one, signal.Signals) and one not in PYTESTS_SIGNALS
            },
            timers=tuple(map(signal.getitimer, (signal.ITIMER_VIRTUAL, signal.ITIMER_PROF))),
            import_path=tuple(sys.path),
            control_groups=_control_groups(),
            files=frozenset([*_names(folders), *_files(homes)]),
        )

    def changes(self, later: State) -> Iterator[str]:
        """Each part that is another one later, in a sentence."""
        for name, before, after in zip(self._fields, self, later, strict=True):
            if before != after:
                yield f"{name.replace('_', ' ')}: {_difference(before, after)}"


def _difference(before: object, after: object) -> str:
    if isinstance(before, dict) and isinstance(after, dict):
        names = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
        return ", ".join(f"{name} was {before.get(name)!r} and is {after.get(name)!r}" for name in names)
    if isinstance(before, frozenset) and isinstance(after, frozenset):
        return f"new {sorted(after - before)}, gone {sorted(before - after)}"
    return f"was {before!r} and is {after!r}"


def _working_folder() -> str:
    try:
        return str(Path.cwd())
    except FileNotFoundError:
        return "removed"


def _umask() -> int:
    value = os.umask(0o077)
    os.umask(value)
    return value


def _affinity() -> frozenset[int] | None:
    return frozenset(os.sched_getaffinity(0)) if sys.platform == "linux" else None


def _control_groups() -> str:
    path = Path("/proc/self/cgroup")
    return path.read_text() if path.exists() else ""


def _files(homes: Iterable[Path]) -> Iterator[str]:
    return (str(path) for home in homes for path in home.rglob("*") if path.is_file())


def _names(folders: Iterable[Path]) -> Iterator[str]:
    for folder in folders:
        if folder.exists():
            names = (str(path) for path in folder.iterdir() if not path.name.startswith(PASSED_OVER))
            yield from (name for name in names if name not in KEPT)


class Watch:
    """Looks, from when it is made, for what a test changes in its process and starts or writes outside."""

    def __init__(
        self, folders: list[Path], homes: list[Path], patience_seconds: float = PATIENCE_SECONDS
    ) -> None:
        self._folders, self._homes = folders, homes
        self._patience_seconds = patience_seconds
        self._state = State.now(folders, homes)
        self._children = _children()
        self._threads = frozenset(threading.enumerate())
        self._answers = _answers()

    def left(self) -> list[str]:
        """What is not as it was, a sentence each; what is on its way out is waited for."""
        deadline = time.monotonic() + self._patience_seconds
        collected = time.monotonic()
        while (left := list(self._look())) and (now := time.monotonic()) < deadline:
            if now - collected > COLLECT_SECONDS:
                gc.collect()
                collected = time.monotonic()
            time.sleep(0.02)
        return left

    def _look(self) -> Iterator[str]:
        yield from self._state.changes(State.now(self._folders, self._homes))
        for pid in _children() - self._children:
            words = _text(Path(f"/proc/{pid}/cmdline")).replace("\0", " ")  # none yet while it is starting
            if not _has_ended(pid) and not any(kept in words for kept in (TRACKER, *KEPT)):
                yield f"process {pid}: {words}"
        yield from (
            f"thread {thread.name}"
            for thread in set(threading.enumerate()) - self._threads
            if not thread.name.startswith(CLIENTS_THREADS)
        )
        for get_settings in SETTINGS:
            if get_settings.cache_info().currsize and not _are_of_the_environment(cached := get_settings()):
                yield f"{type(cached).__name__} cached that the environment does not give"

    def forget_answers(self) -> None:
        """Have the process ask again what it was told since, in another environment or of patched modules."""
        for name, function in _answers().items():
            if name not in self._answers and name not in ALWAYS:
                function.cache_clear()


def forget_settings() -> None:
    """Have the settings read from the environment anew."""
    for get_settings in SETTINGS:
        get_settings.cache_clear()


def _are_of_the_environment(cached: Any) -> bool:
    """Whether these settings are what the environment gives; making them anew takes a while."""
    given = cached, dict(os.environ, **dict.fromkeys(PYTESTS_OWN, ""))
    known = _SEEN.get(type(cached))
    if known is None or known[0] is not cached or known[1] != given[1]:
        if cached != type(cached)():
            return False
        _SEEN[type(cached)] = given
    return True


def adopt_no_more() -> None:
    """Have orphans go to the system, not to this process, whatever bots were launched in it."""
    prctl(PR_SET_CHILD_SUBREAPER, 0)


def _children() -> frozenset[int]:
    """The processes that this one has started, also those that have ended and were not waited for."""
    lists = Path("/proc/self/task").glob("*/children")
    return frozenset(int(pid) for file in lists for pid in _text(file).split())


def _has_ended(pid: int) -> bool:
    state = _text(Path(f"/proc/{pid}/stat")).rpartition(") ")[2][:1]
    return state in {"", "X", "Z"}


def _text(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:  # the thread or process has ended
        return ""


def _answers() -> dict[str, Any]:
    """The project's functions whose answer is kept for the process: cached, without parameters, and asked."""
    newest = next(reversed(sys.modules))
    if newest not in _NEWEST:  # to look for the new ones takes longer than all else
        _NEWEST[:] = [newest]
        for name in sys.modules.keys() - _MODULES:
            _MODULES.add(name)
            if name.startswith(("arena.", "workers.")):
                _FUNCTIONS.update(_cached(sys.modules[name]))
    return {asked: function for asked, function in _FUNCTIONS.items() if function.cache_info().currsize}


def _cached(module: ModuleType) -> list[tuple[str, Any]]:
    """The functions of a module whose answer is kept, by their whole names."""
    return [
        (f"{module.__name__}.{attribute}", value)
        for attribute, value in list(vars(module).items())
        if isinstance(value, functools._lru_cache_wrapper)
        and value.__module__ == module.__name__
        and not value.__wrapped__.__code__.co_argcount
    ]
