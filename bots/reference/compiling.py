"""Reference bots in C are compiled on first use by one process, and started by all.

The program lies with its weights in a folder of its own among the tables (`engines.solvers.tables`), which is
called by what went into it: the sources, the compiler with its version, the machine. It appears under that
name only when it is whole. Whoever compiles holds a lock, and whoever comes meanwhile waits for it.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shlex
import shutil
import subprocess
from functools import cache
from pathlib import Path

from bots.reference import REFERENCE, ReferenceBot, UnknownBotError
from bots.reference.sources import WEIGHTS, sources
from engines.locking import lock
from engines.solvers.tables import tables_dir

COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-std=gnu17", "-O2")
LIBRARIES = ("-lm", "-pthread")
"""As an arena compiles what is handed in."""

LAST_LINES = 20
"""So much of what a compiler says is told."""


class NotCompiledError(UnknownBotError):
    """A reference bot in C cannot be made here; the message says why, and which bots need no compiler."""


def program_of(bot: ReferenceBot, tables: Path | None = None) -> Path:
    """The program of that bot below `tables`, else the usual folder; it is there once it has been compiled.

    Raises:
        NotCompiledError: there is no compiler here, or no folder to keep the program in.
    """
    folder = tables or tables_dir()
    if folder is None:
        raise _refusal(bot, "its program needs a folder that can be written to (ARENA_TABLES_DIR)")
    command, version = _compiler(bot)
    about = [command, version, FLAGS, LIBRARIES, platform.system(), platform.machine()]
    digest = hashlib.sha256(json.dumps(about).encode())
    for name, content in sorted(sources(bot.module).items()):
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return folder / f"{bot.name}-{digest.hexdigest()[:16]}" / bot.name


def compile_bot(bot: ReferenceBot) -> None:
    """Make the bot's program where it is not there yet.

    Raises:
        NotCompiledError: it cannot be made here.
    """
    program = program_of(bot)
    if program.parent.is_dir():
        return
    try:
        with program.parent.with_suffix(".lock").open("wb") as file:
            lock(file.fileno())
            if not program.parent.is_dir():  # somebody may have made it while this process waited
                _make(bot, program)
    except OSError as error:
        raise _refusal(bot, f"its program cannot be kept in {program.parent.parent}: {error}") from error


def _make(bot: ReferenceBot, program: Path) -> None:
    """Compile in a folder of another name, which gets its own when all in it is on disk."""
    part = program.parent.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)  # of a process that was killed
    part.mkdir()
    try:
        files = sources(bot.module)
        for name, content in files.items():
            (part / name).write_bytes(content)
        written = [str(part / name) for name in sorted(files) if name.endswith(".c")]
        command, _ = _compiler(bot)
        words = [*command, *FLAGS, "-o", str(part / program.name), *written, *LIBRARIES]
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode != 0:
            last = "\n".join((done.stdout + done.stderr).splitlines()[-LAST_LINES:])
            raise _refusal(bot, f"{shlex.join(words)} ended with status {done.returncode}:\n{last}\n")
        for name in files:
            if not name.endswith(WEIGHTS):
                (part / name).unlink()
        if not os.access(part / program.name, os.X_OK):
            raise _refusal(
                bot, f"no program can be started in {part.parent}; name another folder by ARENA_TABLES_DIR"
            )
        for path in part.iterdir():
            with path.open("rb") as file:
                os.fsync(file.fileno())
        part.replace(program.parent)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _compiler(bot: ReferenceBot) -> tuple[tuple[str, ...], str]:
    """The command of this machine's C compiler, which `CC` may name, and what it says of its version."""
    if os.name != "posix":
        raise _refusal(bot, "it is a program in C, which is compiled on Linux and macOS only")
    named = os.environ.get("CC", "").strip() or next(filter(shutil.which, COMPILERS), None)
    if named is None:
        raise _refusal(bot, f"it is a program in C, and there is no compiler here ({', '.join(COMPILERS)})")
    try:
        command = tuple(shlex.split(named))
        return command, _version(command)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        raise _refusal(bot, f"the C compiler {named!r} does not start: {error}") from error


@cache
def _version(command: tuple[str, ...]) -> str:
    return subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout


def _refusal(bot: ReferenceBot, why: str) -> NotCompiledError:
    others = [
        f"@{other.name}" for other in REFERENCE.values() if other.games == bot.games and not other.levels
    ]
    instead = f"; {' and '.join(others)} need no compiler" if others else ""
    return NotCompiledError(f"the reference bot {bot.name} cannot be made here: {why}{instead}")
