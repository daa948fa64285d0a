"""What every confined bot gets for itself, made before it is started and removed when it has ended."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from workers.core.contract import Limits
from workers.core.errors import LaunchError
from workers.core.scratch import is_work_folder, remove_tree, scratch_folder
from workers.sandbox.cgroups import Cgroup, Host
from workers.sandbox.confinement import Startable, as_program
from workers.sandbox.slots import take_slot
from workers.sandbox.staging import runnable, views


class Lodging:
    """A slot, its control groups, a folder, and the files that the program sees.

    All of it lies in folders that the slot's user and nobody else can enter, and that only we can change.

    Raises:
        LaunchError: one of them cannot be had; then nothing is left of the others.
    """

    def __init__(self, program: Startable, limits: Limits, host: Host, writable: Path | None) -> None:
        if writable is not None and not is_work_folder(writable):
            raise LaunchError(f"{writable} is no folder of `work_folder`, so others might get to it")
        self.writable = writable
        self.counted = host.has("memory")
        self.cgroup: Cgroup | None = None
        self._folder = scratch_folder()
        try:
            self.slot = take_slot()
        except BaseException:
            remove_tree(self._folder)
            raise
        try:
            self.slot.note([group.parent / self.slot.name for group in host.hierarchies], [self._folder])
            self._let_in(self._folder)
            self.program = as_program(program)
            self.command = runnable(self.program.command, self.slot.uid)
            paths = (Path(self.command[0]), *self.program.readable)
            self.views = views(paths, self.slot.uid, self._folder, self.program.packages)
            self.empty = self._folder / "empty"
            self.empty.mkdir(mode=0o555)
            if host.hierarchies:
                self.cgroup = Cgroup(host, self.slot.name, limits)
            if writable is not None and self.slot.uid is not None:
                _give(writable, self.slot.uid)
                self._let_in(writable.parent)
        except BaseException:
            self.close()
            raise

    @property
    def mark(self) -> str:
        """A word for the command line of what is started outside of the bot, by which a sweep knows it."""
        return str(self._folder)

    def space_mb(self, limits: Limits) -> int | None:
        """The address space that a process of the bot may have, where nothing counts the bot's memory."""
        return None if self.counted else limits.memory_mb + self.program.reserve_mb

    def change_user(self) -> None:
        """Become the slot's user, where it has one; for a process that was just started."""
        if self.slot.uid is not None:
            os.setgroups([])
            os.setresgid(self.slot.uid, self.slot.uid, self.slot.uid)
            os.setresuid(self.slot.uid, self.slot.uid, self.slot.uid)

    def _let_in(self, folder: Path) -> None:
        """Let the slot's user go through a folder of ours, by the group that is its alone."""
        if self.slot.uid is not None:
            os.chown(folder, -1, self.slot.uid)
            folder.chmod(0o710)

    def close(self) -> None:
        """Remove everything; every process of the bot has ended. Safe to repeat."""
        if self.cgroup is not None:
            self.cgroup.remove()
        if self.writable is not None and self.slot.uid is not None:
            self.writable.parent.chmod(0o700)
            _give(self.writable, os.geteuid())
        remove_tree(self._folder)
        self.slot.release()


def _give(top: Path, uid: int) -> None:
    """Make a folder and all in it another user's, however deep it is; links are not followed.

    Raises:
        LaunchError: that cannot be done.
    """
    done = subprocess.run(
        ["/bin/chown", "-hR", f"{uid}:{uid}", "--", top], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise LaunchError(f"{top} cannot be given to another user: {done.stderr.strip()}")
