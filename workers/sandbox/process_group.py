"""The level without a sandbox: for trusted code, and for a bot of one's own with `--unsafe`.

`ProcessGroup` gives a bot its own session and process group, resource limits, a clean environment and a
scratch folder, and at the end kills everything that the bot started. It keeps an honest bot's mistakes
from doing harm; it does not withstand a hostile one.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
from pathlib import Path

from workers.core.contract import MEGABYTE, Limits
from workers.core.errors import LaunchError
from workers.core.scratch import remove_tree, scratch_folder
from workers.sandbox import tree
from workers.sandbox.confinement import Confined, Startable, as_program
from workers.sandbox.environment import environment
from workers.sandbox.kernel import become_subreaper, die_with
from workers.sandbox.probe import Probe, clock_of, close, is_alone, looking_at, used_ns
from workers.sandbox.rlimits import rlimits, set_rlimits


class ProcessGroup:
    """Starts a bot as the leader of its own session, under resource limits, in a folder of its own."""

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        """Start a bot; see `Confinement.launch`."""
        command, packages = (known := as_program(program)).command, known.packages
        become_subreaper()
        scratch = scratch_folder()
        try:
            process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=writable or scratch,
                env=environment(scratch, packages),
                start_new_session=True,
                # Between fork and exec this only makes system calls that were looked up before.
                preexec_fn=_Limiter(limits),  # noqa: PLW1509  (prlimit afterwards would come too late)
            )
        except (OSError, subprocess.SubprocessError) as error:
            remove_tree(scratch)
            raise LaunchError(f"cannot start {command[0]}: {error}") from error
        return _Group(process, scratch)


class _Limiter:
    """Runs in the child before the bot does: limits its resources, and ties its life to the worker's."""

    def __init__(self, limits: Limits) -> None:
        self._parent = os.getpid()
        memory = limits.memory_mb * MEGABYTE
        self._rlimits = [
            *rlimits(limits, space_mb=None, tasks=None),
            (resource.RLIMIT_DATA, memory, memory),
        ]

    def __call__(self) -> None:
        die_with(self._parent)
        set_rlimits(self._rlimits)


class _Group:
    """A process started by `ProcessGroup`."""

    def __init__(self, process: subprocess.Popen[bytes], scratch: Path) -> None:
        self._process = process
        self._scratch = scratch
        self._destroyed = False
        self._born = tree.start_of(process.pid)
        self._clock = Probe(clock_of(process.pid))
        self._probe = looking_at(self._clock, process.pid, alone=False)
        tree.leaders.add(process.pid)
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
        return used_ns(self._clock)

    def peak_memory(self) -> int | None:
        return tree.peak_memory(self.pid)

    def probe(self) -> Probe | None:
        return self._probe

    def is_alone(self) -> bool:
        return not tree.descendants(self.pid)

    def follow(self) -> bool:
        return tree.keep_beside(self.pid)

    def freeze(self) -> None:
        tree.signal_tree(self.pid, signal.SIGSTOP, alone=self._alone())

    def stop(self) -> None:
        tree.signal_tree(self.pid, signal.SIGSTOP, alone=True)

    def thaw(self) -> None:
        tree.signal_tree(self.pid, signal.SIGCONT, alone=self._alone())

    def _alone(self) -> bool:
        """Whether the bot is known to have one thread and to have started nothing."""
        return self._probe is not None and is_alone(self._probe)

    def destroy(self) -> None:
        if self._destroyed:
            return
        self._destroyed = True
        if self._probe:
            close(self._probe)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        tree.leaders.discard(self.pid)
        tree.kill_orphans(self._born)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                stream.close()
        remove_tree(self._scratch)
