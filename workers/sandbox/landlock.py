"""The second level, where a user may not make namespaces: Landlock, a filter of system calls, and limits.

As root, the bot runs under the user of its slot; otherwise it runs under ours, and only Landlock keeps our
files from it. It sees the names of the host's files but reads none except the system's programs and its
own, and writes none at all. It cannot start processes, so to kill the one is to kill it; only a program
with a writable folder, such as a compiler, may start some, and those are hunted down at its end.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Callable
from pathlib import Path

from workers.core.contract import Limits
from workers.core.errors import NoConfinementError
from workers.sandbox import rules, tree
from workers.sandbox.cgroups import Host
from workers.sandbox.confinement import Confined, Startable
from workers.sandbox.environment import environment
from workers.sandbox.kernel import PR_SET_SECCOMP, become_subreaper, die_with, prctl
from workers.sandbox.lodging import Lodging
from workers.sandbox.rlimits import rlimits, set_rlimits
from workers.sandbox.sandboxed import BotPipes, Sandboxed
from workers.sandbox.seccomp import Allowances, filter_program, with_pid
from workers.sandbox.spawn import spawn
from workers.sandbox.staging import SYSTEM, SYSTEM_FILES, moved

DEVICES = tuple(Path("/dev") / name for name in ("null", "full", "random", "urandom"))
FILTER_MODE = 2
RULES = 3


class Landlock:
    """Starts bots under Landlock; `host` says what control groups there are."""

    name = "landlock"

    def __init__(self, host: Host) -> None:
        self._host = host

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        """Start a bot; see `Confinement.launch`."""
        if rules.version() < rules.WITH_TRUNCATION:
            raise NoConfinementError(
                "this kernel has no Landlock of version 3 (Linux 6.2), or it is switched off"
            )
        become_subreaper()
        lodging = Lodging(program, limits, self._host, writable)
        try:
            return self._start(lodging, limits)
        except BaseException:
            lodging.close()
            raise

    def _start(self, lodging: Lodging, limits: Limits) -> Confined:
        home = lodging.writable or lodging.empty
        look = [*SYSTEM, *SYSTEM_FILES, *(view.source for view in lodging.views), lodging.empty]
        pipes = BotPipes()
        try:
            ruleset = rules.Ruleset(look, DEVICES, [lodging.writable] if lodging.writable else [])
            try:
                child = spawn(
                    moved(lodging.command, lodging.views),
                    environment(home, lodging.program.packages),
                    (*pipes.of_bot, ruleset.descriptor),
                    self._preparation(lodging, limits, home),
                    private=1,
                )
            finally:
                ruleset.close()
        except BaseException:
            pipes.close()
            raise
        pipes.hand_over()
        return _Bot(child, pipes, lodging, single=lodging.writable is None)

    def _preparation(self, lodging: Lodging, limits: Limits, home: Path) -> Callable[[], None]:
        """What the process does before it becomes the bot: shed every right that the bot must not have."""
        alone = lodging.slot.uid is not None
        others = 0 if alone else tree.count_of(os.geteuid())
        wanted = rlimits(
            limits,
            space_mb=lodging.space_mb(limits),
            tasks=limits.processes + others,
            pending=limits.processes if alone else 0,
        )
        allowances = Allowances(
            forks=lodging.writable is not None,
            signals=lodging.writable is not None and (alone or rules.restricts_signals()),
            metadata=alone and lodging.writable is not None,
            host=lodging.writable is not None,
        )
        program, parent = filter_program(allowances), os.getpid()

        def prepare() -> None:
            os.umask(0o022)
            os.chdir(home)
            if lodging.cgroup is not None:
                lodging.cgroup.add(0)
            lodging.change_user()
            die_with(parent)
            set_rlimits(wanted)
            rules.restrict_self(RULES)
            _filter(with_pid(program, os.getpid()))

        return prepare


def _filter(program: bytes) -> None:
    """Hold this process to a filter of system calls."""
    lines = ctypes.create_string_buffer(program, len(program))
    head = ctypes.create_string_buffer(struct.pack("@HP", len(program) // 8, ctypes.addressof(lines)))
    prctl(PR_SET_SECCOMP, FILTER_MODE, ctypes.addressof(head))


class _Bot(Sandboxed):
    """A bot that is this process's own child."""

    def _bot(self) -> int | None:
        return self.pid if self._child.status is None else None

    def _kill(self) -> None:
        """The bot's process has no others, or those below it, or whatever its user runs."""
        self._child.kill()
        if not self._single:
            self._lodging.slot.kill_all()
