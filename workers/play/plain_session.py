"""A conversation with one bot's process where bots are not confined, as on Windows: threads read its pipes.

It is for games at home between bots of one's own: nothing holds a bot back between its turns, and only the
time on the wall is measured. What a bot does wrong is the same fault as in `workers.play.session`.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from bots.protocol.messages import Ready, UnexpectedError, encode, parse_ready
from bots.protocol.strict_json import MalformedError
from workers.core.contract import NO_CPU_CONTENTION, FaultCode, Limits
from workers.core.errors import LaunchError
from workers.core.halt import Halt
from workers.core.scratch import remove_tree, scratch_folder
from workers.core.stderr import BothEnds, Stderr
from workers.play.clock import NS_PER_MS
from workers.play.faults import NS_PER_S, answer_to, end_fault, oversize, startup
from workers.play.player import Fault, Reply
from workers.play.spent import Spent
from workers.sandbox import tree
from workers.sandbox.confinement import Program
from workers.sandbox.environment import ONE_CORE, environment

CHUNK = 64 * 1024
HELLO_NS = 1_000_000_000
EXIT_SECONDS = 1.0


class _Chunk(NamedTuple):
    """What came from a bot, nothing once it has closed its output, and when."""

    content: bytes
    at_ns: int


class PlainSession:
    """One bot's process as a player, for one match. It is started by `begin`."""

    def __init__(self, program: Program, limits: Limits) -> None:
        self.beside: object = None
        self._command = program.command
        self._packages = program.packages
        self._limits = limits
        self._halt: Halt | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._said = BothEnds()
        self._chunks: queue.SimpleQueue[_Chunk] = queue.SimpleQueue()
        self._lines: queue.SimpleQueue[tuple[bytes, threading.Event] | None] = queue.SimpleQueue()
        self._buffer = bytearray()
        self._is_open = True

    def heed(self, halt: Halt | None) -> None:
        """From now on it is that one that breaks its match off."""
        self._halt = halt

    # --- what the referee asks for ---------------------------------------------------------------

    def begin(self, hello: Mapping[str, Any]) -> None:
        """Start the process, and send `hello`; faults show when `ready` is called.

        Raises:
            LaunchError: it cannot be started.
        """
        self.spent = Spent(self._limits)
        self._scratch = scratch_folder()
        try:
            self._process = subprocess.Popen(
                self._command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._scratch,
                env=_environment(self._scratch, self._packages),
            )
        except OSError as error:
            remove_tree(self._scratch)
            raise LaunchError(f"cannot start {self._command[0]}: {error}") from error
        tree.leaders.add(self._process.pid)  # or it is taken for what a confined bot of ours left
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        self._threads = tuple(
            threading.Thread(target=work, args=(pipe,), daemon=True)
            for work, pipe in zip((self._feed, self._listen, self._note), pipes, strict=True)
        )
        for thread in self._threads:
            thread.start()
        self._started_ns = time.monotonic_ns()
        self._send(encode(hello), HELLO_NS)

    def ready(self, startup_ms: int) -> tuple[Ready | Fault, int]:
        """The answer to `hello`. Every fault before it is a `startup` fault."""
        heard = self._read_line(self._started_ns, startup_ms * NS_PER_MS)
        took = max(0, self._heard_ns - self._started_ns)
        if isinstance(heard, Fault):
            return startup(heard, startup_ms, NO_CPU_CONTENTION), took
        try:
            return parse_ready(heard), took
        except (MalformedError, UnexpectedError) as error:
            return Fault(FaultCode.STARTUP, f"the answer to hello is no ready: {error}", heard), took

    def ask(self, request: Mapping[str, Any], allowed_ns: int) -> Reply:
        """The answer to `request`; its clock starts when that is handed over.

        Raises:
            HaltError: the match is to be broken off.
        """
        if self._halt:
            self._halt.check()
        if early := self._early_output():
            return Reply(early, 0)
        left_ns = self.spent.wait_ns(allowed_ns)
        heard = self._send(encode(request), left_ns) or self._read_line(self._sent_ns, left_ns)
        wall = max(0, self._heard_ns - self._sent_ns)
        self.spent.wall_ns += wall
        outcome = self.spent.fault() or answer_to(heard, request["id"])
        return Reply(outcome, wall, received=b"" if isinstance(heard, Fault) else heard)

    def end(self, message: Mapping[str, Any]) -> None:
        """Send `message`, and let the bot see that nothing more will come."""
        self._send(encode(message), 0)
        self._lines.put(None)

    def stderr(self) -> Stderr:
        """What the bot wrote to its stderr: the first and the last 32 KiB."""
        return self._said.kept()

    def close(self) -> None:
        """Give the process a second to end by itself, then kill it."""
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(EXIT_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Kill the process at once. What it has started goes on."""
        if self._process is not None:
            self._lines.put(None)
            self._process.kill()
            self._process.wait()
            tree.leaders.discard(self._process.pid)
            for thread in self._threads:
                thread.join(EXIT_SECONDS)  # one that was started by the bot may hold a pipe for longer
            remove_tree(self._scratch)
            self._process = None

    # --- the threads -----------------------------------------------------------------------------

    def _feed(self, pipe: IO[bytes]) -> None:
        """Write each line that is sent, and say when it is written, or cannot be."""
        with contextlib.suppress(OSError), pipe:
            while sent := self._lines.get():
                line, written = sent
                try:
                    while line:
                        line = line[pipe.write(line) :]
                finally:
                    written.set()

    def _listen(self, pipe: IO[bytes]) -> None:
        """Take in what the bot says, with the time at which it came, up to a bound."""
        left = self._limits.output_bytes + CHUNK
        with pipe:
            while left > 0 and (chunk := pipe.read(CHUNK)):
                left -= len(chunk)
                self._chunks.put(_Chunk(chunk, time.monotonic_ns()))
        self._chunks.put(_Chunk(b"", time.monotonic_ns()))

    def _note(self, pipe: IO[bytes]) -> None:
        """Take in what it writes to its stderr."""
        with pipe:
            while chunk := pipe.read(CHUNK):
                self._said.add(chunk)

    # --- bytes -----------------------------------------------------------------------------------

    def _send(self, line: bytes, allowed_ns: int) -> Fault | None:
        """Have `line` written within `allowed_ns`."""
        self._sent_ns = self._heard_ns = time.monotonic_ns()
        written = threading.Event()
        self._lines.put((line, written))
        if written.wait(allowed_ns / NS_PER_S) or allowed_ns == 0:
            return None
        self._heard_ns = time.monotonic_ns()
        return Fault(FaultCode.TIMEOUT, "did not read its input")

    def _early_output(self) -> Fault | None:
        """The fault of having written, or closed stdout, before being asked."""
        with contextlib.suppress(queue.Empty):
            while self._is_open:
                self._take(self._chunks.get_nowait())
        if self._buffer:
            return Fault(FaultCode.PROTOCOL_ERROR, "wrote before it was asked", bytes(self._buffer))
        return None if self._is_open else self._gone()

    def _read_line(self, since_ns: int, allowed_ns: int) -> bytes | Fault:
        """The next line without its newline, or the fault of not sending one in time."""
        while True:
            line, newline, rest = self._buffer.partition(b"\n")
            if not self.spent.fits(len(line)):
                return oversize(self._limits, bytes(line))
            if newline:
                self._buffer = rest
                return bytes(line)
            if not self._is_open:
                return self._gone()
            left_ns = since_ns + allowed_ns - time.monotonic_ns()
            try:
                chunk = self._chunks.get(timeout=max(0.0, left_ns / NS_PER_S))
            except queue.Empty:
                chunk = None
            if chunk is None or chunk.at_ns - since_ns > allowed_ns:
                self._heard_ns = time.monotonic_ns()
                return Fault(FaultCode.TIMEOUT, "sent no answer in time", bytes(self._buffer))
            self._take(chunk)

    def _take(self, chunk: _Chunk) -> None:
        self._heard_ns = chunk.at_ns
        self._is_open = bool(chunk.content)
        self._buffer += chunk.content
        self.spent.output += len(chunk.content)

    def _gone(self) -> Fault:
        """The fault of a process that ended, or closed its pipes, instead of answering."""
        status = None
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = self._process.wait(EXIT_SECONDS)
                self._threads[-1].join(EXIT_SECONDS)  # why it ended is what it has said last
        return end_fault(status, bytes(self._buffer))


def _environment(home: Path, packages: Path | None) -> dict[str, str]:
    """Our own, with what Python bots find in every match."""
    told = environment(home, packages)
    kept = {key: value for key, value in told.items() if key.startswith("PYTHON") or key in ONE_CORE}
    return {**os.environ, **kept}
