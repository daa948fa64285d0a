"""The strongest level: bubblewrap, in namespaces of the bot's own, under the user of its slot.

The bot finds a file system in memory with the system's programs and its own files, all read-only, a scratch
folder of limited size, no network, no other process, and nothing of the host's `/proc`. As root, bubblewrap
is started under the slot's user: one that root starts would still read root's files.

Bubblewrap holds its own standard streams open as long as the bot runs, so the bot gets its pipes by other
numbers, and a shell puts them in place: otherwise nobody would see that a bot has closed its output.

Whoever started bubblewrap may be killed while the sandbox is still being built, before bubblewrap and the
first process inside are bound to die with it. Then the building goes on, and ends with the shell, which waits
for a line that only a living worker sends, and not before all are bound. Bubblewrap binds itself just before
it lets its first process go on, which would wait for ever if it were killed in between: so it is asked for
nothing at that point, where it could tell of its first process. That one is found by looking for it.
"""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from workers.core.contract import Limits
from workers.core.errors import LaunchError, NoConfinementError
from workers.sandbox import tree
from workers.sandbox.cgroups import OVERHEAD, Host
from workers.sandbox.confinement import Confined, Startable, Waiting
from workers.sandbox.kernel import become_subreaper, kernel_version
from workers.sandbox.lodging import Lodging
from workers.sandbox.options import options
from workers.sandbox.rlimits import prlimit_options, rlimits
from workers.sandbox.sandboxed import BotPipes, Sandboxed
from workers.sandbox.seccomp import Allowances, filter_program
from workers.sandbox.slots import can_change_user, can_move_bots
from workers.sandbox.spawn import READY_SECONDS, Child, Pipe, start

PUT_IN_PLACE = (
    "read -r go <&3 || exit; {{ ulimit -u {tasks} || ulimit -p {tasks}; }} 2>/dev/null; unset PWD OLDPWD; "
    'exec "$@" <&3 >&4 2>&5 3<&- 4>&- 5>&-'
)
"""What the shell does. It limits processes, since outside of the namespaces those of our user count too."""
FILTER = 6
END_SECONDS = 5.0
LOOK_SECONDS = 0.0002
COUNTS_EACH_NAMESPACE = (5, 14)


class _Family(NamedTuple):
    """Bubblewrap outside of the namespaces, the first process inside, and its child that becomes the bot.

    That is known from the start: later the first process has other children too, whatever the bot left.
    """

    outer: Child
    inner: int
    bot: int


class Bubblewrap:
    """Starts bots in a sandbox of bubblewrap; `host` says what control groups there are."""

    name = "bubblewrap"

    def __init__(self, host: Host) -> None:
        self._host = host

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        """Start a bot; see `Confinement.launch`."""
        return self._build(program, limits, writable).start()

    def prepare(self, program: Startable, limits: Limits) -> Waiting | None:
        """A sandbox that waits; see `Preparing.prepare`.

        Not where a bot's bound on processes depends on how many its user has when it starts, nor where
        nobody may put it on the cores of its match.
        """
        return None if _counts_all() or not can_move_bots() else self._build(program, limits, None)

    def _build(self, program: Startable, limits: Limits, writable: Path | None) -> _Standing:
        become_subreaper()
        lodging = Lodging(program, limits, self._host, writable)
        try:
            return self._stand(lodging, limits)
        except BaseException:
            lodging.close()
            raise

    def _stand(self, lodging: Lodging, limits: Limits) -> _Standing:
        single = lodging.writable is None and not lodging.counted
        command = [
            *_limited(lodging, limits),
            *(_program("bwrap", "bubblewrap"), *options(lodging, limits)),
            *("--seccomp", str(FILTER)),
            *("--", "/bin/sh", "-c", PUT_IN_PLACE.format(tasks=_tasks(limits)), lodging.mark),
            *lodging.command,
        ]
        pipes, errors, rules = BotPipes(), Pipe(), Pipe()
        allowed = Allowances(not single, signals=True, metadata=True, host=lodging.writable is not None)
        try:
            os.write(rules.write, filter_program(allowed))
            rules.close(rules.write)
            with open(os.devnull, "r+b", buffering=0) as nothing:  # noqa: PTH123  (a device)
                void = nothing.fileno()
                given = (void, void, errors.write, *pipes.of_bot, rules.read)
                outer = start(command, given)
            errors.close(errors.write)
            pipes.hand_over()
            try:
                family = _enter(outer, lodging)
            except OSError as error:
                outer.kill()
                raise LaunchError(f"bubblewrap cannot build a sandbox: {_words(errors) or error}") from error
            return _Standing(_Bot(family, pipes, errors, lodging, single=single), family, limits)
        except BaseException:
            pipes.close()
            errors.close()
            raise
        finally:
            rules.close()


