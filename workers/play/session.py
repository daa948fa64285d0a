"""A conversation with one bot's process, over raw descriptors and `poll`.

A session may outlive a match when its bot said it is reusable; then `begin` starts the next one. Nothing
that the bot does makes these calls raise or hang: it becomes a `Fault`.

Between its turns a bot sleeps or is frozen; see `workers.play.rest`. Its clock stands still while others
have the processor that it waits for, up to a bound; see `workers.play.clock.patience_ns`.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bots.protocol.messages import Answer, Ready, UnexpectedError, encode, parse_ready
from bots.protocol.strict_json import MalformedError
from workers.core.contract import MEGABYTE, NO_CPU_CONTENTION, FaultCode, Limits
from workers.core.errors import LaunchError
from workers.core.halt import Halt
from workers.core.stderr import Stderr, StderrTap
from workers.play.asking import exchange
from workers.play.clock import NS_PER_MS, patience_ns
from workers.play.ending import exit_descriptor, status_of
from workers.play.faults import NS_PER_S, answer_to, end_fault, oversize, startup
from workers.play.meter import Measured, Meter
from workers.play.player import Fault, Reply
from workers.play.pressure import FRESH_NS
from workers.play.rest import LONG_TURN_NS, LOOKS, Rest
from workers.play.spent import Spent
from workers.sandbox.confinement import Confined, Confinement, Startable

if TYPE_CHECKING:
    from workers.play._exchange import Turn

CHUNK = 64 * 1024
END_SECONDS, HELLO_NS = 1.0, 1_000_000_000


class Session:
    """One bot's process as a player. It is started by the first `begin`.

    The one `beside` it is that of its opponent, which is to stand still while this one's turn is a long one.
    Once the halt that it heeds is called, whatever waits for the bot raises that reason.
    """

    def __init__(self, program: Startable, limits: Limits, confinement: Confinement) -> None:
        self.reusable = False
        self.beside: Session | None = None
        self._program = program
        self._limits = limits
        self._confinement = confinement
        self.halt: Halt | None = None
        self._process: Confined | None = None
        self._exit: int | None = None
        self._poller = select.poll()
        self._stderr = StderrTap(self._poller)
        self.watched: tuple[int, ...] = ()

    def _launch(self) -> Confined:
        process = self._confinement.launch(self._program, self._limits)
        for descriptor in (process.stdin, process.stdout, process.stderr):
            os.set_blocking(descriptor, False)
        self.stdin, self._stdout = process.stdin, process.stdout
        self._stdout_open, self._buffer = True, bytearray()
        self._poller.register(process.stdout, select.POLLIN)
        self._stderr.open(process.stderr)
        self._exit = exit_descriptor(process.pid)
        if self._exit is not None:
            self._poller.register(self._exit, select.POLLIN)
        self.meter = Meter(process)
        self.rest = Rest(process, self.meter)
        self._watch(process)
        return process

    def _watch(self, process: Confined) -> None:
        others = self._exit, self.halt.fileno() if self.halt else None
        self.watched = (process.stdout, process.stderr, *(each for each in others if each is not None))

    def heed(self, halt: Halt | None) -> None:
        """From now on it is that one that breaks its matches off."""
        if self.halt:
            self._poller.unregister(self.halt)
        if halt:
            self._poller.register(halt, select.POLLIN)
        self.halt = halt
        if self._process:
            self._watch(self._process)

    # --- what the referee asks for ---------------------------------------------------------------

    def begin(self, hello: Mapping[str, Any]) -> None:
        """Start the process if it does not run yet, and send `hello`; faults show when `ready` is called.

        Its time to get ready begins once its sandbox stands: how long that takes is the host's affair.

        Raises:
            LaunchError: it cannot be started.
        """
        self.reusable = False
        self.spent = Spent(self._limits)
        if self.beside:
            self.beside.stand_still()
        if self._process is None:
            self._process = self._launch()
        else:
            self.meter.begin_match()
            self.rest.end()
        self._started_ns = time.monotonic_ns()
        self._stderr.clear()
        self._send(encode(hello), HELLO_NS)

    def ready(self, startup_ms: int) -> tuple[Ready | Fault, int]:
        """The answer to `hello`. Every fault before it is a `startup` fault."""
        heard = self._read_line(self._started_ns, startup_ms * NS_PER_MS)
        took = self._heard_ns - self._started_ns
        self.rest.begin()
        measured = self.meter.end(took)
        self.spent.cpu_ns += measured.cpu_ns or 0
        if isinstance(heard, Fault):
            return startup(heard, startup_ms, measured.strain), took
        try:
            answer = parse_ready(heard)
        except (MalformedError, UnexpectedError) as error:
            return Fault(FaultCode.STARTUP, f"the answer to hello is no ready: {error}", heard), took
        self.reusable = answer.reusable
        return answer, took

    def ask(self, request: Mapping[str, Any], allowed_ns: int) -> Reply:
        """The answer to `request`; its clock starts with the write that hands it over.

        The moment is taken just before that write: on a core that both share, the bot may be running
        before the write returns. A bot with a pipe too small for the request, or that has not read the last
        one, takes it in on its own clock. What it used since its last turn is taken off `allowed_ns`.

        Raises:
            HaltError: the match is to be broken off.
        """
        if self.halt:
            self.halt.check()
        line, number = encode(request), request["id"]
        if self.is_asleep and (reply := self._ask_asleep(line, number, allowed_ns)):
            return reply
        early = None if self.rest.asleep else self._early_output()
        if early is not None:
            return Reply(early, 0)
        off_turn = self.meter.begin()
        self.rest.end(off_turn)
        early = self._early_output()
        if early is not None:
            return Reply(early, 0)
        left_ns = self.spent.wait_ns(allowed_ns - off_turn)
        heard = self._send(line, left_ns) or self._read_line(self._sent_ns, left_ns)
        return self._finish(heard, number, off_turn)

    def end(self, message: Mapping[str, Any]) -> None:
        """Send `message`, and let a bot that is not reusable see that nothing more will come.

        A reusable one reads it when its next match begins: until then it is frozen, and disturbs no other.
        One that has used so much processor time that its next match could be cut short is not kept.
        """
        if (self._running.cpu_ns() or 0) > self._limits.spare_cpu_seconds * NS_PER_S:
            self.reusable = False
        if self.reusable:
            self.rest.stand_still()
        else:
            self.rest.end()
        self._send(encode(message), 0)
        if not self.reusable:
            self._running.close_stdin()

    def can_stay(self) -> bool:
        """Whether the process can play another match.

        Its bot has said so, started no other that still runs, and written no more than it was asked for.
        """
        self.beside = None
        return self.reusable and self._is_quiet() and self._running.is_alone()

    def goes_on(self) -> bool:
        """Whether a process that stayed is still there, and is now on the cores of the caller's thread."""
        return self._is_quiet() and self._running.follow()

    def _is_quiet(self) -> bool:
        """Whether it wrote nothing unasked, nor hung up; how it ends that did is not waited for."""
        self._drain(self._poller.poll(0))
        return self._stdout_open and not self._buffer

    def most_memory(self) -> int:
        """The most memory that the process has had, in bytes; where that is unknown, what it may have."""
        return self._running.peak_memory() or self._limits.memory_mb * MEGABYTE

    def stand_still(self, *, surely: bool = True) -> None:
        """Freeze the process with all that it started, or just stop it: another's turn is a long one."""
        if self._process is not None:
            (self.rest.stand_still if surely else self.rest.stop)()

    def stderr(self) -> Stderr:
        """What the bot wrote to its stderr in this match: the first and the last 32 KiB."""
        return self._stderr.kept()

    def close(self) -> None:
        """Give the process a second to end by itself, then kill all that is left of it."""
        self.reusable = False
        if self._process is not None:
            self._process.close_stdin()
            self._process.thaw()
            self._process.wait(END_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Kill the process and all that it started, at once."""
        if self._process is not None:
            self.rest.over()
            self._process.destroy()
            self.meter.close()
        if self._exit is not None:
            os.close(self._exit)
            self._exit = None

    @property
    def is_asleep(self) -> bool:
        """Whether it sleeps until it is asked, all that it has written taken in and dealt with."""
        return self._process is not None and self.rest.asleep and not self._buffer

    @property
    def _running(self) -> Confined:
        if self._process is None:
            raise LaunchError("the bot has not been started")
        return self._process

    # --- bytes -----------------------------------------------------------------------------------

    def _early_output(self) -> Fault | None:
        """The fault of having written, or closed stdout, before being asked."""
        self._drain(self._poller.poll(0))
        if self._buffer:
            return Fault(FaultCode.PROTOCOL_ERROR, "wrote before it was asked", bytes(self._buffer))
        return None if self._stdout_open else self._gone()

    def _ask_asleep(self, line: bytes, number: int, allowed_ns: int) -> Reply | None:
        """Ask a bot that sleeps, by compiled code; None where that has done nothing."""
        turn = exchange(
            self.stdin,
            self.watched,
            self.rest.probe,
            self.meter.schedstat,
            LOOKS,
            self.meter.fresh_until_ns,
            line,
            number,
            1 if allowed_ns >= LONG_TURN_NS else 0,
        )
        return None if turn is None else self.judge(turn, line, number, allowed_ns)

    def judge(self, turn: Turn, line: bytes, number: int, allowed_ns: int) -> Reply:
        """The reply to a question that compiled code has put; what it has not heard yet is waited for."""
        rest, meter = self.rest, self.meter
        sent, heard, taken, chunk, move, clock, used, answered, rested, stopped, delay, delayed, asleep = turn
        self._sent_ns, self._heard_ns, wall, size = sent, heard, heard - sent, len(chunk)
        off_turn = meter.began(used, delay)
        rest.end(off_turn, clock)
        self.spent.output += size
        plain = asleep == 1 and rest.probe is not None and wall <= FRESH_NS and rested >= 0
        if plain and self.spent.fits(size - 1) and (move is not None or chunk.find(b"\n") == size - 1):
            rest.fell_asleep(stopped)
            meter.ended(answered, rested)
            outcome = answer_to(chunk[:-1], number) if move is None else Answer(move, None)
            measured = Measured(answered - used, delayed - delay, NO_CPU_CONTENTION)
            return self._reply(outcome, chunk[:-1], wall, off_turn, measured)
        if answered >= 0:
            meter.answered(answered)
        self._buffer += chunk
        left_ns = self.spent.wait_ns(allowed_ns - off_turn)
        unsent = self._write(line[taken:], left_ns) if taken < len(line) else None
        return self._finish(unsent or self._read_line(sent, left_ns), number, off_turn)

    def _finish(self, heard: bytes | Fault, number: int, off_turn: int) -> Reply:
        """What comes of what was heard: from now on the bot is to compute no more."""
        self.rest.begin()
        wall = self._heard_ns - self._sent_ns
        measured = self.meter.end(wall)
        if isinstance(heard, Fault):
            return self._reply(heard, b"", wall, off_turn, measured)
        return self._reply(answer_to(heard, number), heard, wall, off_turn, measured)

    def _reply(
        self, outcome: Answer | Fault, received: bytes, wall: int, off_turn: int, measured: Measured
    ) -> Reply:
        cpu, lag, strain = measured
        self.spent.wall_ns += wall
        self.spent.cpu_ns += off_turn + (cpu or 0)
        return Reply(self.spent.fault() or outcome, wall, cpu, lag, off_turn, strain, received)

    def _send(self, line: bytes, allowed_ns: int) -> Fault | None:
        """Write all of `line` within `allowed_ns`, draining what the bot writes meanwhile."""
        self._sent_ns = self._heard_ns = time.monotonic_ns()
        return self._write(line, allowed_ns)

    def _write(self, rest: bytes, allowed_ns: int) -> Fault | None:
        while True:
            try:
                rest = rest[os.write(self.stdin, rest) :]
            except BlockingIOError:
                pass
            except OSError:
                return self._gone()
            if not rest:
                return None
            self._poller.register(self.stdin, select.POLLOUT)
            self._heard_ns = time.monotonic_ns()
            left_ns = self._left_ns(self._sent_ns, allowed_ns)
            self._drain(self._poll(self._sent_ns, max(0, left_ns)))
            self._poller.unregister(self.stdin)
            self._heard_ns = time.monotonic_ns()
            if not self.spent.fits(len(self._buffer)):
                return oversize(self._limits, bytes(self._buffer))
            if left_ns <= 0:
                return Fault(FaultCode.TIMEOUT, "did not read its input")

    def _read_line(self, since_ns: int, allowed_ns: int) -> bytes | Fault:
        """The next line without its newline, or the fault of not sending one in time."""
        searched = 0
        while True:
            newline = self._buffer.find(b"\n", searched)
            if newline >= 0:
                line = bytes(self._buffer[:newline])
                del self._buffer[: newline + 1]
                return line if self.spent.fits(newline) else oversize(self._limits, line)
            if not self.spent.fits(len(self._buffer)):
                return oversize(self._limits, bytes(self._buffer))
            if not self._stdout_open:
                return self._gone()
            left_ns = self._left_ns(since_ns, allowed_ns)
            if left_ns <= 0:
                return Fault(FaultCode.TIMEOUT, "sent no answer in time", bytes(self._buffer))
            searched = len(self._buffer)
            if events := self._poll(since_ns, left_ns):
                self._drain(events)
            else:  # it may have come just now
                self._drain_stdout()
            self._heard_ns = time.monotonic_ns()

    def _poll(self, since_ns: int, left_ns: int) -> list[tuple[int, int]]:
        """Wait for whatever comes, for at most `left_ns`; once that gets long the opponent stands still."""
        waited_ns = self._heard_ns - since_ns
        for looks in (1, 2):
            short_ns = looks * LONG_TURN_NS - waited_ns
            if self.beside is None or short_ns >= left_ns:
                break
            if short_ns > 0:
                if events := self._poller.poll(-(-short_ns // NS_PER_MS)):
                    return events
                waited_ns, left_ns = looks * LONG_TURN_NS, left_ns - short_ns
            self.beside.stand_still(surely=looks > 1)
        return self._poller.poll(-(-left_ns // NS_PER_MS))

    def _left_ns(self, since_ns: int, allowed_ns: int) -> int:
        """What is left of the time allowed, and of our patience with a bot that could not always run."""
        waited = self._heard_ns - since_ns
        if waited < allowed_ns:
            return allowed_ns - waited
        return allowed_ns + patience_ns(self.meter.lost_ns(waited), allowed_ns) - waited

    def _drain(self, events: list[tuple[int, int]]) -> None:
        for descriptor, _ in events:
            if descriptor == self._stdout:
                self._drain_stdout()
            elif descriptor == self._exit:
                self._drain_stdout()
                self._stdout_open = False
            elif descriptor == self._stderr.descriptor:
                self._stderr.drain()
            elif self.halt and descriptor == self.halt.fileno():
                self.halt.check()

    def _drain_stdout(self) -> None:
        """Take in at most one chunk; what a flooding bot writes beyond the limits is left in its pipe."""
        try:
            chunk = os.read(self._stdout, CHUNK)
        except BlockingIOError:
            return
        if not chunk:
            self._stdout_open = False
            with contextlib.suppress(KeyError):
                self._poller.unregister(self._stdout)
        self._buffer += chunk
        self.spent.output += len(chunk)

    # --- how a process ended ---------------------------------------------------------------------

    def _gone(self) -> Fault:
        """The fault of a process that ended, or closed its pipes, instead of answering."""
        self._heard_ns = time.monotonic_ns()
        self.meter.look()
        self._running.thaw()
        return end_fault(status_of(self._running, self.meter, self.halt), bytes(self._buffer))
