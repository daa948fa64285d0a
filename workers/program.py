"""What starts one bot on this host."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

Command = tuple[str, ...]


@dataclass(frozen=True)
class Program:
    """A command, and the files and folders besides the system's own that it must be able to read.

    `trusted` is our own code: it need not be confined. Two equal programs are the same bot.
    """

    command: Command
    readable: tuple[Path, ...] = ()
    trusted: bool = False
