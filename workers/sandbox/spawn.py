"""Starting a process, at once or after it has changed itself, and collecting it afterwards."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import signal
from collections.abc import Callable, Mapping, Sequence

from workers.core.errors import LaunchError
from workers.sandbox import tree
from workers.sandbox.kernel import fork

READY_SECONDS = 30.0
NO_PROGRAM = {
    errno.ENOEXEC,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EACCES,
    errno.ELOOP,
    errno.EINVAL,
    errno.ELIBBAD,
}
"""What is wrong with a file, or with the interpreter that it names."""
NOT_EXECUTABLE = 126
MAX_TEXT = 4096
OWN_SIGNALS = (signal.SIGPIPE, signal.SIGXFSZ)
"""Which Python ignores, and programs expect to end by."""


class Pipe:
    """A pipe whose ends are closed one by one, or both at once."""

    def __init__(self) -> None:
        self.read, self.write = os.pipe()
        self._open = {self.read, self.write}

    def close(self, *ends: int) -> None:
        """Close these ends, or whichever are still open. Safe to repeat."""
        for end in ends or tuple(self._open):
            if end in self._open:
                self._open.discard(end)
                os.close(end)


class Child:
    """A process that this one started; `pid` is reserved for it until it is collected."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.born = tree.start_of(pid)
        self.status: int | None = None
        self._handle: int | None = os.pidfd_open(pid)
        tree.leaders.add(pid)

    def wait(self, seconds: float) -> int | None:
        """The exit status (negative: the signal) if the process ends within `seconds`, else None."""
        if self.status is None and self._handle is not None:
            poller = select.poll()
            poller.register(self._handle, select.POLLIN)
            if poller.poll(seconds * 1000):
                self._collect()
        return self.status

    def kill(self) -> None:
        """Kill the process, and collect it."""
        if self.status is None and self._handle is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            self._collect()

    def _collect(self) -> None:
        _, status = os.waitpid(self.pid, 0)
        self.status = os.waitstatus_to_exitcode(status)
        tree.leaders.discard(self.pid)
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def start(command: Sequence[str], descriptors: Sequence[int]) -> Child:
    """Start a program as `spawn` does, with no variables, and without copying this process: that is quicker.

    Raises:
        LaunchError: it cannot be started.
    """
    count = len(descriptors)
    aside = _aside(descriptors)
    try:
        actions: list[tuple[int, ...]] = [
            (os.POSIX_SPAWN_DUP2, descriptor, number) for number, descriptor in enumerate(aside)
        ]
        actions += [(os.POSIX_SPAWN_CLOSE, descriptor) for descriptor in _inheritable(count)]
        pid = os.posix_spawn(
            *(command[0], list(command), {}),
            file_actions=actions,
            setsid=True,
            setsigmask=(),
            setsigdef=OWN_SIGNALS,
        )
    except OSError as error:
        raise LaunchError(f"cannot start {command[0]}: {error}") from error
    finally:
        for descriptor in aside:
            os.close(descriptor)
    return Child(pid)


def _inheritable(first: int) -> list[int]:
    """Which descriptors from `first` on a program that is started now would get."""
    descriptors = []
    for descriptor in map(int, os.listdir("/proc/self/fd")):  # noqa: PTH208  (only the names are wanted)
        with contextlib.suppress(OSError):  # the one that lists them has been closed
            if descriptor >= first and os.get_inheritable(descriptor):
                descriptors.append(descriptor)
    return descriptors


def _aside(descriptors: Sequence[int]) -> list[int]:
    """The same files under numbers that none of them is to get."""
    return [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, len(descriptors)) for descriptor in descriptors]


def spawn(
    command: Sequence[str],
    variables: Mapping[str, str],
    descriptors: Sequence[int],
    prepare: Callable[[], None],
    private: int = 0,
) -> Child:
    """Start a program whose descriptors 0, 1, 2, … are `descriptors`, and which has no others.

    `prepare` runs in the new process, with all of them in place; the last `private` ones are for it alone.

    Raises:
        LaunchError: the program cannot be started, or `prepare` failed.
    """
    failure = Pipe()
    pid = fork()
    if pid == 0:
        _become(command, variables, (*descriptors, failure.write), len(descriptors) - private, prepare)
    child = Child(pid)
    failure.close(failure.write)
    try:
        words = read_all(failure.read)
    finally:
        failure.close()
    if words:
        child.kill()
        raise LaunchError(f"cannot start {command[0]}: {words}")
    return child


def _become(
    command: Sequence[str],
    variables: Mapping[str, str],
    descriptors: Sequence[int],
    kept: int,
    prepare: Callable[[], None],
) -> None:
    """What the new process does; it never returns."""
    told = descriptors[-1]
    try:
        count = len(descriptors)
        for number, descriptor in enumerate(_aside(descriptors)):
            os.dup2(descriptor, number, inheritable=number < kept)
        told = count - 1
        os.closerange(count, os.sysconf("SC_OPEN_MAX"))
        os.setsid()
        for number in OWN_SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        prepare()
        _execute(command, variables)
    except BaseException as error:  # noqa: BLE001  (whatever it was, this process must not go on)
        os.write(told, str(error).encode())
    finally:
        os._exit(127)


def _execute(command: Sequence[str], variables: Mapping[str, str]) -> None:
    """Become the program; if it is there but is none, say so as a shell does: that is its author's fault.

    Raises:
        OSError: it cannot be started, for another reason.
    """
    try:
        os.execve(command[0], list(command), dict(variables))  # noqa: S606  (the trade)
    except OSError as error:
        if error.errno not in NO_PROGRAM or not os.path.lexists(command[0]):
            raise
        os.write(2, f"{error}\n".encode())
        os._exit(NOT_EXECUTABLE)


def read_all(descriptor: int, most: int = MAX_TEXT) -> str:
    """What others write to a pipe until all of them have closed it.

    Raises:
        LaunchError: they take too long.
    """
    poller = select.poll()
    poller.register(descriptor, select.POLLIN)
    written = b""
    while len(written) < most:
        if not poller.poll(READY_SECONDS * 1000):
            raise LaunchError(f"a process was not started after {READY_SECONDS:g} s") from TimeoutError()
        chunk = os.read(descriptor, most)
        if not chunk:
            break
        written += chunk
    return written.decode(errors="replace").strip()
