"""Reference bots in C are compiled on first use by one process, and started by all.

The program lies with its data in a folder of its own among the tables (`engines.solvers.tables`), which is
called by what went into it: the sources, the compiler with its version, the machine. It appears under that
name only when it is whole, and is made anew when it is damaged. Whoever compiles holds a lock, and whoever
comes meanwhile waits for it. As it is started unconfined, no other user may be able to change it.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bots.reference import REFERENCE, ReferenceBot, UnknownBotError
from bots.reference.owned import OTHERS_WRITE, ForeignProgramError, require_own
from bots.reference.sources import DATA, sources
from engines.locking import lock, try_lock
from engines.solvers.tables import tables_dir

COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-std=gnu17", "-O2")
LIBRARIES = ("-lm", "-pthread")
"""As an arena compiles what is handed in."""

PART = ".part"
"""How the name of a folder ends that a program is being made in."""

LAST_LINES = 20
"""So much of what a compiler says is told."""


class NotCompiledError(UnknownBotError):
    """A reference bot in C cannot be made here; the message says why, and which bots need no compiler."""


class Recipe(NamedTuple):
    """What a program is made of: its files by name, and the compiler's command; and where it is to lie."""

    bot: ReferenceBot
    files: Mapping[str, bytes]
    compiler: tuple[str, ...]
    program: Path

    @property
    def data(self) -> dict[str, bytes]:
        """The files that lie beside the program."""
        return {name: content for name, content in self.files.items() if name.endswith(DATA)}


def program_of(bot: ReferenceBot, tables: Path | None = None) -> Path:
    """The program of that bot below `tables`, else the usual folder; it is there once it has been compiled.

    Raises:
        NotCompiledError: there is no compiler here, or no folder to keep the program in.
    """
    return _recipe(bot, tables).program


def compile_bot(bot: ReferenceBot) -> None:
    """Make the bot's program where it is not there yet, or anew where it is damaged.

    Raises:
        NotCompiledError: it cannot be made here, or others than this user could change it.
    """
    recipe = _recipe(bot)
    folder = recipe.program.parent
    try:
        require_own(folder.parent)
        if _is_whole(recipe):
            return
        with folder.with_name(f"{folder.name}.lock").open("wb") as file:
            lock(file.fileno())
            if not _is_whole(recipe):  # somebody may have made it while this process waited
                _make(recipe)
    except ForeignProgramError as error:
        raise _refusal(bot, str(error)) from error
    except OSError as error:
        raise _refusal(bot, f"its program cannot be kept in {folder.parent}: {error}") from error


def _recipe(bot: ReferenceBot, tables: Path | None = None) -> Recipe:
    folder = tables or tables_dir()
    if folder is None:
        raise _refusal(bot, "its program needs a folder that can be written to (ARENA_TABLES_DIR)")
    command, version = _compiler(bot)
    files = sources(bot.module)
    about = [command, version, FLAGS, LIBRARIES, platform.system(), platform.machine()]
    digest = hashlib.sha256(json.dumps(about).encode())
    for name, content in sorted(files.items()):
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return Recipe(bot, files, command, folder / f"{bot.name}-{digest.hexdigest()[:16]}" / bot.name)


def _is_whole(recipe: Recipe) -> bool:
    """Whether the program is there and can be started, with its data as it comes.

    Raises:
        ForeignProgramError: others than this user could change it.
    """
    program = recipe.program
    try:
        require_own(program.parent, program)
        beside = {name: (program.parent / name).read_bytes() for name in recipe.data}
    except OSError:
        return False
    return beside == recipe.data and program.is_file() and os.access(program, os.X_OK)


def _make(recipe: Recipe) -> None:
    """Compile in a folder of another name, which gets its own when all in it is on disk.

    That folder is locked until its compiler has ended too, which may outlive this process.
    """
    folder = recipe.program.parent
    _clear(folder)
    part = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", suffix=PART, dir=folder.parent))
    held = os.open(part, os.O_RDONLY)
    try:
        lock(held)
        _compile(recipe, part, held)
        for path in part.iterdir():
            with path.open("rb") as file:
                os.fsync(file.fileno())
        if folder.is_dir():  # it is damaged
            folder.replace(tempfile.mkdtemp(prefix=f"{folder.name}.", suffix=PART, dir=folder.parent))
        part.replace(folder)
    finally:
        os.close(held)
        _clear(folder)


def _compile(recipe: Recipe, part: Path, held: int) -> None:
    """Put the program into the folder `part`, with its data."""
    for name, content in recipe.files.items():
        (part / name).write_bytes(content)
    program = part / recipe.program.name
    written = [str(part / name) for name in sorted(recipe.files) if name.endswith(".c")]
    words = [*recipe.compiler, *FLAGS, "-o", str(program), *written, *LIBRARIES]
    done = subprocess.run(
        words, capture_output=True, text=True, errors="replace", check=False, pass_fds=(held,)
    )
    if done.returncode != 0:
        last = "\n".join((done.stdout + done.stderr).splitlines()[-LAST_LINES:])
        raise _refusal(recipe.bot, f"{shlex.join(words)} ended with status {done.returncode}:\n{last}\n")
    for name in recipe.files.keys() - recipe.data.keys():
        (part / name).unlink()
    if not os.access(program, os.X_OK):
        raise _refusal(
            recipe.bot, f"no program can be started in {part.parent}; name another folder by ARENA_TABLES_DIR"
        )
    for path in part.iterdir():  # whatever the umask is
        path.chmod(path.stat().st_mode & ~OTHERS_WRITE)


def _clear(folder: Path) -> None:
    """Remove what is left of making that folder, but for what an orphaned compiler may still write to.

    Its lock is held by the caller, so that nobody else begins anything meanwhile.
    """
    for part in folder.parent.glob(f"{folder.name}.*{PART}"):
        held = os.open(part, os.O_RDONLY)
        try:
            if try_lock(held):
                shutil.rmtree(part, ignore_errors=True)
        finally:
            os.close(held)


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
