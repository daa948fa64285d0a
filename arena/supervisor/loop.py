"""The supervisor: starts children in stages, starts the dead again, and stops all of them in the end."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import time
from collections.abc import Callable, Iterable, Sequence

import psutil

from arena.core.folder import DataFolder
from arena.core.processes import kill_all, kill_strays, with_descendants
from arena.core.running import ChildState
from arena.supervisor.child import Child, ChildPlan
from arena.supervisor.logs import BoundedLog
from workers.sandbox.kernel import become_subreaper

GRACE_SECONDS = 10.0
_TURN_SECONDS = 1.0
_STOPPING_SECONDS = 0.1


class Supervisor:
    """Runs plans until it is told to stop.

    One thread, one selector: signals, children's ends and children's output all wake it. `on_change` is
    called with the children's states after every change, `say` with each event in words.
    """

    def __init__(
        self,
        folder: DataFolder,
        plans: Sequence[ChildPlan],
        on_change: Callable[[tuple[ChildState, ...]], None],
        say: Callable[[str], None],
        grace: float = GRACE_SECONDS,
    ) -> None:
        self._children = [Child(plan, folder.log_of(plan.name)) for plan in plans]
        self._log = BoundedLog(folder.log_of("supervisor"))
        self._on_change = on_change
        self._say = say
        self._grace = grace
        self._selector = selectors.DefaultSelector()
        self._waker, self._wakened = socket.socketpair()
        self.stopping = False

    def listen(self) -> None:
        """Take over SIGTERM, SIGINT and SIGCHLD, and become the parent of orphaned descendants."""
        for end in (self._waker, self._wakened):
            end.setblocking(False)
        signal.set_wakeup_fd(self._waker.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGTERM, self._stop_requested)
        signal.signal(signal.SIGINT, self._stop_requested)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._selector.register(self._wakened, selectors.EVENT_READ)
        become_subreaper()

    def start_stage(self, stage: int) -> None:
        """Start the children of one stage."""
        for child in self._of_stage(stage):
            self._start(child)

    def run_until(self, done: Callable[[], bool], pause: float = _TURN_SECONDS) -> None:
        """Keep the children running until `done` or until a stop is requested.

        `done` is asked after every event, and after `pause` seconds without one.
        """
        while not self.stopping and not done():
            self._turn(pause, restart=True)

    def stop(self) -> None:
        """Stop the children stage by stage, the last started first, and leave nothing behind."""
        self.stopping = True
        for stage in sorted({child.plan.stage for child in self._children}, reverse=True):
            self._stop_stage(list(self._of_stage(stage)))
        kill_strays(known=())
        self.note("stopped")
        signal.set_wakeup_fd(-1)
        for child in self._children:
            child.close()
        self._log.close()
        self._selector.close()
        self._waker.close()
        self._wakened.close()

    def note(self, text: str) -> None:
        """Write an event to the supervisor's log and tell it."""
        self._log.note(text)
        self._say(text)

    def states(self) -> tuple[ChildState, ...]:
        """How every child stands."""
        return tuple(child.state() for child in self._children)

    def _stop_requested(self, _number: int, _frame: object) -> None:
        self.stopping = True

    def _of_stage(self, stage: int) -> Iterable[Child]:
        return (child for child in self._children if child.plan.stage == stage)

    def _start(self, child: Child) -> None:
        try:
            child.start()
        except OSError as error:
            child.failed_to_start(f"could not be started: {error.strerror}")
            self.note(f"{child.plan.name} could not be started: {error.strerror}")
        else:
            self._selector.register(child.output, selectors.EVENT_READ, child)
            self.note(f"{child.plan.name} started")
        self._on_change(self.states())

    def _turn(self, pause: float, *, restart: bool) -> None:
        now = time.monotonic()
        due = [child.restart_at - now for child in self._children if child.restart_at is not None]
        for key, _ in self._selector.select(max(0.0, min([pause, *due]))):
            if key.data is None:
                with contextlib.suppress(BlockingIOError):
                    self._wakened.recv(4096)
            elif not key.data.pump():
                self._selector.unregister(key.fd)
        self._reap(restart=restart)
        if restart:
            self._start_due()

    def _reap(self, *, restart: bool) -> None:
        for child in self._children:
            if child.process is None or child.process.poll() is None:
                continue
            with contextlib.suppress(KeyError):
                self._selector.unregister(child.output)
                child.pump()
            how = child.ended(again=restart)
            kill_strays(other.process.pid for other in self._children if other.process)
            self.note(f"{child.plan.name} ended ({how})" + (", starting it again" if restart else ""))
            self._on_change(self.states())

    def _start_due(self) -> None:
        now = time.monotonic()
        for child in self._children:
            if child.restart_at is not None and child.restart_at <= now:
                self._start(child)

    def _stop_stage(self, children: list[Child]) -> None:
        running = [child for child in children if child.process]
        for child in children:
            child.restart_at = None
        below = with_descendants(psutil.Process(child.process.pid) for child in running if child.process)
        for child in running:
            _signal_group(child, signal.SIGTERM)
        until = (
            time.monotonic() + self._grace + max((each.plan.patience_seconds for each in running), default=0)
        )
        while any(child.process for child in running) and time.monotonic() < until:
            self._turn(_STOPPING_SECONDS, restart=False)
        for child in running:
            _signal_group(child, signal.SIGKILL)
            if child.process:
                child.process.wait()
        kill_all(process for process in below if process.is_running())
        self._reap(restart=False)


def _signal_group(child: Child, number: signal.Signals) -> None:
    if child.process:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.process.pid, number)
