"""A bot that runs in a sandbox: what is the same whichever sandbox it is."""

from __future__ import annotations

import contextlib
import os
import signal

from workers.sandbox import tree
from workers.sandbox.cgroups import Cgroup
from workers.sandbox.lodging import Lodging
from workers.sandbox.probe import NOTHING, Probe, clock_of, close, looking_at, used_ns
from workers.sandbox.spawn import Child, Pipe

MAX_LOOKS = 100
STANDSTILL_SECONDS = 5.0
"""How long a bot that was stopped may take to stand still; on a busy host it waits for a core to do so."""


class BotPipes:
    """The three pipes between a bot and its session."""

    def __init__(self) -> None:
        self.stdin, self.stdout, self.stderr = Pipe(), Pipe(), Pipe()

    @property
    def of_bot(self) -> tuple[int, int, int]:
        """The bot's ends."""
        return self.stdin.read, self.stdout.write, self.stderr.write

    def hand_over(self) -> None:
        """Close the bot's ends: it has been started with them."""
        self.stdin.close(self.stdin.read)
        self.stdout.close(self.stdout.write)
        self.stderr.close(self.stderr.write)

    def close(self) -> None:
        """Close whatever is open. Safe to repeat."""
        for pipe in (self.stdin, self.stdout, self.stderr):
            pipe.close()


class Sandboxed:
    """A bot that was started as `child`, in what `lodging` holds.

    With `single` it can have no processes but one, the one that `_bot` finds.
    """

    _own_tasks = 0
    """Threads of the sandbox itself in the bot's control groups."""

    def __init__(self, child: Child, pipes: BotPipes, lodging: Lodging, *, single: bool) -> None:
        self._child = child
        self._pipes = pipes
        self._lodging = lodging
        self._single = single
        self._in_freezer = False
        self._found: tuple[int, int] | None = None
        self._probe: Probe | None = None
        self._destroyed = False
        self.pid = child.pid
        self.stdin, self.stdout, self.stderr = pipes.stdin.write, pipes.stdout.read, pipes.stderr.read

    def wait(self, seconds: float) -> int | None:
        """See `Confined.wait`."""
        return self._child.wait(seconds)

    def close_stdin(self) -> None:
        """See `Confined.close_stdin`."""
        self._pipes.stdin.close()

    def cpu_ns(self) -> int | None:
        """See `Confined.cpu_ns`."""
        used = self._lodging.cgroup.cpu_ns() if self._lodging.cgroup else None
        if used is not None:
            return used
        clocks = [used_ns(Probe(clock_of(pid))) for pid in self._processes()]
        return sum(clock for clock in clocks if clock is not None) if clocks else None

    def peak_memory(self) -> int | None:
        """See `Confined.peak_memory`."""
        peak = self._lodging.cgroup.peak_memory() if self._lodging.cgroup else None
        if peak is not None:
            return peak
        return max((tree.peak_memory(pid) or 0 for pid in self._processes()), default=0) or None

    def probe(self) -> Probe | None:
        """See `Confined.probe`. Where there may be several processes, something must count them."""
        cgroup = self._lodging.cgroup
        if self._probe is None and (bot := self._find()) is not None:
            counters = (cgroup.counters() if cgroup else None) or Probe()
            counted = counters._replace(clock=clock_of(bot[0]), least=self._own_tasks + 1)
            if self._single:
                self._probe = looking_at(counted._replace(tasks=NOTHING), bot[0], alone=True)
            elif counted.tasks != NOTHING:
                self._probe = looking_at(counted, bot[0], alone=True)
        return self._probe

    def is_alone(self) -> bool:
        """See `Confined.is_alone`."""
        bot = self._find()
        return bot is not None and self._processes() == {bot[0]}

    def follow(self) -> bool:
        """See `Confined.follow`."""
        bot = self._find()
        return bot is not None and tree.keep_beside(bot[0])

    def freeze(self) -> None:
        """See `Confined.freeze`.

        A signal is far quicker than the freezer, and enough where it has reached the only thread there is.
        What that was just starting goes on, and is not counted before its parent stands still.
        """
        cgroup = self._lodging.cgroup
        if self._single or cgroup is None or not cgroup.freezes:
            self._stop_all()
            return
        stopped = self._signal_bot(signal.SIGSTOP)
        if self._has_one_task(cgroup):
            self._await_standstill(stopped)
            if self._has_one_task(cgroup):
                return
        cgroup.freeze(frozen=True)
        self._in_freezer = True
        cgroup.await_standstill(STANDSTILL_SECONDS)

    def _has_one_task(self, cgroup: Cgroup) -> bool:
        return cgroup.tasks() == self._own_tasks + 1

    def _stop_all(self) -> None:
        """Stop every process, and what those had been starting that only now stand still."""
        still: set[int] = set()
        for _ in range(MAX_LOOKS):
            fresh = self._signal(signal.SIGSTOP) - still
            if not fresh:
                return
            self._await_standstill(fresh)
            still |= fresh

    def _await_standstill(self, processes: set[int]) -> None:
        for pid in processes:
            tree.await_standstill(pid, STANDSTILL_SECONDS)

    def stop(self) -> None:
        """See `Confined.stop`."""
        self._signal_bot(signal.SIGSTOP)

    def thaw(self) -> None:
        """See `Confined.thaw`."""
        cgroup = self._lodging.cgroup
        if self._single or cgroup is None or not cgroup.freezes:
            self._signal(signal.SIGCONT)
            return
        if self._in_freezer:
            cgroup.freeze(frozen=False)
            self._in_freezer = False
        self._signal_bot(signal.SIGCONT)

    def destroy(self) -> None:
        """See `Confined.destroy`."""
        if self._destroyed:
            return
        self._destroyed = True
        self._kill()
        self._child.kill()
        tree.kill_orphans(self._child.born)
        if self._found is not None:
            os.close(self._found[1])
        if self._probe is not None:
            close(self._probe)
        self._pipes.close()
        self._lodging.close()

    def _bot(self) -> int | None:
        """The bot's first process, once it is there."""
        raise NotImplementedError

    def _kill(self) -> None:
        """Kill all that the bot started."""
        raise NotImplementedError

    def _processes(self) -> set[int]:
        bot = self._find()
        if bot is None:
            return set()
        return {bot[0]} if self._single else {bot[0]} | self._others(bot[0])

    def _others(self, bot: int) -> set[int]:
        """The processes that the bot started, if it may."""
        return tree.descendants(bot)

    def _find(self) -> tuple[int, int] | None:
        """The bot's first process and a handle on it, by which no other can be meant after its end."""
        if self._found is None and (pid := self._bot()) is not None:
            with contextlib.suppress(ProcessLookupError):
                self._found = (pid, os.pidfd_open(pid))
        return self._found

    def _signal_bot(self, number: signal.Signals) -> set[int]:
        """Send a signal to the bot's first process; which one that is."""
        if (bot := self._find()) is None:
            return set()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            signal.pidfd_send_signal(bot[1], number)
        return {bot[0]}

    def _signal(self, number: signal.Signals) -> set[int]:
        """Send a signal to every process of the bot, until no new one turns up; which ones those are.

        Some of a bot that starts new ones all the time may be missed: what they compute is charged.
        """
        reached = self._signal_bot(number)
        for _ in range(0 if self._single else MAX_LOOKS):
            fresh = self._processes() - reached
            if not fresh:
                break
            for pid in fresh:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)
            reached |= fresh
        return reached
