"""How a bot's process is started and ended. The seam behind which stronger confinement goes.

`ProcessGroup` gives a bot its own session and process group, resource limits, a clean environment and a
scratch folder, and at the end kills everything that the bot started. It keeps an honest bot's mistakes
from doing harm; it does not withstand a hostile one.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Protocol

from bots.sdk import arena_bot
from workers.contract import Limits
from workers.errors import LaunchError
from workers.scratch import scratch_folder

Command = tuple[str, ...]

MEGABYTE = 1024 * 1024
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


class Confined(Protocol):
    """A bot's running process: its three pipes, and the way to end it."""

    pid: int
    stdin: int
    stdout: int
    stderr: int

    def wait(self, seconds: float) -> int | None:
        """The exit status (negative: the signal) if the process ends within `seconds`, else None."""

    def close_stdin(self) -> None:
        """Tell the bot that nothing more will come."""

    def cpu_ns(self) -> int | None:
        """The processor time that the bot has used so far, in nanoseconds; None where that cannot be told."""

    def freeze(self) -> None:
        """Let nothing of the bot run until `thaw`. A bot that has ended is no error."""

    def thaw(self) -> None:
        """Let the bot run again; without effect on one that is not frozen."""

    def destroy(self) -> None:
        """Kill whatever is left of the bot, and remove its pipes and its scratch folder. Safe to repeat."""


class Confinement(Protocol):
    """A way to start bots."""

    def launch(self, command: Command, limits: Limits) -> Confined:
        """Start a bot.

        Raises:
            LaunchError: the command cannot be started.
        """


class ProcessGroup:
    """Starts a bot as the leader of its own session, under resource limits, in a folder of its own."""

    def launch(self, command: Command, limits: Limits) -> Confined:
        """Start a bot; see `Confinement.launch`."""
        _become_subreaper()
        scratch = scratch_folder()
        try:
            process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=scratch,
                env=_environment(scratch),
                start_new_session=True,
                # Between fork and exec this only makes system calls that were looked up before.
                preexec_fn=_Limiter(limits),  # noqa: PLW1509  (prlimit afterwards would come too late)
            )
        except (OSError, subprocess.SubprocessError) as error:
            shutil.rmtree(scratch, ignore_errors=True)
            raise LaunchError(f"cannot start {command[0]}: {error}") from error
        return _Group(process, scratch)


class _Group:
    """A process started by `ProcessGroup`."""

    def __init__(self, process: subprocess.Popen[bytes], scratch: Path) -> None:
        self._process = process
        self._scratch = scratch
        self._destroyed = False
        self._born = _start_of(process.pid)
        self._cpu_clock = (~process.pid << 3) | 2  # Linux: the CPU clock of a whole process
        _leaders.add(process.pid)
        assert process.stdin and process.stdout and process.stderr  # noqa: S101, PT018  (all are pipes)
        self.pid = process.pid
        self.stdin = process.stdin.fileno()
        self.stdout = process.stdout.fileno()
        self.stderr = process.stderr.fileno()

    def wait(self, seconds: float) -> int | None:
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def close_stdin(self) -> None:
        if self._process.stdin:
            self._process.stdin.close()

    def cpu_ns(self) -> int | None:
        try:
            return time.clock_gettime_ns(self._cpu_clock)
        except OSError:
            return None

    def freeze(self) -> None:
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the bot's group, and to what it started outside of that."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)
        for pid in _descendants(self.pid):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)

    def destroy(self) -> None:
        if self._destroyed:
            return
        self._destroyed = True
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        _leaders.discard(self.pid)
        self._kill_orphans()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                stream.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _kill_orphans(self) -> None:
        """Kill and collect what outlived its parents, and so became this process's child.

        Whatever is younger than the bot and no bot itself was started by bots: this process starts nothing
        else while a match is played.
        """
        while strays := [pid for pid in _children() - _leaders if _start_of(pid) >= self._born]:
            for pid in strays:
                with contextlib.suppress(ProcessLookupError, ChildProcessError):
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)


_leaders: set[int] = set()
"""The bots that this process has started and not yet destroyed."""


class _Limiter:
    """Runs in the child before the bot does: limits its resources, and ties its life to the worker's."""

    def __init__(self, limits: Limits) -> None:
        self._parent = os.getpid()
        self._rlimits = [
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, limits.file_mb * MEGABYTE),
            (resource.RLIMIT_NOFILE, limits.open_files),
            (resource.RLIMIT_DATA, limits.memory_mb * MEGABYTE),
            (resource.RLIMIT_CPU, limits.cpu_seconds),
        ]

    def __call__(self) -> None:
        if _libc is not None:
            _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != self._parent:
                os._exit(1)
        for which, value in self._rlimits:
            hard = resource.getrlimit(which)[1]
            ceiling = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(which, (ceiling, ceiling))


def _environment(scratch: Path) -> dict[str, str]:
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "PYTHONPATH": str(Path(arena_bot.__file__).parent),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
    }


_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _become_subreaper() -> None:
    """Let orphans of bots become children of this process, where they can be found (Linux)."""
    if _libc is not None:
        _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _children(pid: int | str = "self") -> set[int]:
    found: set[int] = set()
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  (read at every turn: half the cost)
            found.update(_read_pids(f"/proc/{pid}/task/{thread}/children"))
    return found


def _read_pids(path: str) -> list[int]:
    with contextlib.suppress(OSError), open(path, "rb", buffering=0) as file:  # noqa: PTH123  (likewise)
        return [int(word) for word in file.read(65536).split()]
    return []


def _descendants(pid: int) -> set[int]:
    """Everything below that process, as it is now."""
    found: set[int] = set()
    fresh = _children(pid)
    while fresh - found:
        found |= fresh
        fresh = {child for parent in fresh for child in _children(parent)}
    return found


def _start_of(pid: int) -> int:
    """When the process was started, in clock ticks since the machine was; 0 where that cannot be told."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return 0