class _Standing:
    """A sandbox that stands; the shell in it waits to be let go, and then becomes the bot."""

    def __init__(self, bot: _Bot, family: _Family, limits: Limits) -> None:
        self._bot = bot
        self._family = family
        self._limits = limits

    def start(self) -> Confined:
        """See `Waiting.start`."""
        try:
            self._let_go()
        except BaseException as error:
            self._bot.destroy()
            if isinstance(error, OSError):
                raise LaunchError(f"bubblewrap cannot start a bot: {error}") from error
            raise
        return self._bot

    def _let_go(self) -> None:
        """Let the shell become the bot.

        Where bots share a user, a limit that was set before the namespaces were made would hold for all of
        these bots together, so that one could take away another's.

        Raises:
            OSError: the kernel refuses, or the sandbox has ended.
        """
        if self._family.outer.wait(0) is not None:
            raise OSError(f"it ended with status {self._family.outer.status}")
        if not all(map(tree.keep_beside, (self._family.inner, self._family.bot))):
            raise OSError("it cannot be put on the cores of its match")
        if not can_change_user():
            most = self._limits.processes
            resource.prlimit(self._family.bot, resource.RLIMIT_SIGPENDING, (most, most))
        os.write(self._bot.stdin, b"\n")

    def destroy(self) -> None:
        """See `Waiting.destroy`."""
        self._bot.destroy()


def _limited(lodging: Lodging, limits: Limits) -> list[str]:
    """The programs before bubblewrap: each changes its process in one way and becomes the next one.

    Python could do so after a fork, which would copy all the tables of a large process first.

    Raises:
        NoConfinementError: one of them is not installed.
    """
    pending = None if lodging.slot.uid is None else limits.processes
    wanted = rlimits(limits, space_mb=lodging.space_mb(limits), tasks=None, pending=pending)
    command = [_program("prlimit", "util-linux"), *prlimit_options(wanted)]
    if (uid := lodging.slot.uid) is not None:
        command += [_program("setpriv", "util-linux"), f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
    return command


def _program(name: str, package: str) -> str:
    """Where a program is.

    Raises:
        NoConfinementError: nowhere.
    """
    if (path := shutil.which(name)) is None:
        raise NoConfinementError(f"{package} is not installed: there is no program {name}")
    return path


def _counts_all() -> bool:
    """Whether the kernel counts all processes of a bot's user against its bound, which is then ours too."""
    return not can_change_user() and kernel_version() < COUNTS_EACH_NAMESPACE


def _tasks(limits: Limits) -> int:
    """The processes that the bot may have, with those that are counted among them."""
    return limits.processes + OVERHEAD + (tree.count_of(os.geteuid()) if _counts_all() else 0)


def _enter(outer: Child, lodging: Lodging) -> _Family:
    """Put the sandbox's processes into the bot's control groups, and wait until they are bound.

    Of the two the first takes the kernel long, and meanwhile the sandbox is built; the other one still is the
    shell, which does nothing before it is let go. When the first process waits for it, both are bound to die
    with bubblewrap.

    Raises:
        OSError: there is no such process, or the kernel refuses.
    """
    inner = _soon(outer, lambda: next(iter(tree.children(outer.pid)), None))
    if lodging.cgroup is not None:
        lodging.cgroup.add(inner)
    bot = _soon(outer, lambda: _waited_for(inner))
    if lodging.cgroup is not None:
        lodging.cgroup.add(bot)
    return _Family(outer, inner, bot)


def _waited_for(pid: int) -> int | None:
    """The process that this one has started, and waits for; None as long as it does not."""
    started = tree.children(pid)
    return min(started) if started and tree.sleeps(pid) else None


def _soon(outer: Child, look: Callable[[], int | None]) -> int:
    """What `look` finds as soon as it finds something.

    Raises:
        OSError: bubblewrap ends before that, or it takes too long.
    """
    until = time.monotonic() + READY_SECONDS
    while not (found := look()):
        if outer.wait(0) is not None:
            raise OSError(f"it ended with status {outer.status}")
        if time.monotonic() > until:
            raise TimeoutError(f"it has not got ready after {READY_SECONDS:g} s")
        time.sleep(LOOK_SECONDS)
    return found


def _words(errors: Pipe) -> str:
    """What bubblewrap has said of itself so far."""
    os.set_blocking(errors.read, False)
    with contextlib.suppress(OSError):
        return os.read(errors.read, 4096).decode(errors="replace").strip()
    return ""


class _Bot(Sandboxed):
    """A bot in its namespaces."""

    _own_tasks = 1

    def __init__(
        self, family: _Family, pipes: BotPipes, errors: Pipe, lodging: Lodging, *, single: bool
    ) -> None:
        super().__init__(family.outer, pipes, lodging, single=single)
        self._inner = family.inner
        self._first = family.bot
        self._handle = os.pidfd_open(family.inner)
        self._errors = errors

    def wait(self, seconds: float) -> int | None:
        """The status of the bot, which bubblewrap passes on as a shell does: signals from 129 on."""
        status = super().wait(seconds)
        if status is None:
            return None
        if status > 0 and not self._destroyed and (words := _words(self._errors)):
            raise LaunchError(f"bubblewrap cannot start the bot: {words}")
        return 128 - status if 128 < status <= 128 + signal.NSIG else status

    def destroy(self) -> None:
        """End the bot, and with it its namespaces."""
        super().destroy()
        self._errors.close()

    def _bot(self) -> int | None:
        return self._first if self._first in tree.children(self._inner) else None

    def _others(self, bot: int) -> set[int]:
        del bot
        return tree.descendants(self._inner)

    def _kill(self) -> None:
        """The first process of a namespace takes all others with it, and the one outside then ends."""
        if self._handle < 0:
            return
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        os.close(self._handle)
        self._handle = -1
        self._child.wait(END_SECONDS)
