"""The seam between a session and whatever confines a bot's process; the ways are in `workers.sandbox`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from bots import reference
from engines.solvers.tables import tables_dir
from workers.core.contract import Limits
from workers.sandbox.probe import Probe

CONFINES: Final = hasattr(os, "pidfd_open")
"""Whether bots can be confined by this Python: on Linux, and built with what tells of a process's end."""

Command = tuple[str, ...]

REFERENCE_MODULES = "bots.reference."
ENTRY = "main.py"


class Program(NamedTuple):
    """What is to be started, and what it may see.

    `readable` are the files and folders that it may read besides those of the system: its own. Inside they
    have the same paths. A `trusted` program is ours: it needs no sandbox. `reserve_mb` is the address space
    that its runtime takes besides the memory that it uses; it counts where only the former can be limited.
    `packages` is a folder that Python finds modules in: everybody can read it, and it is never copied.
    `itself` is what a compiler is told of its own path where there is no /proc to tell it, and `maps` the
    file that a runtime reads there in place of its own memory's map.
    """

    command: Command
    readable: tuple[Path, ...] = ()
    trusted: bool = False
    reserve_mb: int = 0
    itself: str = ""
    maps: str = ""
    packages: Path | None = None


Startable = Command | Program


def as_program(program: Startable) -> Program:
    """A bare command as a program: it may read each file and folder that it names by an absolute path.

    A file is readable by itself, but a `main.py` with the folder that it lies in: so a bot of several files
    is started. Only the reference bots of this installation are trusted, those in C where they lie below this
    host's tables.
    """
    if isinstance(program, Program):
        return program
    named = [Path(word) for word in program[1:] if word.startswith("/")]
    readable = tuple(path.parent if path.name == ENTRY else path for path in named if _exists(path))
    return Program(program, readable, _is_reference(program))


def _is_reference(program: Command) -> bool:
    match program:
        case (sys.executable, "-m", reference.COMPILED, path, *_):
            tables = tables_dir()
            return tables is not None and Path(path).resolve().is_relative_to(tables.resolve())
        case (sys.executable, "-m", str() as module, *_):
            return module.startswith(REFERENCE_MODULES) and module != reference.COMPILED
    return False


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # too long for a path, or in a folder of somebody else
        return False


class Confined(Protocol):
    """A bot's running process: its three pipes, and the way to end it.

    `pid` is a process that ends when the bot does, with the bot's status. A frozen bot computes nothing
    until it is thawed; freezing or thawing a bot that has ended, or is frozen or thawed already, does
    nothing.
    """

    pid: int
    stdin: int
    stdout: int
    stderr: int

    def wait(self, seconds: float) -> int | None:
        """The exit status (negative: the signal) if the process ends within `seconds`, else None.

        Raises:
            LaunchError: it never became the bot, for a reason that is ours.
        """

    def close_stdin(self) -> None:
        """Tell the bot that nothing more will come."""

    def cpu_ns(self) -> int | None:
        """The processor time that the bot has used so far, in nanoseconds; None where that cannot be told."""

    def peak_memory(self) -> int | None:
        """The most memory that the bot has used at once, in bytes; None where that cannot be told."""

    def probe(self) -> Probe | None:
        """Where the bot is looked at at every turn, valid until it is destroyed; None where it cannot be."""

    def is_alone(self) -> bool:
        """Whether the bot is one process: it has started no other that still runs."""

    def follow(self) -> bool:
        """Keep the bot, which is alone and frozen, on the cores that the caller's thread is kept on.

        Whether that is so then: a bot that has ended is nowhere, and not everybody may move one.
        """

    def freeze(self) -> None:
        """Stop every process of the bot where it is, and see that all of its threads have been stopped."""

    def stop(self) -> None:
        """Freeze a bot that sleeps, as its `probe` says: at once, as it has nothing to be waited for."""

    def thaw(self) -> None:
        """Let a frozen bot go on."""

    def destroy(self) -> None:
        """Kill whatever is left of the bot, and remove all that was made for it. Safe to repeat."""


class Waiting(Protocol):
    """A sandbox in which all is ready but the bot, which has not begun."""

    def start(self) -> Confined:
        """Let the bot begin, on the cores that the caller's thread is kept on.

        Raises:
            LaunchError: the sandbox does not stand any more; nothing is left of it.
        """

    def destroy(self) -> None:
        """Remove it. Safe to repeat."""


class Confinement(Protocol):
    """A way to start bots."""

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        """Start a bot.

        `writable` is a folder for a program that makes files, such as a compiler: it may write there, starts
        there, and may start processes of its own. Its files belong to the caller's user when the process
        has been destroyed.

        Raises:
            LaunchError: the command cannot be started.
        """
